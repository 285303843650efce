"""The sources of the benchmark, until when each is known, and every number with the address it came from."""

from urllib.parse import quote, urlsplit

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables.case import ALWAYS, first_case
from benchhealth.analytics.record.tables.declared import Column, day, link, number, percent, text
from benchhealth.dashboard.figures.base import is_bounded
from benchhealth.dashboard.figures.effort import EFFORT, effort
from benchhealth.dashboard.pages.benchmark import card
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.published.files.places import Place, file_address, place
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.results import FRONTIER, RESULTS, frontier, results
from benchhealth.dashboard.widgets import empty, links, tables
from benchhealth.dashboard.widgets.tables import GridColumn
from benchhealth.dashboard.words.numbers import day_of, score
from benchhealth.dashboard.words.sentences import basis, benchmark_facts, what_days_are
from benchhealth.dashboard.words.settings import as_published
from benchhealth.dashboard.words.text import capital, code, count, markdown

_VERSIONS = """
    SELECT s.source_id, count(DISTINCT s.snapshot_id)::BIGINT AS versions, arg_max(s.url, s.observed_at) AS url,
        arg_max(s.ref, s.observed_at) AS ref
    FROM snapshot s WHERE s.snapshot_id IN (SELECT DISTINCT snapshot_id FROM result WHERE benchmark_id = $benchmark)
    GROUP BY s.source_id
"""

_FILE = """
    SELECT s.url FROM result r JOIN snapshot s USING (snapshot_id)
    WHERE r.benchmark_id = $benchmark AND r.source_row = $row AND s.ref = $ref LIMIT 1
"""
"""The file with the row; a row may also cite an address of its own."""


PAPERS = 3
"""How many papers are named in the row of a source."""

_HAVE_COMMITS = frozenset({"raw.githubusercontent.com", "github.com"})


def by_source(view: View, benchmark_id: str) -> pl.DataFrame:
    """Each source of the benchmark: how many results, who reports them, how many versions, known until, and links."""
    rows = results(view, {"benchmark": benchmark_id})
    counted = rows.group_by("source_id").agg(
        results=pl.len().cast(pl.Int64),
        own=pl.col("side").eq_missing("self").mean(),
        by_others=pl.col("side").eq_missing("others").mean(),
        cited=pl.col("url").drop_nulls().unique(maintain_order=True),
    )
    versions = view.query(_VERSIONS, benchmark=benchmark_id)
    named = view.table("source").select("source_id", "title", "homepage", "kind", "licence", "known_until")
    says = first_case(
        ("what makers report", pl.col("own") >= 0.9),
        ("measured by others", pl.col("by_others") >= 0.9),
        ("both makers' numbers and others'", (pl.col("own") > 0.1) & (pl.col("by_others") > 0.1)),
        ("passed on or handed in; who measured is not said of each", ALWAYS),
    )
    joined = counted.join(versions, on="source_id", how="left").join(named, on="source_id", how="left")
    return joined.with_columns(says=says).sort("known_until", "source_id", descending=[True, False], nulls_last=True)


def show(view: View, facts: Facts) -> None:
    """Draw whether sources are still read, the sources, the facts, the labels, and every number."""
    card.draw_answer(view, facts, "looked")
    benchmark_id = facts["benchmark_id"]
    params = {"benchmark": benchmark_id}
    rows = results(view, params)
    if rows.is_empty():
        st.header("No source reports it", anchor="sources")
        empty.nothing(
            "No result of this benchmark is on record.",
            "No source that we follow reports it, so nothing can be judged.",
        )
        _about(facts)
        card.draw_answer(view, facts, "labels")
        return
    per_source = by_source(view, benchmark_id)
    newest, until = per_source["known_until"].max(), facts["known_until"]
    scope = " in the condition that counts" if newest is not None and until is not None and newest > until else ""
    numbers, sources = count(rows.height, "published number"), count(per_source.height, "source")
    st.header(
        f"{numbers}, copies and corrected ones too, from {sources}, data to {day_of(until)}{scope}", anchor="sources"
    )
    lines = [f"| {' | '.join(_cells(row))} |" for row in per_source.iter_rows(named=True)]
    heads = "| Source | Numbers | Versions | Says | Newest file | Licence | Source read until |"
    st.markdown("\n".join([heads, "|---|---:|---:|---|---|---|---|", *lines]))
    if days := what_days_are(until, others_later=bool(scope)):
        st.markdown(f":small[{days}]")
    _about(facts)
    card.draw_answer(view, facts, "labels")
    _all_results(view, rows, facts, params)
    _badge_and_feed(benchmark_id)


def _badge_and_feed(benchmark_id: str) -> None:
    """The benchmark's badge, for the readme of another project, and its feed."""
    st.header("A badge and a feed", anchor="badge")
    root = str(st.context.url or "").split("?")[0].rsplit("/", 1)[0]
    named = quote(benchmark_id)
    badge, page = f"badge/{named}.svg", links.address("benchmark", benchmark=benchmark_id)
    st.markdown(
        f"![Its stage and until when that is known]({badge}) :small[for a readme, always as newly published · "
        f"[what changes of it, as a feed](feed.xml?benchmark={named})]"
    )
    st.code(f"[![benchhealth]({root}/{badge})]({root}/{page})", language=None, wrap_lines=True)


