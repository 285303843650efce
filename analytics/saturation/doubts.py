"""What keeps scores from being read as they stand: an answer without content that beats them, an error nobody knows."""

import polars as pl

from benchhealth.analytics.record.evidence import Evidence, Indicator, Unless, settle
from benchhealth.analytics.record.happened.incidents import constant_answers
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit
from benchhealth.analytics.saturation.headroom import NO_RESULT, end_of_frontier


def _constant_answer_margin(evidence: Evidence) -> pl.DataFrame:
    constant = constant_answers(evidence.incident)
    return settle(
        end_of_frontier(evidence).join(constant, on="benchmark_id", how="left", maintain_order="left"),
        Unless(pl.col("constant").is_null(), "no_constant_answer", "not_applicable"),
        NO_RESULT,
        value=pl.col("sign") * (pl.col("constant") - pl.col("score")),
        note=Case("constant_answer", numbers=("constant", "score")),
    )


def _best_has_error(evidence: Evidence) -> pl.DataFrame:
    has_error = pl.col("error").is_not_null()
    code = pl.when(has_error).then(pl.lit("error_known")).otherwise(pl.lit("error_and_items_unknown"))
    return settle(end_of_frontier(evidence), NO_RESULT, value=has_error.cast(pl.Float64), note=Case(code))


CONSTANT_ANSWER_MARGIN = Indicator(
    "constant_answer_margin",
    "A constant answer over the best model",
    "How far an answer that is the same to every item lies above the best model, as somebody published it.",
    "incidents of the kind `constant answer`, with a source for each",
    _constant_answer_margin,
    unit=Unit.SCORE,
)
BEST_HAS_ERROR = Indicator(
    "best_has_error",
    "Whether the error of the best score is known",
    "1 where the source states an error of the best score or the number of items gives one, else 0.",
    "the sources, and the registry's number of items",
    _best_has_error,
    unit=Unit.STATED,
)
