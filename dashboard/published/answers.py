"""The published answers: of one benchmark, of one question, and in words."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.answers.counts import Saturated, saturated
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.published.benchmarks import benchmarks
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.answers.parts import Names
from benchhealth.dashboard.words.answers.sentences import TITLES, Words, words
from benchhealth.dashboard.words.card.cells import Cell, cells

_FROM_ANSWER = "FROM answer WHERE benchmark_id = $benchmark_id"
_TO = "FROM answer WHERE question = $question ORDER BY benchmark_id"


def answers_of(view: View, benchmark_id: str) -> Mapping[str, Row]:
    """The rows of a benchmark by question, in the order of the questions; empty for one that there is not.

    Of what may leave alone a row can be missing, and the best score (`second` of `room`) null.
    """

    def read() -> Mapping[str, Row]:
        rows = view.query(_FROM_ANSWER, benchmark_id=benchmark_id).iter_rows(named=True)
        by_question = {str(row["question"]): row for row in rows}
        return {key: by_question[key] for key in TITLES if key in by_question}

    return view.recent(("answers of", benchmark_id), read)


def answers_to(view: View, question: str) -> pl.DataFrame:
    """The rows of one question, one for each benchmark, sorted by its id."""
    return view.recent(("answers to", question), lambda: view.query(_TO, question=question))


def words_of(view: View, benchmark_id: str) -> Mapping[str, Words]:
    """The answers of a benchmark in words by question, in the order of the questions."""

    def say() -> Mapping[str, Words]:
        named = names(view)
        return {key: words(row, named) for key, row in answers_of(view, benchmark_id).items()}

    return view.recent(("answers in words", benchmark_id), say)


def card_of(view: View, benchmark_id: str) -> tuple[Cell, ...]:
    """The verdict card of a benchmark: what every surface shows first; what may not leave is missing."""

    def say() -> tuple[Cell, ...]:
        return cells(answers_of(view, benchmark_id), words_of(view, benchmark_id), names(view))

    return view.recent(("card of", benchmark_id), say)


def numbers_to(view: View, question: str) -> Mapping[str, str]:
    """What stands in brackets after the reply to one question, by benchmark; may be empty."""

    def say() -> Mapping[str, str]:
        named = names(view)
        rows = answers_to(view, question).iter_rows(named=True)
        return {str(row["benchmark_id"]): words(row, named).number for row in rows}

    return view.kept(("numbers to", question), say)


def names(view: View) -> Names:
    """The names by which sentences call benchmarks: short, but no other curated one has it."""

    def read() -> Names:
        return dict(benchmarks(view).select("benchmark_id", "label").iter_rows())

    return view.kept("names of benchmarks in answers", read)


def saturated_of(view: View) -> Saturated:
    """How many curated benchmarks are saturated, as the map counts them, and how many of them could be watched.

    Whoever prints how many are saturated takes it from here.
    """

    def read() -> Saturated:
        curated = view.table("benchmark").filter(pl.col("curated").fill_null(value=False))["benchmark_id"]
        return saturated(answers_to(view, "stage"), curated)

    return view.kept("saturated", read)
