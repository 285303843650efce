from dataclasses import replace
from datetime import date, datetime

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analytics.rank import BLOCK, rank_intervals, ranks
from analytics.tables import PUBLISHED
from tests.analytics.builders import Row, benchmark, frames, result

MERITS = st.lists(st.integers(0, 8), min_size=1, max_size=12)


def ranking(*rows: Row, benchmarks: list[Row] | None = None) -> dict[str, tuple[int, int | None, int | None]]:
    table = ranks(frames(rows, benchmarks))
    return {row["model_id"]: (row["rank"], row["rank_low"], row["rank_high"]) for row in table.iter_rows(named=True)}


def test_best_setting_counts_and_equals_share_the_best_rank() -> None:
    found = ranking(
        result("b", "one", 0.5, setting="low"),
        result("b", "one", 0.9, setting="high"),
        result("b", "two", 0.9),
        result("b", "three", 0.4),
        result("b", "person", 1.0, kind="human"),
        result("b", "broken", float("nan")),
    )
    assert {model: rank for model, (rank, _, _) in found.items()} == {"one": 1, "two": 1, "three": 3}


def test_lower_is_better_and_unknown_direction() -> None:
    rows = [result("loss", "a", 0.1), result("loss", "b", 0.2)]
    assert ranking(*rows, benchmarks=[benchmark("loss", higher_is_better=False)])["a"][0] == 1
    assert ranking(*rows, benchmarks=[benchmark("loss", higher_is_better=None)]) == {}
    assert ranking(*rows, benchmarks=[]) == {}


def test_parts_have_no_leaderboard_and_an_empty_warehouse_has_no_ranks() -> None:
    assert ranking(result("b/part", "a", 0.1)) == {}
    assert ranks(frames()).schema == PUBLISHED["rank"]


def test_every_instant_of_every_board_is_ranked_by_itself() -> None:
    table = ranks(
        frames(
            [
                result("b", "old", 0.5, observed_on=date(2025, 1, 1)),
                result("b", "old", 0.5, observed_on=date(2025, 2, 1)),
                result("b", "new", 0.6, observed_on=date(2025, 2, 1)),
                result("b", "new", 0.1, observed_on=date(2025, 2, 1), source_id="other"),
            ]
        )
    )
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
    table = ranks(replace(facts, snapshot=snapshot))
    by_day = table.group_by(pl.col("observed_at").dt.month(), maintain_order=True).agg("model_id", "score")
    assert by_day.rows() == [
        (1, ["first"], [0.5]),
        (2, ["second", "first"], [0.6, 0.5]),
        (3, ["first", "second"], [0.7, 0.6]),
    ]


def test_errors_leave_ranks_open() -> None:
    found = ranking(
        result("b", "a", 0.90, n_items=1000),
        result("b", "b", 0.89, n_items=1000),
        result("b", "c", 0.10, n_items=1000),
        result("b", "d", 0.05),
    )
    assert found == {"a": (1, 1, 3), "b": (2, 1, 3), "c": (3, 3, 4), "d": (4, None, None)}


def test_two_models_differ_as_in_a_two_proportion_test() -> None:
    # one comparison, so no correction: significant exactly where z exceeds 1.96
    for ahead in (0.53, 0.54, 0.55, 0.56):
        z = (ahead - 0.5) / np.sqrt(ahead * (1 - ahead) / 1000 + 0.25 / 1000)
        low, high = rank_intervals(np.array([ahead, 0.5]), np.sqrt(np.array([ahead * (1 - ahead), 0.25]) / 1000))
        apart = 2 * stats.norm.sf(z) < 0.05
        assert low.tolist() == [1, 2 if apart else 1]
        assert high.tolist() == [1 if apart else 2, 2]


@given(MERITS, st.data())
@settings(deadline=None)
def test_intervals_hold_the_rank_and_errors_only_widen_them(values: list[int], data: st.DataObject) -> None:
    merits = np.array(values, dtype=float)
    errors = np.array(data.draw(st.lists(st.floats(0.01, 3), min_size=len(values), max_size=len(values))))
    low, high = rank_intervals(merits, errors)
    rank = stats.rankdata(-merits, method="min")
    assert ((low >= 1) & (low <= rank) & (rank <= high) & (high <= len(values))).all()
    wider_low, wider_high = rank_intervals(merits, 2 * errors)
    assert ((wider_low <= low) & (wider_high >= high)).all()
    order = np.array(data.draw(st.permutations(range(len(values)))))
    low_permuted, high_permuted = rank_intervals(merits[order], errors[order])
    assert (low_permuted == low[order]).all() and (high_permuted == high[order]).all()


@given(MERITS, st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_ranks_follow_order_not_numbers_names_or_sequence(values: list[int], random: object) -> None:
    rows = [result("b", f"m{at}", value / 10) for at, value in enumerate(values)]
    moved = [result("b", f"m{at}", value**3 + 5.0) for at, value in enumerate(values)]
    random.shuffle(moved)  # type: ignore[attr-defined]
    plain = ranking(*rows)
    assert plain == ranking(*moved, benchmarks=[benchmark("b", unit="rating")])
    assert [plain[f"m{at}"][0] for at in range(len(values))] == stats.rankdata(-np.array(values), "min").tolist()


def test_long_boards_are_compared_in_blocks_without_a_seam() -> None:
    n = 2 * BLOCK + 7
    merits = np.arange(n, dtype=float)[::-1]
    low, high = rank_intervals(merits, np.full(n, 1e-6))
    assert (low == np.arange(1, n + 1)).all() and (high == low).all()


def test_intervals_cover_the_true_rank_as_often_as_they_say() -> None:
    rng = np.random.default_rng(20240315)
    truth = np.repeat(np.linspace(0, 3, 7), 2)
    best = 1 + (truth[None, :] > truth[:, None]).sum(axis=1)
    worst = truth.size - (truth[None, :] < truth[:, None]).sum(axis=1)
    covered = []
    for _ in range(4000):
        errors = rng.uniform(0.2, 1.0, truth.size)
        low, high = rank_intervals(truth + errors * rng.standard_normal(truth.size), errors)
        covered.append((low <= best) & (worst <= high))
    assert np.mean(covered, axis=0).min() >= 0.95
