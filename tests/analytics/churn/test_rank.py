from dataclasses import replace
from datetime import date, datetime

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchhealth.analytics.churn.rank import ranks
from benchhealth.analytics.record.boards import boards
from benchhealth.analytics.record.by_item.item_results import item_results
from benchhealth.analytics.record.tables import PUBLISHED
from tests.support.frames import Row, benchmark, frames, result, with_items
from tests.support.soaking import examples

MERITS = st.lists(st.integers(0, 8), min_size=1, max_size=12)


def ranking(*rows: Row, benchmarks: list[Row] | None = None) -> dict[str, tuple[int, int | None, int | None]]:
    facts = frames(rows, benchmarks)
    table = ranks(boards(facts), item_results(facts))
    return {row["model_id"]: (row["rank"], row["rank_low"], row["rank_high"]) for row in table.iter_rows(named=True)}


def test_best_setting_counts_and_equals_share_the_best_rank() -> None:
    ranks_of = ranking(
        result("b", "one", 0.5, setting="low"),
        result("b", "one", 0.9, setting="high"),
        result("b", "two", 0.9),
        result("b", "three", 0.4),
        result("b", "person", 1.0, kind="human"),
        result("b", "broken", float("nan")),
    )
    assert {model: rank for model, (rank, _, _) in ranks_of.items()} == {"one": 1, "two": 1, "three": 3}


def test_scores_that_differ_by_the_noise_of_arithmetic_are_equal() -> None:
    ranks_of = ranking(result("b", "one", 0.864), result("b", "two", 86.4 / 100), result("b", "three", 0.4))
    assert {model: rank for model, (rank, _, _) in ranks_of.items()} == {"one": 1, "two": 1, "three": 3}


def test_lower_is_better_and_unknown_direction() -> None:
    rows = [result("loss", "a", 0.1), result("loss", "b", 0.2)]
    assert ranking(*rows, benchmarks=[benchmark("loss", higher_is_better=False)])["a"][0] == 1
    assert ranking(*rows, benchmarks=[benchmark("loss", higher_is_better=None)]) == {}
    assert ranking(*rows, benchmarks=[]) == {}


def test_parts_have_no_leaderboard_and_an_empty_warehouse_has_no_ranks() -> None:
    assert ranking(result("b/part", "a", 0.1)) == {}
    assert ranks(boards(frames()), item_results(frames())).schema == PUBLISHED["rank"]


def test_every_instant_of_every_board_is_ranked_by_itself() -> None:
    facts = frames(
        [
            result("b", "old", 0.5, observed_on=date(2025, 1, 1)),
            result("b", "old", 0.5, observed_on=date(2025, 2, 1)),
            result("b", "new", 0.6, observed_on=date(2025, 2, 1)),
            result("b", "new", 0.1, observed_on=date(2025, 2, 1), source_id="other"),
        ]
    )
    table = ranks(boards(facts), item_results(facts))
    assert table.schema == PUBLISHED["rank"]
    assert table.select("board_id", "observed_at", "model_id", "rank").rows() == [
        ("lab/b", datetime(2025, 1, 1), "old", 1),
        ("lab/b", datetime(2025, 2, 1), "new", 1),
        ("lab/b", datetime(2025, 2, 1), "old", 2),
        ("other/b", datetime(2025, 2, 1), "new", 1),
    ]


def test_a_board_fed_by_two_files_is_their_newest_versions() -> None:
    rows = [
        result("b", "first", 0.5, observed_on=date(2025, 1, 1), snapshot_id="f1"),
        result("b", "second", 0.6, observed_on=date(2025, 2, 1), snapshot_id="g1"),
        result("b", "first", 0.7, observed_on=date(2025, 3, 1), snapshot_id="f2"),
    ]
    facts = frames(rows)
    files = {"f1": "lab/f", "f2": "lab/f", "g1": "lab/g"}
    snapshot = facts.snapshot.with_columns(board_id=pl.col("snapshot_id").replace_strict(files))
    table = ranks(boards(replace(facts, snapshot=snapshot)), item_results(facts))
    by_day = table.group_by(pl.col("observed_at").dt.month(), maintain_order=True).agg("model_id", "score")
    assert by_day.rows() == [
        (1, ["first"], [0.5]),
        (2, ["second", "first"], [0.6, 0.5]),
        (3, ["first", "second"], [0.7, 0.6]),
    ]


def test_errors_leave_ranks_open() -> None:
    ranks_of = ranking(
        result("b", "a", 0.90, n_items=1000),
        result("b", "b", 0.89, n_items=1000),
        result("b", "c", 0.10, n_items=1000),
        result("b", "d", 0.05),
    )
    assert ranks_of == {"a": (1, 1, 3), "b": (2, 1, 3), "c": (3, 3, 4), "d": (4, None, None)}


@given(MERITS, st.randoms(use_true_random=False))
@examples(10, soak=25)
def test_ranks_follow_order_not_numbers_names_or_sequence(values: list[int], random: object) -> None:
    rows = [result("b", f"m{index}", value / 10) for index, value in enumerate(values)]
    moved = [result("b", f"m{index}", value**3 + 5.0) for index, value in enumerate(values)]
    random.shuffle(moved)  # type: ignore[attr-defined]
    plain = ranking(*rows)
    assert plain == ranking(*moved, benchmarks=[benchmark("b", unit="rating")])
    assert [plain[f"m{index}"][0] for index in range(len(values))] == stats.rankdata(-np.array(values), "min").tolist()


def test_models_that_answered_the_same_items_are_compared_item_by_item() -> None:
    rng = np.random.default_rng(8)
    solved = np.stack([np.arange(400) < hit for hit in (240, 215, 190)]).astype(float)
    rows = [
        result("b", name, float(one.mean()), n_items=400, source_row=name)
        for name, one in zip(("a", "b", "c"), solved, strict=True)
    ]
    facts = frames(rows)
    order = rng.permutation(400)
    by_item = with_items(facts, {name: one[order] for name, one in zip(("a", "b", "c"), solved, strict=True)})
    apart, together = (ranks(boards(each), item_results(each)) for each in (by_item, facts))
    # the harder items are those that all miss: the order is certain, which independent errors do not show
    assert apart.select("rank_low", "rank_high", "rank_low_joint", "rank_high_joint").rows() == [
        (1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, 3)
    ]  # fmt: skip
    assert together["rank_high_joint"].to_list() == [2, 3, 3] and apart["paired"].to_list() == [2, 2, 2]
    assert together["paired"].to_list() == [0, 0, 0]
