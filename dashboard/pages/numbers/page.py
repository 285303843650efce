"""Why two numbers differ: one model on one benchmark, every current number and how it differs from the first."""

from collections.abc import Mapping

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.published.benchmarks import sources_known_until
from benchhealth.dashboard.published.files.places import file_address
from benchhealth.dashboard.published.generation import Params, PublishedTable, View, recently
from benchhealth.dashboard.published.models import exists, facts_of, known_model, several_numbers
from benchhealth.dashboard.published.results import ids, known_benchmark
from benchhealth.dashboard.widgets import empty, filters, links, provenance
from benchhealth.dashboard.widgets.boxes import suggestions
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.words.measurers import differing as words
from benchhealth.dashboard.words.measurers.houses import head_of
from benchhealth.dashboard.words.text import code, count, markdown, model_within

BENCHMARK, MODEL = "benchmark", "model"
ROWS_SHOWN = 60
"""Rows that a page lists, those with the best scores; the CSV has all."""

_NUMBERS = """
    SELECT d.*, s.url AS file_url, s.ref
    FROM differing_number d LEFT JOIN snapshot s USING (snapshot_id)
    WHERE d.benchmark_id = $benchmark AND d.model_id = $model ORDER BY d.place
"""


@recently
def numbers(view: View, params: Params) -> pl.DataFrame:
    """The rows of `differing_number` of the model and benchmark that the parameters name, with `url`.

    `url` is where a person sees the row: the page that it cites, or the file at its commit and line.
    """
    pair = {"benchmark": known_benchmark(view, params), "model": known_model(view, params)}
    rows = view.query(_NUMBERS, **pair)
    addresses = [file_address(url, row) for url, row in rows.select("file_url", "source_row").iter_rows()]
    return rows.with_columns(url=pl.Series(addresses, dtype=pl.String)).drop("file_url")


NUMBERS = PublishedTable("differing-numbers", numbers)


def draw(view: View) -> None:
    """Draw the page."""
    benchmark_id, model_id = (st.query_params.get(name, "") for name in (BENCHMARK, MODEL))
    _picked_ids(view, benchmark_id)
    if benchmark_id not in ids(view) or not exists(view, model_id):
        _not_found(view, benchmark_id, model_id)
        return
    params = {BENCHMARK: benchmark_id, MODEL: model_id}
    rows = numbers(view, params)
    benchmark = view.table("benchmark").row(by_predicate=pl.col("benchmark_id") == benchmark_id, named=True)
    model = facts_of(view, model_id)["name"]
    names = benchmark["name"] or benchmark_id, model
    links.tab_title(f"{model} on {names[0]}")
    elsewhere = _pages_of_both(names, benchmark_id, model_id)
    if rows.is_empty():
        st.title(markdown(words.none_differ(*names)), anchor=False)
        empty.nothing(words.NOTHING, f"{words.WHERE_ELSE} {elsewhere}.")
        return
    st.title(markdown(words.title(rows, model_within(model, 40), names[0], benchmark["unit"])), anchor=False)
    st.markdown(markdown(words.subtitle(rows, sources_known_until(view, benchmark_id))))
    st.markdown(f":small[{elsewhere}]")
    _draw_rows(view, rows.head(ROWS_SHOWN), benchmark["unit"])
    cut = f"The first {ROWS_SHOWN} of {count(rows.height, 'number')}. " if rows.height > ROWS_SHOWN else ""
    st.markdown(f"{cut}{links.csv('All of them as CSV', NUMBERS.address(params))}, generation {view.name}.")
    st.markdown(f"{words.WHICH_FIRST} {words.NOT_A_CAUSE} [How]({links.address('methods')}#differing_numbers)")


def _picked_ids(view: View, benchmark_id: str) -> None:
    """The boxes in which benchmark and model are chosen: those with several numbers."""
    pairs = several_numbers(view)
    if pairs.is_empty():
        return
    listed = pairs.filter(pl.col("benchmark_id") == benchmark_id)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        benchmarks = _by_id(view, pairs, "benchmark")
        filters.id_picker(BENCHMARK, "Benchmark", benchmarks, placeholder="Find a benchmark", width=320)
        if listed.height:
            filters.id_picker(MODEL, "Model", _by_id(view, listed, "model"), placeholder="Find a model", width=320)


