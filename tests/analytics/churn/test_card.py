"""The card of a board: small boards by hand, what is unknown with its reason, and what holds for all boards."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.churn.board_card import BY_TASK, board_cards
from benchhealth.analytics.churn.rank import ranks
from benchhealth.analytics.multi_task.boards import multi_task_boards
from benchhealth.analytics.multi_task.stability import first_places, task_scores
from benchhealth.analytics.record.boards import boards
from benchhealth.analytics.record.by_item.clusters import UNCLUSTERED, ItemClusters, clusters_of
from benchhealth.analytics.record.by_item.item_results import item_results
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from tests.support.clustered_items import item_test
from tests.support.frames import Row, benchmark, frames, result, with_items

REASON_OF = {
    **dict.fromkeys(("tied_first", "tiers", "entropy"), "ties_reason"),
    "items_to_settle": "settle_reason",
    "recount_margin": "recount_reason",
    "conditions_mixed": "conditions_reason",
    **BY_TASK,
}


def cards_of(facts: Frames, clusters: ItemClusters = UNCLUSTERED) -> pl.DataFrame:
    led, by_task, items = boards(facts), multi_task_boards(facts), item_results(facts)
    listed = ranks(led, items, clusters)
    return board_cards(led, listed, items, clusters, first_places(by_task), task_scores(by_task))


def card(*rows: Row, **of_benchmark: object) -> dict[str, Any]:
    cards = cards_of(frames(rows, [benchmark("b", **of_benchmark)]))
    return cards.filter(board_id="lab/b").row(-1, named=True)


def board(scores: Sequence[float], **more: object) -> list[Row]:
    return [result("b", f"m{place:02}", score, **more) for place, score in enumerate(scores)]


def test_three_of_four_are_tied_and_one_task_graded_otherwise_turns_the_first() -> None:
    """120 tasks: 85% and 84.6% lie .046 apart by error; the last is 60 points below."""
    card_row = card(*board([0.85, 0.846, 0.8, 0.25]), n_items=120)
    assert (card_row["first"], card_row["second"], card_row["n_models"], card_row["with_error"]) == ("m00", "m01", 4, 4)
    assert (card_row["tied_first"], card_row["tiers"]) == (3, [3.0, 1.0])
    assert (card_row["neighbours_apart"], card_row["neighbours"]) == (1, 3)
    assert (card_row["pairs_apart"], card_row["pairs"]) == (3, 6)
    assert card_row["difference_error"] == pytest.approx(np.sqrt((0.85 * 0.15 + 0.846 * 0.154) / 120))
    assert card_row["items_to_settle"] == np.ceil(1.959964**2 * (0.85 * 0.15 + 0.846 * 0.154) / 0.004**2)
    assert card_row["times_the_test"] == pytest.approx(card_row["items_to_settle"] / 120, rel=1e-3)
    assert (card_row["recount_margin"], card_row["n_items"]) == (1, 120)
    assert 1 < card_row["entropy"] < np.log2(3)


def test_equal_scores_need_no_recount_and_no_number_of_items_settles_them() -> None:
    card_row = card(*board([0.5] * 4), n_items=100)
    assert (card_row["tied_first"], card_row["tiers"], card_row["recount_margin"]) == (4, [4.0], 0)
    assert card_row["entropy"] == pytest.approx(2)
    assert (card_row["items_to_settle"], card_row["settle_reason"]) == (None, "equal_scores")


def test_one_model_has_nobody_to_be_tied_with() -> None:
    card_row = card(*board([0.5]), n_items=100)
    assert (card_row["tied_first"], card_row["entropy"], card_row["neighbours"], card_row["second"]) == (
        1,
        0.0,
        0,
        None,
    )
    assert (card_row["settle_reason"], card_row["recount_reason"]) == ("one_model", "one_model")


@pytest.mark.parametrize(
    ("errors", "reason", "tied"),
    [
        ((None, None, None), "no_error_known", None),
        ((None, 0.1, 0.1), "first_without_error", None),
        ((0.1, None, None), "one_error_known", None),
        ((0.1, None, 0.1), None, 2),
    ],
)
def test_without_an_error_nobody_can_say_who_is_tied(
    errors: tuple[float | None, ...], reason: str | None, tied: int | None
) -> None:
    rows = [
        result("b", f"m{place}", score, std_error=error)
        for place, (score, error) in enumerate(zip((0.6, 0.55, 0.5), errors, strict=True))
    ]
    card_row = card(*rows)
    assert (card_row["ties_reason"], card_row["tied_first"]) == (reason, tied)
    assert card_row["with_error"] == sum(error is not None for error in errors)


def test_votes_are_asked_for_the_one_that_has_fewer_and_an_open_scale_has_no_recount() -> None:
    rows = [
        result("b", "new", 1507.0, std_error=3.5, n_items=9_000),
        result("b", "old", 1500.0, std_error=1.5, n_items=40_000),
    ]
    card_row = card(*rows, unit="rating")
    left = (7 / 1.959964) ** 2 - 1.5**2
    assert (card_row["settled_by"], card_row["recount_reason"]) == ("new", "open_scale")
    assert card_row["items_to_settle"] == np.ceil(9_000 * 3.5**2 / left)
    assert card(rows[0], {**rows[1], "std_error": 4.0}, unit="rating")["settle_reason"] == "other_too_wide"


def test_an_unstated_condition_is_mixed_only_where_the_first_state_other_settings() -> None:
    stated = board([0.6, 0.5], condition="no tools")
    assert card(*stated)["conditions_mixed"] is False
    assert card(*board([0.6, 0.5]))["conditions_reason"] == "condition_unstated"
    rows = board([0.6, 0.5])
    assert card({**rows[0], "setting": "5-shot"}, {**rows[1], "setting": "0-shot"})["conditions_mixed"] is True


def test_pairs_are_compared_item_by_item_where_that_is_known() -> None:
    """Two models that differ on eight of forty items, all one way: not apart alone, apart as a pair."""
    alone = card(*board([0.5, 0.3]), n_items=40)
    solved = {"b:m00": [1.0] * 20 + [0.0] * 20, "b:m01": [1.0] * 12 + [0.0] * 28}
    facts = with_items(frames(board([0.5, 0.3]), [benchmark("b", n_items=40)]), solved)
    paired = cards_of(facts).row(0, named=True)
    assert (alone["pairs_apart"], paired["pairs_apart"]) == (0, 1)
    assert paired["difference_error"] < alone["difference_error"]


def test_over_clusters_fewer_can_be_told_apart_and_a_missing_answer_is_wrong() -> None:
    """Fourteen subjects of 40 items: the first solves 40 items more in two of them and 10 fewer in two others."""
    subject = np.repeat(np.arange(14), 40)
    hits = np.stack([np.select([subject < 2, subject < 4], [here, there], 20) for here, there in ((30, 15), (10, 20))])
    solved = (np.arange(560) % 40 < hits).astype(float)
    rows = [result("b", f"m{index}", float(one.mean()), source_row=f"m{index}") for index, one in enumerate(solved)]
    facts = with_items(
        frames(rows, [benchmark("b", n_items=560)]), {f"m{index}": one for index, one in enumerate(solved)}
    )
    answered = np.ones(solved.shape, dtype=np.bool_)
    answered[0, -14:] = False
    clusters = item_test(facts, solved, subject, answered)
    cards = cards_of(facts, clusters_of([clusters])).row(0, named=True)
    assert (cards["pairs_by_item"], cards["pairs_apart_alone"], cards["pairs_apart"]) == (1, 0, 1)
    assert (cards["clusters"], cards["clusters_alike"]) == (14, pytest.approx(14))
    assert (cards["pairs_apart_clustered"], cards["pairs_clustered"], cards["tied_first_clustered"]) == (0, 1, 2)
    by_subject = np.diff(solved.reshape(2, 14, 40).mean(axis=2), axis=0)[0]
    assert cards["cluster_width"] == pytest.approx(2.1604 * by_subject.std(ddof=1) / np.sqrt(14), rel=1e-4)
    assert (cards["missing_cells"], cards["missing_reason"], cards["cluster_reason"]) == (14 / 1_120, None, None)
    unsolved = np.where(solved.any(axis=0), subject, -1)
    apart = cards_of(facts, clusters_of([item_test(facts, solved, unsolved, answered)])).row(0, named=True)
    assert apart["clusters"] == 14 and apart["cluster_width"] == pytest.approx(cards["cluster_width"], rel=0.02)
    few = cards_of(facts, clusters_of([item_test(facts, solved, subject % 4, answered)])).row(0, named=True)
    assert (few["clustered_reason"], few["clusters"]) == ("too_few_clusters", None)
    unnamed = cards_of(facts, clusters_of([item_test(facts, solved, None, answered)])).row(0, named=True)
    assert unnamed["clustered_reason"] == "no_clusters" and unnamed["missing_cells"] == 14 / 1_120
    assert cards_of(facts)["clustered_reason"].to_list() == ["not_by_item"]


def test_every_look_has_a_card_and_what_is_known_by_task_is_of_the_newest() -> None:
    tasks = [
        result(f"b/t{task}", f"m{place}", 0.1 * place + 0.01 * task * (-1) ** place, observed_on=date(2025, 2, 1))
        for task in range(4)
        for place in range(6)
        if (task, place) != (0, 0)
    ]
    looks = [
        result("b", f"m{place}", 0.1 * place, observed_on=date(2025, month, 1))
        for month in (1, 2)
        for place in range(6)
    ]
    parts = [benchmark(f"b/t{task}") for task in range(4)]
    cards = cards_of(frames([*tasks, *looks], [benchmark("b"), *parts]))
    early, late = cards.filter(board_id="lab/b").rows(named=True)
    assert [early[why] for why in BY_TASK.values()] == ["earlier_look"] * 4
    assert late["missing_cells"] == pytest.approx(1 / 24)
    assert late["cluster_width"] > 0 and late["first"] == "m5"
    assert (late["tasks_to_flip"], late["tasks_reason"]) == (None, "none_flips")


def test_no_board_has_no_card() -> None:
    assert cards_of(frames()).schema == PUBLISHED["board_card"]


@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.integers(0, 100), st.sampled_from([None, 0.01, 0.1])), min_size=1, max_size=12),
    st.sampled_from([None, 30, 1_000]),
)
def test_ties_are_known_where_errors_are_and_every_null_has_a_reason(
    models: list[tuple[int, float | None]], n_items: int | None
) -> None:
    rows = [result("b", f"m{place:02}", score / 100, std_error=e) for place, (score, e) in enumerate(models)]
    card_row = card(*rows, n_items=n_items)
    for value, reason in REASON_OF.items():
        assert (card_row[value] is None) == (card_row[reason] is not None)
    if card_row["ties_reason"] is None:
        assert 1 <= card_row["tied_first"] == card_row["tiers"][0] <= card_row["with_error"]
        assert sum(card_row["tiers"]) == card_row["with_error"]
        assert 0 <= card_row["entropy"] <= np.log2(card_row["with_error"]) + 1e-9
    assert card_row["neighbours_apart"] <= card_row["neighbours"] <= 9
    assert card_row["pairs_apart"] <= card_row["pairs"] <= 45
