"""Benchmark: everything known about one benchmark, each number with the address it came from."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any
from urllib.parse import quote

import polars as pl
import streamlit as st

from benchhealth.analytics.verdict.history import BY_DATE
from benchhealth.dashboard.figures import bands
from benchhealth.dashboard.figures.base import is_bounded
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.benchmark import head, incidents, instead, link, measured, outlook
from benchhealth.dashboard.pages.benchmark.card import card
from benchhealth.dashboard.pages.benchmark.facts import Facts, facts_of, indicators_of, sources_of, verdict_of
from benchhealth.dashboard.pages.benchmark.figures import apart, curve, frame, line
from benchhealth.dashboard.pages.benchmark.tabs import (
    backcast,
    churn,
    contamination,
    indicators,
    items,
    life,
    measurers,
    reporters,
    sources,
    top_models,
    twins,
)
from benchhealth.dashboard.published import standings
from benchhealth.dashboard.published.answers import answers_of
from benchhealth.dashboard.published.benchmarks import assessed_on
from benchhealth.dashboard.published.boards.items import CANDIDATES
from benchhealth.dashboard.published.generation import Params, PublishedTable, View, one_of, recently
from benchhealth.dashboard.published.happened import lives
from benchhealth.dashboard.published.results import (
    FRONTIER,
    LEADERS,
    RESULTS,
    frontier,
    ids,
    judged_by,
    known_benchmark,
    of_benchmark,
    results,
    results_of_curve,
    results_until,
)
from benchhealth.dashboard.widgets import block, changed, empty, filters, links, wrong
from benchhealth.dashboard.widgets.boxes import difference, suggestions
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.widgets.shared import TWO_SCORES
from benchhealth.dashboard.words.answers.room import both_numbers_sentence, two_numbers
from benchhealth.dashboard.words.numbers import month_of, score
from benchhealth.dashboard.words.text import code, listed, markdown

CURVES_DRAWN = 4
"""How many curves are drawn at most: more would hide each other."""
CONDITION_LINE_WIDTH = 720
"""Pixels of the line, so that the choice of a curve has room at its right."""
CONDITIONS_NAMED = 2
"""How many other conditions are named above the curve."""


CONDITIONS = PublishedTable(
    "conditions", of_benchmark("condition_frontier", "condition", "carried", "dated_on", model="name")
)
"""The running best of a benchmark under each condition, if it has several."""


def beside_conditions(view: View, facts: Mapping[str, Any]) -> pl.DataFrame:
    """The curves of the other conditions that reach furthest: as many as can be drawn beside the benchmark's own."""
    rows = CONDITIONS.build(view, {"benchmark": facts["benchmark_id"]})
    other_curves = rows.filter(pl.col("condition") != (judged_by(view, facts["benchmark_id"]) or ""))
    ends = other_curves.filter("carried").sort("score", descending=facts["higher_is_better"] is not False)
    return other_curves.filter(pl.col("condition").is_in(ends["condition"].head(CURVES_DRAWN).implode()))


def draw_condition_line(view: View, facts: Mapping[str, Any]) -> None:
    """Draw the condition that counts here, and the best score under each other one."""
    if sentence := _condition_line(view, facts["benchmark_id"]):
        st.markdown(f":small[{sentence}]", width=CONDITION_LINE_WIDTH)


@recently
def _condition_line(view: View, benchmark_id: str) -> str:
    facts, condition = facts_of(view, benchmark_id), judged_by(view, benchmark_id)
    if condition is None:
        return ""
    ends = beside_conditions(view, facts).filter("carried")
    ranked = ends.sort("score", descending=facts["higher_is_better"] is not False)
    bests = ranked.head(CONDITIONS_NAMED)
    best_of_others = [
        f"{markdown(name)} {score(best, facts['unit'])}"
        for name, best in bests.select("condition", "score").iter_rows()
    ]
    sentence = f"[Condition]({links.address('methods')}#conditions): **{markdown(condition)}**."
    if best_of_others:
        address = CONDITIONS.address({"benchmark": benchmark_id})
        until = f" until {month_of(last)}" if isinstance(last := bests["dated_on"].max(), date) else ""
        named = f"{len(best_of_others)} of {ranked.height} other conditions"
        scope = named if ranked.height > 1 else "1 of 2 conditions"
        sentence += f" Not counted here, best under {scope}{until}: {listed(best_of_others)} ([CSV](<{address}>))."
    return sentence


TABS: Mapping[str, tuple[Callable[[View, Facts], None], ...]] = {
    "Life": (life.show,),
    "Top models": (top_models.show,),
    "Churn": (churn.show,),
    "Twins": (twins.show,),
    items.TAB: (items.show,),
    "Contamination": (contamination.show,),
    "Who reports": (reporters.show, measurers.show),
    "All indicators": (indicators.show,),
    "Outlook": (outlook.section,),
    "Sources": (sources.show,),
}
"""What each tab draws, one below the other."""


