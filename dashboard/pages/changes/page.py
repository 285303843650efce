"""Changes: what this generation says that the one before did not, line by line."""

from collections.abc import Sequence
from datetime import date, datetime

import polars as pl
import streamlit as st

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, Params, SourceLine
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.changes import figure
from benchhealth.dashboard.published import changes as published
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.benchmarks import assessed_on, benchmarks
from benchhealth.dashboard.published.changes import CHANGES, changes
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.tables import ParameterError
from benchhealth.dashboard.widgets import block, changed, empty, filters, links, tables, tiles
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.widgets.tiles import Tile
from benchhealth.dashboard.words.changes import said, subject
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.stages import FLAG_WORDS
from benchhealth.dashboard.words.text import count, listed, markdown

PERIOD, KIND, BENCHMARK, UNCURATED = "period", "kind", "benchmark", "uncurated"
PERIODS = {"last": "Last edition", "month": "30 days"}
KINDS = {
    "stage": ("Stage", (published.MOVED_STAGE, published.NEW)),
    "best": ("Best scores", published.RECORDS),
    "first": ("First places", (published.LEADER,)),
    "flag": ("Flags", (published.FLAG,)),
    "scale": ("Scale and rules", published.SCALE),
    "incident": ("Incidents", (published.INCIDENT,)),
    "source": ("Sources", (published.HELD, *published.SOURCES)),
}
LINES = 7
"""So many lines of a kind are shown before anything is opened."""


def chosen(view: View, params: Params) -> pl.DataFrame:
    """The changes of a period, of curated benchmarks unless others are asked for, or those of one benchmark."""
    rows = changes(view)
    if params.get(PERIOD, "last") not in PERIODS:
        raise ParameterError(f"period is one of {', '.join(PERIODS)}")
    if wanted := params.get(BENCHMARK):
        return rows.filter(pl.col("benchmark_id") == wanted)
    if params.get(PERIOD, "last") == "last":
        rows = rows.filter("is_newest")
    return rows if params.get(UNCURATED) == "1" else rows.filter(_checked())


def _of_kinds(rows: pl.DataFrame, *kinds: str) -> pl.DataFrame:
    return rows.filter(pl.col("kind").is_in(kinds))


