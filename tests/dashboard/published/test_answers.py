"""Every answer of whole generations, in words: none fails, each holds its own number and how many of what."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.answers.counts import saturated_counts
from benchhealth.analytics.answers.table import QUESTIONS
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.published.answers import answers_of, answers_to, names, saturated_of, words_of
from benchhealth.dashboard.published.benchmarks import benchmarks, named_stage
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.answers.sentences import words
from benchhealth.warehouse.read import open_current
from tests.support.answer_words import own_numbers
from tests.support.generalising import all_faults


@pytest.fixture(scope="module", params=["small_home", pytest.param("bundled_home", marks=pytest.mark.whole)])
def view(request: pytest.FixtureRequest) -> View:
    home: Path = request.getfixturevalue(request.param)
    return View(open_current(home))


def rows(view: View) -> Iterator[Row]:
    for question in QUESTIONS:
        yield from answers_to(view, question.key).iter_rows(named=True)


def test_every_answer_has_words_that_hold_its_own_number(view: View) -> None:
    named = names(view)
    for row in rows(view):
        wording = words(row, named)
        for number in own_numbers(row):
            assert number in wording.line or number in wording.tile, (number, row, wording)


def test_what_is_said_of_curated_benchmarks_says_of_how_many_of_what_and_until_when(view: View) -> None:
    curated = benchmarks(view).filter("curated")["benchmark_id"]
    wordings = [one for key in curated for one in words_of(view, key).values()]
    assert len(wordings) == len(QUESTIONS) * len(curated)
    assert all_faults(text for wording in wordings for text in (wording.paragraph, wording.alt)) == []


def test_every_benchmark_of_a_verdict_has_every_answer_and_the_stages_agree(view: View) -> None:
    verdict = view.table("verdict").select("benchmark_id", "case")
    stages = answers_to(view, "stage").select("benchmark_id", "case")
    assert stages.equals(verdict.sort("benchmark_id"))
    first = str(verdict["benchmark_id"][0])
    assert list(answers_of(view, first)) == [question.key for question in QUESTIONS]


def test_the_count_of_saturated_ones_is_that_of_the_map_and_adds_up_with_the_curves(view: View) -> None:
    counts = saturated_of(view)
    curated_rows = benchmarks(view).filter("curated")
    assert (counts.benchmarks, counts.saturated) == (
        curated_rows.height,
        curated_rows.filter(named_stage() == "saturated").height,
    )
    curves = view.table("survival").filter(pl.col("cohort") == "all")
    if curves.height:
        every = saturated_counts(view.table("answer"), view.table("benchmark")["benchmark_id"])
        assert every.watched == curves["events"].sum()
        assert every.watched >= counts.watched
