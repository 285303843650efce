"""The findings of the first screen: one figure, one sentence and one line of doubt each."""

from datetime import date

import polars as pl

from benchhealth.analytics.aging.lives import OVERALL
from benchhealth.analytics.statistics.survival.kaplan_meier import half_life
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, Params
from benchhealth.dashboard.figures.forest import Mark, forest
from benchhealth.dashboard.figures.over_years import over_years
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.field import ceilings, goodhart_tables, life_tables
from benchhealth.dashboard.pages.field.figures import survival
from benchhealth.dashboard.published.answers import saturated_of
from benchhealth.dashboard.published.field import goodhart
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.known import last_known
from benchhealth.dashboard.widgets import provenance
from benchhealth.dashboard.widgets.provenance import everywhere, of_column
from benchhealth.dashboard.words.answers.counts import saturated_sentence
from benchhealth.dashboard.words.columns import texts
from benchhealth.dashboard.words.first.findings import advances_title, half_title
from benchhealth.dashboard.words.goodhart import attention, reports
from benchhealth.dashboard.words.known import data_to, known_at_latest
from benchhealth.dashboard.words.numbers import fixed, percent, signed
from benchhealth.dashboard.words.text import count, plotly, short, shorten

HEIGHT = survival.SMALL_HEIGHT
PREMIUMS, CEILINGS = 8, 7
"""Rows of the small charts; all are behind "more"."""


