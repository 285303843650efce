"""Frontiers of several benchmarks between chance and ceiling, by months since release or by calendar."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.figures import language
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.forest import wrapped
from benchhealth.dashboard.figures.lettering.axes import calendar_axis, months_step
from benchhealth.dashboard.figures.lettering.names import told_apart
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.compare import curves
from benchhealth.dashboard.published.benchmarks import FRESH_MONTHS
from benchhealth.dashboard.words.numbers import day_of, month_of, percent, stated_day
from benchhealth.dashboard.words.stages import STAGE_WORDS
from benchhealth.dashboard.words.text import capital, listed, plotly, words_within

HEIGHT, PLOT_HEIGHT = 460, 404
PLOT_END = 0.78
"""The part of the width that lines take; their names are right of it."""

Y_RANGE = (-0.02, 1.03)
STAGE_MARK = 11
"""Pixels of the mark of a stage at the end of a line."""

LENGTHS = NAME, DATED_NAME, NARROW_NAME = 30, 20, 24
NARROW_LINE, NARROW_LABEL, NARROW_GAP = 12, 11, 14
"""Letters of a line's name, of one with a month behind it, and on a phone; there its letters in a line, and pixels."""

X_NAMES = {"release": "months", "calendar": "dated_on"}


def title(times: pl.DataFrame) -> str:
    """The finding: how many are nearly used up."""
    n_reached = times.filter(pl.col("share") >= curves.NEARLY_ALL).height
    noun = "benchmark" if set(times["weights"]) == {"all"} else "frontier"
    counted = f"{times.height} {noun}{'s' * (times.height != 1)}"
    return f"{n_reached or 'None'} of {counted} had reached nine tenths of the scale"


def chart(rows: pl.DataFrame, clock: str, palette: Palette, ids: Sequence[str] = ()) -> Chart | Nothing:
    """The chart of these `curves`; `clock` is release or calendar.

    Each benchmark has the colour of its place in `ids`, so that adding one changes no other's.
    """
    if clock == "release":
        rows = rows.drop_nulls("months")
    if rows.is_empty():
        return Nothing(
            "Nothing to compare.",
            "Choose benchmarks that have a ceiling and a date of release; "
            "open and closed weights are apart where both have dated results.",
        )
    figure, ends, narrow = language.Drawing(), [], []
    order = list(dict.fromkeys([*ids, *rows["benchmark_id"]]))
    colours = {benchmark_id: palette.series[index % len(palette.series)] for index, benchmark_id in enumerate(order)}
    all_names = rows.unique("benchmark_id", maintain_order=True)["name"].to_list()
    names = {length: dict(zip(all_names, told_apart(all_names, length), strict=True)) for length in LENGTHS}
    x_name = X_NAMES[clock]
    last_x: Any = rows[x_name].max()
    for _, line in rows.group_by("benchmark_id", "weights", maintain_order=True):
        last = line.row(-1, named=True)
        colour = colours[last["benchmark_id"]]
        _line(figure, line, clock, colour, palette)
        if last[x_name] < last_x:
            ends_at = {"x0": last[x_name], "x1": last_x, "y0": last["share"], "y1": last["share"]}
            figure.add_shape(type="line", **ends_at, layer="below", line={"color": palette.line, "width": 1})
        of_kind = "" if last["weights"] == "all" else f", {last['weights']}"
        name = last["name"]
        is_carried = last["carried"]
        day = "" if is_carried and _fresh(last) else f", {month_of(last['known_until' if is_carried else 'dated_on'])}"
        named = plotly(names[DATED_NAME if day else NAME][name])
        ends.append((last_x, last["share"], f"{named}{of_kind} {percent(last['share'])}{day}", colour))
        narrow.append(f"{wrapped(names[NARROW_NAME][name], NARROW_LINE)}{of_kind if last['weights'] == 'open' else ''}")
    language.laid_out(figure, palette, HEIGHT)
    _axes(figure, rows, clock)
    language.line_labels(figure, ends, Y_RANGE, PLOT_HEIGHT, palette)
    _for_narrow(figure, narrow, palette)
    return _as_chart(figure, rows)


def _fresh(row: dict[str, Any]) -> bool:
    """Whether a source of the benchmark was read within six months: else its line is grey."""
    return row["age_months"] is not None and row["age_months"] <= FRESH_MONTHS


def _line(figure: go.Figure, line: pl.DataFrame, clock: str, colour: str, palette: Palette) -> None:
    """The best so far in the benchmark's colour; its last mark is the stage, in the stage's colour and shape."""
    first = line.row(0, named=True)
    x = line[X_NAMES[clock]].to_numpy()
    end = language.stage_mark(first["stage"], first["age_months"], palette)
    steps = line.height - 1
    figure.add_scatter(
        x=x if clock == "release" else x.astype("datetime64[D]"),
        y=line["share"].to_numpy().astype(np.float32),
        mode="lines+markers",
        cliponaxis=False,
        line={"shape": "hv", "width": 2, "color": colour, "dash": "dot" if first["weights"] == "open" else "solid"},
        marker={
            "size": [5] * steps + [STAGE_MARK],
            "symbol": ["circle"] * steps + [end["symbol"]],
            "color": [colour] * steps + [end["color"]],
            "line": {"color": [colour] * steps + [end["line"]["color"]], "width": [0.0] * steps + [1.3]},
            "opacity": 1,
        },
        **language.on_hover(
            map(_hover, line.iter_rows(named=True)), {**language.OPENS_BENCHMARK, "lifts": True}, line["benchmark_id"]
        ),
    )


