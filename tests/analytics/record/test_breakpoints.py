"""Which steps of a board are proposed as breakpoints, which are its ordinary life, and what a proposal holds back."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.assess import assess
from benchhealth.analytics.record.boards import boards
from benchhealth.analytics.record.breakpoints import PROPOSAL, broken, propose, with_proposals
from benchhealth.analytics.record.frames import Frames
from tests.support.frames import Row, benchmark, frames, result

FIRST, SECOND = date(2025, 1, 10), date(2025, 2, 10)
MODELS = 30
SCORES = [0.3 + 0.02 * place for place in range(MODELS)]


def board(scores: list[float], on: date, names: str = "m", bench: str = "exam") -> list[Row]:
    return [
        result(bench, f"{names}{place}", score, observed_on=on, dated_on=on, date_basis="snapshot")
        for place, score in enumerate(scores)
    ]


def two_days(after: list[Row], unit: str = "percent", curated: date | None = None, **about: object) -> Frames:
    before = board(SCORES if unit == "percent" else [1000 + 900 * score for score in SCORES], FIRST)
    breaks = [_curated(curated)] if curated else []
    return frames(before + after, [benchmark("exam", unit=unit, **about)], breakpoints=breaks)


def _curated(on: date) -> Row:
    return {
        "board_id": "lab/exam",
        "on_date": on,
        "kind": "rules",
        "note": "said so",
        "source_url": "https://example.org",
    }


def found(given: Frames) -> list[tuple[str, date, str]]:
    proposals = propose(boards(given), given.breakpoint)
    assert proposals.schema == PROPOSAL
    return proposals.select("board_id", "on_date", "kind").rows()


def test_newcomers_and_corrections_are_no_breakpoint() -> None:
    corrected = [0.5, 0.6, *SCORES[2:], 0.95]
    assert found(two_days(board(corrected, SECOND))) == []


@pytest.mark.parametrize(
    ("after", "kind"),
    [
        (board([score + 0.01 for score in SCORES], SECOND), "scale"),
        (board([score / 100 for score in SCORES], SECOND), "scale"),
        (board(SCORES, SECOND, names="new-"), "names"),
        (board([score / 2 for score in SCORES], SECOND, names="new-"), "reset"),
        (board([score - 0.002 * (1 + place % 4) for place, score in enumerate(SCORES)], SECOND), "data"),
    ],
)
def test_each_kind_is_proposed_on_its_day(after: list[Row], kind: str) -> None:
    assert found(two_days(after)) == [("lab/exam", SECOND, kind)]


def test_of_scores_that_are_counted_on_only_order_unit_and_names_are_looked_at() -> None:
    shifted = board([score + 0.01 for score in SCORES], SECOND)
    assert found(two_days(shifted, refresh="continuous")) == []
    rescaled = board([score / 100 for score in SCORES], SECOND)
    assert found(two_days(rescaled, refresh="continuous")) == [("lab/exam", SECOND, "scale")]
    assert found(two_days(board(SCORES[15:] + SCORES[:15], SECOND), refresh="continuous")) == [
        ("lab/exam", SECOND, "data")
    ]


def test_a_rename_that_resolves_to_the_same_model_is_none() -> None:
    again = [{**row, "published_name": f"{row['published_name']}-70B"} for row in board(SCORES, SECOND)]
    assert found(two_days(again)) == []


def set_to(version: str, rows: list[Row]) -> list[Row]:
    return [{**row, "setting": f"effort=high, version={version}"} for row in rows]


def reset_at(scores: list[float]) -> Frames:
    rows = [*set_to("1.0.0", board(SCORES, FIRST)), *set_to("1.0.1", board(scores, SECOND))]
    return frames(rows, [benchmark("exam")])


def test_a_setting_that_is_worded_otherwise_changes_no_name() -> None:
    """As tau2-Bench of 2026-07-16: every entry says another version of the test and prints the same scores."""
    assert found(reset_at(SCORES)) == []
    regraded = [score + 0.02 * (place % 4) for place, score in enumerate(SCORES)]
    assert found(reset_at(regraded)) == [("lab/exam", SECOND, "data")]


def test_a_rerun_of_the_same_test_is_none() -> None:
    """As timm's ImageNetV2 of 2021: six of ten scores move by a tenth of a point or more, few by half a point."""
    rerun = [score + 0.002 * (place % 3 - 1) for place, score in enumerate(SCORES)]
    assert found(two_days(board([rerun[0] + 0.006, *rerun[1:]], SECOND))) == []