def _half_life(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = life_tables.curves(view, {})
    return survival.half_life_chart(rows, saturated_of(view), last_known(view), palette)


def _cohorts(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    if "released" not in life_tables.divisions(view):
        return Nothing("No cohorts can be compared yet.", "It takes five benchmarks released in the years of each.")
    rows = life_tables.curves(view, {"by": "released"})
    hazards = view.table("hazard")
    every = life_tables.curves(view, {}).filter(pl.col("cohort") == OVERALL)
    return survival.cohorts(rows, every, hazards, saturated_of(view), last_known(view), palette)


def _advances(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows, until = goodhart.advances(view, {"by": "year"}), last_known(view)
    if rows.is_empty():
        return Nothing("No share of advances can be given.", "It takes five steps whose scores both have an error.")
    last, overall = rows.row(-1, named=True), goodhart.one(view, "small_advances")
    same = goodhart.one(view, "sources_compared")
    of = "" if overall is None or overall["n"] is None else f" of {overall['n']:,} in all"
    figure = over_years(
        [(Mark("within error", role="ink3"), rows.head(-1)), (Mark("within error"), rows.tail(1))], palette,
        form=".0%", span=(0, 1.04), noun="advances", joined=False, labelled=False, height=HEIGHT,
    )  # fmt: skip
    figure.add_annotation(
        x=last["year"], y=min(last["high"], 1.0), yanchor="bottom", text=f"<b>{percent(last['value'])}</b>",
        showarrow=False, font={"color": palette.accent},
    )  # fmt: skip
    return Chart(
        title=advances_title(last),
        subtitle=(
            f"Share of new best scores that rose by no more than their own 95% error. {last['n']:,} advances in "
            f"{last['year']}{of}, with 95% intervals{attention.same_sources(same, rows)}.{data_to(until)}"
        ),
        figure=figure,
        rows=rows,
        alt=f"The share of advances within error by year, {percent(last['value'])} in {last['year']}.",
        known_until=until,
    )


def _premium(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    premiums, overall, until = goodhart.premiums(view, {}), goodhart.one(view, "self_report_premium"), last_known(view)
    if premiums.is_empty():
        return Nothing("No two reports can be compared.", "It takes three models with both kinds of score.")
    sure = (pl.col("low") > 0) | (pl.col("high") < 0)
    marked = premiums.with_columns(strong=sure)
    rows = marked.sort("strong", "n", descending=True).head(PREMIUMS).sort("value", descending=True)
    drawn = rows.height
    if overall is not None and overall["value"] is not None:
        pooled = {"name": "all pooled", **{name: overall[name] for name in ("value", "low", "high", "n")}}
        rows = pl.concat([rows, pl.DataFrame([{**pooled, "strong": False}])], how="diagonal_relaxed")
    hovers = [
        f"<b>{plotly(row['name'])}</b><br>{signed(row['value'])} points "
        f"({fixed(row['low'])} to {fixed(row['high'])})<br>"
        f"{row['n']:,} models"
        for row in rows.iter_rows(named=True)
    ]
    return Chart(
        title=reports.pooled_title(overall, premiums),
        subtitle=(
            "The maker's median score minus that of all others for the same model; estimates are shrunk to their mean. "
            f"Blue: clear of zero; {drawn} of {count(premiums.height, 'benchmark')} drawn. "
            f"{reports.pooled(overall)}{known_at_latest(until)}. {reports.PREMIUM_ERROR}."
        ),
        figure=forest(
            rows.with_columns(texts(rows["name"], short)),
            [Mark("with its 95% interval")], hovers, palette, axis="points", reference=0.0, height=HEIGHT,
        ),
        rows=rows,
        alt="Self-reported less third-party score in points by benchmark, with 95% intervals.",
        sources=provenance.of_benchmarks(view, premiums["subject"].to_list()),
        known_until=until,
    )  # fmt: skip


def _ten_points(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    factors = goodhart.named(view, goodhart.computed(view, "cost_factor_of_ten_points")).sort("value", "subject")
    if factors.is_empty():
        lacking = goodhart.rows(view, "cost_factor_of_ten_points").height
        return Nothing(
            "What ten more points cost is not known.", f"Of {lacking} benchmarks none publishes prices enough."
        )
    until, ids = last_known(view), factors["subject"].to_list()
    first, last = factors.row(0, named=True), factors.row(-1, named=True)
    several = "" if factors.height == 1 else f", ×{last['value']:.2g} on {shorten(short(last['name']), 24)}"
    hovers = [
        f"<b>{plotly(row['name'])}</b><br>×{row['value']:.2g}<br>{plotly(row['reason'])}"
        for row in factors.iter_rows(named=True)
    ]
    runs = int(factors["n"].sum())
    return Chart(
        title=(
            f"Ten more points went with ×{first['value']:.2g} the price on {shorten(short(first['name']), 24)}{several}"
        ),
        subtitle=(
            f"Factor in the price along the cheapest of the runs that were made (log scale), a description without an "
            f"interval: {count(runs, 'run')} on the only {count(factors.height, 'board')} that publish prices enough"
            f"{known_at_latest(until)}."
        ),
        figure=forest(
            factors.with_columns(texts(factors["name"], short)),
            [Mark("price of ten more points", low=None, high=None)], hovers, palette, axis="times the price",
            logarithmic=True, reference=1.0, height=HEIGHT,
        ),
        rows=factors.select("name", "value", "n", "reason", "subject"),
        alt="The factor in price of ten more points by board, among runs that were made, on a logarithmic scale.",
        sources=provenance.of_benchmarks(view, [*ids, *(f"{benchmark_id}/cost" for benchmark_id in ids)]),
        known_until=until,
    )  # fmt: skip


def concentration(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    """How unevenly entries are spread over benchmarks and organisations, year by year, not joined."""
    chosen = params.get("index") or next(iter(goodhart_tables.INDICES))
    rows, until = goodhart_tables.concentration(view, {"index": chosen}), last_known(view)
    index = goodhart_tables.INDICES[chosen]
    computed = rows.filter(pl.col("status") == "ok")
    over_benchmarks = computed.filter(pl.col("measure") == f"{index}_of_benchmarks").sort("year")
    if over_benchmarks.is_empty():
        return Nothing("No year can be counted.", "It takes twenty benchmarks or organisations with dated entries.")
    last = over_benchmarks.row(-1, named=True)
    lines = [
        (Mark("over benchmarks"), over_benchmarks),
        (
            Mark("over organisations", symbol="diamond", role="ink3"),
            computed.filter(pl.col("measure") == f"{index}_of_organisations"),
        ),
    ]
    title = {
        "gini": attention.crowding(last),
        "hhi": f"Two entries of {last['year']} fall on one benchmark in {last['value']:.1%} of cases"
        f"{attention.by_chance(last, '.1%')}",
    }[index]
    meaning = {"gini": "0: all have as many, 1: one has all", "hhi": "1: all fall on one"}[index]
    return Chart(
        title=title,
        subtitle=(
            f"{attention.concentration(rows, index, until)}. {meaning}"
            f"{attention.same_sources(goodhart.one(view, 'sources_compared'), computed)}."
        ),
        figure=over_years(
            [(line, part) for line, part in lines if part.height], palette, form=".2f", span=(-0.03, 1.03),
            noun="counted", joined=False, height=HEIGHT,
        ),
        rows=computed,
        alt="Concentration of entries by year over benchmarks and of new models over organisations; years with fewer "
        "than twenty are left out.",
        known_until=until,
    )  # fmt: skip


def openness(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    """The share of open weights among new bests and among all entries, by year."""
    rows, until = goodhart_tables.openness(view, {}), last_known(view)
    usable = rows.filter(pl.col("status") == "ok")
    if usable.is_empty():
        return Nothing("No year can be counted for open weights.", "It takes ten steps by models of known weights.")
    lines = [
        (Mark("of new bests"), usable.filter(pl.col("measure") == "frontier_open_weights")),
        (
            Mark("of all entries", symbol="diamond", role="ink3"),
            usable.filter(pl.col("measure") == "entries_open_weights"),
        ),
    ]
    return Chart(
        title=attention.openness_title(rows),
        subtitle=f"{attention.openness(rows, until)}. Share of models with open weights, with 95% intervals.",
        figure=over_years(
            [(line, part) for line, part in lines if part.height], palette, form=".0%", span=(0, 1.04),
            noun="of known weights", height=HEIGHT,
        ),
        rows=usable,
        alt="The share of models with open weights by year, among the steps of the running bests and among entries.",
        known_until=until,
    )  # fmt: skip


HALF_LIFE = ChartSpec("half-life", _half_life, method="survival", sources=everywhere)
COHORTS = ChartSpec("cohorts", _cohorts, method="hazard", sources=everywhere)
ADVANCES = ChartSpec("advances-by-year", _advances, method="small_advances", sources=everywhere)
PREMIUM = ChartSpec("makers-premium", _premium, method="premium")
TEN_POINTS = ChartSpec("ten-points", _ten_points, method="cost_of_a_point")
CONCENTRATION = ChartSpec("concentration", concentration, ("index",), method="concentration", sources=everywhere)
OPENNESS = ChartSpec("open-weights", openness, method="openness", sources=everywhere)
CEILINGS_MADE = ChartSpec(
    "ceilings-made",
    lambda view, _params, palette: ceilings.chart(view, palette, CEILINGS, HEIGHT),
    method="ceilings",
    sources=of_column("benchmark_id"),
)
FINDINGS = (HALF_LIFE, COHORTS, ADVANCES, PREMIUM, TEN_POINTS, CONCENTRATION, OPENNESS, CEILINGS_MADE)


def title(view: View) -> str:
    """The page in one line: how long half last, and how many of the last year's advances are within error."""
    parts = []
    rows = life_tables.curves(view, {}).filter(pl.col("cohort") == OVERALL)
    if rows.height and half_life(rows).months is not None:
        parts.append(half_title(rows))
    advances = goodhart.advances(view, {"by": "year"})
    if advances.height:
        last = advances.row(-1, named=True)
        parts.append(f"{percent(last['value'])} of {last['year']}'s new bests are within error")
    return ". ".join(parts) or "What holds of the whole field"


def subtitle(view: View, until: date | None) -> str:
    """How many are saturated, over what the title is, and until when both are known."""
    rows = life_tables.curves(view, {}).filter(pl.col("cohort") == OVERALL)
    parts = [f"{count(int(rows['n'][0]), 'benchmark')} were watched"] if rows.height else []
    advances = goodhart.advances(view, {"by": "year"})
    if advances.height:
        last = advances.row(-1, named=True)
        parts.append(f"{count(last['n'], 'advance')} of {last['year']} have a known error")
    watched = f"{' and '.join(parts)}{known_at_latest(until)}. " if parts else ""
    counted = saturated_of(view)
    saturated = f"{saturated_sentence(counted)} " if counted.benchmarks else ""
    return f"{saturated}{watched}Each finding has data, method and doubts below it."
