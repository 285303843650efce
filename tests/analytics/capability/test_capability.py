"""Stitching: known truth is recovered, its intervals cover, its derivatives are right, and odd inputs are defined."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.capability import choose as choosing
from benchhealth.analytics.capability import fit as fitting
from benchhealth.analytics.capability import replicate
from benchhealth.analytics.capability.cells import BENCHMARKS_PER_MODEL, Cells, cells, stacked
from benchhealth.analytics.capability.choose import BEGIN, FOLDS, choose, folds, held_out, score
from benchhealth.analytics.capability.fit import (
    Fit,
    Penalty,
    Search,
    debiased,
    fit,
    gradient,
    identified,
    joined,
    no_shift,
    objective,
    solve,
    view_at,
)
from benchhealth.analytics.capability.newton import (
    GRID,
    Curvature,
    WeightedCells,
    discriminating_range,
    expected,
    information,
    newton_steps,
)
from benchhealth.analytics.capability.replicate import intervals, replicates
from benchhealth.analytics.capability.table import first_seen_of, stitch
from benchhealth.analytics.record.current import benchmark_facts, leaderboard, newest, ranked_results
from benchhealth.analytics.record.evidence import DISCRIMINATION
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.frontier import history_of
from tests.support.frames import OBSERVED, benchmark, frames, result
from tests.support.soaking import examples

Truth = tuple[Cells, Fit]


def simulated(rng: np.random.Generator, models: int = 60, benchmarks: int = 12, share: float = 0.6) -> Truth:
    """Scores of a truth drawn as the priors say, with a misfit of 3 points and errors of 1 point."""
    truth = Fit(
        capability=rng.normal(0, 1.5, models),
        difficulty=rng.normal(0, 1.5, benchmarks),
        log_slope=rng.normal(0, 0.3, benchmarks),
        misfit=np.full(benchmarks, 0.03**2),
    )
    model, place = (grid.ravel() for grid in np.meshgrid(np.arange(models), np.arange(benchmarks), indexing="ij"))
    tested = rng.random(model.size) < share
    model, place = model[tested], place[tested]
    made = Cells(
        model_ids=tuple(f"m{i:03}" for i in range(models)),
        benchmark_ids=tuple(f"b{i:03}" for i in range(benchmarks)),
        model=model,
        benchmark=place,
        score=np.zeros(model.size),
        error=np.full(model.size, 0.01),
        floor=np.where(np.arange(benchmarks) % 3 == 0, 0.25, 0.0),
        span=np.where(np.arange(benchmarks) % 3 == 0, 0.7, 1.0),
    )
    made = made.of_benchmarks()
    noise = np.sqrt(truth.variance(made)) * rng.standard_normal(len(made))
    return replace(made, score=truth.predict(made) + noise), truth


PRIOR = Penalty(place=1 / 1.5**2, slope=1 / 0.3**2)


def evidence(facts: Frames) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    about = benchmark_facts(facts)
    rows = ranked_results(facts, about)
    return leaderboard(newest(rows)), about, history_of(rows, OBSERVED)


def stitched_cells(facts: Frames) -> tuple[Cells, pl.DataFrame]:
    """The cells of the current leaderboard, and when each model was seen first."""
    board, about, history = evidence(facts)
    return cells(board, about), first_seen_of(history)


def test_truth_is_recovered() -> None:
    seen, truth = simulated(np.random.default_rng(1), models=150, benchmarks=20)
    estimated, true = identified(fit(seen, PRIOR)), identified(truth)
    assert np.corrcoef(estimated.capability, true.capability)[0, 1] > 0.99
    assert np.corrcoef(estimated.difficulty, true.difficulty)[0, 1] > 0.99
    assert np.corrcoef(estimated.log_slope, true.log_slope)[0, 1] > 0.9
    assert np.sqrt(np.median(estimated.misfit)) == pytest.approx(0.03, abs=0.01)


def test_the_gradient_is_that_of_the_objective() -> None:
    rng = np.random.default_rng(2)
    seen, truth = simulated(rng, models=8, benchmarks=4, share=0.9)
    shifted = replace(truth, capability=truth.capability + 0.1)
    weighted, priors = WeightedCells.by(seen, shifted.variance(seen)), no_shift(seen)

    def value(where: Fit) -> float:
        return float(objective(seen, PRIOR, where, priors, view_at(weighted, where))[0])

    by_model, by_curve = gradient(seen, PRIOR, shifted, priors, view_at(weighted, shifted))
    for field, analytic in (
        ("capability", by_model),
        ("difficulty", by_curve[0, 0]),
        ("log_slope", by_curve[1, 0]),
    ):
        for place in range(analytic.size):
            step = np.zeros(analytic.size)
            step[place] = 1e-6
            up, down = (value(replace(shifted, **{field: getattr(shifted, field) + side * step})) for side in (1, -1))
            assert (up - down) / 2e-6 == pytest.approx(analytic[place], rel=1e-4, abs=1e-4)


def test_a_fit_ends_where_the_gradient_is_none() -> None:
    seen, _ = simulated(np.random.default_rng(3))
    begin = fit(seen, PRIOR)
    solved = solve(seen, PRIOR, begin, no_shift(seen), Search(200))
    view = view_at(WeightedCells.by(seen, solved.variance(seen)), solved)
    by_model, by_curve = gradient(seen, PRIOR, solved, no_shift(seen), view)
    assert max(np.abs(by_model).max(), np.abs(by_curve).max()) < 0.5  # of weights that are in the thousands


def test_what_is_fitted_together_is_fitted_each_for_itself() -> None:
    rng = np.random.default_rng(14)
    parts = [simulated(rng, models=20, benchmarks=6)[0] for _ in range(3)]
    parts = [replace(part, floor=parts[0].floor, span=parts[0].span) for part in parts]
    estimated = fit(stacked(parts), PRIOR)
    alone = [fit(part, PRIOR) for part in parts]
    assert estimated.capability == pytest.approx(joined(alone).capability, abs=2e-3)
    assert estimated.log_slope == pytest.approx(joined(alone).log_slope, abs=2e-3)
    scales = identified(estimated, 3).capability.reshape(3, -1).mean(axis=1)
    assert scales == pytest.approx(np.zeros(3), abs=1e-9)


@given(st.integers(0, 2**32 - 1), st.integers(2, 9), st.floats(1e-4, 0.5), st.integers(1, 12))
@settings(max_examples=20, deadline=None)
def test_the_blocks_in_which_copies_are_fitted_change_nothing(seed: int, copies: int, close: float, turns: int) -> None:
    rng = np.random.default_rng(seed)
    one, truth = simulated(rng, models=12, benchmarks=5)
    seen = stacked([one.where(rng.random(len(one)) < 0.8) for _ in range(copies)])
    begin, search = joined([truth] * copies), Search(4, 0.0, close, turns)
    solved = []
    for at_once in (len(seen), 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(fitting, "CELLS_AT_ONCE", at_once)
            solved.append(solve(seen, PRIOR, begin, no_shift(seen), search))
    assert len(seen.blocks(1)) == max(copies // 2, 1)
    assert [len(block) for block in seen.blocks(len(seen))] == [len(seen)]
    for field in ("capability", "difficulty", "log_slope"):
        assert np.array_equal(getattr(solved[0], field), getattr(solved[1], field))


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_a_step_solves_the_equations_of_every_copy(seed: int) -> None:
    """The Gauss-Newton matrix written out: squares of all derivatives, plus the priors' precisions."""
    rng = np.random.default_rng(seed)
    one, truth = simulated(rng, models=6, benchmarks=3, share=0.8)
    seen, parameters = stacked([one, one.where(rng.random(len(one)) < 0.7)]), joined([truth, truth])
    view = view_at(WeightedCells.by(seen, parameters.variance(seen)), parameters)
    bend = Curvature.at(seen, (PRIOR.place, PRIOR.slope), view)
    models, curves = len(seen.model_ids), len(seen.benchmark_ids)
    written = np.zeros((len(seen), models + 2 * curves))
    row = np.arange(len(seen))
    written[row, seen.model] = view.by_place
    written[row, models + seen.benchmark] = -view.by_place
    written[row, models + curves + seen.benchmark] = view.by_slope
    precision = np.repeat([PRIOR.place, PRIOR.slope], [models + curves, curves])
    wanted = rng.standard_normal(models + 2 * curves)
    solution = -np.linalg.solve(written.T @ written + np.diag(precision), wanted)
    search = bend.conjugate_gradients(wanted[:models], wanted[models:].reshape(2, 2, -1), 1e-10)
    ((capability_step, changed),) = newton_steps([search], 100)
    assert np.concatenate([capability_step, changed.ravel()]) == pytest.approx(solution, rel=1e-6, abs=1e-8)


