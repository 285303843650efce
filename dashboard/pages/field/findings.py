"""The findings of the first screen, one figure, one sentence and caveats each, and how far claims run ahead."""

import polars as pl

from benchhealth.analytics.corroboration.field import CONFIRMED_SHARE, OTHER, TESTED_SHARE
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.forest import Mark, forest
from benchhealth.dashboard.figures.over_years import over_years
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.field import goodhart_tables
from benchhealth.dashboard.pages.field.charts import ADVANCES, COHORTS, HEIGHT, LIVES, REPORTS
from benchhealth.dashboard.published.answers import saturated_of
from benchhealth.dashboard.published.benchmarks import last_known
from benchhealth.dashboard.published.field import goodhart
from benchhealth.dashboard.published.generation import Params, PublishedTable, View, one_of
from benchhealth.dashboard.widgets import provenance
from benchhealth.dashboard.widgets.provenance import everywhere
from benchhealth.dashboard.words.answers.counts import saturated_basis, saturated_title
from benchhealth.dashboard.words.columns import texts
from benchhealth.dashboard.words.domains import NAMES, group_name
from benchhealth.dashboard.words.goodhart import attention
from benchhealth.dashboard.words.numbers import percent, percent_interval
from benchhealth.dashboard.words.prose.corroboration import field_claims_sentence, field_title
from benchhealth.dashboard.words.text import count, known_at_latest, plotly, short, shorten


def _ten_points(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    factors = goodhart.with_names(view, goodhart.with_value(view, "cost_factor_of_ten_points")).sort("value", "subject")
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
            f"Factor in the price along the cheapest runs that were made, on a log scale. A description without an "
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


def concentration(view: View, _params: Params, palette: Palette) -> Chart | Nothing:
    """How unevenly entries are spread over benchmarks and organisations, year by year, not joined."""
    rows, until = goodhart_tables.concentration(view, {}), last_known(view)
    computed = rows.filter(pl.col("status") == "ok")
    over_benchmarks = computed.filter(pl.col("measure") == "gini_of_benchmarks").sort("year")
    if over_benchmarks.is_empty():
        return Nothing("No year can be counted.", "It takes twenty benchmarks or organisations with dated entries.")
    lines = [
        (Mark("over benchmarks"), over_benchmarks),
        (
            Mark("over organisations", symbol="diamond", role="ink3"),
            computed.filter(pl.col("measure") == "gini_of_organisations"),
        ),
    ]
    return Chart(
        title=attention.gini_sentence(over_benchmarks.row(-1, named=True)),
        subtitle=(
            f"{attention.concentration(over_benchmarks, until)}. 0: all have as many, 1: one has all"
            f"{attention.same_sources(goodhart.row(view, 'sources_compared'), computed)}."
        ),
        figure=over_years(
            [(line, of_line) for line, of_line in lines if of_line.height], palette, form=".2f", span=(-0.03, 1.03),
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
    code = goodhart.row(view, "frontier_open_code")
    unknown = f" On code: {code['reason']}." if code is not None and code["reason"] else ""
    return Chart(
        title=attention.openness_title(rows),
        subtitle=f"{attention.openness(rows, until)}. Share of models with open weights, with 95% intervals.{unknown}",
        figure=over_years(
            [(line, of_line) for line, of_line in lines if of_line.height], palette, form=".0%", span=(0, 1.04),
            noun="of known weights", height=HEIGHT,
        ),
        rows=usable,
        alt="The share of models with open weights by year, among the steps of the running bests and among entries.",
        known_until=until,
    )  # fmt: skip


TEN_POINTS = ChartSpec("ten-points", _ten_points, method="cost_of_a_point")
CONCENTRATION = ChartSpec("concentration", concentration, method="concentration", sources=everywhere)
OPENNESS = ChartSpec("open-weights", openness, method="openness", sources=everywhere)
CHARTS = (TEN_POINTS, CONCENTRATION, OPENNESS)
FINDINGS = (LIVES, COHORTS, ADVANCES, REPORTS, TEN_POINTS, CONCENTRATION)


def title(view: View) -> str:
    """The page in one line: how many benchmarks are saturated; the charts have how long they last, and the rest."""
    counted = saturated_of(view)
    return saturated_title(counted) if counted.benchmarks else "What holds of the whole field"


def subtitle(view: View) -> str:
    """What the number of the title rests on, and until when it is known."""
    counted = saturated_of(view)
    basis = f"Of these, {saturated_basis(counted)} " if counted.benchmarks else ""
    return f"{basis}Parts of benchmarks count too. Each finding has data, method and doubts below it."


BY = {"year": "By year", "domain": "By domain", "maker": "By maker"}
CONFIRMED = Mark("confirmed by others")
TESTED = Mark("measured by others, whatever came of it", "tested", None, None, "diamond-open", "ink3")


def checks(view: View, params: Params) -> pl.DataFrame:
    """The rows of a grouping (default: all of them): `claim_check`."""
    rows = view.table("claim_check")
    return rows.filter(subject_kind=one_of(params, "claims", tuple(BY))) if params.get("claims") else rows


CHECKS = PublishedTable("claim-check", checks)


def _chart(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    grouping, until = params.get("claims") or next(iter(BY)), last_known(view)
    all_checks = checks(view, {})
    overall = {row["measure"]: row for row in all_checks.filter(pl.col("subject_kind") == "all").iter_rows(named=True)}
    if not overall or overall[CONFIRMED_SHARE]["value"] is None:
        return Nothing("No share can be given.", "It takes records of curated benchmarks that makers report.")
    rows = checks(view, {"claims": grouping})
    tested = rows.filter(pl.col("measure") == TESTED_SHARE).select("subject", tested="value")
    drawn = (
        rows.filter(pl.col("measure") == CONFIRMED_SHARE)
        .join(tested, on="subject", how="left", maintain_order="left")
        .with_columns(last=pl.col("subject") == OTHER, name=pl.format("{} ({})", pl.col("subject").replace(NAMES), "n"))
        .sort("last", "subject")
        .drop("last")
    )
    hovers = [
        f"<b>{plotly(group_name(row['subject']))}</b>, {row['n']:,} records<br>confirmed {percent(row['value'])} "
        f"({percent_interval(row['low'], row['high'])}), measured by others {percent(row['tested'])}"
        for row in drawn.iter_rows(named=True)
    ]
    return Chart(
        title=field_title(overall),
        subtitle=(
            f"Steps of the best score of curated benchmarks{known_at_latest(until)}: {field_claims_sentence(overall)}. "
            "Filled: share confirmed, with 95% intervals; open: share that others measured at all. In brackets the "
            "number of records; those with fewer than ten are together. That nobody measured says nothing of a score."
        ),
        figure=forest(drawn, (CONFIRMED, TESTED), hovers, palette, axis="", span=(-0.02, 1.02), form=".0%"),
        rows=drawn,
        alt=f"The share of makers' records that others confirmed, by {grouping}, with 95% intervals.",
        known_until=until,
    )


CLAIMS = ChartSpec("claims", _chart, ("claims",), method="corroboration", sources=everywhere)
