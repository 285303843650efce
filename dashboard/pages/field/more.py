"""The charts and tables about the field, one at a time, drawn when it is chosen."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import polars as pl
import streamlit as st

from benchhealth.analytics.aging.hazards import FEWEST_PER_VARIABLE
from benchhealth.analytics.aging.lives import OVERALL
from benchhealth.analytics.goodhart.pressure import GAPS
from benchhealth.analytics.record.tables import TABLES
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.figures.chart import ChartSpec
from benchhealth.dashboard.pages.field import (
    blind_spots,
    ceilings,
    charts,
    findings,
    goodhart_tables,
    life_tables,
    proxy,
    renewal,
    stock,
)
from benchhealth.dashboard.pages.field.figures import hazards, item_age, survival
from benchhealth.dashboard.published.benchmarks import last_known
from benchhealth.dashboard.published.field import goodhart
from benchhealth.dashboard.published.generation import Params, PublishedTable, View
from benchhealth.dashboard.widgets import block, empty, filters, links
from benchhealth.dashboard.widgets import tables as grids
from benchhealth.dashboard.widgets.tables import GridColumn
from benchhealth.dashboard.words.answers.counts import uncounted_sentence
from benchhealth.dashboard.words.numbers import percent
from benchhealth.dashboard.words.text import count, known_at_latest, listed, markdown

_HAZARD = TABLES["hazard"].by_name
HAZARD_COLUMNS = (
    GridColumn(_HAZARD["level"], pinned=True, width=170),
    *(GridColumn(_HAZARD[name], format="%.2f", width=70) for name in ("ratio", "low", "high")),
    *(GridColumn(_HAZARD[name], width=90) for name in ("p_value", "q_value", "proportional_p")),
    GridColumn(_HAZARD["per_variable"], format="%.1f", width=130),
)


def _csv(table: PublishedTable, params: Params) -> None:
    st.markdown(links.csv("All of it as CSV", table.address(params)))


def _lives(view: View) -> None:
    divisions = life_tables.divisions(view)
    if not divisions:
        empty.nothing(
            "No survival curve can be drawn yet.",
            "It takes five benchmarks with a day of release, a chance level and dated results.",
        )
        return
    params = {"by": filters.pick_one("by", "Compared by", divisions)}
    block.show(view, charts.LIVES, params)
    _csv(life_tables.CURVES, params)
    st.markdown(
        "A benchmark is **saturated** from the day on that its verdict says: by the same rules, on the results until "
        f"each day, at least {LIMITS.min_models} models, and less than {percent(LIMITS.exhausted_headroom)} of the way "
        "from chance to the ceiling left, error counted in, or leading models that no longer differ beyond error. "
        "Where others than the makers measured enough models, their results decide. A stretch after which more than "
        "half of what was left was gained, beyond error, was no end and does not count. A benchmark that nobody "
        "reports any more is not dead: it leaves "
        "the count when it is a year without a result, and enters it on the first day on which a verdict on it was "
        "possible; *What became of them* counts what was abandoned as gone. Benchmarks of one family (MATH, its parts "
        "and the AIME) fall together: all intervals take a family for one piece of evidence "
        f"([how]({links.address('methods')}#lives))."
    )
    if uncounted := uncounted_sentence(life_tables.saturated_lives(view)):
        csv_link = links.csv("Every benchmark with its reason as CSV", life_tables.LIVES.address({}))
        st.markdown(f"{markdown(uncounted)} {csv_link}")
    contrast = survival.contrast(view.table("survival"), last_known(view))
    if contrast is not None:
        st.markdown(f"**Why not just count the dead?** {contrast}")


def _fates(view: View) -> None:
    if block.show(view, charts.FATES, {}) is None:
        return
    _csv(life_tables.CURVES, {})
    st.markdown(
        "Two ends compete: once a benchmark is abandoned, with no result for a year, it will hardly be saturated. The "
        "curves of lives take it for one that would have been saturated as soon as the others, had work on it gone on; "
        "these count it as gone. What neither has met is still in use. Both are right, to different questions: how "
        "long a benchmark lasts **if work on it goes on**, and what **becomes of a benchmark** "
        f"([how]({links.address('methods')}#aalen_johansen))."
    )


def _hazards(view: View) -> None:
    rows = view.table("hazard")
    if block.show(view, charts.HAZARDS, {}) is None:
        return
    year, until = hazards.of_year(rows), last_known(view)
    st.markdown(
        f"{hazards.caveat(year, until)} {markdown(hazards.by_cohort(rows, until))} A ratio above 1 "
        "says that such benchmarks are saturated sooner at any age. Intervals are of the profile likelihood, wider "
        "as benchmarks of one family fall together; with fewer than "
        f"{FEWEST_PER_VARIABLE} deaths for each coefficient no ratio is given. "
        f"{markdown(hazards.refusals(rows))} Many are compared at once: the table has p, q (false discoveries) and the "
        "test of proportional hazards of each. These are associations among benchmarks that somebody chose to make "
        "and report, not effects."
    )
    grids.show(
        view,
        rows,
        life_tables.HAZARDS,
        {},
        alt="Every ratio of risks with its interval, p and q, made or refused",
        columns=HAZARD_COLUMNS,
        declared_in=("hazard",),
    )


def _items(view: View) -> None:
    benchmarks = life_tables.with_dated_items(view)
    if not benchmarks:
        empty.nothing(
            "No source of this generation dates its items.",
            "LiveCodeBench does: pull it with `benchhealth ingest --source livecodebench`.",
        )
        return
    left, right = st.columns([2, 3])
    with left:
        dated = filters.pick_one("dated", "Benchmark", benchmarks)
    with right:
        model = filters.pick_one("model", "Model", life_tables.models_on_dated_items(view, dated))
    params = {"dated": dated, "model": model}
    block.show(view, charts.ITEMS, params)
    _csv(life_tables.ITEM_AGES, params)
    named = None if model == OVERALL else model
    test = None if named is None else life_tables.break_test(view, dated, named)
    method_link = f"[how](<{links.address('methods')}#contamination_break>)"
    st.markdown(item_age.read_as(named, life_tables.training_ends(view, dated, model), test, method_link))


def _ceilings(view: View) -> None:
    until = last_known(view)
    st.markdown(
        "A curve may reach its ceiling because models got better, or because results came in with tools, with several "
        "attempts, on an easier subset or from another judge. Each benchmark is judged within one condition; beside "
        "it stands what would be left if all results were one curve."
    )
    st.markdown(ceilings.little(view, until))
    block.show(view, charts.CEILINGS, {})
    _csv(ceilings.CEILINGS, {})
    if changed := ceilings.changed_stages(view, until):
        st.markdown(changed)


def _pressure(view: View) -> None:
    params = {"gap": filters.pick_one("gap", "Gap", list(GAPS))}
    gap = {
        "twins": "the original's score less that of a second measurement of the same thing",
        "equal preparation": "the published score less that after every model was prepared alike",
        "self-reports": "the median of self-reported less third-party scores",
    }[params["gap"]]
    counted_in = proxy.PRESSED[params["gap"]]
    st.markdown(
        f"Pressure on a benchmark is counted in {counted_in}; the gap is {gap}, in points. Benchmarks differ in age, "
        "size and kind, so a link would not say what causes what."
    )
    block.show(view, proxy.PRESSURE, params)
    _csv(goodhart_tables.PRESSURE, params)


def _advances(view: View) -> None:
    st.markdown(
        "An advance is a step of a benchmark's running best. It counts as small where it is at most 1.96 standard "
        "errors of the difference of the two scores: it may be progress, and is no evidence of it."
    )
    params = {"by": filters.pick_one("by", "Advances by", goodhart.ADVANCES)}
    block.show(view, charts.ADVANCES, params)
    _csv(goodhart_tables.SMALL_ADVANCES, params)


def _reports(view: View) -> None:
    params = {"reports": filters.pick_one("reports", "Self-reports by", tuple(goodhart.PREMIUMS))}
    repeated = goodhart.row(view, "self_report_repeated")
    quotations = ""
    if repeated is not None and repeated["value"] is not None:
        quotations = (
            f" {repeated['value']:.0%} of {repeated['n']:,} pairs of scores are one number twice, most likely a "
            f"quotation, and are left out{known_at_latest(last_known(view))}."
        )
    st.markdown(
        "The same model on the same benchmark, as its maker reports it less what others measured. Prompts, examples, "
        f"effort and scaffold differ between the two, and makers choose what to report.{quotations} That anyone "
        "embellished does not follow from a difference."
    )
    block.show(view, charts.REPORTS, params)
    _csv(goodhart_tables.PREMIUM, params)


def _selection(view: View) -> None:
    st.markdown(
        "The best of many noisy scores overstates. Estimated is by how much the best entry of an organisation would "
        "fall if it were measured anew; were all its entries equally good, it would be the open diamond. What was "
        "tried and never listed nobody outside can know."
    )
    named = goodhart_tables.boards(view)
    params = {"board": filters.id_picker("board", "Leaderboard", named)} if named else {}
    if block.show(view, charts.SELECTION, params) is not None:
        _csv(goodhart_tables.SELECTION, params)


def _judges(view: View) -> None:
    st.markdown(
        "Where a model judges answers: by which factor its odds for models of its own family exceed what other judges "
        "of the same answers, or the votes of people, lead to expect. Liking a style its family shares would "
        "show as well."
    )
    block.show(view, charts.JUDGES, {})
    _csv(goodhart_tables.JUDGES, {})
    unknown = goodhart_tables.judges(view, {}).filter(pl.col("value").is_null())
    if unknown.height:
        st.markdown(f"{count(unknown.height, 'more comparison')} cannot be made: too few models of both kinds.")


def _cost(view: View) -> None:
    st.markdown(
        "The lowest published cost of a run that reaches a score, of those dated up to the end of each year, at the "
        "prices of the day of the run and as the source counts them."
    )
    named = goodhart_tables.benchmarks_with_costs(view)
    params = {"cost": filters.id_picker("cost", "Cost on", named)} if named else {}
    if block.show(view, charts.COST, params) is not None:
        _csv(goodhart_tables.COST, params)
    lacking = goodhart.rows(view, "cost_factor_of_ten_points").filter(pl.col("n") == 0)
    if missing := goodhart.with_names(view, lacking)["name"].to_list():
        st.markdown(f"Without a cost on record: {listed([markdown(name) for name in missing])}.")


def _claims(view: View) -> None:
    params = {"claims": filters.segments("claims", "Claims", findings.BY) or next(iter(findings.BY))}
    if block.show(view, findings.CLAIMS, params) is not None:
        _csv(findings.CHECKS, params)


def _order(view: View) -> None:
    block.show(view, charts.ORDER, {})
    block.show(view, charts.RERUNS, {})
    st.markdown(
        f"Who is tied on each board stands on [Leaderboards]({links.address('leaderboards')}); "
        f"all of it as CSV: [the census](<data/order_census.csv>), [the reruns](<data/order_rerun.csv>)."
    )


class Section(NamedTuple):
    """A part of the page that is chosen by name: its title, what draws it, and its charts that are no findings."""

    title: str
    show: Callable[[View], object]
    charts: tuple[ChartSpec, ...] = ()


def _of_one_chart(title: str, spec: ChartSpec) -> Section:
    """A section that consists of one chart."""
    return Section(title, lambda view: block.show(view, spec, {}), (spec,))


AGING: Mapping[str, Section] = {
    "lives": Section("Lives by cohort", _lives),
    "fates": Section("What became of them", _fates, (charts.FATES,)),
    "hazards": Section("What shortens a life", _hazards, (charts.HAZARDS,)),
    "items": Section("Age of the items", _items, (charts.ITEMS,)),
    "static-dynamic": Section("Static and dynamic", renewal.show, (renewal.STATIC_DYNAMIC,)),
    "standstill": _of_one_chart("How long best scores stand", stock.STANDSTILL),
    "successors": _of_one_chart("Who took over", stock.SUCCESSORS),
}
GOODHART: Mapping[str, Section] = {
    "ceilings": Section("Ceilings", _ceilings, (charts.CEILINGS,)),
    "proxy": Section("Proxy and target", proxy.show, (proxy.FRONTIER,)),
    "pressure": Section("Pressure", _pressure, (proxy.PRESSURE,)),
    "advances": Section("Advances", _advances),
    "order": Section("Printed order", _order, (charts.ORDER, charts.RERUNS)),
    "claims": Section("Claims", _claims, (findings.CLAIMS,)),
    "reports": Section("Self-reports", _reports),
    "selection": Section("Best of several", _selection, (charts.SELECTION,)),
    "judges": Section("Judges", _judges, (charts.JUDGES,)),
    "cost": Section("Cost", _cost, (charts.COST,)),
    "openness": _of_one_chart("Open weights", findings.OPENNESS),
}
MEASURED: Mapping[str, Section] = {"blind-spots": Section("Blind spots", blind_spots.show, (blind_spots.BLIND_SPOTS,))}
SECTIONS: Mapping[str, str] = {
    spec.name: name
    for sections in (AGING, GOODHART, MEASURED)
    for name, section in sections.items()
    for spec in section.charts
}
"""The section of each chart that is not a finding, by the chart's name, which is also its anchor on the page."""
