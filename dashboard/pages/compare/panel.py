"""Models on the chosen benchmarks side by side: scores and the ranks that errors leave open, and no sum of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables.declared import link, text
from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.figures.effort import effort_of
from benchhealth.dashboard.pages.compare.curves import CHOSEN, chosen_ids
from benchhealth.dashboard.published.benchmarks import benchmarks
from benchhealth.dashboard.published.generation import PublishedTable, View
from benchhealth.dashboard.published.results import boards
from benchhealth.dashboard.widgets import block, empty, filters, links, provenance, replay, tables
from benchhealth.dashboard.widgets.tables import TEXT_AFTER_HASH, GridColumn, column_configs
from benchhealth.dashboard.words.measurers.houses import head_of
from benchhealth.dashboard.words.numbers import day_of, score
from benchhealth.dashboard.words.text import count, markdown

WHOLE_BENCHMARKS, BY = "whole", "by"
ROWS, NARROW_ROWS = 200, 12

_PLACED = """
    SELECT substr(k.board_id, instr(k.board_id, '/') + 1) AS benchmark_id, k.board_id,
        k.observed_at::DATE AS observed_on, k.condition, k.model_id,
        coalesce(m.name, k.model_id) AS model, k.score, k.rank,
        k.rank_low_joint AS rank_low, k.rank_high_joint AS rank_high, r.setting
    FROM rank k LEFT JOIN model m ON m.model_id = k.model_id
    LEFT JOIN (
        SELECT benchmark_id, model_id, condition, score, min(setting) AS setting FROM result
        WHERE stands AND benchmark_id = ANY($ids)
        GROUP BY ALL HAVING count(DISTINCT setting) = 1
    ) r ON r.benchmark_id = substr(k.board_id, instr(k.board_id, '/') + 1) AND r.model_id = k.model_id
        AND r.condition = k.condition AND r.score = k.score
    WHERE k.board_id = ANY($boards)
    QUALIFY k.observed_at = max(k.observed_at) OVER (PARTITION BY k.board_id)
    ORDER BY benchmark_id, k.rank, model
