"""Two models beside each other: on which benchmarks they can be told apart, and which is ahead."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.statistics.errors import BOUNDED_UNITS, Z95
from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.language import ONLY_WIDE, OPENS_BENCHMARK
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.models.figures.rows import INSIDE, Line, beside_rows, frame, labels
from benchhealth.dashboard.pages.models.words import LEVEL
from benchhealth.dashboard.words.numbers import day_of, points, probability, score
from benchhealth.dashboard.words.text import count, model_within, plotly, short

Facts = Mapping[str, Any]

GROUPS = (
    (("first", "other"), "Told apart", "beyond error, 5% false discoveries"),
    (("neither",), "Not told apart", ""),
    (("unknown",), "No error known", "nothing can be said"),
)

PAIRED = ("same items", "tasks")
"""On what a difference may rest that is taken piece by piece."""


def not_told(rows: pl.DataFrame) -> str:
    """Why those are not told apart; a bar may miss the level line, as many are tested at once."""
    tested = rows["q_value"].drop_nulls().len()
    return f"not beyond error once all {tested} tested are counted" if tested > 1 else "not beyond error"


def title(rows: pl.DataFrame) -> str:
    """The finding: how many benchmarks tell them apart."""
    apart = rows.filter(pl.col("ahead").is_in(["first", "other"])).height
    return f"{apart or 'None'} of {count(rows.height, 'benchmark')} can tell the two apart"


def chart(
    rows: pl.DataFrame, names: tuple[str, str], sources: Sequence[SourceLine], palette: Palette
) -> Chart | Nothing:
    """The chart of these rows of `published.models.pair`; `names` are those of the two models."""
    if rows.is_empty():
        return Nothing(
            "They have no curated benchmark in common.", "Choose another model to hold this one against, above."
        )
    rows = rows.with_columns(
        points=pl.when(pl.col("unit").is_in(BOUNDED_UNITS)).then(pl.col("difference") * 100),
        points_error=pl.when(pl.col("unit").is_in(BOUNDED_UNITS)).then(pl.col("error") * 100),
    )
    lines, placed = _lines(rows)
    drawn = [(place, row) for place, row in placed if row["points"] is not None]
    figure, reach = go.Figure(), _reach([row for _, row in drawn])
    for place, row in drawn:
        _error(figure, place, row, reach, palette)
    _marks(figure, drawn, names, palette)
    frame(figure, lines, ("scores", ""), (-reach, reach), palette)
    _axis(figure, names)
    beside_rows(figure, 0.0, [(place, _own_unit(row)) for place, row in placed if row["points"] is None], palette)
    until = rows["known_until"].drop_nulls().max()
    day = until if isinstance(until, date) else None
    paired = [rows.filter(pl.col("basis") == basis).height for basis in PAIRED]
    return Chart(
        title=title(rows),
        subtitle=(
            f"{_short(names[0])} less {_short(names[1])}, in points with 95% error; {count(rows.height, 'benchmark')} "
            f"that both have, known until {day_of(day)} at the latest. Filled: told apart. {_basis(*paired)}"
        ),
        figure=figure,
        rows=rows.drop("points", "points_error", "age_months"),
        alt=f"{title(rows)}: {names[0]} and {names[1]}.",
        sources=sources,
        known_until=day,
        method="told_apart",
    )


def _basis(by_item: int, by_task: int) -> str:
    """How errors were found: what both ran is compared piece by piece."""
    kinds = [f"{kind} ({n})" for kind, n in (("items", by_item), ("tasks", by_task)) if n]
    if not kinds:
        return "Errors count as independent."
    return f"Diamond: paired over the same {' or '.join(kinds)}; elsewhere errors count as independent."


def _short(name: str) -> str:
    return model_within(name, 34)


def _lines(rows: pl.DataFrame) -> tuple[list[Line], list[tuple[int, Facts]]]:
    lines: list[Line] = []
    named = labels(rows["name"].to_list())
    found: list[tuple[int, Facts]] = []
    for kinds, name, beside in GROUPS:
        of_group = rows.filter(pl.col("ahead").is_in(kinds))
        if of_group.is_empty():
            continue
        lines.append(Line(f"{name}: {of_group.height}", heading=True, beside=beside or not_told(rows)))
        for row in of_group.sort("points", "name", descending=[True, False], nulls_last=True).iter_rows(named=True):
            first = score(row["score"], row["unit"]).removesuffix(" minutes")
            both = f"{first} · {score(row['other_score'], row['unit'])}"
            lines.append(Line(named[row["name"]], both))
            found.append((len(lines), row))
    return lines, [(len(lines) + 1 - at, row) for at, row in found]


def _colour(row: Facts, palette: Palette) -> str:
    return palette.accent if row["ahead"] in ("first", "other") else palette.ink3


def _reach(drawn: Sequence[Facts]) -> float:
    """How far the axis goes to either side: over the bars, but for one that would flatten all others."""
    widest = max([5.0, *(abs(row["points"]) for row in drawn)])
    ends = [abs(row["points"]) + Z95 * (row["points_error"] or 0.0) for row in drawn]
    return 1.06 * float(min(max([widest, *ends]), 2.5 * widest))


def _error(figure: go.Figure, place: int, row: Facts, reach: float, palette: Palette) -> None:
    if row["points_error"] is None:
        return
    wide = Z95 * row["points_error"]
    figure.add_scatter(
        x=[max(-reach, row["points"] - wide), min(reach, row["points"] + wide)], y=[place, place], mode="lines",
        hoverinfo="skip",
        line={"width": 5, "color": palette.faint(_colour(row, palette), 0.45)},
    )  # fmt: skip


def _marks(figure: go.Figure, drawn: Sequence[tuple[int, Facts]], names: tuple[str, str], palette: Palette) -> None:
    figure.add_scatter(
        x=[row["points"] for _, row in drawn],
        y=[place for place, _ in drawn],
        mode="markers",
        marker={
            "size": 9,
            "symbol": ["diamond" if row["basis"] in PAIRED else "circle" for _, row in drawn],
            "color": [
                palette.accent if row["ahead"] in ("first", "other") else palette.paper for _, row in drawn
            ],
            "line": {"color": [_colour(row, palette) for _, row in drawn], "width": 1.5},
            "opacity": 1,
        },
        customdata=[[row["benchmark_id"]] for _, row in drawn],
        meta=OPENS_BENCHMARK,
        hovertext=[_hover(row, names) for _, row in drawn],
        hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip


def _axis(figure: go.Figure, names: tuple[str, str]) -> None:
    low = figure.layout.xaxis.range[0]
    step = next(step for step in (1, 2, 5, 10, 20, 50) if -low / step <= 2 or step == 50)
    ticks = [value for value in range(-100, 101, step) if low <= value <= -low]
    figure.update_xaxes(
        tickvals=ticks,
        ticktext=["level" if value == 0 else f"{abs(value)}" for value in ticks],
        zeroline=True,
        zerolinewidth=1,
        zerolinecolor=figure.layout.xaxis.tickfont.color,
    )
    for at, side, name in (
        (0.0, "left", f"← {plotly(_short(names[1]))} ahead"),
        (1 - INSIDE, "right", f"{plotly(_short(names[0]))} ahead →"),
    ):
        figure.add_annotation(
            xref="paper", yref="paper", x=at, y=1, yshift=16, xanchor=side, yanchor="middle", text=name,
            showarrow=False, font={"size": 11.5, "color": figure.layout.xaxis.tickfont.color}, opacity=ONLY_WIDE,
        )  # fmt: skip


def _own_unit(row: Facts) -> str:
    value, unit = row["difference"], {"rating": "rating points", "minutes": "minutes"}.get(row["unit"], "on its scale")
    wide = "" if row["error"] is None else f" ± {_plain(Z95 * row['error'])}"
    sign = "+" if value > 0 else "\u2212"
    return f"{sign}{_plain(abs(value))}{wide} {unit}"


def _plain(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _hover(row: Facts, names: tuple[str, str]) -> str:
    ahead = names[0] if row["points"] > 0 else names[1]
    wide = "" if row["points_error"] is None else f" ± {Z95 * row['points_error']:.2g}"
    lead = f"{abs(row['points']):.2g}{wide} points" if abs(row["points"]) >= 100 * LEVEL else "level"
    basis = {
        "same items": f"paired item by item, {row['differing']} of them unlike",
        "tasks": f"paired over {row['tasks']} tasks",
        "items": "errors as if independent",
        None: "no error known",
    }
    tested = "" if row["q_value"] is None else f", q {probability(row['q_value'])}"
    return (
        f"<b>{plotly(row['name'])}</b> · {plotly(row['condition'])}<br>{plotly(_short(ahead))} ahead by {lead}<br>"
        f"{basis[row['basis']]}{tested}<br>known until {day_of(row['known_until'])}"
    )


def sentence(rows: pl.DataFrame, names: tuple[str, str]) -> str:
    """Which of the two is ahead on how many of those that tell them apart, and on which most."""
    parts = []
    for side, name in zip(("first", "other"), names, strict=True):
        ahead = rows.filter(pl.col("ahead") == side)
        if ahead.height:
            bounded = ahead.filter(pl.col("unit").is_in(BOUNDED_UNITS)).sort(pl.col("difference").abs())
            most = ""
            if bounded.height:
                top = bounded.row(-1, named=True)
                most = f", furthest on {short(top['name'])} ({points(top['difference'])})"
            parts.append(f"{name} is ahead on {ahead.height} of {rows.height}{most}")
    return "; ".join(parts)
