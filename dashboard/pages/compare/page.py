"""Compare: up to eight benchmarks on one scale, how fast each was used up, and models on them side by side."""

from collections.abc import Mapping

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables.declared import link
from benchhealth.analytics.record.tables.declared import percent as share
from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.figures.by_benchmark import two_models
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, SourceLine
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.figures.picture import Picture
from benchhealth.dashboard.pages.compare import curves, figure, lives, panel
from benchhealth.dashboard.pages.compare.curves import CHOSEN, CLOCK, CLOCKS, DEFAULT, KINDS, MOST_CURVES, WEIGHTS
from benchhealth.dashboard.published.answers import names, numbers_to
from benchhealth.dashboard.published.benchmarks import is_fresh
from benchhealth.dashboard.published.generation import ParameterError, Params, PublishedTable, View
from benchhealth.dashboard.published.happened import lives as happened
from benchhealth.dashboard.published.models import called_now, facts_of, pair
from benchhealth.dashboard.widgets import block, empty, filters, folded, links, provenance, replay, tables
from benchhealth.dashboard.widgets.boxes import difference, suggestions
from benchhealth.dashboard.widgets.page import PageSpec, Shared
from benchhealth.dashboard.widgets.shared import TWO_MODELS
from benchhealth.dashboard.widgets.tables import TEXT_AFTER_HASH, GridColumn, column_configs
from benchhealth.dashboard.words.numbers import day_of, month_of, months, percent
from benchhealth.dashboard.words.stages import stage_label
from benchhealth.dashboard.words.text import code, count, listed, markdown, words_within

LINE = "Two models, benchmark by benchmark"
MODEL, OTHER = "model", "other"


def show_two_models(view: View) -> None:
    """The choice of two models and, where both are chosen, on which benchmarks they differ beyond error."""
    folded.draw_folded(LINE, "two_models_box", lambda: _two_models(view), expanded=MODEL in st.query_params)


def _two_models(view: View) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        chosen = [
            suggestions.model_box(view, name, line) for name, line in ((MODEL, "One model"), (OTHER, "And another"))
        ]
    named = [st.query_params.get(name) for name in (MODEL, OTHER)]
    unknown = [model_id for model_id in named if model_id and called_now(view, model_id) is None]
    if unknown:
        empty.nothing(f"This generation holds no model {code(unknown[0])}.", "It may have been renamed.")
    elif None in chosen:
        empty.nothing("Two models are compared.", "Choose both above: their benchmarks in common follow.")
    else:
        first_id, second_id = (str(model_id) for model_id in chosen)
        sentence = two_models.sentence(
            pair(view, first_id, second_id), (facts_of(view, first_id)["name"], facts_of(view, second_id)["name"])
        )
        if sentence:
            st.markdown(f"{markdown(sentence)}.")
        params = {MODEL: first_id, OTHER: second_id}
        block.show(view, TWO_MODELS, params)
        st.markdown(f":small[[The two on a page of their own]({links.address('models', **params)})]")


STARTS = {
    "classics": ("mmlu", "gsm8k", "humaneval", "hellaswag", "imagenet", "superglue"),
    "agents": ("osworld", "osworld-verified", "swe-bench-verified", "terminal-bench-2.0", "gaia", "tau2-bench"),
    "mathematics": ("gsm8k", "math", "aime-2025", "frontiermath", "frontiermath-tier-4"),
}
"""Sets that are offered to start from; benchmarks that a generation cannot compare are left out of them."""

LATELY = 6


def draw_picker(rows: pl.DataFrame) -> list[str]:
    """Draw the picker over these rows of `published.benchmarks`; returns the chosen ids in the order of choice."""
    names = dict(rows.select("benchmark_id", "name").iter_rows())
    requested_ids = [key for key in st.query_params.get(CHOSEN, "").split(",") if key in names]
    default = [key for key in DEFAULT if key in names] or list(names)[:4]
    emptied = st.query_params.get(CHOSEN) == ","
    preselected = [] if emptied else list(dict.fromkeys(requested_ids))[:MOST_CURVES] or default
    ids = st.multiselect(
        f"Up to {MOST_CURVES} benchmarks; those without a ceiling have no common scale and cannot be chosen",
        list(names),
        format_func=lambda key: names[key],
        max_selections=MOST_CURVES,
        **filters.bound(CHOSEN, preselected, lambda picked: ",".join(picked) or ","),
    )
    return list(ids)


