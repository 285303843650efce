"""What is known of one benchmark, read once for all that a report says of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from benchhealth.analytics.record.sharing import Terms, with_terms
from benchhealth.dashboard.pages.benchmark.facts import facts_of, indicators_of, verdict_of
from benchhealth.dashboard.published.answers import answers_of, words_of
from benchhealth.dashboard.published.benchmarks import benchmarks
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.answers.parts import WITHHELD
from benchhealth.dashboard.words.answers.sentences import Words
from benchhealth.dashboard.words.measurers.houses import head_of
from benchhealth.dashboard.words.text import shorten

Facts = Mapping[str, Any]
NAME_LIMIT = 70


@dataclass(frozen=True)
class Case:
    """A benchmark with its row, verdict, indicators by name, its row among all benchmarks, and its answers.

    `answers` are the words and `answered` the rows of table `answer`, by question; of what may leave alone one can be
    missing.
    """

    view: View
    facts: Facts
    verdict: Facts
    indicators: Mapping[str, Facts]
    row: Facts
    answers: Mapping[str, Words]
    answered: Mapping[str, Facts]

    @property
    def id(self) -> str:
        """The id of the benchmark that the report is about."""
        return str(self.facts["benchmark_id"])

    @property
    def name(self) -> str:
        """The benchmark's name, as long as a title may be."""
        return str(self.facts["name"])

    def computed(self, indicator: str) -> Facts | None:
        """The indicator's row where it has a value."""
        row = self.indicators.get(indicator)
        return row if row and row["status"] == "ok" and row["value"] is not None else None

    @property
    def unsaid(self) -> int:
        """Of how many listed models neither the maker nor others are known to have measured the best score."""
        is_said = pl.any_horizontal(pl.col("score") == pl.col(side) for side in ("self_score", "other_score"))
        rows = self.view.rows("position", benchmark_id=self.id).filter("listed", ~is_said.fill_null(value=False))
        return rows.height

    def tile(self, question: str) -> str:
        """The reply to a question with its number, `No (0 of 10 pairs)`."""
        return self.answers[question].tile if question in self.answers else WITHHELD

    def reply(self, question: str) -> str:
        """The short reply to a question, without its sentence; `WITHHELD` where terms keep it back."""
        return self.answers[question].reply if question in self.answers else WITHHELD

    def line(self, question: str) -> tuple[str, ...]:
        """The answer in a sentence, if there is one."""
        return (self.answers[question].line,) if question in self.answers else ()


def case(view: View, benchmark_id: str) -> Case:
    """All that is known of the benchmark of this id."""
    facts = facts_of(view, benchmark_id)
    row = benchmarks(view).row(by_predicate=pl.col("benchmark_id") == benchmark_id, named=True)
    return Case(
        view=view,
        facts={**facts, "name": shorten(facts["name"], NAME_LIMIT)},
        verdict=verdict_of(view, benchmark_id),
        indicators=indicators_of(view, benchmark_id),
        row=row,
        answers=words_of(view, benchmark_id),
        answered=answers_of(view, benchmark_id),
    )


def withheld_sources(view: View, benchmark_ids: Sequence[str]) -> list[str]:
    """The titles of the sources of these benchmarks that may not be mixed with others and passed on, by title."""
    source = view.table("source")
    listing = view.table("board").filter(pl.col("benchmark_id").is_in(list(benchmark_ids)))["source_id"]
    bound = set(listing) - set(with_terms(source, Terms.OPEN))
    return sorted(head_of(title, NAME_LIMIT) for title in source.filter(pl.col("source_id").is_in(bound))["title"])
