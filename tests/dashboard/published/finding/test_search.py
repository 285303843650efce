"""What is found by which words, and that any text is an ordinary question."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.dashboard.published.finding.search import CURATED, KINDS, RESULTS_OF_KIND, _told_apart, index, search
from benchhealth.dashboard.published.generation import View
from benchhealth.warehouse.reader import Reader
from tests.support.small_generation import FORMULA, HOSTILE
from tests.support.soaking import examples


@pytest.fixture(scope="module")
def view(small_home: Path) -> View:
    return View(Reader(small_home).current())


def matches(view: View, query: str) -> dict[str, list[str]]:
    return {group.kind: [name for name, _, _ in group.rows] for group in search(view, query)}


def test_every_kind_is_found(view: View) -> None:
    assert {*index(view)["kind"], "story"} == set(KINDS), "the small generation has no benchmark of a story"
    arena = matches(view, "arena")
    assert arena["benchmark"] == ["Arena"] and arena["board"] == ["Arena"] and "source" in arena
    assert "Model 3" in matches(view, "model 3")["model"]


def test_the_name_itself_comes_first_and_its_kind_too(view: View) -> None:
    groups = search(view, "exam")
    assert (groups[0].kind, groups[0].rows[0][0]) == ("benchmark", "Exam")
    assert search(view, "Model 12")[0].rows[0][0] == "Model 12"


@pytest.mark.parametrize("query", ["hard exam", "Hard-Exam", "hardexam", "exam hard", "HARD"])
def test_how_it_is_written_does_not_matter(query: str, view: View) -> None:
    assert "Hard exam" in matches(view, query)["benchmark"]


def test_a_question_is_looked_up_by_what_it_names(view: View) -> None:
    assert "Hard exam" in matches(view, "is hard exam saturated")["benchmark"]
    assert not matches(view, "is zzzz saturated") and not matches(view, "which is what")


def test_more_than_is_shown_is_counted(view: View) -> None:
    (models,) = [group for group in search(view, "model") if group.kind == "model"]
    assert len(models.rows) == RESULTS_OF_KIND < models.total
    assert models.as_dict()["total"] == models.total


def test_names_are_given_as_published_and_addresses_are_quoted(view: View) -> None:
    assert HOSTILE in matches(view, "best model")["model"]
    assert FORMULA in matches(view, "hyperlink")["model"]
    assert all(address.isascii() and " " not in address for address in index(view)["address"])


def test_nothing_asked_is_nothing_found(view: View) -> None:
    assert search(view, "") == search(view, "  ") == []
    assert search(view, "no such thing at all") == []


@examples(20, soak=60)
@given(st.text(max_size=200))
def test_any_text_can_be_asked(view: View, query: str) -> None:
    for group in search(view, query):
        assert 0 < len(group.rows) <= min(RESULTS_OF_KIND, group.total)


def test_what_has_the_name_of_another_is_told_apart_by_its_id() -> None:
    of = {"address": "", "also": "", "weight": 0.0}
    rows = [
        {"kind": "benchmark", "id": "mmlu", "name": "MMLU", "detail": "knowledge", **of, "weight": CURATED},
        {"kind": "benchmark", "id": "helm-mmlu", "name": "MMLU", "detail": "uncurated", **of},
        {"kind": "board", "id": "a/mmlu", "name": "MMLU", "detail": "Lab A · 3 days", **of},
        {"kind": "board", "id": "b/mmlu", "name": "MMLU", "detail": "Lab B · 3 days", **of},
        {"kind": "board", "id": "b/mmlu-2", "name": "MMLU", "detail": "Lab B · 3 days", **of},
        {"kind": "model", "id": "mmlu", "name": "MMLU", "detail": "", **of},
    ]
    assert _told_apart(pl.DataFrame(rows))["detail"].to_list() == [
        "knowledge",
        "uncurated · helm-mmlu",
        "Lab A · 3 days",
        "Lab B · 3 days · b/mmlu",
        "Lab B · 3 days · b/mmlu-2",
        "",
    ]
