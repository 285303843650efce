"""The columns of sentences of published tables, filled from their codes and numbers when they are published."""

from collections.abc import Mapping

import polars as pl

from benchhealth.dashboard.words.prose import twins
from benchhealth.dashboard.words.prose.cases import with_sentences
from benchhealth.dashboard.words.prose.judged import verdicts

Tables = Mapping[str, pl.DataFrame]

SENTENCE_COLUMNS: Mapping[str, str] = {
    **dict.fromkeys(("indicator", "contamination_risk", "goodhart", "hazard", "weights_lag"), "reason"),
    **dict.fromkeys(("declared_leakage", "static_dynamic"), "reason"),
    "breakpoint": "note",
    "change": "text",
    "dated_change": "text",
    "fact_conflict": "reason",
    "likely_alias": "why",
    "stability": "cut",
    "twin_gap": "sentence",
}
"""Tables whose rows are of cases, and the column of their sentences."""


def with_prose(tables: Tables) -> dict[str, pl.DataFrame]:
    """The derived tables with the sentences of their rows filled in; a sentence that is there stays."""
    worded = {name: with_sentences(tables[name], column) for name, column in SENTENCE_COLUMNS.items() if name in tables}
    reasons = _reasons(tables["verdict_reason"], worded["indicator"])
    return {
        **tables,
        **worded,
        "verdict_reason": reasons,
        "verdict": _verdicts(tables["verdict"], reasons),
        "twin_gap": _powers(worded["twin_gap"]),
    }


def _reasons(rows: pl.DataFrame, indicator: pl.DataFrame) -> pl.DataFrame:
    """Each row with the sentence of its reason."""
    bases: dict[str, dict[str, str | None]] = {}
    rested_on = indicator.filter(pl.col("indicator").is_in(rows["rests_on"].explode().drop_nulls().unique().implode()))
    for benchmark_id, key, reason in rested_on.select("benchmark_id", "indicator", "reason").iter_rows():
        bases.setdefault(benchmark_id, {})[key] = reason
    sentences = [
        sentence
        for of_reason in verdicts.by_reason(rows.iter_rows(named=True))
        for sentence in [verdicts.sentence(of_reason, bases.get(of_reason[0]["benchmark_id"], {}))] * len(of_reason)
    ]
    return rows.with_columns(reason=pl.Series(sentences, dtype=pl.String))


def _verdicts(verdict: pl.DataFrame, reasons: pl.DataFrame) -> pl.DataFrame:
    """The verdicts with the sentences of their reasons, in order, each once."""
    sentences = pl.col("reason").sort_by("place", "part").unique(maintain_order=True)
    in_order = reasons.group_by("benchmark_id").agg(said=sentences)
    joined = verdict.join(in_order, on="benchmark_id", how="left", maintain_order="left")
    return joined.with_columns(reasons=pl.coalesce("said", "reasons")).select(verdict.columns)


def _powers(gaps: pl.DataFrame) -> pl.DataFrame:
    """The twins with what their tests would show, where that is known."""
    sentences = [twins.power(row) for row in gaps.iter_rows(named=True)]
    computed = pl.Series(sentences, dtype=pl.String)
    return gaps.with_columns(power_sentence=pl.coalesce(computed, "power_sentence"))