def best_place(view: View, rows: pl.DataFrame, params: dict[str, str]) -> tuple[Facts, Place] | None:
    """The best score with the place that it was read from; None where that place has no address."""
    best = frontier(view, params).tail(1).select("model", "score")
    matching = rows.join(best, on=["model", "score"], how="semi").sort("dated_on", nulls_last=True)
    for row in matching.iter_rows(named=True):
        where = {"benchmark": params["benchmark"], "row": row["source_row"], "ref": row["ref"]}
        files = view.query(_FILE, **where)
        if files.height and (read_from := place(files["url"][0], row["source_row"], row["ref"])):
            return row, read_from
    return None


def _addresses(rows: pl.DataFrame) -> pl.Series:
    """Where each row can be seen: at its commit and line where the file has them."""
    addresses = (file_address(url, row) for url, row in rows.select("url", "source_row").iter_rows())
    return pl.Series(addresses, dtype=pl.String)


def _best(view: View, rows: pl.DataFrame, facts: Facts, params: dict[str, str]) -> None:
    if best := view.recent(("best place", params["benchmark"]), lambda: best_place(view, rows, params)):
        row, read_from = best
        st.markdown(
            f"The best, **{score(row['score'], facts['unit'])}** of {markdown(row['model'])}, was read from "
            f"[{markdown(read_from.text())}](<{read_from.address}>)."
        )


def _cells(row: Facts) -> list[str]:
    return [
        links.linked(row["title"] or row["source_id"], _source_page(row)),
        f"{row['results']:,}",
        f"{row['versions'] or 0:,}",
        row["says"],
        _newest(row),
        markdown(row["licence"] or "not stated"),
        day_of(row["known_until"]),
    ]


def _source_page(row: Facts) -> str | None:
    """The source's page; a collection from several papers has none, as the host of papers is not its page."""
    of_papers = row["kind"] == "paper" and urlsplit(row["homepage"] or "").path in ("", "/")
    return None if of_papers else row["homepage"]


def _newest(row: Facts) -> str:
    """A link to the newest file; where each row cites its own paper, links to these papers."""
    cited = [url for url in row["cited"] if url != row["url"]]
    if not cited or row["url"] in row["cited"]:
        return links.linked(_version(row), row["url"])
    links_to = [
        links.linked("paper" if len(cited) == 1 else f"paper {number_of_paper}", url)
        for number_of_paper, url in enumerate(cited, 1)
    ]
    return " \u00b7 ".join(
        [*links_to[:PAPERS], *([f"{len(cited) - PAPERS} more below"] if len(cited) > PAPERS else [])]
    )


def _version(row: Facts) -> str:
    """The commit of the newest file, or a word where it has none."""
    if urlsplit(row["url"] or "").hostname not in _HAVE_COMMITS:
        return "file"
    ref = row["ref"] or ""
    return f"commit {ref[:7]}" if len(ref) >= 7 and all(letter in "0123456789abcdef" for letter in ref) else "file"


def _about(facts: Facts) -> None:
    """The facts of the benchmark; unknown ones are left out, but the basis of its ceiling is always given."""
    labelled = [f"{label} **{markdown(value)}**" for label, value in benchmark_facts(facts)]
    paper = links.outside("Paper", facts["paper_url"])
    ceiling = basis(facts)
    named = " · ".join([*labelled, f"id {code(facts['benchmark_id'])}"])
    st.markdown(f":small[{named}. {capital(ceiling)}.{f' {paper}' if paper else ''}]")


def _columns(bounded: bool) -> tuple[Column | GridColumn, ...]:
    """The columns of the results: scores in percent on a bounded scale, else in the benchmark's own unit."""
    scores = (("score", "The score.", "Score"), ("std_error", "Its standard error.", "Standard error"))
    numbers = [
        percent(name, hint, label=label) if bounded else GridColumn(number(name, hint, label=label), format="%.4g")
        for name, hint, label in scores
    ]
    return (
        GridColumn(text("model", "The model.", label="Model"), pinned=True, width=180),
        *numbers,
        day("dated_on", "The day that dates it.", label="Day"),
        text("reporter", "Whether its maker or others measured it; null where nobody says.", label="Measured by"),
        text("condition", "What it was measured under, where that sets it apart.", label="Condition"),
        EFFORT,
        text("setting", "The setting as the source words it.", label="Setting"),
        GridColumn(text("source_row", "Where it stands in the file.", label="Row of the file"), width=140),
        link("url", "The file, at the row where that can be opened.", label="Source file"),
    )


def _all_results(view: View, rows: pl.DataFrame, facts: Facts, params: dict[str, str]) -> None:
    st.header("Every published number", anchor="results")
    _best(view, rows, facts, params)
    measurer = pl.col("side").replace_strict({"self": "its maker", "others": "others"}, default=None)
    table_rows = rows.select(
        "model",
        "score",
        "std_error",
        "dated_on",
        "date_precision",
        measurer.alias("reporter"),
        "condition",
        effort(),
        as_published(pl.col("setting")),
        "source_row",
        "url",
    )
    tables.show(
        view,
        view.recent(("places of", facts["benchmark_id"]), lambda: table_rows.with_columns(url=_addresses(rows))),
        RESULTS,
        params,
        alt="Every published number of this benchmark with its model, day, setting, row and address",
        visible_rows=10,
        columns=_columns(is_bounded(facts["unit"])),
    )
    st.markdown(
        f":small[{links.csv('The running best as CSV', FRONTIER.address(params))} · "
        f"[find a row]({links.address('data')})]"
    )
