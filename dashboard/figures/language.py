"""The visual language of charts: layout, marks of stages, lines of reference, labels. See `palette` for colours.

No legend is drawn anywhere: lines are labelled at their ends, points beside them, filters above a chart are its key.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any

import plotly.graph_objects as go

from benchhealth.analytics.record.tables import STAGES
from benchhealth.dashboard.figures.labels import spread
from benchhealth.dashboard.figures.palette import FONT, Palette
from benchhealth.dashboard.published.benchmarks import AGED_MONTHS, FRESH_MONTHS

SHAPES: Mapping[str, str] = dict(
    zip(STAGES, ("circle", "triangle-up", "diamond", "triangle-down", "square"), strict=True)
)
"""Plotly's name of the mark that each stage is drawn with."""

OPENS_BENCHMARK = {"page": "benchmark", "parameter": "benchmark"}
OPENS_MODEL = {"page": "models", "parameter": "model"}
"""The `meta` of a trace whose points open a page: `customdata[0]` is the value of the parameter (see navigation.js)."""

ONLY_WIDE = 0.99
"""The opacity of texts placed for a full width; document.css leaves out on a phone what has it."""

ONLY_NARROW = 0.98
"""The opacity of texts that stand in for those on a phone; document.css leaves them out on anything wider."""

AXIS, LABEL = 12, 12
"""The text sizes of axes and of labels, in pixels."""


ROOM = 16
"""Pixels that are left for marks before what is written above a chart is cut: a single row of it."""


def laid_out(figure: go.Figure, palette: Palette, height: int, **more: object) -> go.Figure:
    """The layout that all charts share: no title, no legend, no box; a horizontal hairline grid."""
    axes = [axis for axis in figure.layout if re.fullmatch(r"[xy]axis\d*", axis)]
    shared = {
        "automargin": True, "fixedrange": True, "zeroline": False, "ticks": "", "title": {"text": ""},
        "linecolor": palette.line, "gridcolor": palette.grid, "tickfont": {"color": palette.ink3, "size": AXIS},
    }  # fmt: skip
    across, up = {"showgrid": False, "showline": True, **shared}, {"showgrid": True, "showline": False, **shared}
    set_layout(
        figure,
        height=height,
        dragmode=False,
        hovermode="closest",
        showlegend=False,
        margin={"l": 4, "r": 8, "t": 12, "b": 4},
        minreducedheight=ROOM,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": FONT, "size": AXIS, "color": palette.ink2},
        hoverlabel={
            "bgcolor": palette.card,
            "bordercolor": palette.line,
            "font": {"family": FONT, "size": 12, "color": palette.ink},
            "align": "left",
        },
        **{axis: across if axis.startswith("x") else up for axis in axes},
        **more,
    )
    return figure


def set_layout(figure: go.Figure, **layout: object) -> None:
    """As `figure.update_layout`, in a sixth of its time: each part is checked once, with what it had before."""
    before = figure.layout.to_plotly_json()
    figure.update_layout({name: _merged(before.get(name), setting) for name, setting in layout.items()}, overwrite=True)


def _merged(before: object, after: object) -> object:
    """The newer of two parts of a layout; of two objects what either has, the newer where both do."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return after
    return before | {name: _merged(before.get(name), setting) for name, setting in after.items()}


class Drawing(go.Figure):  # type: ignore[misc]  # Plotly has no types
    """A figure whose annotations and shapes wait until its layout is looked at, and are checked together.

    Plotly checks all that are there again for each that is added: forty take a quarter of a second one by one.
    """

    def add_annotation(self, **properties: object) -> go.Figure:
        """Does the same as Plotly's method, for properties by name."""
        self._waiting["annotations"].append(properties)
        return self

    def add_shape(self, **properties: object) -> go.Figure:
        """As Plotly's own, for properties by their names."""
        self._waiting["shapes"].append(properties)
        return self

    @property
    def layout(self) -> go.Layout:
        """The layout, after the annotations and shapes that waited were added to it."""
        built = super().layout
        while self._waiting:
            name, pending = self._waiting.popitem()
            built[name] = [*built[name], *pending]
        return built

    @layout.setter
    def layout(self, layout: object) -> None:
        go.Figure.layout.fset(self, layout)

    def to_dict(self) -> dict[str, Any]:
        """The figure as a dictionary, with the annotations and shapes that waited."""
        _ = self.layout
        drawn: dict[str, Any] = super().to_dict()
        return drawn

    @cached_property
    def _waiting(self) -> defaultdict[str, list[dict[str, object]]]:
        """What waits, by its place in the layout; cached, as Plotly looks at a layout before `__init__` has ended."""
        return defaultdict(list)


def on_hover(
    texts: Iterable[str], opens: Mapping[str, object] | None = None, ids: Iterable[object] = ()
) -> dict[str, Any]:
    """The properties of a trace whose points show these texts at the pointer.

    Where a page `opens` (OPENS_MODEL, OPENS_BENCHMARK), a click at each point opens that of its id.
    """
    trace: dict[str, Any] = {"hovertext": list(texts), "hovertemplate": "%{hovertext}<extra></extra>"}
    return trace if opens is None else {**trace, "customdata": [[entity_id] for entity_id in ids], "meta": opens}


def write(
    figure: go.Figure, text: str, position: tuple[object, object], colour: str, size: float = LABEL, /, **more: object
) -> None:
    """A text at a place (x, y), escaped for Plotly; `more` is how it is set, in Plotly's words for annotations."""
    font = {"size": size, "color": colour}
    figure.add_annotation(x=position[0], y=position[1], text=text, showarrow=False, font=font, **more)


