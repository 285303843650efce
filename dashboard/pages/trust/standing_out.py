"""Models that stand out, across benchmarks: by how much, chance, other explanations, and what tests miss."""

import polars as pl
import streamlit as st

from benchhealth.analytics.contamination.findings import FLAGGED_AT
from benchhealth.analytics.record.tables.declared import link, sentence, text
from benchhealth.dashboard.pages.trust.rung_tables import TESTS, TITLES
from benchhealth.dashboard.published.generation import Params, PublishedTable, View, always
from benchhealth.dashboard.widgets import links, tables
from benchhealth.dashboard.widgets.tables import TEXT_AFTER_HASH, GridColumn
from benchhealth.dashboard.words.columns import texts
from benchhealth.dashboard.words.prose.contamination import (
    OTHERWISE,
    excess_text,
    false_alarm_text,
    missed_leak_text,
    standing_out_sentence,
)
from benchhealth.dashboard.words.text import short

COLUMNS = (
    GridColumn(link("model", "The model, opened with all that is said of it.", label="Model"),
          link_text=TEXT_AFTER_HASH, pinned=True,
          width=160),
    GridColumn(text("benchmark", "Where it scores higher than expected.", label="On"), width=105),
    GridColumn(text("gap", "Points above what is expected, with the 95% interval.", label="Gap"), width=150),
    GridColumn(text("false_alarm", "How often chance alone does this, and among such findings.", label="False alarm"),
          width=180),
    GridColumn(sentence("otherwise", "What explains it without seen items.", label="What else explains it"), width=255),
    GridColumn(text("unseen", "What this test would have missed.", label="What could not be seen"), width=170),
    GridColumn(text("title", "What the score was held against.", label="Held against"), width=110),
)  # fmt: skip

_SQL = """
    SELECT r.*, coalesce(m.name, r.model_id) AS model, coalesce(b.name, r.benchmark_id) AS benchmark, b.known_until
    FROM contamination_risk r JOIN benchmark b USING (benchmark_id) LEFT JOIN model m USING (model_id)
    WHERE r.model_id IS NOT NULL AND r.rung IN $tests AND r.q_value IS NOT NULL
"""


@always
def tested_pairs(view: View) -> pl.DataFrame:
    """Every pair of a model and a benchmark with a test result, with both names."""
    return view.query(_SQL, tests=list(TESTS))


def standing_out(view: View, _params: Params) -> pl.DataFrame:
    """The pairs that score higher than expected by more than FLAGGED_AT false discoveries allow, the widest gap first.

    `p_value` is one-sided, `q_value` its Benjamini-Hochberg value among the pairs of its test; `detectable` the
    smallest share of items whose leak the test would show with 80% probability, null where none would.
    """
    return (
        tested_pairs(view)
        .filter(pl.col("q_value") <= FLAGGED_AT)
        .with_columns(title=pl.col("rung").replace_strict(TITLES, return_dtype=pl.String))
        .sort("value", "model", "benchmark", descending=[True, False, False])
        .select(
            "model", "benchmark", "title", "value", "low", "high", "p_value", "q_value", "detectable", "n", "reason",
            "known_until", "source_url", "rung", "model_id", "benchmark_id",
        )
    )  # fmt: skip


STANDING_OUT = PublishedTable("standing-out", standing_out)


def show(view: View) -> None:
    """Draw the finding, what it does not mean, and the table."""
    all_pairs, rows = tested_pairs(view), standing_out(view, {})
    st.markdown(standing_out_sentence(all_pairs, rows))
    if rows.is_empty():
        return
    opened = [
        f"{links.address('trust', model=model_id)}#{links.fragment(name)}"
        for model_id, name in rows["model_id", "model"].rows()
    ]
    all_rows = list(rows.iter_rows(named=True))
    tables.grid(
        rows.select(
            pl.Series("model", opened, dtype=pl.String),
            texts(rows["benchmark"], short).alias("benchmark"),
            pl.Series("gap", [excess_text(row) for row in all_rows], dtype=pl.String),
            pl.Series("false_alarm", [false_alarm_text(row) for row in all_rows], dtype=pl.String),
            otherwise=pl.col("rung").replace_strict(OTHERWISE, return_dtype=pl.String),
            unseen=pl.Series([missed_leak_text(row) for row in all_rows], dtype=pl.String),
            title="title",
        ),
        key="standing_out",
        alt="Models that score higher than expected, across benchmarks, the widest gap first",
        columns=COLUMNS,
        wrapped=True,
    )
    st.markdown(f"[Download as CSV](<{STANDING_OUT.address({})}>), generation {view.name}.")
