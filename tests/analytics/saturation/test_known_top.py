"""Whether papers print more than any board or collection holds: OpenBookQA, COCO, and what is covered."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.record.frames import PAPERS
from benchhealth.analytics.saturation.known_top import AS_HIGH, KNOWN_TOP
from benchhealth.dashboard.words.answers.room import wording
from tests.support.answers import answer
from tests.support.frames import Frames, benchmark, evidence_of, frames, result
from tests.support.soaking import examples

AS_OF = date(2026, 1, 1)


def facts(printed: list[float], listed: list[float]) -> Frames:
    rows = [result("a", f"paper-{index}", score, source_id=PAPERS[0]) for index, score in enumerate(printed)]
    rows += [result("a", f"board-{index}", score, source_id="board") for index, score in enumerate(listed)]
    return frames(rows, [benchmark("a")])


def computed(printed: list[float], listed: list[float]) -> dict[str, Any]:
    return KNOWN_TOP.compute(evidence_of(facts(printed, listed), AS_OF)).row(0, named=True)


@pytest.mark.parametrize(
    ("printed", "listed", "status", "case"),
    [
        ([0.952, 0.872], [0.896, 0.6], "ok", "published_top_missing"),  # OpenBookQA
        ([0.66], [], "insufficient", "published_top_alone"),  # COCO
        ([0.963], [0.972], "not_applicable", "published_top_listed"),  # ARC-Challenge
        ([0.901], [0.901], "not_applicable", "published_top_listed"),  # PIQA
        ([], [0.9], "not_applicable", "no_published_top"),
    ],
)
def test_what_papers_print_is_held_against_what_everybody_else_has(
    printed: list[float], listed: list[float], status: str, case: str
) -> None:
    row = computed(printed, listed)
    assert (row["status"], row["case"]) == (status, case)
    if status == "ok":
        assert row["value"] == pytest.approx(max(printed) - max(listed))
        assert row["names"] == ["paper-0"]


def test_the_answer_about_room_says_that_the_known_top_is_missing() -> None:
    counted = answer(facts([0.952], [0.896]), "room")
    assert counted["second"] == counted["known_top"], "a paper's number is the best that counts"
    assert "That 95% is of papers alone: no board or other collection here holds as much." in wording(counted, {}).more
    elsewhere = {**counted, "second": 0.896, "claimed": None}
    assert "Papers print 95%, and no board or other collection here holds as much: it misses the known top." in (
        wording(elsewhere, {}).more
    )
    covered = answer(facts([0.9], [0.95]), "room")
    assert covered["known_top"] is None
    assert not any("Papers" in one for one in wording(covered, {}).more)


SCORES = st.lists(st.floats(0, 1).map(lambda score: round(score, 3)), max_size=4)


@examples(4)
@given(SCORES, SCORES)
def test_it_is_missed_only_where_every_board_is_lower(printed: list[float], listed: list[float]) -> None:
    row = computed(printed, listed)
    gap = max(printed) - max(listed) if printed and listed else 0.0
    assert abs(gap - AS_HIGH) < 1e-9 or (row["status"] == "ok") == (gap > AS_HIGH)