def led(  # noqa: PLR0913, PLR0917
    figure: go.Figure,
    text: str,
    position: tuple[object, object],
    shift: tuple[float, float],
    colour: str,
    line: str | None,
    **more: object,
) -> None:
    """A text so many pixels right of and below a place (x, y), with a hairline to it in the colour of the `line`."""
    figure.add_annotation(
        x=position[0], y=position[1], text=text, ax=shift[0], ay=shift[1], font={"size": LABEL, "color": colour},
        showarrow=True, arrowhead=0, arrowwidth=0.7, arrowcolor=line or "rgba(0,0,0,0)", **more,
    )  # fmt: skip


def quiet_line(figure: go.Figure, x: object, y: object, **line: object) -> None:
    """A line through these points that says nothing at the pointer; `line` is its look in Plotly's words."""
    figure.add_scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip")


def area(figure: go.Figure, x: object, y: object, colour: str) -> None:
    """The field within the line through these corners, which says nothing at the pointer."""
    figure.add_scatter(x=x, y=y, mode="lines", fill="toself", fillcolor=colour, line={"width": 0}, hoverinfo="skip")


def field(
    figure: go.Figure, colour: str, x: tuple[Any, Any] | None = None, y: tuple[Any, Any] | None = None, **more: object
) -> None:
    """A rectangle below all marks, from end to end; over the whole width or height of the plot where none are given."""
    (x0, x1), (y0, y1) = x or (0, 1), y or (0, 1)
    references = {name: "paper" for name, ends in (("xref", x), ("yref", y)) if ends is None}
    figure.add_shape(
        type="rect", x0=x0, x1=x1, y0=y0, y1=y1, fillcolor=colour, line_width=0, layer="below", **{**references, **more}
    )


def named_rows(
    figure: go.Figure,
    names: Iterable[str],
    heights: Iterable[float],
    reach: tuple[float, float],
    palette: Palette,
    **more: object,
) -> None:
    """The vertical axis of a chart of rows: what each is called, and at which height it lies within the reach."""
    font = {"color": palette.ink, "size": LABEL}
    figure.update_yaxes(tickvals=list(heights), ticktext=list(names), range=list(reach), tickfont=font, **more)


def months_between(earlier: date, later: date) -> float:
    """The time from one day to another in months of 30.4375 days; negative where `later` is earlier."""
    return (later - earlier).days / 30.4375


def stage_mark(stage: str, age_months: float | None, palette: Palette) -> dict[str, Any]:
    """The marker of a stage: in its colour while knowledge is fresh, grey for a year after, then a grey outline."""
    grey = palette.stages["unknown"].mark
    if age_months is None or age_months > AGED_MONTHS:
        fill, outline = palette.paper, grey
    elif age_months > FRESH_MONTHS:
        fill, outline = palette.faint(grey, 0.38), grey
    else:
        fill, outline = palette.stages[stage].mark, palette.paper
    if stage == "unknown":
        fill, outline = palette.paper, grey
    return {"symbol": SHAPES[stage], "color": fill, "line": {"color": outline, "width": 1.3}}


def reference(figure: go.Figure, y: float, name: str, palette: Palette, *, dashed: bool = False) -> None:
    """A horizontal line of reference (ceiling, human, chance), named in the right margin."""
    figure.add_shape(
        type="line",
        xref="paper",
        x0=0,
        x1=1,
        y0=y,
        y1=y,
        layer="below",
        line={"color": palette.ink3, "width": 1, "dash": "dash" if dashed else "solid"},
    )
    in_margin(figure, y, name, palette.ink3)


def in_margin(figure: go.Figure, y: float, text: str, colour: str, *, bold: bool = False) -> None:
    """A text at this height in the right margin. `text` must be escaped for Plotly."""
    markup = f"<b>{text}</b>" if bold else text
    write(figure, markup, (1, y), colour, xref="paper", xanchor="left", xshift=6, yanchor="middle")


def spread_margin_labels(figure: go.Figure, y_range: tuple[float, float], plot_height: float, gap: float = 14) -> None:
    """Move the texts of the right margin apart so that none covers another; `plot_height` in pixels."""
    low, high = y_range
    notes = [note.to_plotly_json() for note in figure.layout.annotations]
    labels = [note for note in notes if note.get("xref") == "paper" and note.get("x") == 1]
    per_pixel = (high - low) / plot_height
    wanted = [note["y"] / per_pixel for note in labels]
    for note, height in zip(labels, spread(wanted, gap, low / per_pixel, high / per_pixel), strict=True):
        note["yshift"] = height - note["y"] / per_pixel
    figure.layout.annotations = notes


def line_labels(  # noqa: PLR0913, PLR0917
    figure: go.Figure,
    ends: Sequence[tuple[object, float, str, str]],
    y_range: tuple[float, float],
    plot_height: float,
    palette: Palette,
    gap: float = 15,
) -> None:
    """Name lines at their ends (x, y, escaped text, colour), spread apart, a hairline where one had to move."""
    low, high = y_range
    per_pixel = (high - low) / plot_height
    heights = spread([y / per_pixel for _, y, _, _ in ends], gap, low / per_pixel, high / per_pixel)
    for (x, y, text, colour), height in zip(ends, heights, strict=True):
        moved = height - y / per_pixel
        line = palette.line if abs(moved) > 5 else None
        at_left = {"xanchor": "left", "yanchor": "middle", "align": "left"}
        led(figure, f"<b>{text}</b>", (x, y), (14, -moved), colour, line, **at_left)
