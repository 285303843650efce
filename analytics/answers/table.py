"""The table `answer`: a row for each benchmark and question, and the list of questions."""

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from benchhealth.analytics.answers.cases import AssessedTables, Question, only
from benchhealth.analytics.answers.instead import INSTEAD
from benchhealth.analytics.answers.labels import LABELS
from benchhealth.analytics.answers.looked import LOOKED
from benchhealth.analytics.answers.order import ORDER
from benchhealth.analytics.answers.outlook import OUTLOOK
from benchhealth.analytics.answers.reporters import REPORTERS
from benchhealth.analytics.answers.room import ROOM
from benchhealth.analytics.answers.second import SECOND
from benchhealth.analytics.answers.seen import SEEN
from benchhealth.analytics.answers.stage import STAGE
from benchhealth.analytics.record.tables import PUBLISHED, with_missing

QUESTIONS: tuple[Question, ...] = (ROOM, ORDER, SECOND, SEEN, LABELS, REPORTERS, LOOKED, STAGE, OUTLOOK, INSTEAD)
"""Every question, in the order in which a benchmark's answers stand."""

OF_THE_LEADERBOARD = ("room", "order", "stage", "outlook")
"""Questions whose answers are about the condition alone that the benchmark is judged by."""

_SCHEMA = PUBLISHED["answer"]


class AnswerError(AssertionError):
    """A question does not answer every benchmark once, or answers with a case that is not on its list."""


def answer_table(assessed: AssessedTables, alternative: pl.DataFrame) -> pl.DataFrame:
    """Table `answer`, sorted by benchmark in the order of QUESTIONS.

    `reply` and `why_unknown` follow from the `case`; where a stage is not probable enough to be named (`between`) the
    reply is unknown. What the numbers of a row are is described at `find` of its question; those that a question does
    not have are null. `value` is null where the reply is unknown.
    Raises AnswerError where a question breaks the contract.
    """
    tables = replace(assessed, alternative=alternative)
    about = tables.rows.select("benchmark_id", of_condition="condition", of_known_until="known_until")
    rows = pl.concat([answer_rows(question, tables, about) for question in QUESTIONS])
    order = pl.col("question").replace_strict({entry.key: index for index, entry in enumerate(QUESTIONS)})
    return rows.sort("benchmark_id", order)


def answer_rows(question: Question, tables: AssessedTables, about: pl.DataFrame) -> pl.DataFrame:
    """The rows of one question in the schema of the table; `about` has the condition and last day of each benchmark."""
    cases = question.find(tables)
    case_of_code = {case.code: case for case in question.cases}
    _check(question, cases, about, list(case_of_code))
    replies = {code: case.reply for code, case in case_of_code.items()}
    whys = {code: case.why for code, case in case_of_code.items()}
    of_board = pl.lit(question.key in OF_THE_LEADERBOARD)
    is_between_stages = (pl.col("between").list.len() > 0).fill_null(value=False)
    return (
        with_missing(cases, _SCHEMA)
        .join(about, on="benchmark_id", how="left", maintain_order="left")
        .with_columns(
            question=pl.lit(question.key),
            reply=pl.when(is_between_stages).then(pl.lit("unknown")).otherwise(_by_case(replies)),
            why_unknown=pl.when(is_between_stages).then(pl.lit("looked_too_weakly")).otherwise(_by_case(whys)),
            between=pl.col("between").fill_null([]),
            condition=only(of_board, pl.col("of_condition")),
            known_until=pl.coalesce("known_until", "of_known_until"),
            evidence=pl.col("evidence").fill_null([]),
        )
        .select(_SCHEMA.names())
    )


def _by_case(words: Mapping[str, str | None]) -> pl.Expr:
    return pl.col("case").replace_strict(words, return_dtype=pl.String)


def _check(question: Question, cases: pl.DataFrame, about: pl.DataFrame, codes: list[str]) -> None:
    if cases.height != about.height or cases["benchmark_id"].n_unique() != about.height:
        raise AnswerError(f"{question.key}: {about.height} benchmarks, {cases.height} rows")
    if stray := sorted(set(cases["case"].unique().to_list()) - set(codes), key=str):
        raise AnswerError(f"{question.key}: {', '.join(map(str, stray))} is no case of it")
