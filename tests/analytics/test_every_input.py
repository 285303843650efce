"""What rank, churn, stability, twins and transfer have in common: order alone matters, and every input is ordinary."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.churn.churn import churn
from benchhealth.analytics.churn.rank import ranks
from benchhealth.analytics.multi_task.stability import stability
from benchhealth.analytics.record.boards import boards
from benchhealth.analytics.record.current import benchmark_facts, leaderboard, newest, ranked_results
from benchhealth.analytics.record.tables import PUBLISHED, empty
from benchhealth.analytics.twins.pairs import transfers
from benchhealth.analytics.twins.tables import twin_tables
from tests.support.frames import Row, benchmark, dated_boards, frames, result, twin_pair
from tests.support.soaking import examples

FIRST, SECOND = date(2025, 1, 1), date(2025, 2, 1)
TASKS = 3
ORDER_ALONE = {
    "rank": ["board_id", "observed_at", "rank", "rank_low", "rank_high"],
    "churn": ["k", "entered", "left", "turnover", "kendall_tau", "rbo"],
    "stability": ["n_models", "n_tasks", "diversity", "ordinal_sensitivity", "flips"],
    "twin": ["scale", "kendall_tau", "kendall_tau_top"],
    "transfer": ["n_models", "kendall_tau", "low", "high"],
}
"""The columns of each table that ranks alone decide."""

DEGENERATE = {
    "nothing": [],
    "one model": [0.4],
    "two models": [0.4, 0.6],
    "all zero": [0.0] * 12,
    "all one": [1.0] * 12,
    "all equal": [0.5] * 12,
    "ties": [0.1, 0.1, 0.5, 0.5, 0.9, 0.9] * 2,
    "both ends": [0.0, 1.0] * 6,
}


def tables(
    sides: list[tuple[float, float]], names: list[str] | None = None, items: int | None = 50
) -> dict[str, pl.DataFrame]:
    """All tables of one board seen twice, of its twin and of a board of tasks, on which models have these scores."""
    ids = names or [f"m{index:02}" for index in range(len(sides))]
    rows: list[Row] = []
    for name, (one, two) in zip(ids, sides, strict=True):
        rows += [result("a", name, one, observed_on=FIRST, n_items=items, score_published=None)]
        rows += [result("a", name, two, observed_on=SECOND, n_items=items, score_published=None)]
        rows += [result("b", name, one, observed_on=SECOND, n_items=items)]
        rows += [result(f"many/t{task}", name, two if task else one) for task in range(TASKS)]
    listed = [benchmark(name, curated=True) for name in ("a", "b", *(f"many/t{task}" for task in range(TASKS)))]
    facts = frames(rows, listed, twin_pairs=[twin_pair("t", "a", "b", kind="fresh sample")])
    known_facts = benchmark_facts(facts)
    every_board = boards(facts)
    rank = ranks(every_board)
    twin = twin_tables(facts, np.random.default_rng(2), empty("design_effect"))
    listed_now = leaderboard(newest(ranked_results(facts, known_facts)))
    return {
        "rank": rank,
        "churn": churn(facts, every_board, np.random.default_rng(0), dated_boards(facts, SECOND)),
        "stability": stability(facts),
        "transfer": transfers(listed_now, known_facts, twin.twin, twin.twin_residual),
        **twin._asdict(),
    }


@pytest.mark.parametrize("items", [None, 50], ids=["errors unknown", "errors known"])
@pytest.mark.parametrize("shape", DEGENERATE)
def test_every_input_is_ordinary(shape: str, items: int | None) -> None:
    scores = DEGENERATE[shape]
    made = tables(list(zip(scores, scores, strict=True)), items=items)
    for name, table in made.items():
        assert table.schema == PUBLISHED[name]
        for column in table.select(pl.col(pl.Float64)):
            assert column.drop_nulls().is_finite().all(), f"{name}.{column.name}"
    assert made["twin"]["n_models"].max() == len(scores)
    if len(set(scores)) < 2:
        assert made["twin"]["slope"].null_count() == made["twin"]["kendall_tau"].null_count() == made["twin"].height
        assert set(made["rank"]["rank"]) <= {1}
        assert made["churn"]["turnover"].drop_nulls().sum() == 0
        assert made["transfer"]["kendall_tau"].null_count() == made["transfer"].height
    assert not made["twin_residual"]["flagged"].any()


SIDES = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=10, max_size=14)


@given(SIDES, st.randoms(use_true_random=False))
@examples(2, 20)
def test_monotone_scales_leave_what_ranks_decide_alone(points: list[tuple[int, int]], random) -> None:  # noqa: ANN001
    power = random.choice([0.5, 2.0, 3.0])
    plain = tables([(one / 20, two / 20) for one, two in points], items=None)
    bent = tables([((one / 20) ** power, (two / 20) ** power) for one, two in points], items=None)
    for name, columns in ORDER_ALONE.items():
        linear = pl.lit(value=True) if name != "twin" else pl.col("scale") == "linear"
        one, two = (table[name].filter(linear).select(columns) for table in (plain, bent))
        assert one.equals(two), name


@given(SIDES, st.randoms(use_true_random=False))
@examples(2, 20)
def test_sequence_and_names_of_models_decide_nothing(points: list[tuple[int, int]], random) -> None:  # noqa: ANN001
    sides = [(one / 20, two / 20) for one, two in points]
    order = random.sample(range(len(sides)), len(sides))
    other_names = [f"m{index:02}" for index in random.sample(range(len(sides)), len(sides))]
    plain, moved = tables(sides), tables([sides[index] for index in order], other_names)
    for name in (*ORDER_ALONE, "twin", "twin_gap", "twin_age", "twin_residual", "twin_robustness"):
        hidden = [column for column in ("model_id", "expected_turnover") if column in PUBLISHED[name]]
        one, two = (
            table[name].drop(hidden).select(pl.col(pl.Float64, pl.Int64)).select(pl.all().round(9))
            for table in (plain, moved)
        )
        assert one.sort(one.columns).equals(two.sort(two.columns)), name