def _by_id(view: View, rows: pl.DataFrame, kind: str) -> dict[str, str]:
    """Those of these rows by id, in the order of their names."""
    key = f"{kind}_id"
    named_rows = view.table(kind).select(key, name=pl.coalesce("name", key))
    named = rows.select(key).unique().join(named_rows, on=key, how="left")
    return dict(named.sort(pl.col("name").str.to_lowercase(), key).select(key, "name").iter_rows())


def _draw_rows(view: View, rows: pl.DataFrame, unit: str | None) -> None:
    """The rows as a table, and for a phone as a list: both are text, which prints and needs no pointer."""
    titles = provenance.titles(view)
    cells = [(_cells(row, unit, titles), _source_line(row, titles)) for row in rows.iter_rows(named=True)]
    with st.container(key="wide_numbers"):
        lines = [f"| {' | '.join([*(markdown(text) for text in texts), where])} |" for texts, where in cells]
        st.markdown("\n".join([words.heads(unit), *lines]))
    with st.container(key="narrow_numbers"):
        st.markdown("\n\n".join(_phone_line(texts, where) for texts, where in cells))


def _cells(row: Row, unit: str | None, titles: Mapping[str, str]) -> list[str]:
    return [
        words.score_with_error(row, unit),
        words.difference_text(row, unit),
        words.unlike_aspects(row),
        words.condition_and_setting(row),
        words.measurer_text(row, titles),
        row["published_name"] or "",
        words.day_with_basis(row),
        "" if row["n_items"] is None else f"{row['n_items']:,}",
    ]


def _source_line(row: Row, titles: Mapping[str, str]) -> str:
    named = markdown(head_of(titles.get(row["source_id"], row["source_id"])))
    link = f"[{named}](<{row['url']}>)" if row["url"] else named
    return f"{link}, {markdown(row['source_row'] or '')}{words.copies_text(row)}"


def _phone_line(texts: list[str], where: str) -> str:
    score, difference, unlike, condition, house, name, day, items = (markdown(text) for text in texts)
    line = " · ".join(detail for detail in (condition, house, name, day, f"{items} items" if items else "") if detail)
    return f"**{score}** {difference}{f'; unlike in {unlike}' if unlike else ''}  \n:small[{line} · {where}]"


def _pages_of_both(names: tuple[str, str], benchmark_id: str, model_id: str) -> str:
    of_benchmark, of_model = links.address("benchmark", benchmark=benchmark_id), links.address("models", model=model_id)
    return f"[{markdown(names[0])}](<{of_benchmark}>) · [{markdown(names[1])}](<{of_model}>)"


def _examples(view: View) -> str:
    """The pairs with most numbers, of several benchmarks, as markdown."""
    pairs = several_numbers(view).unique("benchmark_id", keep="first", maintain_order=True).head(suggestions.EXAMPLES)
    names = {kind: _by_id(view, pairs, kind) for kind in ("model", "benchmark")}
    linked = [
        f"[{markdown(names['model'][model_id])} on {markdown(names['benchmark'][benchmark_id])}]"
        f"(<{links.address('numbers', benchmark=benchmark_id, model=model_id)}>)"
        for benchmark_id, model_id in pairs.select("benchmark_id", "model_id").iter_rows()
    ]
    return f"Longest lists: {' · '.join(linked)}" if linked else ""


def _not_found(view: View, benchmark_id: str, model_id: str) -> None:
    pairs = count(several_numbers(view).height, "pair")
    st.title(f"Several numbers stand for {pairs} of a model and a benchmark", anchor=False)
    if missing := [code(entity_id) for entity_id in (benchmark_id, model_id) if entity_id]:
        empty.nothing(
            f"No pair of a model and a benchmark is called {' and '.join(missing)} here.",
            f"They may have been renamed: [all models]({links.address('models')}), [the map]({links.address('.')}).",
        )
        return
    empty.nothing(
        "All numbers of one model on one benchmark stand here side by side.",
        f"Choose a [model]({links.address('models')}): each benchmark with several numbers of it leads here.  \n"
        f"{_examples(view)}",
    )


PAGE = PageSpec(
    url_path="numbers",
    title="Numbers that differ",
    draw=draw,
    tables=(NUMBERS,),
    hidden=True,
)
