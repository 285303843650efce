"""The curve of a benchmark as a still picture: vector for HTML, pixels for PDF, the same bytes for the same facts.

matplotlib is imported where it is used (half a second), without pyplot, which keeps figures and settings for the
whole interpreter.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

import polars as pl

from dashboard.figures.base import days, is_bounded, numbers, score_text, shown, thinned
from dashboard.figures.colours import BLUE, VERMILLION
from dashboard.figures.curve import BASIS_LOOK, best_line, placed
from pipeline.report.letters import writable
from pipeline.report.tree import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INCHES = (7.1, 2.75)
"""As wide as the text of an A4 page, so that the letters come out at the size they are set in."""

DPI = 200
VECTOR_POINTS = 500
"""More points than this are drawn as one picture within the vector graphic."""

LABEL_GAP = 0.065
"""The height of a line of letters as a share of the height of the axes."""

_MARKERS = {"circle": "o", "diamond": "D", "triangle-up": "^", "triangle-left": "<", "square": "s"}
_LEVELS = (
    ("ceiling", "ceiling", VERMILLION, "--"),
    ("human", "human", "#9C3D74", ":"),
    ("floor", "chance", "#5F5F5F", "-."),
)
_SETTINGS = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "svg.fonttype": "path",
    "svg.hashsalt": "benchhealth",
    "axes.edgecolor": "#8C8C8C",
    "axes.spines.top": False,
    "axes.spines.right": False,
}


@dataclass(frozen=True)
class Label:
    """A text at a height of the axis."""

    at: float
    text: str
    colour: str
    weight: str = "normal"


def svg(curve: Curve) -> bytes:
    """The curve as SVG with letters as outlines: it looks the same wherever it is opened."""
    return _drawn(curve, "svg", {"Date": None})


def png(curve: Curve) -> bytes:
    """The curve as PNG of DPI dots per inch."""
    return _drawn(curve, "png", {"Software": None})


def _drawn(curve: Curve, kind: str, metadata: dict[str, Any]) -> bytes:
    from matplotlib import rc_context  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    out = BytesIO()
    with rc_context(_SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=INCHES, dpi=DPI, layout="constrained", facecolor="white")
        _fill(figure, curve)
        figure.savefig(out, format=kind, metadata=metadata)
    return out.getvalue()


def _fill(figure: Figure, curve: Curve) -> None:
    axes = figure.subplots()
    unit = curve.facts["unit"]
    _points(axes, curve.results, unit)
    if curve.steps.height:
        _best(axes, curve.steps, unit)
    axes.set_ylabel(writable(_unit(curve.facts["metric"] or "score", unit)), parse_math=False)
    if is_bounded(unit):
        axes.yaxis.set_major_formatter(lambda value, _position: f"{value:.0f}%")
    axes.grid(axis="y", color="#E3E7EB", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.12), ncols=4, frameon=False, borderaxespad=0, handletextpad=0.2)
    _labelled(axes, _levels(axes, curve))


def _unit(metric: str, unit: str | None) -> str:
    said = metric if is_bounded(unit) else f"{metric} ({unit or 'unit unknown'})"
    return said if len(said) <= 34 else f"{said[:33]}…"


def _points(axes: Axes, results: pl.DataFrame, unit: str | None) -> None:
    for (basis,), rows in placed(results).group_by("basis", maintain_order=True):
        symbol, colour, name = BASIS_LOOK[str(basis)]
        axes.scatter(
            days(rows["on"]),
            numbers(shown(rows["score"], unit)),
            s=9,
            marker=_MARKERS[symbol],
            color=colour,
            alpha=0.55,
            linewidths=0,
            label=name,
            rasterized=results.height > VECTOR_POINTS,
        )


def _best(axes: Axes, steps: pl.DataFrame, unit: str | None) -> None:
    """The running best, stepped, to the day until which it is known, where the picture ends."""
    line = best_line(steps)
    x, y = thinned(days(line["dated_on"]), numbers(shown(line["score"], unit)))
    axes.step(x, y, where="post", color=BLUE, linewidth=1.8, label="running best")
    axes.set_xlim(right=days(steps["dated_on"])[-1])


def _levels(axes: Axes, curve: Curve) -> list[Label]:
    """Draws ceiling, human baseline and chance as lines; their labels and that of the best."""
    unit = curve.facts["unit"]
    scale = 100 if is_bounded(unit) else 1
    labels = []
    for key, name, colour, style in _LEVELS:
        at = curve.facts[key]
        if at is not None:
            axes.axhline(at * scale, color=colour, linestyle=style, linewidth=1.1)
            labels.append(Label(at * scale, f"{name} {score_text(at, unit)}", colour))
    if curve.steps.height:
        best = curve.steps.row(-1, named=True)["score"]
        labels.append(Label(best * scale, f"best {score_text(best, unit)}", BLUE, "bold"))
    return labels


def _labelled(axes: Axes, labels: list[Label]) -> None:
    """Writes each label to the right of its line; those that would touch are moved apart."""
    low, high = axes.get_ylim()
    gap = (high - low) * LABEL_GAP
    above = high + gap
    for label in sorted(labels, key=lambda label: -label.at):
        place = min(label.at, above - gap)
        above = place
        axes.annotate(
            label.text,
            (1.008, place),
            xycoords=("axes fraction", "data"),
            va="center",
            weight=label.weight,
            color=label.colour,
            annotation_clip=False,
            parse_math=False,
        )
