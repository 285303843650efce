"""Models of one's own against public lines: a leak shows, nothing leaked seldom does, and no public board moves."""

from dataclasses import replace

import numpy as np
import polars as pl

from benchhealth.analytics.contamination.anomaly.fresh import FEWEST_FRESH, FEWEST_TO_TEST, Board, Scale, boards
from benchhealth.analytics.own.risk import own_boards
from tests.support.simulated_leaks import boards_of

WORLDS, LEAK = 12, 0.5


def brought(on: Scale, model: int, leak: float) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The results of a model as those of one's own, with a leak on what it may have seen, and what it may have seen."""
    rows = np.flatnonzero(on.cells.model == model)
    ids = [on.cells.benchmark_ids[index] for index in on.cells.benchmark[rows]]
    score = on.cells.score[rows] + np.where(on.is_exposed[rows], leak * (1 - on.cells.score[rows]), 0)
    named = {"benchmark_id": ids, "model_id": ["mine"] * len(ids)}
    pairs = zip(on.is_exposed[rows], on.is_fresh[rows], strict=True)
    flags = [True if seen else False if fresh else None for seen, fresh in pairs]
    return pl.DataFrame({**named, "score": score, "error": on.cells.error[rows]}), pl.DataFrame(
        {**named, "is_exposed": flags}
    )


def without(on: Scale, model: int) -> Scale:
    keep = on.cells.model != model
    return replace(
        on,
        cells=on.cells.where(keep),
        variance=on.variance[keep],
        is_fresh=on.is_fresh[keep],
        is_exposed=on.is_exposed[keep],
    )


def p_values(leak: float) -> np.ndarray:
    distances: list[float] = []
    for seed in range(WORLDS):
        on = boards_of(np.random.default_rng(seed))
        public = without(on, seed)
        tested = own_boards(public, boards(public), *brought(on, seed, leak))
        distances += [p for board in tested for p in board.left_out.p_value[board.left_out.inside]]
    return np.array(distances)


def test_a_leak_shows_and_nothing_leaked_seldom_does() -> None:
    clean, leaked = p_values(0.0), p_values(LEAK)
    assert clean.size > 3 * WORLDS
    assert (clean <= 0.05).mean() <= 0.1
    assert (leaked <= 0.05).mean() >= 0.7


def test_one_says_what_would_be_said_of_a_public_model() -> None:
    on = boards_of(np.random.default_rng(3))
    before = boards(on)
    copies = own_boards(on, before, *brought(on, 4, 0.0))
    assert copies
    name = on.cells.model_ids[4]
    by_id = {board.benchmark_id: board for board in before}
    for board in copies:
        public = by_id[board.benchmark_id]
        assert board.model_ids == ["mine"]
        assert board.others == public.line.x.size
        position = public.model_ids.index(name)
        # The copy has the model itself among the others, which draws the line towards it and no further.
        assert abs(board.left_out.excess[0]) <= abs(public.left_out.excess[position]) + 1e-9
    assert [b.left_out.p_value.tolist() for b in boards(on)] == [b.left_out.p_value.tolist() for b in before]


def test_two_fresh_benchmarks_are_enough_to_be_tested_and_one_is_not() -> None:
    on = boards_of(np.random.default_rng(3))
    results, exposed = brought(on, 4, 0.0)
    fresh = exposed.filter(~pl.col("is_exposed"))["benchmark_id"].to_list()

    def tested(places: int) -> list[Board]:
        is_kept = ~pl.col("benchmark_id").is_in(fresh[places:])
        return own_boards(on, boards(on), results.filter(is_kept), exposed.filter(is_kept))

    assert len(fresh) > FEWEST_FRESH > FEWEST_TO_TEST
    assert tested(FEWEST_TO_TEST)
    assert tested(FEWEST_TO_TEST - 1) == []
