"""What the items of the benchmark say: who solves them, what they distinguish, and what cannot be said."""

import polars as pl
import streamlit as st

from benchhealth.analytics.items.panel import FEWEST_MODELS
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, SourceLine
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.pages.benchmark.figures import items as figures
from benchhealth.dashboard.published.boards import items
from benchhealth.dashboard.published.boards.items import CANDIDATES, rows_of, test_of
from benchhealth.dashboard.published.generation import ParameterError, Params, View
from benchhealth.dashboard.published.results import frontier, known_benchmark
from benchhealth.dashboard.widgets import block, empty, filters, folded, links, provenance, tiles
from benchhealth.dashboard.words.items import charts as words
from benchhealth.dashboard.words.items import limits
from benchhealth.dashboard.words.items.clusters import cluster_of, clusters
from benchhealth.dashboard.words.items.tiles import DOUBT, FAINT, TileWords
from benchhealth.dashboard.words.items.tiles import tiles as eight
from benchhealth.dashboard.words.text import markdown

TAB, SUBJECT = "Items", "subject"
OTHERS_NAMED = 4
"""How many benchmarks that are known item by item are named where this one is not."""

_TONES = {DOUBT: ":orange[{}]", FAINT: ":gray[{}]"}


def is_known(view: View, benchmark_id: str) -> bool:
    """Whether anything is known of the benchmark item by item."""
    return test_of(view, benchmark_id) is not None


def _strip(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id = known_benchmark(view, params)
    row = test_of(view, benchmark_id)
    if row is None:
        return _nothing(view, benchmark_id)
    subject = params.get(SUBJECT, "")
    solved = rows_of(view, "item_solved", row).filter(pl.col("cluster") == subject)
    if solved.is_empty():
        raise ParameterError(f"no {cluster_of(row['source_id'])} {subject!r} of {benchmark_id}")
    if subject:
        row = {**row, **_of_subject(solved)}
    return figures.strip(row, solved, subject, palette)


def _subjects(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id = known_benchmark(view, params)
    row = test_of(view, benchmark_id)
    if row is None:
        return _nothing(view, benchmark_id)
    by_subject = rows_of(view, "item_subject", row)
    if by_subject.is_empty():
        return Nothing(words.NO_SUBJECTS, words.WHAT_SUBJECTS_TAKE)
    return figures.subjects(row, rows_of(view, "item_solved", row), by_subject, palette)


def _curve(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    benchmark_id = known_benchmark(view, params)
    row = test_of(view, benchmark_id)
    if row is None:
        return _nothing(view, benchmark_id)
    names = view.table("model").select("model_id", model=pl.coalesce("name", "model_id"))
    models = rows_of(view, "item_model", row).join(names, on="model_id", how="left")
    models = models.with_columns(pl.col("model").fill_null(pl.col("model_id")))
    curve = rows_of(view, "item_information", row).sort("strength")
    if curve.is_empty() or models.is_empty():
        return _nothing(view, benchmark_id)
    return figures.curve(row, curve, models, _best(view, benchmark_id), palette)


def _sources(view: View, params: Params, _chart: Chart) -> list[SourceLine]:
    row = test_of(view, params["benchmark"])
    if row is None:
        return []
    source = view.table("source").filter(pl.col("source_id") == row["source_id"])
    return provenance.lines(source.with_columns(known_until=pl.lit(row["known_until"], dtype=pl.Date)))


SOLVED = ChartSpec("items-solved", _strip, ("benchmark", SUBJECT), method="items_solved", sources=_sources)
INFORMATION = ChartSpec("items-information", _curve, ("benchmark",), method="items_information", sources=_sources)
SUBJECTS = ChartSpec("items-subjects", _subjects, ("benchmark",), method="items_solved", sources=_sources)


def show(view: View, facts: Facts) -> None:
    """Draw the strip, the eight tiles, the curve beside the subjects, and what cannot be said."""
    benchmark_id = facts["benchmark_id"]
    row = test_of(view, benchmark_id)
    if row is None:
        lacking = _nothing(view, benchmark_id)
        with st.container(key="dashed_items"):
            empty.nothing(lacking.reason, lacking.advice)
        return
    params = {"benchmark": benchmark_id}
    subjects = rows_of(view, "item_subject", row)
    chosen, kind = None, cluster_of(row["source_id"])
    if not subjects.is_empty():
        named = {name: name for name in subjects["cluster"].sort()}
        label, every_one = kind.capitalize(), f"All {clusters(kind)}"
        chosen = filters.id_picker(SUBJECT, label, named, placeholder=every_one, width=300, with_id=False)
    source = provenance.titles(view).get(row["source_id"], row["source_id"])
    st.markdown(f":small[:gray[{markdown(words.of_what(row, source))}]]")
    block.show(view, SOLVED, params | ({SUBJECT: chosen} if chosen else {}))
    all_tiles = [_tile(tile, params) for tile in eight(row)]
    tiles.show(all_tiles[:4], "tiles_items")
    tiles.show(all_tiles[4:], "tiles_items_more")
    line = words.charts_line(None if subjects.is_empty() else kind)
    folded.draw_folded(line, "items_charts", lambda: _charts(view, params, with_subjects=not subjects.is_empty()))
    _limits(view, row, facts)


def _charts(view: View, params: Params, *, with_subjects: bool) -> None:
    if not with_subjects:
        block.show(view, INFORMATION, params)
        return
    with st.container(key="two_columns_items"):
        left, right = st.columns(2, gap="medium")
        with left:
            block.show(view, INFORMATION, params)
        with right:
            block.show(view, SUBJECTS, params)


def _limits(view: View, row: Row, facts: Facts) -> None:
    lines = limits.limits(row, _best(view, row["benchmark_id"]), facts["known_until"])
    with st.container(key="dashed_limits", border=True):
        st.subheader(limits.title(row), anchor="items-limits")
        for column, (name, text) in zip(st.columns(len(lines)), lines, strict=True):
            with column:
                st.markdown(f"**{markdown(name)}**\n\n:small[{markdown(text)}]")


def _tile(tile: TileWords, params: Params) -> tiles.Tile:
    answer = _TONES.get(tile.tone, "{}").format(markdown(tile.answer))
    evidence = markdown(tile.evidence)
    if tile.listed:
        evidence += f". [{words.CANDIDATES_LINK}](<{CANDIDATES.address(params)}>)"
    return tiles.Tile(f"items_{tile.key}", tile.question, answer, evidence)


def _nothing(view: View, benchmark_id: str) -> Nothing:
    tested = items.with_items(view, OTHERS_NAMED, benchmark_id)
    named = [f"[{markdown(name)}](<{links.address('benchmark', benchmark=key, tab=TAB)}>)" for key, name in tested]
    return Nothing(words.NOTHING, words.what_it_takes(FEWEST_MODELS, named))


def _of_subject(solved: pl.DataFrame) -> Row:
    """The text of one subject's strip, in place of the whole test's numbers."""
    by_models = solved.sort("solved_by")
    half = by_models["items"].cum_sum()
    middle = by_models["solved_by"].filter(half * 2 >= half.max())
    return {
        "n_items": int(by_models["items"].sum()),
        "by_none": int(by_models["items"][0]),
        "by_all": int(by_models["items"][-1]),
        "by_median": float(middle[0]),
        "none_by_guessing": None,
    }


def _best(view: View, benchmark_id: str) -> float | None:
    """Today's best score on the benchmark, under the condition that it is judged by."""
    scores = frontier(view, {"benchmark": benchmark_id})["score"].drop_nulls()
    return None if scores.is_empty() else float(scores[-1])
