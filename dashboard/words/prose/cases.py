"""The sentence of every case that analytics publishes, and the sentence of a row."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.prose import (
    changes,
    contamination,
    forecasts,
    goodhart,
    indicators,
    others,
    record,
    twins,
)
from benchhealth.dashboard.words.prose.template import OnPage, Published, Sentence, filled_template, is_fixed

SENTENCES: Mapping[str, Sentence] = {
    **indicators.OF_SATURATION,
    **indicators.OF_OTHERS,
    **contamination.SENTENCES,
    **forecasts.SENTENCES,
    **goodhart.SENTENCES,
    **others.SENTENCES,
    **changes.SENTENCES,
    **record.SENTENCES,
    **twins.SENTENCES,
}
"""The closed list of cases: code to sentence."""

PUBLISHED = Published()


class NoSentenceError(LookupError):
    """A row is of a case that no sentence is written for."""


def row_sentence(row: Row, unit: str | None) -> str:
    """What a row says on a page, where `unit` is that of the benchmark's scores.

    A row without a case has its sentence from elsewhere: it is withheld, or of an earlier edition.
    """
    return filled_template(_sentence(row["case"]), row, OnPage(unit)) if row["case"] else row["reason"] or ""


def with_sentences(table: pl.DataFrame, column: str) -> pl.DataFrame:
    """The table with the published sentence of each row's case in that column; a row without a case keeps its own."""
    rows = table.with_row_index("_at")
    cases = rows.drop_nulls("case").partition_by("case", as_dict=True)
    by_case = [_sentences_of(of_case, str(case)) for (case,), of_case in cases.items()]
    sentences = pl.concat([pl.DataFrame(schema={"_at": pl.UInt32, "_told": pl.String}), *by_case])
    joined = rows.join(sentences, on="_at", how="left", maintain_order="left")
    return joined.with_columns(pl.coalesce("_told", column).alias(column)).select(table.columns)


def _sentences_of(rows: pl.DataFrame, case: str) -> pl.DataFrame:
    """The place and the sentence of rows of one case."""
    sentence = _sentence(case)
    if is_fixed(sentence):
        return rows.select("_at", _told=pl.lit(sentence))
    sentences = [filled_template(sentence, row, PUBLISHED) for row in rows.iter_rows(named=True)]
    return pl.DataFrame({"_at": rows["_at"], "_told": sentences}, schema={"_at": pl.UInt32, "_told": pl.String})


def _sentence(case: str) -> Sentence:
    if case not in SENTENCES:
        raise NoSentenceError(f"no sentence for the case {case!r}: it belongs in dashboard/words/prose")
    return SENTENCES[case]
