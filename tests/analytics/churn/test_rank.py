from dataclasses import replace
from datetime import date, datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analytics.churn.rank import BLOCK, critical_values, rank_intervals, ranks
from analytics.record.boards import boards
from analytics.record.tables import PUBLISHED
from tests.support.frames import Row, benchmark, frames, result

MERITS = st.lists(st.integers(0, 8), min_size=1, max_size=12)


def ranking(*rows: Row, benchmarks: list[Row] | None = None) -> dict[str, tuple[int, int | None, int | None]]:
    table = ranks(boards(frames(rows, benchmarks)))
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
    assert ranks(boards(frames())).schema == PUBLISHED["rank"]


def test_every_instant_of_every_board_is_ranked_by_itself() -> None:
    facts = frames(
        [
            result("b", "old", 0.5, observed_on=date(2025, 1, 1)),
            result("b", "old", 0.5, observed_on=date(2025, 2, 1)),
            result("b", "new", 0.6, observed_on=date(2025, 2, 1)),
            result("b", "new", 0.1, observed_on=date(2025, 2, 1), source_id="other"),
        ]
    )
    table = ranks(boards(facts))
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
    table = ranks(boards(replace(facts, snapshot=snapshot)))
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


def covered(truth: np.ndarray, runs: int, equal: bool, seed: int = 20240315) -> np.ndarray:
    """For each model how often its interval holds its true rank; where others are as good, all that they share."""
    rng = np.random.default_rng(seed)
    ordered = np.sort(truth)
    best = 1 + truth.size - np.searchsorted(ordered, truth, side="right")
    worst = truth.size - np.searchsorted(ordered, truth, side="left")
    held = []
    for _ in range(runs):
        errors = np.ones(truth.size) if equal else rng.uniform(0.2, 1.0, truth.size)
        low, high = rank_intervals(truth + errors * rng.standard_normal(truth.size), errors)
        held.append((low <= best) & (worst <= high))
    return np.mean(held, axis=0)


def test_intervals_cover_the_true_rank_as_often_as_they_say() -> None:
    assert covered(np.repeat(np.linspace(0, 3, 7), 2), 2000, equal=False).min() >= 0.95
    assert covered(np.zeros(8), 1500, equal=True).mean() == pytest.approx(0.95, abs=0.02)


@pytest.mark.soak
@pytest.mark.parametrize("n", [2, 3, 5, 10, 20, 50, 100, 300])
@pytest.mark.parametrize("equal", [True, False])
def test_rank_sets_cover_within_two_points_where_it_is_hardest(n: int, equal: bool) -> None:
    """Where all models are equally good nothing but noise sets them apart; where they differ, more is covered."""
    runs = 8_000 if n <= 50 else 3_000
    tied = covered(np.zeros(n), runs, equal)
    spread = covered(np.repeat(np.arange((n + 1) // 2), 2)[:n] * 1.0, runs // 4, equal)
    print(
        f"rank sets, n {n}, equal errors {equal}: tied {tied.mean():.4f} ({tied.min():.4f}), spread {spread.mean():.4f}"
    )
    assert tied.mean() == pytest.approx(0.95, abs=0.02)
    assert tied.min() >= 0.93
    assert spread.min() >= 0.93


def test_a_model_of_small_error_has_nearly_independent_differences_and_of_large_error_nearly_one() -> None:
    sidak = stats.norm.isf((1 - 0.95 ** (1 / 99)) / 2)
    found = critical_values(np.array([1e-3, *np.ones(99)]), 100)
    assert found[0] == pytest.approx(sidak, abs=0.01)
    # Dunnett's table, two-sided 5%, infinite degrees of freedom, for 2, 4 and 9 comparisons
    for n, value in ((3, 2.21), (5, 2.44), (10, 2.69)):
        assert critical_values(np.ones(n), n)[0] == pytest.approx(value, abs=0.01)
    assert critical_values(np.array([1e3, *np.ones(99)]), 100)[0] < 2.3
    assert critical_values(np.zeros(3), 3).shape == (3,)
