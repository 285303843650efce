"""What is said of a gap: scale and slope with known truth, where the sides are from, and what a twin could show."""

import numpy as np
import pytest
from scipy import stats

from benchhealth.analytics.record.tables import PUBLISHED, empty
from benchhealth.analytics.twins.pairs import Pairs
from benchhealth.analytics.twins.tables import twin_tables
from benchhealth.analytics.twins.uncertainty import NOT_MEASURED, twin_line
from tests.support.frames import Row, frames, result, twin_pair

SLOPE, OFFSET = 0.9, -0.3


def drawn(rng: np.random.Generator, models: int, items: int) -> Pairs:
    """Models on a line of the probit scale with some scatter, both sides with binomial noise of their own items."""
    across = rng.uniform(-0.5, 1.5, models)
    up = OFFSET + SLOPE * across + 0.05 * rng.standard_normal(models)
    shares = [rng.binomial(items, stats.norm.cdf(side)) / items for side in (across, up)]
    errors = [100 * np.sqrt(np.clip(side * (1 - side), 0.5 / items, None) / items) for side in shares]
    size = np.full(models, float(items))
    names = [f"m{index:03}" for index in range(models)]
    return Pairs(names, 100 * shares[0], 100 * shares[1], errors[0], errors[1], *shares, size, size, 1, True)


def coverage(models: int, items: int, runs: int) -> float:
    rng = np.random.default_rng(9)
    inside = 0
    for _ in range(runs):
        line = twin_line(drawn(rng, models, items), "fresh sample", "probit", NOT_MEASURED, corrected=True)
        assert line is not None and line.basis == "families" and line.line.noise > 0
        inside += line.line.slope_low <= SLOPE <= line.line.slope_high
    return inside / runs


def test_published_slopes_cover_the_truth() -> None:
    assert coverage(60, 1000, 400) == pytest.approx(0.95, abs=0.035)


@pytest.mark.soak
@pytest.mark.parametrize(("models", "items"), [(30, 500), (60, 1000), (200, 10_000)])
def test_published_slopes_cover_the_truth_at_length(models: int, items: int) -> None:
    covered = coverage(models, items, 5000)
    print(f"published twin slope, {models} models, {items} items: {covered:.4f}")
    assert covered == pytest.approx(0.95, abs=0.02)


def sides(gap: float, kind: str, **more: object) -> dict[str, object]:
    """The row of `twin_gap` of twenty models on both sides of one twin."""
    rows: list[Row] = []
    for index in range(20):
        rows.append(result("old", f"m{index}", 0.4 + 0.02 * index, n_items=1000, reporter="self"))
        rows.append(result("new", f"m{index}", 0.4 + 0.02 * index - gap + 0.004 * (index % 3), n_items=1000))
    pair = twin_pair("t", "old", "new", kind=kind, **more)
    table = twin_tables(frames(rows, twin_pairs=[pair]), np.random.default_rng(4), empty("design_effect")).twin_gap
    assert table.schema == PUBLISHED["twin_gap"]
    return table.row(0, named=True)


def test_a_gap_is_held_against_the_draw_of_items() -> None:
    small, large = sides(0.01, "fresh sample"), sides(0.15, "fresh sample")
    assert small["cause"] == "chance" and small["case"] == "gap_chance"
    assert str(large["cause"]).startswith("distribution")
    assert large["gap_error"] == pytest.approx(2.17, abs=0.1)  # points: two samples of 1,000 items near one half
    assert large["noise"] is not None and sides(0.15, "harder variant")["noise"] is None


def test_a_rerun_is_read_from_makers_and_from_others() -> None:
    rows = [
        result(
            "a",
            f"m{index}",
            0.5 + 0.02 * index + (0.05 if reporter == "self" else 0.0),
            reporter=reporter,
            source_id=source,
        )
        for index in range(4)
        for source, reporter in (("makers", "self"), ("lab", "third_party"), ("lab", "self"))
    ]
    pair = twin_pair("t", "a", "a", kind="independent rerun", source_id="makers", other_source_id="lab")
    tables = twin_tables(frames(rows, twin_pairs=[pair]), np.random.default_rng(4), empty("design_effect"))
    gap = tables.twin_gap.row(0, named=True)
    assert gap["gap"] == pytest.approx(5) and gap["cause"] == "preparation"
    assert (gap["source_id"], gap["other_source_id"]) == ("makers", "lab")
    assert tables.twin_robustness.is_empty()


def test_what_a_leak_would_take_is_said_where_items_are_others() -> None:
    fresh, variant = sides(0.05, "fresh sample", test="difference"), sides(0.05, "harder variant", test="difference")
    assert 0 < float(str(fresh["power10"])) < float(str(fresh["power30"])) <= 1
    assert variant["power10"] is None and variant["power_numbers"] != fresh["power_numbers"]
    assert variant["detectable"] == fresh["detectable"]
    assert fresh["power_numbers"] is not None