def _hover(row: dict[str, Any]) -> str:
    holder_text = f"{plotly(row['model_id'] or 'model not known')} · " if not row["carried"] else "best still on "
    kind = "" if row["weights"] == "all" else f", {row['weights']} weights"
    scale_text = "from chance to ceiling" if row["floor"] is not None else "from 0 to ceiling, chance not known"
    condition = f"<br>{plotly(row['condition'])}" if row["condition"] else ""
    return (
        f"<b>{plotly(row['name'])}</b>{kind}<br>{percent(row['share'])} of the way {scale_text}<br>"
        f"{holder_text}{stated_day(row['dated_on'], row['date_precision'])}{condition}"
    )


def _axes(figure: go.Figure, rows: pl.DataFrame, clock: str) -> None:
    x_name = X_NAMES[clock]
    x_axis: dict[str, Any] = {"domain": [0, PLOT_END], "range": [rows[x_name].min(), rows[x_name].max()]}
    if clock == "release":
        longest = float(rows["months"].max() or 0.0)  # type: ignore[arg-type]
        x_axis |= {
            "range": [-0.01 * longest, longest],
            "dtick": months_step(longest),
            "tick0": 0,
            "title": {"text": "months since release", "standoff": 6},
        }
    else:
        x_axis |= calendar_axis(*x_axis["range"])
    unknown = set(rows.filter(pl.col("floor").is_null())["benchmark_id"])
    chance = "chance" if not unknown else "chance or 0" if len(unknown) < rows["benchmark_id"].n_unique() else "0%"
    figure.update_layout(
        xaxis=x_axis,
        yaxis={
            "range": list(Y_RANGE),
            "tickvals": [0, 0.25, 0.5, 0.75, 1],
            "ticktext": [chance, "25%", "50%", "75%", "ceiling"],
        },
    )


def _for_narrow(figure: go.Figure, names: Sequence[str], palette: Palette) -> None:
    """Beside each name one for a phone: without its value, on two lines where it is long."""
    wide = [{**note.to_plotly_json(), "opacity": language.ONLY_WIDE} for note in figure.layout.annotations]
    at_the_edge = {"xref": "paper", "x": 1, "xanchor": "right", "showarrow": False, "opacity": language.ONLY_NARROW}
    narrow = [
        {
            **at_the_edge,
            "y": note["y"],
            "align": "right",
            "bgcolor": palette.paper,
            "text": name,
            "font": {**note["font"], "size": NARROW_LABEL},
        }
        for note, name in zip(wide, names, strict=True)
    ]
    figure.layout.annotations = [*wide, *narrow]
    most_lines = max(name.count("<br>") + 1 for name in names)
    language.spread_margin_labels(figure, Y_RANGE, PLOT_HEIGHT, NARROW_GAP * most_lines)


def _as_chart(figure: go.Figure, rows: pl.DataFrame) -> Chart:
    times = curves.times(rows)
    until = latest(rows["known_until"])
    named = ", ".join(f"{row['name']} {percent(row['share'])}" for row in times.head(3).iter_rows(named=True))
    return Chart(
        title=title(times),
        subtitle=subtitle(times, until),
        figure=figure,
        rows=rows.drop("released_on"),
        alt=f"Running best of {times.height} lines as shares of their scales: {named}.",
        known_until=until,
    )


def subtitle(times: pl.DataFrame, until: date | None) -> str:
    """What the marks mean, for these `times`: where lines end, what their colours are, and under which conditions."""
    fresh = times.filter((pl.col("age_months") <= FRESH_MONTHS).fill_null(value=False))
    stages = ", ".join(STAGE_WORDS[stage].lower() for stage in STAGE_WORDS if stage in set(fresh["stage"]))
    benchmarks = times.unique("benchmark_id", maintain_order=True)
    cut = [words_within(name, NAME) for name in benchmarks.filter(~pl.col("whole"))["name"]]
    blind = [words_within(name, NAME) for name in benchmarks.filter(pl.col("floor").is_null())["name"]]
    sentences = [
        f"Best score so far, from chance to ceiling; each line ends when last known, the latest on {day_of(until)}.",
        f"Mark at the end: {stages}." if stages else "",
        "A grey mark: no data for six months or more." if fresh.height < times.height else "",
        "" if set(times["weights"]) == {"all"} else "Dotted: open weights.",
        f"Chance is not known for {listed(blind)}: drawn from 0." if blind else "",
        f"Later bests of {listed(cut)} are withheld by the terms of their sources." if cut else "",
        conditions(benchmarks),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def conditions(benchmarks: pl.DataFrame) -> str:
    """The condition under which the results of each line were measured."""
    by_condition = benchmarks.group_by(pl.col("condition").fill_null("not on record"), maintain_order=True).agg("name")
    if by_condition.height == 1:
        return f"Condition of {'all' if benchmarks.height > 1 else 'it'}: {by_condition['condition'][0]}."
    sentences = [
        f"{capital(condition)}: {listed([words_within(name, NAME) for name in names])}."
        for condition, names in by_condition.iter_rows()
    ]
    return f"Conditions differ. {' '.join(sentences)}"
