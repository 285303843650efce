"""Rows of table `answer` as a test needs them."""

import polars as pl

from benchhealth.analytics.answers.table import QUESTIONS
from benchhealth.analytics.record.tables import PUBLISHED


def answer(benchmark_id: str, question: str, case: str, **cells: object) -> dict[str, object]:
    """A row with the reply of its case; the cells that are not given are empty."""
    (declared_question,) = (one for one in QUESTIONS if one.key == question)
    declared_case = declared_question.case(case)
    stated = {"benchmark_id": benchmark_id, "question": question, "case": case, "reply": declared_case.reply}
    empty = dict.fromkeys(PUBLISHED["answer"]) | {"evidence": []}
    return empty | stated | {"why_unknown": declared_case.why} | cells


def answered(*rows: dict[str, object]) -> pl.DataFrame:
    """The table of these rows."""
    return pl.DataFrame(list(rows), schema=PUBLISHED["answer"])
