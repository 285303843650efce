"""The stock: how long best scores stand, and which benchmarks succeeded saturated ones."""

import polars as pl

from benchhealth.analytics.aging.stock import FEWEST_SPELLS
from benchhealth.dashboard.figures.bands import FRAME
from benchhealth.dashboard.figures.base import days, numbers
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.language import OPENS_BENCHMARK, Drawing, laid_out, named_rows, on_hover
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.field.figures.survival import band, mark_half, steps_laid_out
from benchhealth.dashboard.published.benchmarks import last_known
from benchhealth.dashboard.published.generation import Params, PublishedTable, View
from benchhealth.dashboard.widgets.provenance import everywhere, of_column
from benchhealth.dashboard.words.happened import lives as words
from benchhealth.dashboard.words.numbers import day_of, months
from benchhealth.dashboard.words.text import plotly, words_within

SUCCEEDED = 16
"""How many saturated benchmarks are drawn with their successors, those saturated last."""
ROW, NAME, NAMES, LIFTED = 36, 24, 30, 0.28


def _standstill(view: View, _params: Params, palette: Palette) -> Chart | Nothing:
    rows = view.table("standstill_curve")
    if rows.is_empty():
        return Nothing(
            "No spell within error can be followed.", f"It takes {FEWEST_SPELLS} of benchmarks whose errors are known."
        )
    figure = Drawing()
    band(figure, rows, palette.accent, palette)
    figure.add_scatter(
        x=numbers(rows["months"]),
        y=numbers(rows["share"]),
        mode="lines",
        line={"color": palette.accent, "width": 2, "shape": "hv"},
        customdata=rows.select("at_risk", "events").rows(),
        hovertemplate="%{x:.0f} months: %{y:.0%} last longer<br>%{customdata[0]} lasted so long, %{customdata[1]} "
        "ended then<extra></extra>",
    )
    steps_laid_out(figure, rows, palette)
    middle, until = rows["median_months"][0], last_known(view)
    if middle is not None:
        mark_half(figure, middle, months(middle), palette)
    return Chart(
        title=words.standstill_title(rows),
        subtitle=f"Share of spells that last longer, with its 95% band: {words.standstill_sentence(rows, until)}.",
        figure=figure,
        rows=rows,
        alt=f"Falling steps: {words.standstill_sentence(rows, until)}.",
        known_until=until,
    )


def successions(view: View, _params: Params) -> pl.DataFrame:
    """Each saturated benchmark with a curated successor: names, releases, the day of saturation, which came first."""
    names = view.table("benchmark").select("benchmark_id", "released_on", name=pl.coalesce("name", "benchmark_id"))
    verdicts = view.table("verdict").filter(stage="saturated").select("benchmark_id", "since").drop_nulls()
    return (
        view.table("successor")
        .select("benchmark_id", "successor_id", "why", "source_url")
        .join(verdicts, on="benchmark_id")
        .join(names, on="benchmark_id")
        .join(
            names.rename({"benchmark_id": "successor_id", "name": "successor", "released_on": "successor_on"}),
            on="successor_id",
        )
        .drop_nulls(["released_on", "successor_on"])
        .with_columns(before_its_end=pl.col("successor_on") < pl.col("since"))
        .sort("since", "benchmark_id", "successor_on", descending=[True, False, False])
    )


SUCCESSIONS = PublishedTable("successions", successions)


def _successors(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    all_successions = successions(view, params)
    if all_successions.is_empty():
        return Nothing("No saturated benchmark has a successor on record.", "Curators name them, with a source.")
    olds = (
        all_successions.select("benchmark_id", "name", "released_on", "since")
        .unique(maintain_order=True)
        .head(SUCCEEDED)
    )
    drawn = all_successions.join(olds.select("benchmark_id"), on="benchmark_id", how="semi", maintain_order="left")
    figure = Drawing()
    laid_out(figure, palette, ROW * olds.height + FRAME + 20)
    for index, old in enumerate(olds.iter_rows(named=True)):
        height = olds.height - index
        figure.add_scatter(
            x=days(pl.Series([old["released_on"], old["since"]])),
            y=[height, height],
            mode="lines+markers",
            line={"color": palette.line, "width": 3},
            marker={"symbol": ["circle-open", "square"], "size": 9, "color": palette.stages["saturated"].mark},
            customdata=[[old["benchmark_id"]]] * 2,
            hovertext=[f"released {day_of(old['released_on'])}", f"saturated {day_of(old['since'])}"],
            hovertemplate=f"<b>{plotly(old['name'])}</b><br>%{{hovertext}}<extra></extra>",
            meta=OPENS_BENCHMARK,
        )
        new = drawn.filter(benchmark_id=old["benchmark_id"])
        figure.add_scatter(
            x=days(new["successor_on"]),
            y=[height + LIFTED] * new.height,
            mode="markers",
            marker={"symbol": "triangle-down", "size": 9, "color": palette.accent},
            **on_hover(
                (
                    f"<b>{plotly(name)}</b><br>came out {day_of(day)}"
                    for name, day in new.select("successor", "successor_on").iter_rows()
                ),
                OPENS_BENCHMARK,
                new["successor_id"],
            ),
        )
    labels = (_row_label(old, drawn, palette) for old in olds.iter_rows(named=True))
    named_rows(figure, labels, range(olds.height, 0, -1), (0.4, olds.height + 0.9), palette, showgrid=False)
    figure.update_layout(margin={"l": 4, "r": 8, "t": 8, "b": 4})
    return Chart(
        title=words.successors_title(all_successions),
        subtitle=(
            f"{words.drawn_of(olds.height, all_successions['benchmark_id'].n_unique())} Line: from release (open) "
            "to saturation (square). Arrows: releases of the benchmarks that a curator names to use "
            "instead, whose names stand below."
        ),
        figure=figure,
        rows=drawn,
        alt="; ".join(f"{row['name']} to {row['successor']}" for row in drawn.iter_rows(named=True)),
        known_until=last_known(view),
    )


def _row_label(old: dict[str, object], rows: pl.DataFrame, palette: Palette) -> str:
    """The saturated benchmark, and below it its successors."""
    new = ", ".join(rows.filter(benchmark_id=old["benchmark_id"])["successor"])
    name, successors = (
        plotly(words_within(text, limit), limit + 1) for text, limit in ((str(old["name"]), NAME), (new, NAMES))
    )
    return f'{name}<br><span style="color:{palette.accent}">→ {successors}</span>'


STANDSTILL = ChartSpec("standstill", _standstill, method="standstill_curve", sources=everywhere)
SUCCESSORS = ChartSpec("successors", _successors, method="lives", sources=of_column("benchmark_id"))
CHARTS = (STANDSTILL, SUCCESSORS)