def test_the_order_of_cells_does_not_matter_but_is_not_assumed_unseen() -> None:
    seen, truth = simulated(np.random.default_rng(15), models=20, benchmarks=6)
    shuffled = seen.where(np.random.default_rng(16).permutation(len(seen)))
    assert fit(shuffled, PRIOR).capability == pytest.approx(fit(seen, PRIOR).capability, abs=1e-6)
    with pytest.raises(ValueError, match="order of their benchmarks"):
        WeightedCells.by(shuffled, truth.variance(shuffled))


def test_a_benchmark_without_cells_has_the_priors_curve() -> None:
    seen, _ = simulated(np.random.default_rng(17), models=20, benchmarks=6)
    for empty in (0, 3, 5):
        estimated = fit(seen.where(seen.benchmark != empty), PRIOR)
        assert estimated.difficulty[empty] == pytest.approx(0, abs=1e-3)
        assert estimated.slope[empty] == pytest.approx(1, abs=1e-3)


def test_sums_by_benchmark_miss_no_cell_beside_an_empty_benchmark() -> None:
    seen, _ = simulated(np.random.default_rng(17), models=20, benchmarks=6)
    for empty in ([0], [2, 3], [5], [4, 5]):
        part = seen.where(~np.isin(seen.benchmark, empty))
        assert part.per_benchmark(np.ones(len(part))) == pytest.approx(part.counts)