def clocks() -> dict[str, str]:
    """Draw the switches of the chart; returns their values as parameters."""
    return {
        CLOCK: filters.segments(CLOCK, "Clock", CLOCKS),
        WEIGHTS: filters.segments(WEIGHTS, "Weights", KINDS),
    }


def starts(rows: pl.DataFrame) -> None:
    """Links to sets of benchmarks to start from."""
    available = set(rows["benchmark_id"])
    lately = rows.filter(is_fresh() & (pl.col("stage") == "saturated")).drop_nulls("since").sort("since", "name")
    sets = {**STARTS, "saturated lately": tuple(lately["benchmark_id"].tail(LATELY))}
    offered = {name: [benchmark_id for benchmark_id in ids if benchmark_id in available] for name, ids in sets.items()}
    links_to_sets = " · ".join(
        f"[{name}](<{links.address('compare', **{CHOSEN: ','.join(ids)})}>)"
        for name, ids in offered.items()
        if len(ids) > 1
    )
    if links_to_sets:
        st.markdown(f":small[Start from: {links_to_sets}]", width="content")


COLUMNS = (
    GridColumn(link("Benchmark", "The benchmark."), link_text=TEXT_AFTER_HASH, pinned=True, width=240),
    GridColumn(share("Reached", "The share of the scale that is reached."), width=130, as_chart=True),
)