"""

Cell = Mapping[str, Any]


def ranked_models(view: View, ids: Sequence[str]) -> pl.DataFrame:
    """The rank of each model on one board of each of these benchmarks, as the board was last read.

    The board is the one that the page of the benchmark opens with.
    Columns: benchmark_id, board_id, observed_on, condition, model_id, model, score, rank, rank_low and rank_high (the
    ranks that the errors leave open, all at once; null where no error is known), setting (null where several have that
    score). A benchmark without a board has no rows.
    """
    first_boards = [boards(view, benchmark_id)[:1] for benchmark_id in ids]
    return view.query(_PLACED, ids=list(ids), boards=[board_id for first in first_boards for board_id in first])


PANEL = PublishedTable("panel", lambda view, params: ranked_models(view, chosen_ids(params)))


def in_rank_order(rows: pl.DataFrame, benchmark_id: str, *, on_all: bool) -> pl.DataFrame:
    """The models of `ranked_models` in the order of their rank on one benchmark: model_id, model, on (of how many).

    Those that it does not rank come after, the ones with most benchmarks first; `whole` keeps who is on all of them.
    """
    everywhere = rows["benchmark_id"].n_unique()
    models = rows.group_by("model_id", maintain_order=True).agg(
        pl.col("model").first(),
        on=pl.len(),
        place=pl.col("rank").filter(pl.col("benchmark_id") == benchmark_id).first(),
    )
    selected = models.filter(pl.col("on") == everywhere) if on_all else models
    return selected.sort("place", "on", "model", descending=[False, True, False], nulls_last=True).drop("place")


def show(view: View, ids: Sequence[str]) -> None:
    """Draw the panel of these benchmarks."""
    facts = view.recent(("facts of the panel", *ids), lambda: _facts(view, ids))
    rows = ranked_models(view, ids)
    ranked = [benchmark_id for benchmark_id in ids if benchmark_id in set(rows["benchmark_id"])]
    if not ranked:
        return
    models_on_all = in_rank_order(rows, ranked[0], on_all=True).height
    n_models = rows["model_id"].n_unique()
    which_boards = "both" if len(ranked) == 2 else f"all {len(ranked)}"
    st.header(
        f"{models_on_all:,} of {n_models:,} models {'has' if models_on_all == 1 else 'have'} a rank on {which_boards} "
        "benchmarks"
        if len(ranked) > 1
        else f"{count(n_models, 'model')} ranked",
        anchor="panel",
    )
    newest = latest(rows["observed_on"])
    seen_on = day_of(newest) if newest else "a day not on record"
    st.markdown(
        f":small[:gray[Score, rank and in brackets the ranks that errors leave open, all at once, for "
        f"{count(n_models, 'model')}; each column is one leaderboard as last seen, the latest on {seen_on}. Blue: tied "
        "for first. Two whose ranks overlap are within error of each other, and no column is added to another.]]"
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(":small[Order by]", width="content")
        order = filters.segments(BY, "Order by", {key: facts[key]["label"] for key in ranked})
        only_on_all = len(ranked) > 1 and filters.yes_or_no(WHOLE_BENCHMARKS, f"Only models on {which_boards}")
    models = view.recent(("ordered", *ids, order, only_on_all), lambda: in_rank_order(rows, order, on_all=only_on_all))
    if models.is_empty():
        empty.nothing(
            f"None of the {count(n_models, 'model')} has a rank on {which_boards} benchmarks.",
            "Take a benchmark away above, or look at the models that have a rank on some of them.",
        )
        return
    cells = view.recent(
        ("cells", *ids), lambda: {(row["model_id"], row["benchmark_id"]): row for row in rows.iter_rows(named=True)}
    )
    with st.container(key="wide_panel"):
        key = ("panel", *ids, order, only_on_all, block.palette().dark)
        replay.once(view, key, lambda: _grid(models.head(ROWS), ranked, facts, cells))
    with st.container(key="narrow_panel"):
        replay.once(
            view,
            ("narrow panel", *ids, order, only_on_all),
            lambda: _narrow(models.head(NARROW_ROWS), ranked, facts, cells),
        )
    replay.once(view, ("below the panel", *ids, only_on_all), lambda: _notes(view, rows, ranked, facts, models.height))


def _facts(view: View, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    rows = benchmarks(view).filter(pl.col("benchmark_id").is_in(list(ids)))
    return {row["benchmark_id"]: row for row in rows.select("benchmark_id", "name", "label", "unit").to_dicts()}


def cell_text(cell: Cell | None, unit: str | None) -> str:
    """A cell of the panel: `88% · 3 (1 to 7) · high effort`; a dash where the board does not rank the model."""
    if cell is None:
        return "–"
    chip = effort_of(cell.get("setting"))
    return " · ".join([score(cell["score"], unit), _rank_text(cell), *([chip] if chip else [])])


def _rank_text(cell: Cell) -> str:
    low, high = cell["rank_low"], cell["rank_high"]
    rank_range = "error not known" if low is None else f"{low}" if low == high else f"{low} to {high}"
    return f"{cell['rank']} ({rank_range})"


def _model_rows(labels: Sequence[str]) -> dict[str, Any]:
    """The model, and a column for each benchmark, under its name as its makers write it: `tau2-Bench`."""
    columns = column_configs(_columns(labels))
    return {**columns, **{label: {**columns[label], "label": label} for label in labels}}


def _columns(labels: Sequence[str]) -> tuple[GridColumn, ...]:
    """The model, and a column for each benchmark."""
    meaning = "Score and rank, with the ranks that errors leave open."
    model = GridColumn(link("Model", "The model."), link_text=TEXT_AFTER_HASH, pinned=True, width=230)
    return (model, *(GridColumn(text(label, meaning, label=label), width=190) for label in labels))


def _grid(
    models: pl.DataFrame, ids: Sequence[str], facts: Mapping[str, Cell], cells: Mapping[tuple[str, str], Cell]
) -> None:
    keys = models["model_id"].to_list()
    columns = {
        facts[benchmark_id]["label"]: [
            cell_text(cells.get((key, benchmark_id)), facts[benchmark_id]["unit"]) for key in keys
        ]
        for benchmark_id in ids
    }
    opened = [links.grid_address("models", key, name) for key, name in models.select("model_id", "model").iter_rows()]
    frame = pl.DataFrame({"Model": opened, **columns}).to_pandas()
    palette = block.palette()
    colours = {
        facts[benchmark_id]["label"]: [
            f"color: {palette.accent if cell and cell['rank_low'] == 1 else palette.ink2}"
            for cell in (cells.get((key, benchmark_id)) for key in keys)
        ]
        for benchmark_id in ids
    }

    st.dataframe(
        frame.style.set_uuid("panel").apply(lambda column: colours[column.name], axis=0, subset=list(colours)),
        hide_index=True,
        height=min(models.height, 15) * tables.ROW_HEIGHT + tables.ROW_HEIGHT + 3,
        row_height=tables.ROW_HEIGHT,
        column_config=_model_rows([facts[benchmark_id]["label"] for benchmark_id in ids]),
        key="grid_panel",
        alt="Models with score, rank and the ranks that errors leave open on each of the chosen benchmarks",
        placeholder="–",
    )


def _narrow(
    models: pl.DataFrame, ids: Sequence[str], facts: Mapping[str, Cell], cells: Mapping[tuple[str, str], Cell]
) -> None:
    """The first models for a phone, a card of ranks each."""
    lines = []
    for key, name in models.select("model_id", "model").iter_rows():
        stands = [(benchmark_id, cells[key, benchmark_id]) for benchmark_id in ids if (key, benchmark_id) in cells]
        ranks = " · ".join(
            f"{markdown(facts[benchmark_id]['label'])}: {_rank_text(cell)} {effort_of(cell['setting'])}".strip()
            for benchmark_id, cell in stands
        )
        lines.append(f"[{markdown(name)}]({links.address('models', model=key)})  \n:small[Rank on {ranks}]")
    st.markdown("\n\n".join(lines))


def _notes(view: View, rows: pl.DataFrame, ids: Sequence[str], facts: Mapping[str, Cell], n_shown: int) -> None:
    """What each column has, which models are left out, and the numbers as CSV."""
    heads = {row["benchmark_id"]: row for row in rows.unique("benchmark_id").iter_rows(named=True)}
    titles = provenance.titles(view)
    source_of = {benchmark_id: head["board_id"].split("/", maxsplit=1)[0] for benchmark_id, head in heads.items()}
    column_notes = "; ".join(
        f"{markdown(facts[benchmark_id]['label'])}: "
        f"{markdown(head_of(titles.get(source_of[benchmark_id], source_of[benchmark_id])))}, "
        f"{markdown(heads[benchmark_id]['condition'] or 'condition not stated')}, "
        f"{day_of(heads[benchmark_id]['observed_on'])}"
        for benchmark_id in ids
    )
    cut = f"The first {ROWS} of {n_shown:,} models are shown. " if n_shown > ROWS else ""
    exclusion = "" if view.all_open() else ", without rows that may not be passed on"
    address = PANEL.address({CHOSEN: ",".join(ids)})
    st.markdown(f":small[:gray[{cut}{column_notes}.] {links.csv('Download as CSV', address)}{exclusion}]")
