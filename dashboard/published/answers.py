"""The published answers: of one benchmark, of one question, and in words."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.answers.counts import Saturated, saturated_counts
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.published.benchmarks import benchmarks
from benchhealth.dashboard.published.generation import View, always, recently
from benchhealth.dashboard.words.answers.parts import Names
from benchhealth.dashboard.words.answers.sentences import TITLES, Words, words
from benchhealth.dashboard.words.card.cells import Cell, cells

_FROM_ANSWER = "FROM answer WHERE benchmark_id = $benchmark_id"
_TO = "FROM answer WHERE question = $question ORDER BY benchmark_id"


@recently
def answers_of(view: View, benchmark_id: str) -> Mapping[str, Row]:
    """The rows of a benchmark by question, in the order of the questions; empty for one that there is not.

    Of what may leave alone a row can be missing, and the best score (`second` of `room`) null.
    """
    rows = view.query(_FROM_ANSWER, benchmark_id=benchmark_id).iter_rows(named=True)
    by_question = {str(row["question"]): row for row in rows}
    return {key: by_question[key] for key in TITLES if key in by_question}


def answers_to(view: View, question: str) -> pl.DataFrame:
    """The rows of one question, one for each benchmark, sorted by its id."""
    return view.query(_TO, question=question)


@recently
def words_of(view: View, benchmark_id: str) -> Mapping[str, Words]:
    """The answers of a benchmark in words by question, in the order of the questions."""
    named = names(view)
    return {key: words(row, named) for key, row in answers_of(view, benchmark_id).items()}


@recently
def card_of(view: View, benchmark_id: str) -> tuple[Cell, ...]:
    """The verdict card of a benchmark: what every surface shows first; what may not leave is missing."""
    return cells(answers_of(view, benchmark_id), words_of(view, benchmark_id), names(view))


@always
def numbers_to(view: View, question: str) -> Mapping[str, str]:
    """What stands in brackets after the reply to one question, by benchmark; may be empty."""
    named = names(view)
    rows = answers_to(view, question).iter_rows(named=True)
    return {str(row["benchmark_id"]): words(row, named).number for row in rows}


@always
def names(view: View) -> Names:
    """The names by which sentences call benchmarks: short, but no other curated one has it."""
    return dict(benchmarks(view).select("benchmark_id", "label").iter_rows())


@always
def saturated_of(view: View) -> Saturated:
    """How many curated benchmarks are saturated, as the map counts them, and how many of them could be watched.

    Whoever prints how many are saturated takes it from here.
    """
    curated = view.table("benchmark").filter(pl.col("curated").fill_null(value=False))["benchmark_id"]
    return saturated_counts(answers_to(view, "stage"), curated)