def _curves_chart(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = curves.chosen_curves(view, params)
    return figure.chart(rows, params.get(CLOCK, "release"), palette, curves.chosen_ids(params))


def _sources(view: View, params: Params, _chart: Chart) -> list[SourceLine]:
    sql = "SELECT DISTINCT source_id FROM result JOIN snapshot USING (snapshot_id) WHERE benchmark_id IN $ids"
    named = view.query(sql, ids=curves.chosen_ids(params))
    return provenance.lines(provenance.latest_first(view.table("source").join(named, on="source_id", how="semi")))


def _lives(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    ids = curves.chosen_ids(params)
    verdicts = view.table("verdict").select("benchmark_id", "since")
    benchmarks = (
        view.table("benchmark")
        .filter(pl.col("benchmark_id").is_in(ids))
        .select("benchmark_id", "released_on", name=pl.coalesce("name", "benchmark_id"))
    )
    if benchmarks.is_empty():
        raise ParameterError("benchmarks names no benchmark of this generation")
    return lives.chart(
        happened.stretches(view, tuple(ids)),
        benchmarks.join(verdicts, on="benchmark_id", how="left"),
        happened.human_passed(view, ids),
        params.get(CLOCK, "release"),
        palette,
    )


LIVES = ChartSpec("lives", _lives, (CHOSEN, CLOCK), method="verdict_history", sources=_sources)
COMPARED = ChartSpec("compared", _curves_chart, (CHOSEN, CLOCK, WEIGHTS), method="frontier", sources=_sources)
TIMES = PublishedTable("half_lives", lambda view, params: curves.times(curves.chosen_curves(view, params)))


def draw(view: View) -> None:
    """Draw the page."""
    rows = curves.comparable(view)
    head = st.container(gap="xsmall")
    chosen = draw_picker(rows)
    if not chosen:
        with head:
            st.title("How fast benchmarks are used up", anchor=False)
        if rows.is_empty():
            empty.nothing("No benchmark can be compared.", "None in this generation has a ceiling and a dated result.")
        else:
            empty.nothing("Nothing is chosen.", "Choose up to eight benchmarks above, or start from a set:")
            starts(rows)
        show_two_models(view)
        return
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        params = {CHOSEN: ",".join(chosen), **clocks()}
        starts(rows)
    query = {name: value for name, value in params.items() if value not in {"release", curves.TOGETHER}}
    lines = curves.chosen_curves(view, query)
    times = view.recent(("times", *query.items()), lambda: curves.times(lines))
    with head:
        st.title(markdown(curves.heading(times)), anchor=False)
        st.markdown(
            f"How much of the way from chance to ceiling the best of {count(len(chosen), 'benchmark')} has come, until "
            f"{day_of(latest(lines['known_until']))} at the latest."
        )
    block.show(view, COMPARED, query)
    block.show(view, LIVES, query)
    replay.once(view, ("times", *query.items()), lambda: _table(curves.by_pace(times), numbers_to(view, "room"), query))
    panel.show(view, chosen)
    show_two_models(view)
    _difference(view, chosen)


def _difference(view: View, chosen: list[str]) -> None:
    """The form about two scores on one benchmark; the compared benchmarks come first."""
    st.header(difference.QUESTION, anchor="difference")
    labels = names(view)
    curated = view.table("benchmark").filter(pl.col("curated").fill_null(value=False))["benchmark_id"]
    options = {
        benchmark_id: labels.get(benchmark_id, benchmark_id) for benchmark_id in dict.fromkeys([*chosen, *curated])
    }
    difference.ask(view, filters.id_picker("benchmark", "Benchmark", options))


def _time_to_half(value: float | None, *, at_first: bool | None) -> str:
    if value is None:
        return "not reached"
    return f"at most {months(value)}" if at_first and value > 0 else "at once" if at_first else months(value)


def _table(times: pl.DataFrame, rooms: Mapping[str, str], params: Params) -> None:
    """Months from release to half and to nine tenths of the scale."""
    st.header("Months to half of the scale, and to nine tenths", anchor="half-lives")
    opened = [
        links.grid_address("benchmark", key, name if kind == "all" else f"{name}, {kind}")
        for key, name, kind in times.select("benchmark_id", "name", "weights").iter_rows()
    ]
    to_half, to_most = (
        [
            _time_to_half(value, at_first=at_first)
            for value, at_first in times.select(f"months_to_{mark}", f"{mark}_at_first").iter_rows()
        ]
        for mark in ("half", "nine_tenths")
    )
    with st.container(key="wide_times"):
        st.dataframe(
            pl.DataFrame(
                {
                    "Benchmark": opened,
                    "Stage": [stage_label(*row) for row in times.select("stage", "between").iter_rows()],
                    "Released": [month_of(day) for day in times["released_on"]],
                    "To half": to_half,
                    "To nine tenths": to_most,
                    "Is there room left?": [rooms.get(key, "") for key in times["benchmark_id"]],
                    "Reached": [round(share, 2 if 0.01 < share < 0.99 else 3) for share in times["share"]],
                    "Known until": [month_of(day) for day in times["known_until"]],
                }
            ),
            hide_index=True,
            row_height=tables.ROW_HEIGHT,
            column_config=column_configs(COLUMNS),
            alt="Months from release until half and nine tenths of the scale were reached, by benchmark",
        )
    with st.container(key="narrow_times"):
        st.markdown(_narrow(times, rooms, to_half, to_most))
    early = any(text.startswith("at most") for text in (*to_half, *to_most))
    at_most = ":gray[“At most”: the first result with a date was there already; when it got there is not known.] "
    st.markdown(f":small[{at_most if early else ''}{links.csv('Download as CSV', TIMES.address(params))}]")


def _narrow(times: pl.DataFrame, rooms: Mapping[str, str], to_half: list[str], to_most: list[str]) -> str:
    """The table for a phone: a benchmark each, with its lines of open and of closed weights where they are apart."""
    lines_of: dict[str, list[str]] = {}
    for row, half, nine_tenths in zip(times.iter_rows(named=True), to_half, to_most, strict=True):
        name_link = f"[{markdown(row['name'])}]({links.address('benchmark', benchmark=row['benchmark_id'])})"
        prefix = "" if row["weights"] == "all" else f"{row['weights']} weights: "
        stage_and_day = f"{stage_label(row['stage'], row['between'])}, data to {month_of(row['known_until'])}"
        lines = lines_of.setdefault(row["benchmark_id"], [f"{name_link} :small[{stage_and_day}]"])
        room = rooms.get(row["benchmark_id"], "") if row["weights"] == "all" else f"{percent(1 - row['share'])} left"
        lines.append(f":small[{prefix}{room} · half: {half} · nine tenths: {nine_tenths}]")
    return "\n\n".join("  \n".join(lines) for lines in lines_of.values())


def _share_finding(view: View, params: Params) -> Picture:
    """The finding of the curves that the address names, else of the default ones."""
    lines = curves.chosen_curves(view, params)
    until = f"Until {day_of(latest(lines['known_until']))} at the latest."
    names = listed([words_within(name, 30) for name in dict.fromkeys(lines["name"])])
    return Picture(curves.heading(curves.times(lines)), names, source=f"benchhealth · {until}")


PAGE = PageSpec(
    url_path="compare",
    title="Compare",
    draw=draw,
    tables=(TIMES, panel.PANEL),
    charts=(COMPARED, LIVES),
    shared=Shared((CHOSEN,), _share_finding),
)
