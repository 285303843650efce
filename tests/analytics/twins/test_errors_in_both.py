"""Lines with errors in both scores: known truth recovered and covered, and the published lines of real tables."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.regression import least_squares, logit, probit
from benchhealth.analytics.statistics.units.line import SharedLine, shared_line
from benchhealth.analytics.twins.gap import Gains, fading_p, gap_case, gap_cause
from benchhealth.analytics.twins.uncertainty import MeanGap
from benchhealth.dashboard.words.prose.cases import PUBLISHED, SENTENCES
from benchhealth.dashboard.words.prose.template import filled_template
from tests.support.upstream import needs_upstream, versions

REGISTRY = Path(__file__).resolve().parents[3] / "data" / "registry"
CIFAR_ITEMS, CIFAR_V4_ITEMS = 10_000, 2_021


def noisy(rng: np.random.Generator, n: int, slope: float, items: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """n models on a line with some scatter, both sides with binomial noise; scores in points, error of the first."""
    truth = rng.uniform(0.55, 0.8, n)
    other = 0.1 + slope * (truth - 0.1) + 0.01 * rng.standard_normal(n)
    seen = rng.binomial(items, truth) / items
    error = np.sqrt(seen * (1 - seen) / items)
    return 100 * seen, 100 * rng.binomial(items, other.clip(0, 1)) / items, 100 * error


def covered(n: int, runs: int) -> tuple[float, float, float]:
    """Share of intervals over the true slope, and the median slopes with and without correction."""
    rng = np.random.default_rng(11)
    inside, corrected, plain = 0, [], []
    for _ in range(runs):
        x, y, error = noisy(rng, n, 0.9, 400)
        line, simple = shared_line(x, y, np.arange(x.size), error**2), least_squares(x, y)
        assert line is not None and simple is not None
        inside += line.slope_low <= 0.9 <= line.slope_high
        corrected.append(line.slope)
        plain.append(simple.slope)
    return inside / runs, float(np.median(corrected)), float(np.median(plain))


def test_noise_in_the_original_flattens_the_line_and_is_taken_off() -> None:
    share, corrected, plain = covered(60, 400)
    assert plain < 0.87
    assert corrected == pytest.approx(0.9, abs=0.015)
    assert share == pytest.approx(0.95, abs=0.04)


@pytest.mark.soak
@pytest.mark.parametrize("n", [30, 60, 200])
def test_intervals_of_corrected_slopes_cover_the_truth(n: int) -> None:
    share, corrected, _ = covered(n, 5000)
    print(f"slope with errors in both, {n} models: {share:.4f}")
    assert share == pytest.approx(0.95, abs=0.02)
    assert corrected == pytest.approx(0.9, abs=0.01)


def test_without_errors_it_is_least_squares() -> None:
    rng = np.random.default_rng(1)
    x = rng.random(20)
    y = 2 * x + 0.1 * rng.random(20)
    line, simple = shared_line(x, y, np.arange(20)), least_squares(x, y)
    assert line is not None and simple is not None
    assert (line.slope, line.intercept, line.noise) == pytest.approx((simple.slope, simple.intercept, 0), abs=1e-9)


def test_undefined_lines_are_none() -> None:
    three = [0, 1, 2]
    assert shared_line([1, 2], [1, 2], [0, 1]) is None
    assert shared_line([1, 1, 1], [1, 2, 3], three) is None
    assert shared_line([1, 2, 3], [1, 2, 3], three, 81) is None
    assert shared_line([1, 2, 3], [1, 2, 3], three, [0, np.nan, 0]) is None
    assert shared_line([1, 2, 3, 4], [1, 2, 3, 4], [0, 0, 1, 1]) is None
    assert shared_line([1, 1, 1, 2], [1, 2, 3, 4], [0, 1, 2, 3]) is None  # without the last no line is left
    assert shared_line([], [], []) is None
    with pytest.raises(ValueError, match="one length"):
        shared_line([1, 2, 3], [1, 2], three)


def test_fading_gains_are_found_and_full_ones_are_not() -> None:
    rng = np.random.default_rng(2)
    drawn = [noisy(rng, 100, slope, 5000) for slope in (0.8, 1.0)]
    fading, full = (shared_line(x, y, np.arange(100), error**2) for x, y, error in drawn)
    assert fading is not None and full is not None
    assert fading_p(fading) < 0.001 < fading_p(full)
    exact, flat = (shared_line([1, 2, 3], [slope, 2 * slope, 3 * slope], [0, 1, 2]) for slope in (2, 0.5))
    assert exact is not None and fading_p(exact) == 1
    assert flat is not None and fading_p(flat) == 1 / 8  # three models can carry no more


def test_scales_place_exact_zeros_by_half_an_item() -> None:
    for scale in (probit, logit):
        placed = scale([0.0, 0.5, 1.0, 0.0, 1.2], [100, 100, 100, np.nan, 100])
        assert placed[1] == 0 and placed[0] == pytest.approx(-placed[2])
        assert np.isfinite(placed[:3]).all() and np.isnan(placed[3:]).all()
    assert logit([0.0], [100])[0] == pytest.approx(np.log(0.005 / 0.995))


def test_gaps_are_named_only_where_they_can_be_told_apart() -> None:
    expected = {
        ("harder variant", 9.0, 1.0, 0.5): ("design", "not split"),
        ("independent rerun", 9.0, 1.0, 0.5): ("preparation", "none of the three"),
        ("fresh sample", 1.0, 1.0, 0.5): ("chance", "generalisation gap"),
        ("live split", -1.0, 1.0, 0.01): ("chance", "generalisation gap"),
        ("fresh sample", 9.0, None, 0.5): ("unknown", "cannot be held against chance"),
        ("fresh sample", None, None, None): ("unknown", "no gap to name"),
        ("fresh sample", 9.0, 1.0, None): ("distribution or adaptivity", "cannot separate"),
        ("fresh sample", 9.0, 1.0, 0.01): ("distribution or adaptivity", "cannot separate the two"),
        ("fresh sample", 9.0, 1.0, 0.9): ("distribution", "no adaptivity gap needs to be assumed"),
    }
    slopes = {None: None, 0.01: Gains(line(0.8)), 0.5: Gains(line(1.0)), 0.9: None}
    slopes[0.9] = Gains(line(1.1))
    for (kind, gap, error, p), (cause, split) in expected.items():
        assert gap_cause(kind, over(gap, error), p) == cause
        assert split in sentence(kind, gap, error, slopes[p])


def over(gap: float | None, error: float | None) -> MeanGap | None:
    """A mean gap over many models with that error."""
    if gap is None:
        return None
    ends = (None, None) if error is None else (gap - Z95 * error, gap + Z95 * error)
    return MeanGap(gap, error, *ends, None, 20, "bound")


def sentence(kind: str, gap: float | None, error: float | None, gains: Gains | None, scale: str = "probit") -> str:
    """What the row of such a twin says."""
    case = gap_case(kind, over(gap, error), gains)
    row: dict[str, Any] = {"case": case, "kind": kind, "gap": gap, "gap_error": error, "gap_basis": "bound"}
    row |= {"scale": scale, "numbers": None}
    if gains is not None:
        row |= {name: getattr(gains.line, name) for name in ("slope", "slope_low", "slope_high")}
        slope = gains.points and gains.points.slope
        row |= {"fading_p": gains.p, "numbers": [float(gains.line.n), slope]}
    return filled_template(SENTENCES[row["case"]], row, PUBLISHED)


def line(slope: float) -> SharedLine:
    """Twenty models on a line with a little scatter."""
    x = np.arange(20.0)
    fitted_line = shared_line(x, slope * x + 0.1 * np.cos(7 * x), x)
    assert fitted_line is not None
    return fitted_line


def test_a_slope_is_read_once() -> None:
    """A slope that fades on one scale and not on the other is no evidence for a cause, and none against one."""
    both = sentence("fresh sample", 9.0, 1.0, Gains(line(0.8), points=line(1.2)))
    assert "depends on the scale" in both and "do not tell an adaptivity gap" in both
    assert "p below 0.001" in both and "over 20 results" in both
    assert "comes with 1.20 on the second" in both
    for other in (None, line(0.9)):
        one = sentence("fresh sample", 9.0, 1.0, Gains(line(0.8), points=other))
        assert "fade on the twin (slope 0.80" in one and "hangs" not in one
    assert "speaks against" not in both


@needs_upstream
def test_testbed_validation_to_v2() -> None:
    table = versions("modestyachts/imagenet-testbed", "robustness_top1s.csv")[-1].table()
    run = [(row["val"], row["imagenetv2-matched-frequency"]) for row in table]
    x, y = np.array([(float(left), float(right)) for left, right in run if left and right]).T
    assert x.size == 335
    linear = least_squares(x, y)
    unknown = np.full(x.size, np.nan)
    curved = least_squares(probit(x / 100, unknown), probit(y / 100, unknown))
    assert linear is not None and curved is not None
    assert linear.slope == pytest.approx(0.875, abs=0.005)
    assert linear.r2 == pytest.approx(0.996, abs=0.0005)
    assert curved.slope == pytest.approx(0.915, abs=0.0005)
    assert curved.intercept == pytest.approx(-0.284, abs=0.0005)
    assert curved.r2 == pytest.approx(0.999, abs=0.0005)


def test_cifar_10_to_10_1_with_errors_in_both() -> None:
    with (REGISTRY / "paper_cifar.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    x, y = np.array([(float(row["cifar-10"]), float(row["cifar-10.1-v4"])) for row in rows]).T
    line = least_squares(x, y)
    assert line is not None
    assert line.slope == pytest.approx(1.617, abs=0.01)
    assert 100 * (x - y).mean() == pytest.approx(8.11, abs=0.01)
    corrected = shared_line(x, y, np.arange(x.size), x * (1 - x) / CIFAR_ITEMS)
    assert corrected is not None and corrected.slope > line.slope  # noise in the original only hides slope
    assert corrected.noise < 0.02
    assert fading_p(corrected) > 0.99
    error = 100 * float(np.sqrt((y * (1 - y)).mean() / CIFAR_V4_ITEMS))
    text = sentence("fresh sample", 8.11, error, Gains(corrected), "linear")
    assert "a distribution gap would explain it" in text
