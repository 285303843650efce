"""Overview: the map of all benchmarks, and which of them still measure something."""

from collections.abc import Mapping, Sequence, Set

import polars as pl
import streamlit as st

from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.record.tables import FLAGS
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.figures.picture import QUESTION, Picture
from benchhealth.dashboard.pages.overview import table, worth
from benchhealth.dashboard.pages.overview.figures import lanes
from benchhealth.dashboard.pages.overview.figures import map as map_figure
from benchhealth.dashboard.pages.overview.finding import finding
from benchhealth.dashboard.pages.overview.years import view as years
from benchhealth.dashboard.published.answers import numbers_to
from benchhealth.dashboard.published.benchmarks import (
    assessed_on,
    benchmarks,
    in_use_by_stage,
    is_in_use,
    named_stage,
)
from benchhealth.dashboard.published.boards import ties
from benchhealth.dashboard.published.domains import FORMER, groups, in_groups
from benchhealth.dashboard.published.generation import ParameterError, Params, View, always
from benchhealth.dashboard.serving.operating import reruns
from benchhealth.dashboard.widgets import block, empty, filters, links, provenance
from benchhealth.dashboard.widgets.page import PageSpec, Shared
from benchhealth.dashboard.words import domains as domain_words
from benchhealth.dashboard.words.boards import ties as ties_words
from benchhealth.dashboard.words.first import in_use
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.stages import FLAG_WORDS, ORDER, STAGE_SHAPE, STAGE_WORDS
from benchhealth.dashboard.words.text import count, listed, markdown, shorten

STAGE, DOMAIN, FLAG, SEARCH, RECENT = "stage", "domain", "flag", "search", "recent"
UNCURATED, PARTS, OPEN = "uncurated", "parts", "open"
LABELS = {STAGE: "stage", DOMAIN: "domain", FLAG: "flag"}
"""The labels of the values of a filter with a closed list."""
MARKED = {
    RECENT: "Only in use: sources read in six months, and reported",
    UNCURATED: "Uncurated too: nobody checked their facts",
    PARTS: "Parts too: tasks and second metrics",
    OPEN: "Only without a ceiling: ratings, minutes",
}
"""The labels of the filters that are on or off, by their parameters."""


def filtered_rows(rows: pl.DataFrame, params: Params) -> pl.DataFrame:
    """The rows that these filters keep; several values of one filter are separated by commas.

    A value that a filter does not have keeps nothing.
    """
    conditions = [pl.lit(value=True)]
    if params.get(UNCURATED) != "1":
        conditions.append(pl.col("of_curated"))
    if params.get(PARTS) != "1":
        conditions.append(is_whole() | pl.col("curated"))
    searched_columns = ("name", "benchmark_id", "domain", "domain_group", "construct")
    text = pl.concat_str(*searched_columns, separator=" ", ignore_nulls=True).str.to_lowercase()
    searched = params.get(SEARCH, "").casefold().split()
    conditions += [text.str.contains_any([word, FORMER.get(word, word)]) for word in searched]
    if stages := _values_of(params, STAGE):
        conditions.append(named_stage().is_in(stages))
    if domains := _values_of(params, DOMAIN):
        conditions.append(pl.col("domain_group").is_in(domains))
    if params.get(RECENT) == "1":
        conditions.append(is_in_use())
    if params.get(OPEN) == "1":
        conditions.append(~pl.col("unit").is_in(["percent", "fraction"]) & pl.col("best").is_not_null())
    if flags := _values_of(params, FLAG):
        conditions.append(pl.col("flags").list.set_intersection(flags).list.len() > 0)
    return rows.filter(*conditions)


def _values_of(params: Params, name: str) -> list[str]:
    return [value for value in params.get(name, "").split(",") if value]


VALUES: Mapping[str, Set[str]] = {
    STAGE: frozenset(ORDER),
    DOMAIN: frozenset(domain_words.NAMES),
    FLAG: frozenset(FLAGS),
}
"""All values of the filters with a closed list, whether or not a curated benchmark has them now."""


def unknown_values(params: Params) -> list[tuple[str, str]]:
    """Filters with values that they do not have, one pair each."""
    return [
        (name, value) for name, allowed in VALUES.items() for value in _values_of(params, name) if value not in allowed
    ]


