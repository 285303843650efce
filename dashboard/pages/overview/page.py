"""Overview: the map of all benchmarks, and which of them still measure something."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables import FLAGS
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, Params, SourceLine
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.overview import table
from benchhealth.dashboard.pages.overview.cards import card_texts, cards
from benchhealth.dashboard.pages.overview.figures import map as map_figure
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.benchmarks import assessed_on, benchmarks, family, fresh_since, is_alive, is_fresh
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.serving.operating import reruns
from benchhealth.dashboard.widgets import block, empty, filters, links
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.words.numbers import day_of, month_of
from benchhealth.dashboard.words.stages import FLAG_WORDS, ORDER, STAGE_SHAPE, STAGE_WORDS
from benchhealth.dashboard.words.text import markdown

STAGE, DOMAIN, FLAG, SEARCH, RECENT = "stage", "domain", "flag", "search", "recent"
UNCURATED, PARTS = "uncurated", "parts"


def chosen(rows: pl.DataFrame, params: Params) -> pl.DataFrame:
    """The rows that these filters keep; several values of one filter are parted by commas."""
    kept = [pl.lit(value=True)]
    if params.get(UNCURATED) != "1":
        kept.append(pl.col("of_curated"))
    if params.get(PARTS) != "1":
        kept.append(~pl.col("benchmark_id").str.contains("/", literal=True) | pl.col("curated"))
    text = pl.concat_str("name", "benchmark_id", separator=" ").str.to_lowercase()
    kept += [text.str.contains(word, literal=True) for word in params.get(SEARCH, "").casefold().split()]
    if stages := _several(params, STAGE):
        kept.append(pl.col("stage").is_in(stages))
    if domains := _several(params, DOMAIN):
        kept.append(pl.col("domain").is_in(domains))
    if params.get(RECENT) == "1":
        kept.append(is_fresh() & ~pl.col("flags").list.contains("dormant"))
    if flags := _several(params, FLAG):
        kept.append(pl.col("flags").list.set_intersection(flags).list.len() > 0)
    return rows.filter(*kept)


def _several(params: Params, name: str) -> list[str]:
    return [part for part in params.get(name, "").split(",") if part]


def _map(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = chosen(benchmarks(view), params)
    return map_figure.chart(rows, assessed_on(view), _sources(view), palette)


def _sources(view: View) -> list[SourceLine]:
    """The sources that hold results, the one that can speak for the latest day first."""
    spoken = view.table("source").filter(pl.col("last_observed_at").is_not_null())
    rows = spoken.sort("known_until", "source_id", descending=[True, False], nulls_last=True)
    return [SourceLine(*row) for row in rows.select("title", "homepage", "known_until").iter_rows()]


MAP = ChartSpec("map", _map, (STAGE, DOMAIN, FLAG, SEARCH, RECENT, UNCURATED, PARTS))


def render() -> None:
    """Draw the page."""
    view = generation.current()
    whole = view.kept("curated benchmarks", lambda: chosen(benchmarks(view), {}))
    title, said = view.kept("title of the map", lambda: _title(view, whole))
    st.title(title, anchor=False)
    st.markdown(said)
    cards(view.kept("cards of the map", lambda: card_texts(view, whole)))
    _filtered(view)


@reruns.fragment("overview")
def _filtered(view: View) -> None:
    """What the filters change: when they do, this alone is drawn again."""
    every = benchmarks(view)
    params = _filters(view)
    kept = view.recent(("chosen", *params.items()), lambda: chosen(every, params))
    if kept.is_empty():
        empty.nothing(
            "Nothing matches these filters.",
            f"0 of {every.height:,} benchmarks. [Clear all filters]({links.address('.')})",
        )
        return
    block.show(view, MAP, params)
    table.show(view, kept, params)


def _title(view: View, whole: pl.DataFrame) -> tuple[str, str]:
    """How many still measure, and what that rests on."""
    as_of = assessed_on(view)
    fresh = whole.filter(is_fresh())
    alive = whole.filter(is_alive())
    of_stage, of_fresh = (rows.filter(pl.col("stage") == "discriminating").height for rows in (whole, fresh))
    return (
        f"{alive.height} of {fresh.height} benchmarks looked at since {month_of(fresh_since(view))} still measure",
        f"{of_stage} of all {whole.height:,} curated ones have this stage; not counted are {of_stage - of_fresh} "
        f"that we did not look at in the six months to {day_of(as_of)} (grey) and {of_fresh - alive.height} that "
        f"nobody reports any more. Releases and parts of one benchmark taken together, the {alive.height} are "
        f"{alive.select(family()).n_unique()}.",
    )


class _Offered(NamedTuple):
    """What the filters offer: of how many benchmarks, the stages, the domains."""

    benchmarks: int
    stages: tuple[str, ...]
    domains: Mapping[str, str]


def _offered(view: View) -> _Offered:
    whole = chosen(benchmarks(view), {})
    known = set(whole["stage"])
    stages = tuple(stage for stage in ORDER if stage in known)
    names = whole["domain"].drop_nulls().unique().sort().to_list()
    return _Offered(whole.height, stages, {name: markdown(name) for name in names})


def _counted(view: View, stages: Sequence[str]) -> dict[str, str]:
    """The stages with their shapes and how many the other filters leave of each; those are below, so as addressed."""
    asked = {name: st.query_params.get(name, "") for name in (DOMAIN, FLAG, RECENT, UNCURATED, PARTS)}
    asked[SEARCH] = str(st.session_state.get(SEARCH) or st.query_params.get(SEARCH, ""))
    kept = view.recent(("counted", *asked.items()), lambda: chosen(benchmarks(view), asked))
    counts = dict(kept.group_by("stage").len().iter_rows())
    return {stage: f"{STAGE_SHAPE[stage]} {STAGE_WORDS[stage]} {counts.get(stage, 0)}" for stage in stages}


def _naming(label: str, *names: str) -> str:
    """What a closed box of filters is called: with what is set in it, or how much."""
    chosen_ = [part for name in names for part in st.query_params.get(name, "").split(",") if part]
    if not chosen_:
        return label
    return f"{label}: {markdown(chosen_[0]) if names == (DOMAIN,) and len(chosen_) == 1 else len(chosen_)}"


def _filters(view: View) -> dict[str, str]:
    """The filters of the page as parameters: what is in the address."""
    offered = view.kept("filters of the map", lambda: _offered(view))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="filters"):
        text = st.text_input(
            "Search benchmarks",
            key=SEARCH,
            placeholder=f"Search {offered.benchmarks:,} benchmarks",
            label_visibility="collapsed",
            bind="query-params",
            width=210,
        )
        stages = filters.pills(STAGE, "Stage", _counted(view, offered.stages))
        with st.popover(_naming("Domain", DOMAIN)):
            domains = filters.pills(DOMAIN, "Domain", offered.domains, labelled=True)
        with st.popover(_naming("Flag and more", FLAG, RECENT, UNCURATED, PARTS)):
            flags = filters.pills(FLAG, "Flag", {flag: FLAG_WORDS[flag] for flag in FLAGS}, labelled=True)
            recent = filters.marked(RECENT, "Only with news: looked at in six months, and reported")
            uncurated = filters.marked(UNCURATED, "Uncurated too: nobody checked their facts")
            parts = filters.marked(PARTS, "Parts too: tasks and second metrics")
    params = {
        SEARCH: (text or "").strip(),
        STAGE: ",".join(stages),
        DOMAIN: ",".join(domains),
        FLAG: ",".join(flags),
        RECENT: "1" * recent,
        UNCURATED: "1" * uncurated,
        PARTS: "1" * parts,
    }
    return {name: value for name, value in params.items() if value}


PAGE = PageSpec(
    url_path="overview",
    title="Map",
    render=render,
    tables=(table.LIST,),
    charts=(MAP,),
)