def test_replicates_end_where_a_longer_search_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, _ = simulated(np.random.default_rng(18))
    fitted = fit(seen, PRIOR)
    drawn = replicates(seen, PRIOR, fitted, np.random.default_rng(19), 30)
    monkeypatch.setattr(replicate, "SEARCH", Search())
    longer = replicates(seen, PRIOR, fitted, np.random.default_rng(19), 30)
    left = (drawn - longer) / longer.std(axis=0)
    assert drawn.shape == (30, 60)
    assert np.sqrt(np.mean(left**2)) < 0.02


def coverage(runs: int, seed: int) -> tuple[float, float]:
    """Shares of true capabilities and true ranks inside their 95% intervals."""
    rng = np.random.default_rng(seed)
    score_hits, rank_hits = [], []
    for _ in range(runs):
        seen, truth = simulated(rng, models=30, benchmarks=10, share=0.5)
        score_hit, rank_hit = held(seen, truth, PRIOR, rng)
        score_hits.append(score_hit)
        rank_hits.append(rank_hit)
    return float(np.mean(score_hits)), float(np.mean(rank_hits))


def held(seen: Cells, truth: Fit, penalty: Penalty, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """By model whether its true capability and its true rank are inside their 95% intervals."""
    fitted = debiased(seen, penalty, fit(seen, penalty))
    ranges = intervals(replicates(seen, penalty, fitted, rng, 200), identified(fitted).capability)
    true_capability = identified(truth).capability
    rank = (-true_capability).argsort().argsort() + 1
    return (ranges.low <= true_capability) & (true_capability <= ranges.high), (ranges.rank_low <= rank) & (
        rank <= ranges.rank_high
    )


def test_intervals_cover_the_truth() -> None:
    score_covered, rank_covered = coverage(runs=6, seed=4)
    assert score_covered == pytest.approx(0.95, abs=0.05)
    assert rank_covered >= 0.93


@pytest.mark.soak
def test_intervals_cover_the_truth_within_two_points() -> None:
    score_covered, rank_covered = coverage(runs=100, seed=5)
    print(f"capability {score_covered:.4f}, rank {rank_covered:.4f}")
    assert score_covered == pytest.approx(0.95, abs=0.02)
    assert rank_covered >= 0.95


def test_a_few_scores_with_large_errors_do_not_keep_the_misfit_from_settling() -> None:
    seen, _ = simulated(np.random.default_rng(20), models=40, benchmarks=8)
    vague = (seen.benchmark == 0) & (np.arange(len(seen)) % 3 == 0)
    seen = replace(seen, error=np.where(vague, 0.16, seen.error))
    seen = replace(seen, score=seen.score + np.where(vague, 0.15 * np.where(seen.model % 2, 1, -1), 0))
    first, later = (np.sqrt(fit(seen, PRIOR, rounds=rounds).misfit) for rounds in (8, 11))
    assert later == pytest.approx(first, rel=0.03)
    assert 0.01 < later[0] < 0.06


def test_an_interval_holds_its_estimate_and_ranks_of_equals_are_open() -> None:
    rng = np.random.default_rng(21)
    estimate = np.array([3.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    ranges = intervals(rng.standard_normal((200, 6)), estimate)
    assert (ranges.low <= estimate).all()
    assert (estimate <= ranges.high).all()
    assert ranges.rank_low[0] == 1
    assert (ranges.rank_high[1:] - ranges.rank_low[1:]).min() >= 3


def test_a_floor_changes_the_difficulty_as_it_should() -> None:
    """50% on a four-way choice is a third of the way up, 50% on an open question is half: the first is harder."""
    rng = np.random.default_rng(6)
    seen, _ = simulated(rng, models=80, benchmarks=6, share=1.0)
    seen = replace(seen, floor=np.zeros(6), span=np.ones(6))
    open_ended = fit(seen, PRIOR)
    guessed = fit(replace(seen, floor=np.array([0.25, 0, 0, 0, 0, 0]), span=np.array([0.75, 1, 1, 1, 1, 1.0])), PRIOR)
    assert guessed.difficulty[0] > open_ended.difficulty[0]
    assert np.abs(guessed.difficulty[1:] - open_ended.difficulty[1:]).max() < (
        guessed.difficulty[0] - open_ended.difficulty[0]
    )


def test_the_chosen_penalty_predicts_held_out_scores_at_least_as_well_as_where_the_search_began() -> None:
    seen, _ = simulated(np.random.default_rng(7), models=40, benchmarks=8)
    begun = folds(seen, np.random.default_rng(8))
    first = score(seen, begun, held_out(seen, begun, BEGIN))
    _, reached = choose(seen, np.random.default_rng(8))
    assert reached >= first
    assert set(begun) == set(range(FOLDS))
    assert all(BEGIN.__dict__[name] in grid for name, grid in choosing.GRIDS.items())


@given(floor=st.floats(0, 0.6), slope=st.floats(0.3, 5), difficulty=st.floats(-5, 5))
@examples(20, soak=40)
def test_the_range_in_which_a_benchmark_discriminates_holds_its_peak(
    floor: float, slope: float, difficulty: float
) -> None:
    one = np.array([difficulty]), np.array([slope]), np.array([floor]), np.array([1 - floor])
    low, peak, high = (float(end[0]) for end in discriminating_range(*one))
    assert low < peak < high
    assert peak >= difficulty - 20 / GRID / slope  # guessing hides the weak, never the strong
    inside = information(np.array([slope * (peak - difficulty)]), one[2], one[3])
    outside = information(np.array([slope * (high + 1 / slope - difficulty)]), one[2], one[3])
    assert outside < inside


def test_the_curve_is_between_floor_and_ceiling() -> None:
    heights = expected(np.array([-50.0, 0.0, 50.0]), np.zeros(3), np.ones(3), np.full(3, 0.25), np.full(3, 0.7))
    assert heights == pytest.approx([0.25, 0.6, 0.95])


def stitched_frames() -> Frames:
    """Seven models on four benchmarks that hang together, and five on three that are apart."""
    connected = [
        result(f"b{place}", f"m{model}", 0.1 * model + 0.05 * place, n_items=100)
        for place in range(4)
        for model in range(1, 8)
    ]
    apart = [result(f"x{place}", f"y{model}", 0.1 * model) for place in range(3) for model in range(1, 6)]
    return frames([*connected, *apart])


def test_only_the_largest_component_is_stitched() -> None:
    made = stitch(*stitched_cells(stitched_frames()), np.random.default_rng(9))
    assert sorted(made.difficulty["benchmark_id"]) == ["b0", "b1", "b2", "b3"]
    assert made.capability["model_id"].to_list() == [f"m{model}" for model in range(7, 0, -1)]
    assert made.capability["n_benchmarks"].to_list() == [4] * 7
    assert (made.capability["low"] <= made.capability["score"]).all()
    assert made.discrimination.schema == DISCRIMINATION


def test_parts_and_thin_models_are_left_out() -> None:
    rows = [result(f"b{place}", f"m{model}", 0.1 * model) for place in range(4) for model in range(1, 8)]
    thin = [result(f"b{place}", "thin", 0.5) for place in range(BENCHMARKS_PER_MODEL - 1)]
    parts = [result("b0/part", f"m{model}", 0.5) for model in range(1, 8)]
    board, facts, _ = evidence(frames([*rows, *thin, *parts]))
    kept_cells = cells(board, facts)
    assert "thin" not in kept_cells.model_ids
    assert kept_cells.benchmark_ids == ("b0", "b1", "b2", "b3")


def test_lower_is_better_is_the_same_curve_upside_down() -> None:
    up = [result(f"b{place}", f"m{model}", 0.1 * model) for place in range(4) for model in range(1, 8)]
    down = [{**row, "score": 1 - row["score"]} if row["benchmark_id"] == "b0" else row for row in up]
    errors = [
        benchmark("b0", higher_is_better=False, floor=1.0, ceiling=0.0),
        *(benchmark(f"b{place}") for place in range(1, 4)),
    ]
    first = stitch(*stitched_cells(frames(up)), np.random.default_rng(10))
    second = stitch(*stitched_cells(frames(down, errors)), np.random.default_rng(10))
    assert first.capability["score"].to_list() == pytest.approx(second.capability["score"].to_list(), abs=1e-6)


@pytest.mark.parametrize("scores", [[0.0] * 7, [1.0] * 7, [0.5] * 7])
def test_constants_are_ordinary_inputs(scores: list[float]) -> None:
    rows = [result(f"b{place}", f"m{model}", scores[model]) for place in range(4) for model in range(7)]
    made = stitch(*stitched_cells(frames(rows)), np.random.default_rng(11))
    assert made.capability["score"].is_finite().all()
    assert made.capability["score"].max() == pytest.approx(made.capability["score"].min(), abs=1e-6)


def test_nothing_to_stitch_is_empty() -> None:
    for facts in (frames(), frames([result("b", "m", 0.5)])):
        made = stitch(*stitched_cells(facts), np.random.default_rng(12))
        assert made.capability.is_empty()
        assert made.difficulty.is_empty()
        assert made.discrimination.is_empty()


def test_the_order_of_rows_does_not_matter() -> None:
    board, facts, history = evidence(stitched_frames())
    first = stitch(cells(board, facts), first_seen_of(history), np.random.default_rng(13))
    second = stitch(cells(board.reverse(), facts), first_seen_of(history), np.random.default_rng(13))
    assert first.capability.equals(second.capability)