def _map(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    if domain := params.get(DOMAIN):
        params = {**params, DOMAIN: ",".join(in_groups(view, domain.split(",")))}
    for name, value in unknown_values(params):
        raise ParameterError(f"no {LABELS[name]} {value!r}; there are {', '.join(sorted(VALUES[name]))}")
    tied = {key: ties_words.tie_with_day(card) for key, card in ties.of_benchmarks(view).items()}
    tie_text = pl.col("benchmark_id").replace_strict(tied, default=None, return_dtype=pl.String)
    rows = filtered_rows(benchmarks(view), params).with_columns(tied=tie_text)
    return map_figure.chart(rows, numbers_to(view, "room"), assessed_on(view), palette)


MAP_PARAMS = (STAGE, DOMAIN, FLAG, SEARCH, RECENT, UNCURATED, PARTS, OPEN)
MAP = ChartSpec("map", _map, MAP_PARAMS, method="headroom", sources=provenance.everywhere)


MAP_WIDTH, FINDINGS_WIDTH = 846, 268
"""The widths of map and findings in pixels, on a page of full width."""


def draw(view: View) -> None:
    """Draw the page."""
    if years.AT in st.query_params:
        years.show(view, st.query_params[years.AT])
        return
    _draw_filtered(view)


@reruns.fragment("overview")
def _draw_filtered(view: View) -> None:
    """The part of the page that the filters change; when they do, this alone is drawn again."""
    rows = benchmarks(view)
    with st.container(gap="xsmall", key="first_screen"):
        heading = st.container(gap="xxsmall", key="first_heading")
        params = _filters(view)
        selected = view.recent(("chosen", *params.items()), lambda: filtered_rows(rows, params))
        with heading:
            _heading(view, selected, params)
        _ignored_filters_note()
        left, right = st.columns([MAP_WIDTH, FINDINGS_WIDTH], gap="small")
        with left:
            _map_or_lanes(view, rows, selected, params)
        # Who chooses filters on a phone wants the list, so that there the findings are on the unfiltered page alone.
        with right, st.container(gap="xsmall", key=f"{'wide_' * bool(params)}worth_repeating"):
            worth.show(view)
    if not selected.is_empty():
        table.show(view, selected, params)


def _map_or_lanes(view: View, rows: pl.DataFrame, selected: pl.DataFrame, params: Params) -> None:
    """Draw the map, on a phone the lanes in its place, and links onward."""
    if selected.is_empty():
        empty.nothing(
            "Nothing matches these filters.",
            f"0 of {rows.height:,} benchmarks. [Clear all filters]({links.address('.')})",
        )
        return
    block.show(view, MAP, params)
    with st.container(key="narrow_lanes", gap="xsmall"):
        _lanes(view, selected, params)
    _next_pages(view)


def _lanes(view: View, selected: pl.DataFrame, params: Params) -> None:
    key, palette = ("lanes", block.palette().dark, *params.items()), block.palette()
    stage_lanes = view.recent(key, lambda: lanes.lanes(selected))
    if stage_lanes:
        st.header("Room left, by stage", anchor=False)
        st.markdown(
            f":small[:gray[A mark is one benchmark in use. Tap a lane for its list.{lanes.without_mark(stage_lanes)}]]"
        )
        st.html(lanes.html(stage_lanes, lambda stage: links.address(".", **{**params, STAGE: stage}), palette))


def _next_pages(view: View) -> None:
    """Links onward: the map through the years, the changes, and other pages that answer the question."""
    named_urls = [
        *years.link_to_first_month(view),
        ("What changed", links.address("changes")),
        *((name, links.address(page)) for page, name in OTHER_WAYS.items()),
    ]
    st.markdown("&ensp;".join(f"[{name}]({url})" for name, url in named_urls))


OTHER_WAYS = {"decide": "What should I use?", "story": "Five stories"}
"""Pages that answer the question in another way, and the texts of the links to them."""


def _heading(view: View, selected: pl.DataFrame, params: Params) -> None:
    """The finding of the page, about all curated benchmarks or those that the filters keep."""
    if params:
        title, sentence = view.recent(("title of", *params.items()), lambda: _filtered_title(selected, params))
        st.title(title, anchor=False)
        st.markdown(sentence)
        return
    headline = finding(view)
    st.markdown(f"*{QUESTION}*")
    st.title(headline.title, anchor=False)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(headline.rest, width="content")
        with st.popover("How we count", type="tertiary", key="how_we_count"):
            st.markdown(headline.how)


def _filtered_title(selected: pl.DataFrame, params: Params) -> tuple[str, str]:
    """How many benchmarks the filters keep, which filters, and how many of those in use still tell models apart."""
    counts = in_use_by_stage(selected)
    if STAGE in params:
        number = in_use.in_use(counts)
        in_use_text = f"{number or 'None'} of them {'is' if number == 1 else 'are'} in use"
    else:
        in_use_text = in_use.title(counts, "benchmark")
    return (
        f"{count(selected.height, 'benchmark')}: {_filters_text(params)}",
        f"{in_use_text}. [All curated benchmarks]({links.address('.')})",
    )


def _filters_text(params: Params) -> str:
    """The chosen filters in words, as markdown."""
    values = {
        STAGE: {stage: name.lower() for stage, name in STAGE_WORDS.items()},
        DOMAIN: {group: name.lower() for group, name in domain_words.NAMES.items()},
        FLAG: FLAG_WORDS,
    }
    phrases = [
        listed([markdown(words.get(value, value)) for value in _values_of(params, name)], "or")
        for name, words in values.items()
    ]
    phrases.append(f"called “{markdown(params[SEARCH])}”" if SEARCH in params else "")
    phrases += [label.partition(":")[0].lower() for name, label in MARKED.items() if name in params]
    return ", ".join(phrase for phrase in phrases if phrase)


def _ignored_filters_note() -> None:
    """Say which values of the address no filter has and are therefore ignored."""
    for name, value in unknown_values(st.query_params.to_dict()):
        empty.nothing(
            f"No {LABELS[name]} is called {markdown(shorten(value, 60))}.",
            "So the map is not filtered by it. Those that there are can be chosen above.",
        )


def _known_values(name: str) -> list[str]:
    """The values in the address that this filter has in its list."""
    return [value for value in _values_of(st.query_params.to_dict(), name) if value in VALUES[name]]


def _stage_counts(view: View, stages: Set[str]) -> dict[str, str]:
    """The stages with their shapes, and how many in use the other filters, read from the address, leave of each."""
    params = {name: st.query_params.get(name, "") for name in MARKED}
    params |= {name: ",".join(_known_values(name)) for name in (DOMAIN, FLAG)}
    params[SEARCH] = str(st.session_state.get(SEARCH) or st.query_params.get(SEARCH, ""))
    counts = view.recent(("counted", *params.items()), lambda: in_use_by_stage(filtered_rows(benchmarks(view), params)))
    return {
        stage: f"{STAGE_SHAPE[stage]} {STAGE_WORDS[stage]} {counts.get(stage, 0)}"
        for stage in ORDER
        if stage in stages or stage in _known_values(STAGE)
    }


@always
def _stages_of_curated(view: View) -> Set[str]:
    return frozenset(filtered_rows(benchmarks(view), {}).select(named_stage()).to_series())


def _box_label(label: str, chosen_: Sequence[str], *marked: str) -> str:
    """The label of a closed box of filters: with the one value that is set in it, or their number."""
    n_set = len(chosen_) + sum(st.query_params.get(name) == "1" for name in marked)
    if not n_set:
        return label
    return f"{label}: {n_set if marked or n_set > 1 else markdown(chosen_[0])}"


def _filters(view: View) -> dict[str, str]:
    """The filters of the page as parameters: what is in the address."""
    offered = _stages_of_curated(view)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="filters"):
        text = st.text_input(
            "Search benchmarks",
            key=SEARCH,
            placeholder="MMLU, coding, vision …",
            label_visibility="collapsed",
            bind="query-params",
            width=210,
        )
        stages = filters.pills(STAGE, "Stage", _stage_counts(view, offered))
        of_domain = _known_values(DOMAIN)
        with st.popover(_box_label("Domain", [domain_words.NAMES[domain] for domain in of_domain])):
            options = {**groups(view), **{domain: domain_words.NAMES[domain] for domain in of_domain}}
            domains = filters.pills(DOMAIN, "Domain", options, labelled=True)
        with st.popover(_box_label("More", _known_values(FLAG), *MARKED)):
            flags = filters.pills(FLAG, "Flag", {flag: FLAG_WORDS[flag] for flag in FLAGS}, labelled=True)
            marked = {name: "1" * filters.yes_or_no(name, label) for name, label in MARKED.items()}
    params = {
        SEARCH: (text or "").strip(),
        STAGE: ",".join(stages),
        DOMAIN: ",".join(domains),
        FLAG: ",".join(flags),
        **marked,
    }
    return {name: value for name, value in params.items() if value}


def _share_finding(view: View, _params: Params) -> Picture:
    return Picture(finding(view)[0], QUESTION, source=f"benchhealth · as of {day_of(assessed_on(view))}")


PAGE = PageSpec(
    url_path="overview",
    title="Map",
    draw=draw,
    tables=(table.LIST,),
    charts=(MAP, years.MONTH, years.STRIP),
    shared=Shared((), _share_finding),
)
