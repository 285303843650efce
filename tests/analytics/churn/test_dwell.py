"""Time at the top and movement by rank: counted by hand, and invariant where it must be."""

from datetime import date, datetime, timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.churn.dwell import dwell, volatility
from benchhealth.analytics.record.tables import PUBLISHED, empty
from tests.support.board_tables import rank_table

START = datetime(2025, 1, 1)


def board(*states: str, step: int = 1, name: str = "lab/exam") -> pl.DataFrame:
    """Leaderboards as strings of models, best first, one every `step` days."""
    rows = [
        (
            name,
            START + timedelta(days=index * step),
            model,
            place,
            place,
            place,
            1.0,
            "as reported",
            None,
            None,
            0,
            None,
        )
        for index, state in enumerate(states)
        for place, model in enumerate(state, start=1)
    ]
    return rank_table(rows)


def broken(on: date) -> pl.DataFrame:
    row = {"board_id": "lab/exam", "on_date": on, "kind": "rescaled"}
    return pl.DataFrame([row], schema=PUBLISHED["breakpoint"])


NONE = empty("breakpoint")
UNSEEN = empty("board")
"""No board is known beyond the day on which it was last seen."""


def known_until_of(until: date) -> pl.DataFrame:
    row = {"board_id": "lab/exam", "source_id": "lab", "benchmark_id": "exam", "known_until": until}
    return pl.DataFrame([row], schema=PUBLISHED["board"])


LEADERS = "aabbbcaaddde"
"""First places day by day: b stays 3 days, c 1, a 2, d 3, e is there when the board was last seen."""


def led(leaders: str) -> pl.DataFrame:
    models = "".join(sorted(set(leaders)))
    return board(*(first + models.replace(first, "") for first in leaders))


def test_stays_are_counted_from_their_beginning_to_the_day_they_are_over() -> None:
    dwells = dwell(led(LEADERS + "fgg"), NONE, UNSEEN).filter(k=1)
    ended = dwells.filter(pl.col("events") > 0)
    assert ended.select("days", "events").rows() == [(1, 3), (2, 1), (3, 2)]  # c, e, f; a; b, d; g still stays
    assert dwells["left_out"].unique().to_list() == [1]  # a at the start
    assert ended["share"].to_list() == pytest.approx([4 / 7, 4 / 7 * 2 / 3, 0])
    assert dwells.schema == PUBLISHED["dwell"]


def test_a_stay_that_runs_into_a_breakpoint_is_censored_and_the_next_has_no_known_beginning() -> None:
    leaders = "abcdefgghhhiijk"
    dwells = dwell(led(leaders), NONE, UNSEEN).filter(k=1)
    parted = dwell(led(leaders), broken(date(2025, 1, 10)), UNSEEN).filter(k=1)  # while h leads
    assert dwells["events"].sum() == 9
    assert parted["events"].sum() == 8
    assert parted["left_out"][0] == 2


def test_who_leads_when_a_board_is_last_seen_leads_as_long_as_it_is_known_to_stand_so() -> None:
    seen = dwell(led(LEADERS + "fgg"), NONE, UNSEEN).filter(k=1)  # until 2025-01-15, g since the 14th
    stood = dwell(led(LEADERS + "fgg"), NONE, known_until_of(date(2025, 2, 14))).filter(k=1)
    assert (seen["days"].max(), stood["days"].max()) == (3, 31)
    assert stood["events"].sum() == seen["events"].sum()
    before = dwell(led(LEADERS + "fgg"), NONE, known_until_of(date(2025, 1, 10)))
    assert before.equals(dwell(led(LEADERS + "fgg"), NONE, UNSEEN))
    broken_since = dwell(led(LEADERS + "fgg"), broken(date(2025, 2, 1)), known_until_of(date(2025, 2, 14)))
    assert broken_since.equals(before)  # after the break nobody knows what the board would show


@settings(max_examples=20, deadline=None)
@given(st.lists(st.permutations("abcdefgh"), min_size=2, max_size=12))
def test_names_and_scores_change_nothing(states: list[list[str]]) -> None:
    rank = board(*("".join(state) for state in states))
    renamed = rank.with_columns(pl.col("model_id").str.to_uppercase() + "-v2", score=pl.col("score") * 100)
    assert dwell(rank, NONE, UNSEEN).equals(dwell(renamed, NONE, UNSEEN))
    assert volatility(rank, NONE).equals(volatility(renamed, NONE))
    assert dwell(rank, NONE, UNSEEN).select(pl.col("share").is_between(0, 1).all()).item()


def test_entrants_move_everybody_below_them_and_reorder_nobody() -> None:
    volatilities = volatility(board("abcdef", "xabcdef", "yxabcdef", step=31), NONE)
    first = volatilities.filter(rank_from=1).row(0, named=True)
    assert (first["move"], first["reordered"], first["gone"], first["pairs"]) == (1.0, 0.0, 0.0, 2)
    assert first["low"] is None
    swapped = volatility(board("abcdef", "bacdef", "abcdef", "bacdef", step=31), NONE).filter(rank_from=1)
    assert swapped.select("move", "reordered", "low", "high").row(0) == (1.0, 1.0, 1.0, 1.0)
    left = volatility(board("abcdef", "bcdef", step=31), NONE)
    assert left.filter(rank_from=2)["move"].to_list() == [1.0]
    assert left["rank_from"].to_list() == [2, 4, 6]  # who was first is gone, so it did not move
    assert volatility(board("abcdef", "bcdef", step=31), broken(date(2025, 1, 20))).is_empty()


def test_boards_seen_once_short_boards_and_none() -> None:
    assert dwell(board("abc"), NONE, UNSEEN).is_empty()
    assert volatility(board("abc"), NONE).is_empty()
    assert dwell(empty("rank"), NONE, UNSEEN).schema == PUBLISHED["dwell"]
    assert volatility(empty("rank"), NONE).schema == PUBLISHED["volatility"]
    assert set(dwell(board(*("abcd", "bacd") * 12), NONE, UNSEEN)["k"]) == {1}  # a top 3 of four says little
