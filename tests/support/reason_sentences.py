"""Tables of analytics with their sentences, as they are published."""

import polars as pl

from benchhealth.analytics.goodhart.measure import Finding
from benchhealth.dashboard.words.prose.cases import PUBLISHED, SENTENCES, with_sentences
from benchhealth.dashboard.words.prose.template import filled_template


def with_sentence(table: pl.DataFrame, column: str = "reason") -> pl.DataFrame:
    """The rows with the sentence of each one's case."""
    return with_sentences(table.with_columns(pl.lit(None, pl.String).alias(column)), column)


def reason(finding: Finding) -> str:
    """The sentence of one finding."""
    return filled_template(SENTENCES[str(finding.case)], finding._asdict(), PUBLISHED)