def show_tabs(view: View, facts: Facts) -> None:
    """Draw the tabs and the open one; that of items where the address asks for it or results by item are known."""
    with_items = st.query_params.get("tab") == items.TAB or items.is_known(view, facts["benchmark_id"])
    drawn = {name: sections for name, sections in TABS.items() if name != items.TAB or with_items}
    tabs = st.tabs(list(drawn), key="tab", on_change="rerun", bind="query-params")
    for sections, tab in zip(drawn.values(), tabs, strict=True):
        if tab.open:
            with tab:
                for draw in sections:
                    draw(view, facts)


CURVES = {"together": "All models", "apart": "Open and closed weights apart"}


WEIGHTS = PublishedTable(
    "weights-frontier", of_benchmark("weights_frontier", "weights", "carried", "dated_on", model="name")
)
"""The running best of open and of closed weights on a benchmark, with the names of models."""


def _curve(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    """The curve with the band of stages below it and the numbers of events above it."""
    benchmark_id = known_benchmark(view, params)
    if one_of(params, "curve", tuple(CURVES)) == "apart":
        return _by_reporter_chart(view, facts_of(view, benchmark_id), palette)
    chart = curve_alone(view, benchmark_id, palette)
    if not isinstance(chart, Chart):
        return chart
    by_date, as_known_then = (lives.stretches(view, (benchmark_id,), basis) for basis in (BY_DATE, lives.KNOWN_THEN))
    happened = lives.events(view, {"benchmark": benchmark_id}).select("place", "on_day").rows()
    return bands.with_bands(chart, by_date, as_known_then, happened, palette)


def _results_in_condition(view: View, facts: Facts) -> pl.DataFrame:
    """The results in the condition that counts, before a proposed break, with the days of their models' release."""
    params = {"benchmark": facts["benchmark_id"]}
    rows, broken = results(view, params), standings.proposed_on(view, facts["benchmark_id"])
    counted = rows if broken is None else results_until(view, facts["benchmark_id"], rows, broken)
    released = view.table("model").select("model_id", "released_on")
    return results_of_curve(counted, facts, frontier(view, params)).join(
        released, on="model_id", how="left", maintain_order="left"
    )


def _spans(view: View, facts: Facts) -> curve.Spans:
    return [] if is_bounded(facts["unit"]) else standings.spans(view, facts["benchmark_id"])


def curve_alone(view: View, benchmark_id: str, palette: Palette, paper: frame.Size | None = None) -> Chart | Nothing:
    """The curve without the band of stages and the numbers of events.

    On `paper` it is of that size, and incidents, whose words are in the hover, are not marked.
    """
    facts, params = facts_of(view, benchmark_id), {"benchmark": benchmark_id}
    counted, steps = _results_in_condition(view, facts), frontier(view, params)
    forecast, issued = (
        view.table(name).filter(pl.col("benchmark_id") == benchmark_id) for name in ("forecast", "forecast_record")
    )
    every_incident = incidents.incidents(view, params)
    happened = every_incident.drop_nulls("on_date")
    return curve.chart(
        facts,
        curve.CurveData(
            counted,
            steps,
            beside_conditions(view, facts),
            _spans(view, facts),
            forecast,
            issued,
            standings.proposed_on(view, benchmark_id),
            measured.sides_apart(view, facts),
            None if paper else happened,
            view.table("forecast_skill"),
            line.breaks_of(view.table("breakpoint"), counted, steps.filter(~pl.col("carried")), benchmark_id),
            frame.counted_faults(every_incident, facts["n_items"], facts["labels"]),
            paper or frame.ON_PAGE,
            _unlisted(view, facts, counted),
        ),
        indicators_of(view, benchmark_id),
        sources_of(view, counted),
        assessed_on(view),
        palette,
    )


def _unlisted(view: View, facts: Facts, counted: pl.DataFrame) -> list[str] | None:
    """The models of a benchmark that no newest snapshot lists; None where its models have no places."""
    placed = view.rows("position", benchmark_id=facts["benchmark_id"])
    return None if placed.is_empty() else frame.unlisted_models(counted, placed, facts["unit"])


def _by_reporter_chart(view: View, facts: Facts, palette: Palette) -> Chart | Nothing:
    counted = _results_in_condition(view, facts)
    models = view.table("model").select("model_id", "organisation", "open_weights")
    lag = view.table("weights_lag").filter(pl.col("benchmark_id") == facts["benchmark_id"])
    return apart.chart(
        facts,
        counted.join(models, on="model_id", how="left"),
        WEIGHTS.build(view, {"benchmark": facts["benchmark_id"]}),
        lag.row(0, named=True) if lag.height else None,
        _spans(view, facts),
        sources_of(view, counted),
        assessed_on(view),
        palette,
    )


CURVE = ChartSpec("curve", _curve, ("benchmark", "curve"), method="frontier")


def draw(view: View) -> None:
    """Draw the page."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        benchmark_id = _benchmark_box(view)
        elsewhere = st.container(width="content")
    if benchmark_id is None:
        _without_benchmark(view)
        return
    with elsewhere:
        _next_pages(view, benchmark_id)
    facts, verdict = facts_of(view, benchmark_id), verdict_of(view, benchmark_id)
    links.tab_title(facts["name"])
    suggestions.remember(suggestions.BENCHMARKS, benchmark_id, facts["name"])
    finding, more = head.of_benchmark(view, benchmark_id)
    with st.container(horizontal=True, vertical_alignment="center", key="titled"):
        st.title(markdown(finding), anchor=False)
        if facts["curated"]:
            st.link_button("Two pages, PDF", f"report.pdf?benchmark={quote(benchmark_id)}", icon=":material/download:")
    room = answers_of(view, benchmark_id).get("room")
    if room and two_numbers(room):
        best_elsewhere = measured.best_in_another_condition(view, facts)
        sentence = both_numbers_sentence(room, best_elsewhere, measured.claimed_under(view, facts))
        st.markdown(markdown(sentence))
    head.badges(facts, verdict)
    if more:
        st.markdown(markdown(more))
    incidents.warnings(view, facts)
    card(view, facts)
    difference.box(view, benchmark_id)
    measured.section(view, facts)
    _curve_block(view, facts)
    if changes := changed.of_one(view, benchmark_id):
        st.markdown(f":small[{changes}]")
    instead.section(view, facts, verdict)
    show_tabs(view, facts)


def _curve_block(view: View, facts: Facts) -> None:
    """The curve, the sentence on its condition, and the choice of drawing open and closed weights apart if possible."""
    params = {"benchmark": facts["benchmark_id"]}
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        draw_condition_line(view, facts)
        if not WEIGHTS.build(view, params).is_empty():
            kind = filters.segments("curve", "Curve", CURVES)
            params |= {"curve": kind} if kind == "apart" else {}
    block.show(view, CURVE, params)


def _next_pages(view: View, benchmark_id: str) -> None:
    """Links onward: compare it, see what changed, or report that something is wrong."""
    named_urls = [
        ("Compare", links.address("compare", benchmarks=benchmark_id)),
        (difference.QUESTION, f"{links.address('compare', benchmark=benchmark_id)}#difference"),
        ("Evidence", links.address("trust", benchmark=benchmark_id)),
    ]
    if story := links.story_about(benchmark_id):
        named_urls.insert(0, ("Its story", story))
    if report := wrong.address(generation=view.name, benchmark=benchmark_id):
        named_urls.append(("Something wrong?", report))
    with st.container(key="ways", width="content"):
        st.markdown(f":small[{'&ensp;'.join(f'[{name}](<{url}>)' for name, url in named_urls)}]", width="content")


def _benchmark_box(view: View) -> str | None:
    """The box to choose a benchmark from: the curated ones, and the one that the address names."""
    requested_id = st.query_params.get("benchmark")
    in_address = requested_id if requested_id in ids(view) else ""
    named = _benchmark_options(view, in_address)
    if not named:
        return None
    return filters.id_picker("benchmark", "Benchmark", named, placeholder="Find a benchmark", width=320)


@recently
def _benchmark_options(view: View, in_address: str | None) -> Mapping[str, str]:
    rows = view.table("benchmark").filter(pl.col("curated") | (pl.col("benchmark_id") == in_address))
    named = rows.select("benchmark_id", name=pl.coalesce("name", "benchmark_id"))
    return dict(named.sort(pl.col("name").str.to_lowercase()).iter_rows())


def _without_benchmark(view: View) -> None:
    """Say that the benchmark of the address does not exist, and offer six others; none takes its place."""
    requested_id = st.query_params.get("benchmark")
    examples = suggestions.examples_and_opened(view, suggestions.BENCHMARKS, _address)
    if requested_id:
        similar_names = suggestions.benchmarks_alike(view, requested_id, _address)
        st.title("No such benchmark", anchor=False)
        empty.nothing(
            f"This generation holds no benchmark {code(requested_id)}.",
            "It may have been renamed. Type a part of its name above, or "
            f"[open one on the map]({links.address('.')}).{similar_names}\n\n{examples}",
        )
        return
    st.title("Choose a benchmark", anchor=False)
    empty.nothing(
        "Each benchmark has its curve, its leaders, its twins and every source here.",
        f"Type a part of its name above, or open one on the [map]({links.address('.')}).\n\n{examples}",
    )


def _address(benchmark_id: str) -> str:
    return links.address("benchmark", benchmark=benchmark_id)


PAGE = PageSpec(
    url_path="benchmark",
    title="Benchmark",
    draw=draw,
    tables=(
        RESULTS,
        FRONTIER,
        LEADERS,
        WEIGHTS,
        CONDITIONS,
        measured.SIDES,
        measured.CORROBORATION,
        outlook.SKILL,
        outlook.RECORD,
        backcast.BACKCAST,
        indicators.REVISIONS,
        indicators.ALL,
        contamination.EVIDENCE,
        incidents.INCIDENTS,
        CANDIDATES,
        lives.EVENTS,
    ),
    charts=(
        CURVE,
        TWO_SCORES,
        top_models.TOP,
        reporters.REPORTERS,
        measurers.MEASURERS,
        items.SOLVED,
        items.INFORMATION,
        items.SUBJECTS,
        backcast.PAST_FORECASTS,
        backcast.FORECAST_HELD,
    ),
    shared=link.SHARED,
)
