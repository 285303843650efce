"""Whether the results that a benchmark is judged by were measured under one known condition."""

import polars as pl

from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.analytics.record.evidence import Evidence, Indicator, Unless, settle
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit

NO_RESULT = Unless(pl.col("condition").is_null(), "no_result")


def _rows(evidence: Evidence) -> pl.DataFrame:
    return evidence.facts.join(evidence.reference, on="benchmark_id", how="left")


def _is_stated(evidence: Evidence) -> pl.DataFrame:
    return settle(
        _rows(evidence),
        NO_RESULT,
        value=pl.col("condition") != UNSTATED,
        n=pl.col("models"),
        note=Case("under_condition", names=("condition",)),
    )


def _models_elsewhere(evidence: Evidence) -> pl.DataFrame:
    code = pl.when(pl.col("other").is_null()).then(pl.lit("under_condition")).otherwise(pl.lit("another_condition"))
    return settle(
        _rows(evidence),
        NO_RESULT,
        value=pl.col("other_models").fill_null(0),
        n=pl.col("models"),
        note=Case(code, names=("condition", "other"), numbers=("models", "other_models")),
    )


CONDITION_STATED = Indicator(
    "condition_stated",
    "Whether the condition is stated",
    "1 where it is known under which condition (tools, search, agent, attempts, subset, judge, version) the results "
    "were measured that the benchmark is judged by: they state it, or the protocol of the test or its board fixes it. "
    "0 where they state none.",
    "the registry's table of conditions",
    _is_stated,
    unit=Unit.STATED,
)
MODELS_ELSEWHERE = Indicator(
    "models_elsewhere",
    "Models under another condition that could be judged",
    "Where the condition that the benchmark is judged by has fewer than five models, or is not stated, and another, "
    "stated one has five or more: its models. Else 0.",
    "the registry's table of conditions",
    _models_elsewhere,
    unit=Unit.COUNT,
)


def _proposed_breaks(evidence: Evidence) -> pl.DataFrame:
    """Counted of the boards that the benchmark's results are of; a part waits with its whole.

    The names are kind, board, day and case of the first one of each board, and `numbers` those of each, four a board.
    """
    benchmark = pl.col("benchmark_id").str.split("/").list.first()
    proposal = pl.concat_list("kind", "board_id", pl.col("on_date").cast(pl.String), "case")
    numbers = pl.concat_list(pl.col("numbers").list.get(index, null_on_oob=True) for index in range(4))
    waiting = evidence.undecided.group_by(whole="benchmark_id").agg(
        pl.col("n").sum(),
        *(column.sort_by("board_id").explode() for column in (proposal.alias("names"), numbers.alias("numbers"))),
    )
    rows = evidence.facts.with_columns(whole=benchmark).join(waiting, on="whole", how="left", maintain_order="left")
    waits = Case(pl.when(pl.col("n") > 0).then(pl.lit("breaks_wait")), names=pl.col("names"), numbers=pl.col("numbers"))
    return settle(rows, value=pl.col("n").fill_null(0), n=pl.col("n").fill_null(0), note=waits)


PROPOSED_BREAKS = Indicator(
    "proposed_breaks",
    "Proposed breaks that wait for a curator",
    "Steps between consecutive versions of a board of this benchmark that look as if its measurement had changed, and "
    "that no curator has confirmed or dismissed. What the board said since does not count meanwhile.",
    "counted",
    _proposed_breaks,
    unit=Unit.COUNT,
)
