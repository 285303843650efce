"""Two models beside each other: on which benchmarks they differ beyond error, and which is ahead."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.models.pair import FALSE_DISCOVERY_RATE as LEVEL_OF_FALSE
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS, Z95
from benchhealth.analytics.statistics.summaries.ends import extent, latest
from benchhealth.dashboard.figures.by_benchmark.row_chart import INSIDE, Line, beside_rows, frame, labels
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.language import ONLY_WIDE, OPENS_BENCHMARK, Drawing, on_hover, quiet_line, write
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.models import COUNTED_IN
from benchhealth.dashboard.words.numbers import NO_DISTANCE, correlation, day_of, points, probability, score
from benchhealth.dashboard.words.text import count, listed, model_within, plotly, short

Facts = Mapping[str, Any]

GROUPS = (
    (("first", "other"), "Differ", f"beyond error, {LEVEL_OF_FALSE:.0%} false discoveries"),
    (("neither",), "Within error", ""),
    (("unknown",), "No error known", "nothing can be said"),
)

MOST_NAMED = 3
"""How many of the benchmarks that are left out are named."""

_IN_POINTS = {"points": "difference", "points_reach": "reach", "points_shared": "error_shared"}

PAIRED = ("clusters", "same items", "tasks")
"""The bases of a difference that is paired: both models ran the same clusters, items or tasks."""


def why_within_error(rows: pl.DataFrame) -> str:
    """Says why these benchmarks count as within error, although a bar may miss zero: many are tested at once."""
    tested = rows["q_value"].drop_nulls().len()
    return f"not beyond error once all {tested} tested are counted" if tested > 1 else "not beyond error"


def title(rows: pl.DataFrame) -> str:
    """The finding: on how many benchmarks the two differ by more than error."""
    apart = rows.filter(pl.col("ahead").is_in(["first", "other"])).height
    return f"The two differ beyond error on {apart or 'none'} of {count(rows.height, 'benchmark')}"


def chart(rows: pl.DataFrame, names: tuple[str, str], elsewhere: Sequence[str], palette: Palette) -> Chart | Nothing:
    """The chart of these rows of `published.models.pair`; `names` are those of the two models.

    `elsewhere` are the benchmarks on which both have results under conditions that are not compared.
    """
    if rows.is_empty():
        return Nothing(
            "They have no curated benchmark in common under the same condition.",
            f"{other_conditions(elsewhere)} Choose another model to hold this one against, above.".lstrip(),
        )
    in_points = (
        pl.when(pl.col("unit").is_in(BOUNDED_UNITS)).then(pl.col(column) * 100).alias(name)
        for name, column in _IN_POINTS.items()
    )
    rows = rows.with_columns(in_points)
    lines, placed = _lines(rows)
    drawn = [(height, row) for height, row in placed if row["points"] is not None]
    figure, reach = Drawing(), _reach([row for _, row in drawn])
    for height, row in drawn:
        _error_bars(figure, height, row, reach, palette)
    _marks(figure, drawn, names, palette)
    frame(figure, lines, ("scores", ""), (-reach, reach), palette)
    _axis(figure, names)
    unplaced = [(height, _own_unit(row)) for height, row in placed if row["points"] is None]
    for narrow in (False, True):
        beside_rows(figure, [(height, text[narrow]) for height, text in unplaced], palette, on_phone=narrow)
    until = latest(rows["known_until"])
    paired = [rows.filter(pl.col("basis") == basis).height for basis in PAIRED]
    return Chart(
        title=title(rows),
        subtitle=(
            f"{_short(names[0])} less {_short(names[1])}, in points with 95% error; {count(rows.height, 'benchmark')} "
            f"that both have under the same condition, data to {day_of(until)} at the latest. Filled: beyond error, "
            f"{LEVEL_OF_FALSE:.0%} false discoveries among them. {_basis(*paired)}{_with_shared_error(rows)} "
            f"{other_conditions(elsewhere)}"
        ).rstrip(),
        figure=figure,
        rows=rows.drop(*_IN_POINTS, "age_months"),
        alt=f"{title(rows)}: {names[0]} and {names[1]}.",
        known_until=until,
    )


def other_conditions(elsewhere: Sequence[str]) -> str:
    """On how many benchmarks both have results that are not compared, as not both are under the judged condition."""
    if not elsewhere:
        return ""
    named = listed([short(name) for name in elsewhere[:MOST_NAMED]])
    more = f" and {len(elsewhere) - MOST_NAMED} more" if len(elsewhere) > MOST_NAMED else ""
    return f"Left out, under other conditions: {count(len(elsewhere), 'benchmark')} ({named}{more})."


def _with_shared_error(rows: pl.DataFrame) -> str:
    """A sentence on the inner bars: how many benchmarks would differ beyond error if the errors of the two models were
    correlated as on similar tests; empty where no correlation is known."""
    shared = rows.drop_nulls("error_shared")
    if shared.is_empty():
        return ""
    apart = rows.filter(pl.col("ahead_shared").is_in(["first", "other"])).height
    _, most = extent(shared["correlation"])
    return (
        f" Inner bar: were those errors as alike as on like tests (at most {correlation(most)}); then {apart} would "
        "differ."
    )


def _basis(by_cluster: int, by_item: int, by_task: int) -> str:
    """A sentence on how the errors were computed: paired over what both models ran, or as if independent."""
    pieces = (("clusters of items", by_cluster), ("items", by_item), ("tasks", by_task))
    kinds = [f"{kind} ({n})" for kind, n in pieces if n]
    if not kinds:
        return "Errors count as independent."
    return f"Diamond: paired over the same {listed(kinds, 'or')}; elsewhere errors count as independent."


def _short(name: str) -> str:
    return model_within(name, 34)


def _lines(rows: pl.DataFrame) -> tuple[list[Line], list[tuple[int, Facts]]]:
    lines: list[Line] = []
    named = labels(rows["name"].to_list())
    placed: list[tuple[int, Facts]] = []
    for kinds, name, beside in GROUPS:
        of_group = rows.filter(pl.col("ahead").is_in(kinds))
        if of_group.is_empty():
            continue
        lines.append(Line(f"{name}: {of_group.height}", heading=True, beside=beside or why_within_error(rows)))
        for row in of_group.sort("points", "name", descending=[True, False], nulls_last=True).iter_rows(named=True):
            first = score(row["score"], row["unit"]).removesuffix(" minutes")
            scores = f"{first} · {score(row['other_score'], row['unit'])}"
            lines.append(Line(named[row["name"]], scores))
            placed.append((len(lines), row))
    return lines, [(len(lines) + 1 - line, row) for line, row in placed]


def _colour(row: Facts, palette: Palette) -> str:
    return palette.accent if row["ahead"] in ("first", "other") else palette.ink3


def _reach(rows: Sequence[Facts]) -> float:
    """How far the axis goes to either side: over the bars, but for one that would flatten all others."""
    widest = max([5.0, *(abs(row["points"]) for row in rows)])
    ends = [abs(row["points"]) + (row["points_reach"] or 0.0) for row in rows]
    return 1.06 * float(min(max([widest, *ends]), 2.5 * widest))


def _error_bars(figure: go.Figure, height: int, row: Facts, reach: float, palette: Palette) -> None:
    if row["points_reach"] is None:
        return
    shared = None if row["points_shared"] is None else Z95 * row["points_shared"]
    for half_width, strength in ((row["points_reach"], 0.45), (shared, 0.8)):
        if half_width is None:
            continue
        ends = [max(-reach, row["points"] - half_width), min(reach, row["points"] + half_width)]
        quiet_line(figure, ends, [height, height], width=5, color=palette.faint(_colour(row, palette), strength))


def _marks(figure: go.Figure, rows: Sequence[tuple[int, Facts]], names: tuple[str, str], palette: Palette) -> None:
    figure.add_scatter(
        x=[row["points"] for _, row in rows],
        y=[height for height, _ in rows],
        mode="markers",
        marker={
            "size": 9,
            "symbol": ["diamond" if row["basis"] in PAIRED else "circle" for _, row in rows],
            "color": [palette.accent if row["ahead"] in ("first", "other") else palette.paper for _, row in rows],
            "line": {"color": [_colour(row, palette) for _, row in rows], "width": 1.5},
            "opacity": 1,
        },
        **on_hover((_hover(row, names) for _, row in rows), OPENS_BENCHMARK, [row["benchmark_id"] for _, row in rows]),
    )


def _axis(figure: go.Figure, names: tuple[str, str]) -> None:
    low = figure.layout.xaxis.range[0]
    step = next(step for step in (1, 2, 5, 10, 20, 50) if -low / step < 3 or step == 50)
    ticks = [value for value in range(-100, 101, step) if low <= value <= -low]
    figure.update_xaxes(
        tickvals=ticks,
        ticktext=["level" if value == 0 else f"{abs(value)}" for value in ticks],
        zeroline=True,
        zerolinewidth=1,
        zerolinecolor=figure.layout.xaxis.tickfont.color,
    )
    for x, side, name in (
        (0.0, "left", f"← {plotly(_short(names[1]))} ahead"),
        (1 - INSIDE, "right", f"{plotly(_short(names[0]))} ahead →"),
    ):
        above = {"xref": "paper", "yref": "paper", "yshift": 16, "xanchor": side, "yanchor": "middle"}
        write(figure, name, (x, 1), figure.layout.xaxis.tickfont.color, 11.5, opacity=ONLY_WIDE, **above)


def _own_unit(row: Facts) -> tuple[str, str]:
    """By how much the first is ahead, with its error and unit, and the same for a phone."""
    value, unit = row["difference"], row["unit"]
    margin = "" if row["reach"] is None else f" ± {_number_text(row['reach'])}"
    sign = "+" if value > 0 else "\u2212"
    lead = f"{sign}{_number_text(abs(value))}{margin}"
    return f"{lead} {COUNTED_IN.get(unit, 'on its scale')}", f"{lead} {_ON_PHONE.get(unit, 'its scale')}"


_ON_PHONE: Mapping[str | None, str] = {"rating": "rating", "minutes": "min"}
"""COUNTED_IN where there is little room."""


def _number_text(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _hover(row: Facts, names: tuple[str, str]) -> str:
    ahead = names[0] if row["points"] > 0 else names[1]
    margin = "" if row["points_reach"] is None else f" ± {row['points_reach']:.2g}"
    lead = f"{abs(row['points']):.2g}{margin} points" if abs(row["points"]) >= 100 * NO_DISTANCE else "level"
    basis = {
        "clusters": f"paired over {row['clusters']} clusters of items",
        "same items": f"paired item by item, {row['differing']} of them unlike",
        "tasks": f"paired over {row['tasks']} tasks",
        "items": "errors as if independent",
        None: "no error known",
    }
    tested = "" if row["q_value"] is None else f", q {probability(row['q_value'])}"
    return (
        f"<b>{plotly(row['name'])}</b> · {plotly(row['condition'])}<br>{plotly(_short(ahead))} ahead by {lead}<br>"
        f"{basis[row['basis']]}{tested}<br>data to {day_of(row['known_until'])}"
    )


def sentence(rows: pl.DataFrame, names: tuple[str, str]) -> str:
    """Which of the two is ahead on how many of those where they differ beyond error, and on which most."""
    clauses = []
    for side, name in zip(("first", "other"), names, strict=True):
        ahead = rows.filter(pl.col("ahead") == side)
        if ahead.height:
            bounded = ahead.filter(pl.col("unit").is_in(BOUNDED_UNITS)).sort(pl.col("difference").abs())
            most = ""
            if bounded.height:
                top = bounded.row(-1, named=True)
                most = f", furthest on {short(top['name'])} ({points(top['difference'])})"
            clauses.append(f"{name} is ahead on {ahead.height} of {rows.height}{most}")
    return "; ".join(clauses)