def _best(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    rows = _of_kinds(chosen(view, params), *published.RECORDS)
    return figure.chart(rows, assessed_on(view), _sources(view, rows), palette)


def _sources(view: View, rows: pl.DataFrame) -> list[SourceLine]:
    sql = (
        "SELECT DISTINCT source_id FROM result JOIN snapshot USING (snapshot_id) WHERE benchmark_id IN $ids AND stands"
    )
    ids = figure.drawable(rows).head(figure.SHOWN)["benchmark_id"].to_list()
    found = view.recent(("sources of", tuple(ids)), lambda: view.query(sql, ids=ids)) if ids else pl.DataFrame()
    named = view.table("source").filter(pl.col("source_id").is_in(found["source_id"].to_list() if ids else []))
    ordered = named.sort("known_until", "source_id", descending=[True, False], nulls_last=True)
    return [SourceLine(*row) for row in ordered.select("title", "homepage", "known_until").iter_rows()]


BEST = ChartSpec("best-scores", _best, (PERIOD, BENCHMARK, UNCURATED))


def render() -> None:
    """Draw the page."""
    view = generation.current()
    head = st.container()
    benchmark_id = st.query_params.get(BENCHMARK, "")
    params, kinds = _filters(view, benchmark_id)
    rows = chosen(view, params)
    with head:
        _head(view, rows, params)
    if rows.is_empty():
        _nothing(view, params)
        return
    _feed(view, _of_kinds(rows, *kinds) if kinds else rows)
    if not kinds or "best" in kinds:
        block.show(view, BEST, params)
    st.markdown(f":small[{_counted(view, rows, params)} [All as CSV]({CHANGES.address({})})]")


def _counted(view: View, rows: pl.DataFrame, params: Params) -> str:
    """How many of the changes on record these are, and which are left out."""
    every = changes(view)
    if rows.height == every.height:
        return f"All {count(every.height, 'change')} on record."
    parts, rest = [], every
    if wanted := params.get(BENCHMARK):
        parts.append(f"{rest.filter(pl.col('benchmark_id').ne_missing(wanted)).height:,} about anything else")
    else:
        if params.get(PERIOD, "last") == "last" and (older := rest.filter(~pl.col("is_newest")).height):
            parts.append(f"{older:,} of earlier editions")
            rest = rest.filter("is_newest")
        if uncurated := rest.filter(~_checked()).height * (params.get(UNCURATED) != "1"):
            parts.append(f"{uncurated:,} about benchmarks that nobody curated")
    return f"{rows.height:,} of {count(every.height, 'change')} on record; not shown: {listed(parts)}."


def _checked() -> pl.Expr:
    """Of a curated benchmark, or of none."""
    return pl.col("curated") | pl.col("benchmark_id").is_null()


def _filters(view: View, benchmark_id: str) -> tuple[dict[str, str], list[str]]:
    """What to show as parameters, and the kinds of change; none chosen means all."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if benchmark_id:
            st.markdown(f":small[[Changes of all benchmarks]({links.address('changes')})]", width="content")
            return {BENCHMARK: benchmark_id}, []
        asked = "1" if st.session_state.get(UNCURATED, st.query_params.get(UNCURATED) in {"1", "true"}) else ""
        within = {key: chosen(view, {PERIOD: key, UNCURATED: asked}).height for key in PERIODS}
        period = filters.segments(PERIOD, "Period", {key: f"{name}: {within[key]:,}" for key, name in PERIODS.items()})
        kinds = filters.pills(KIND, "Kind", {key: name for key, (name, _) in KINDS.items()})
        every = st.toggle("Uncurated too", key=UNCURATED, bind="query-params")
    params = {PERIOD: period, UNCURATED: "1" * every}
    chosen_kinds = [kind for key in kinds for kind in KINDS[key][1]]
    return {name: value for name, value in params.items() if value}, chosen_kinds


def _head(view: View, rows: pl.DataFrame, params: Params) -> None:
    st.title(_title(view, rows, params), anchor=False)
    st.markdown(f":gray[{_against(view, rows)}]")
    if rows.height:
        _tiles(rows)


def _title(view: View, rows: pl.DataFrame, params: Params) -> str:
    if wanted := params.get(BENCHMARK):
        labels = benchmarks(view).filter(pl.col("benchmark_id") == wanted)["label"]
        name = labels[0] if len(labels) else wanted
        return f"{count(rows.height, 'change')} of {markdown(name)} in the last 30 days"
    if changes(view).is_empty():
        return "No change on record"
    if rows.is_empty():
        when = "in the last 30 days" if params.get(PERIOD) == "month" else "in the last edition"
        return f"{'Nothing' if params.get(UNCURATED) else 'No curated benchmark'} changed {when}"
    moved, best = _of_kinds(rows, published.MOVED_STAGE).height, _of_kinds(rows, *published.RECORDS)
    stages = f"{count(moved, 'benchmark')} moved" if moved else "No stage moved"
    if best.is_empty():
        return f"{stages}; no new best score"
    return f"{stages}; of {count(best.height, 'new best score')}, {best['beyond_noise'].sum()} are beyond error"


def _against(view: View, rows: pl.DataFrame) -> str:
    """Which editions are compared, and what the newer one rests on."""
    if changes(view).is_empty():
        return f"Assessed as of {day_of(assessed_on(view))}. No earlier edition on record says anything else."
    newest = changes(view).filter("is_newest").row(0, named=True)
    added = _of_kinds(rows, "results")
    results = int(added["n"].sum() or 0)
    came = f"It added {count(results, 'result')} of {count(added.height, 'source')}." if results else ""
    before = instant(newest["against"])
    others = "" if before is None else f", against the edition made on {before:%-d %b %Y at %H:%M}"
    return f"Assessed as of {day_of(newest['made_on'])}{others}. {came}"


def instant(name: str) -> datetime | None:
    """When a generation was made, by its name."""
    try:
        return datetime.strptime(name.split("-")[1], "%Y%m%dT%H%M%SZ")  # noqa: DTZ007 - naive UTC, as everywhere
    except (IndexError, ValueError):
        return None


def _tiles(rows: pl.DataFrame) -> None:
    best, flags = _of_kinds(rows, *published.RECORDS), _of_kinds(rows, published.FLAG)
    beyond, within = (best.filter(pl.col("beyond_noise") == told).height for told in (True, False))
    unknown = best.height - beyond - within
    came = flags.drop_nulls("after")
    held = _of_kinds(rows, published.HELD).height
    errors = f"{beyond} beyond error, {within} within" + (f", {unknown} unknown" if unknown else "")
    counted = (
        ("", _of_kinds(rows, published.MOVED_STAGE).height, "changed stage", "stage"),
        ("blue", best.height, f"new best scores: {errors}", "best-scores"),
        ("red", came.height, f"newly flagged; {count(flags.height - came.height, 'flag')} went", "flags"),
        ("orange", held, "sources held back; the last good copy serves", "sources"),
    )
    tiles.show(
        [
            Tile(
                to,
                "",
                f":{colour}[{number}]" if colour and number else f"{number}",
                f"[{words}](#{to})" if number else words,
            )
            for colour, number, words, to in counted
        ]
    )


def _nothing(view: View, params: Params) -> None:
    if params.get(BENCHMARK):
        empty.nothing("Nothing changed.", f"[See what changed elsewhere]({links.address('changes')}).")
        return
    if left_out := changes(view).height:
        empty.nothing(
            "Nothing to list.", f"{count(left_out, 'change')} on record; switch on “Uncurated too” to see them."
        )
        return
    newest: date | None = view.table("source").select(pl.col("known_until").max()).item()
    empty.nothing(
        f"No change is on record; sources last had news on {day_of(newest)}.",
        "An edition is compared with the one in service before it. The first one has nothing to be compared with: the "
        "next, made by `benchhealth nightly`, lists here what changed.",
    )


def _feed(view: View, rows: pl.DataFrame) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        _section("Stage", "stage", _of_kinds(rows, published.MOVED_STAGE))
        _section("New here", "new", _of_kinds(rows, published.NEW))
        _flags(_of_kinds(rows, published.FLAG))
    with right:
        _section("Held back, and why", "held", _of_kinds(rows, published.HELD))
        _section("Scale, names and rules", "scale", _of_kinds(rows, *published.SCALE))
        _section(
            "First places",
            "first-places",
            _of_kinds(rows, published.LEADER).sort(
                "beyond_noise", descending=True, nulls_last=True, maintain_order=True
            ),
        )
        _section("Sources", "sources", _of_kinds(rows, *published.SOURCES))


def _section(title: str, anchor: str, rows: pl.DataFrame) -> None:
    """The lines of one kind; what is more than LINES is in a table that opens."""
    if rows.is_empty():
        return
    with st.container(key=f"group_{anchor}", border=True, gap="small"):
        st.header(title, anchor=anchor)
        st.markdown("\n\n".join(changed.line(row) for row in rows.head(LINES).iter_rows(named=True)))
        _rest(anchor, rows[LINES:])


def _rest(anchor: str, rows: pl.DataFrame) -> None:
    if rows.is_empty():
        return
    box = st.expander(f"{rows.height:,} more", key=f"more_{anchor}", on_change="rerun")
    if not box.open:
        return
    with box:
        lines = [(subject(row), said(row)) for row in rows.iter_rows(named=True)]
        tables.grid(
            pl.DataFrame(lines, schema=["of", "what changed"], orient="row"),
            key=f"rest_{anchor}",
            alt="The other changes of this kind",
        )


def _flags(rows: pl.DataFrame) -> None:
    """Flags that came and went, the benchmarks of each in one line."""
    if rows.is_empty():
        return
    lines = []
    for column, words in (("after", "newly flagged"), ("before", "no longer flagged")):
        for (flag,), part in rows.drop_nulls(column).group_by(column, maintain_order=True):
            names = part.unique("benchmark_id", maintain_order=True)
            lines.append(f":small[⚑ {names.height} {words} *{FLAG_WORDS[str(flag)]}*: {_names(names)}]")
    with st.container(key="group_flags", border=True, gap="small"):
        st.header("Flags", anchor="flags")
        st.markdown("\n\n".join(lines))


def _names(rows: pl.DataFrame, most: int = 12) -> str:
    shown: Sequence[str] = [
        f"[{markdown(name)}]({links.address('benchmark', benchmark=key)})"
        for name, key in rows.head(most).select("label", "benchmark_id").iter_rows()
    ]
    more = rows.height - len(shown)
    return listed([*shown, *([f"{more} more"] if more > 0 else [])])


PAGE = PageSpec(url_path="changes", title="Changes", render=render, tables=(CHANGES,), charts=(BEST,))