def test_a_curator_dismisses_a_step_and_nothing_breaks() -> None:
    given = two_days(board([score + 0.01 for score in SCORES], SECOND), curated=SECOND)
    none = given.breakpoint.with_columns(kind=pl.lit("none"))
    assert propose(boards(given), none).is_empty()
    assert broken(none).is_empty()
    assessment = assess(replace(given, breakpoint=none), SECOND, np.random.default_rng(0), tables=("breakpoint",))
    assert assessment.breakpoint.is_empty()


def test_ratings_are_refitted_and_only_a_jump_of_the_whole_is_proposed() -> None:
    ratings = [1000 + 900 * score for score in SCORES]
    assert found(two_days(board([rating + 5 for rating in ratings], SECOND), unit="rating")) == []
    moved = two_days(board([rating + 60 for rating in ratings], SECOND), unit="rating")
    assert found(moved) == [("lab/exam", SECOND, "scale")]
    counted_on = two_days(board([rating + 60 for rating in ratings], SECOND), unit="rating", refresh="continuous")
    assert found(counted_on) == [("lab/exam", SECOND, "scale")]


def test_fractions_that_are_counted_on_move_together_and_only_another_unit_is_proposed() -> None:
    assert found(two_days(board([score + 0.01 for score in SCORES], SECOND), refresh="continuous")) == []
    hundredth = two_days(board([score / 100 for score in SCORES], SECOND), refresh="continuous")
    assert found(hundredth) == [("lab/exam", SECOND, "scale")]


@pytest.mark.parametrize(("on", "explained"), [(SECOND, True), (date(2025, 1, 20), True), (FIRST, False)])
def test_a_curated_breakpoint_of_the_step_explains_it(on: date, explained: bool) -> None:
    given = two_days(board([score + 0.01 for score in SCORES], SECOND), curated=on)
    assert (found(given) == []) is explained


def test_a_proposal_holds_back_the_churn_across_it_and_is_published_as_such() -> None:
    given = two_days(board(SCORES, SECOND, names="new-"))
    assessment = assess(given, SECOND, np.random.default_rng(0), tables=("churn", "breakpoint"))
    churn = assessment.tables["churn"]
    assert churn["spans_breakpoint"].all()
    assert churn["turnover"].is_null().all()
    row = assessment.breakpoint.row(0, named=True)
    assert (row["kind"], row["source_url"]) == ("proposed names", None)
    assert (row["case"], row["numbers"], row["note"]) == ("rows_renamed", [30, 30], None)


def test_curated_rows_come_first_and_stay_as_they_are() -> None:
    given = two_days(board([score + 0.01 for score in SCORES], SECOND), curated=FIRST)
    table = with_proposals(given.breakpoint, propose(boards(given), given.breakpoint))
    assert table.head(1).select(given.breakpoint.columns).equals(given.breakpoint)
    assert table["kind"].to_list() == ["rules", "proposed scale"]


def test_of_a_day_the_last_state_counts() -> None:
    morning = [{**row, "observed_at": datetime(2025, 2, 10, 8)} for row in board([0.9] * MODELS, SECOND)]
    evening = [{**row, "observed_at": datetime(2025, 2, 10, 20), "snapshot_id": "e"} for row in board(SCORES, SECOND)]
    assert found(two_days(morning + evening)) == []


def test_no_results_no_proposals() -> None:
    assert found(frames([], [benchmark("exam")])) == []
