"""Slopes of twins whose models answered the same items: the true one is covered, and full gains are seldom fading."""

from collections.abc import Iterator

import numpy as np
import pytest

from benchhealth.analytics.items.design_effects import design_effects
from benchhealth.analytics.twins.gap import FADING, fading_p
from benchhealth.analytics.twins.pairs import Pairs, families
from benchhealth.analytics.twins.uncertainty import NOT_MEASURED, Measured, mean_design_effects, twin_line
from tests.support.frames import frames, result, with_items
from tests.support.shared_items import Bank, twin_of

KIND = "fresh sample"


def twins(
    seed: int, runs: int, models: int, items: int, of_family: int = 1, *, items_known: bool = True
) -> Iterator[Pairs]:
    """Fresh samples of one population of items: what a point is worth on one it is worth on the other. Models of one
    family lie together, and err together on the twin."""
    rng, bank = np.random.default_rng(seed), Bank()
    count = models // of_family
    names = [
        f"{'abcdefghijklmnopqrstuvwxyz'[index // 26]}{'abcdefghijklmnopqrstuvwxyz'[index % 26]}"
        for index in range(count)
    ]
    model_ids = [f"{name}-{index}" for name in names for index in range(of_family)]
    for _ in range(runs):
        own_part, of_families = rng.standard_normal(models), np.repeat(rng.standard_normal(count), of_family)
        ability = 0.6 * (of_families if of_family == 1 else np.sqrt(0.5) * (own_part + of_families))
        off = 0.1 * np.repeat(rng.standard_normal(count), of_family) if of_family > 1 else 0.0
        sides = (bank.answered(rng, each, items) for each in (ability, ability + off))
        yield twin_of(*sides, model_ids, by_item=items_known)


def covered(pairs: Iterator[Pairs], shared: Measured = NOT_MEASURED) -> tuple[float, float]:
    """Share of published intervals that hold the true slope of 1, and of twins whose gains are said to fade."""
    lines = [twin_line(each, KIND, "probit", shared, corrected=True) for each in pairs]
    lines_found = [one.line for one in lines if one is not None]
    assert len(lines_found) == len(lines)
    inside = np.mean([line.slope_low <= 1 <= line.slope_high for line in lines_found])
    return float(inside), float(np.mean([fading_p(line) < FADING for line in lines_found]))


def elsewhere() -> Measured:
    """What shared items do on five other tests that are known item by item."""
    rng, bank = np.random.default_rng(77), Bank()
    rows, outcomes = [], {}
    for test in range(5):
        solved = bank.answered(rng, 0.6 * rng.standard_normal(30), 400)
        for index, one in enumerate(solved):
            address = f"t{test}:m{index}"
            rows.append(result(f"t{test}", f"m{index}", float(one.mean()), n_items=400, source_row=address))
            outcomes[address] = one
    return mean_design_effects(design_effects(with_items(frames(rows), outcomes)))


def test_slopes_on_shared_items_cover_the_truth_where_the_items_are_known() -> None:
    inside, fading = covered(twins(1, 300, 50, 300))
    assert inside == pytest.approx(0.95, abs=0.03)
    assert fading <= 0.07


def test_slopes_on_shared_items_cover_the_truth_where_others_are_known() -> None:
    shared = elsewhere()
    assert shared.benchmarks == 5
    inside, fading = covered(twins(2, 300, 50, 300, items_known=False), shared)
    assert inside == pytest.approx(0.95, abs=0.03)
    assert fading <= 0.07
    narrow, by_items = covered(twins(2, 100, 100, 300, items_known=False))
    assert narrow < 0.85 and by_items > 0.07  # what the scatter of the models alone says of the slope


@pytest.mark.soak
@pytest.mark.parametrize(
    ("models", "items", "of_family"), [(20, 500, 1), (50, 200, 1), (50, 500, 1), (100, 500, 1), (60, 500, 3)]
)
def test_slopes_on_shared_items_cover_the_truth_at_length(models: int, items: int, of_family: int) -> None:
    for name, items_known, shared in (("items", True, NOT_MEASURED), ("measured", False, elsewhere())):
        inside, fading = covered(twins(3, 2_000, models, items, of_family, items_known=items_known), shared)
        print(f"slope, {models} models in families of {of_family}, {items} items, {name}: {inside:.3f}, {fading:.3f}")
        assert inside == pytest.approx(0.95, abs=0.03)
        assert fading <= 0.07


def test_items_widen_the_interval_and_its_basis_is_named() -> None:
    pairs = next(twins(4, 1, 60, 300))
    twin_measured = twin_line(pairs, KIND, "probit", NOT_MEASURED)
    alone = twin_line(pairs._replace(outcomes_other=None), KIND, "probit", NOT_MEASURED)
    other = twin_line(pairs._replace(outcomes_other=None), KIND, "probit", Measured(0.5, 0.4, 3))
    same = twin_line(pairs, "independent rerun", "probit", Measured(0.5, 0.4, 3))
    assert twin_measured is not None and alone is not None and other is not None and same is not None
    assert [one.basis for one in (twin_measured, alone, other, same)] == ["items", "families", "measured", "families"]
    assert twin_measured.line.slope == alone.line.slope == other.line.slope
    assert min(twin_measured.line.slope_error, other.line.slope_error) > alone.line.slope_error == same.line.slope_error
    assert alone.line.design_effect == 1 < (other.line.design_effect or 0)
    assert other.line.by_items == pytest.approx(0.5 * 2 / 300 * other.line.slope**2)


def test_families_are_first_words_and_models_where_those_tell_too_few() -> None:
    assert families(["meta-llama/llama-3-8b", "qwen2.5-7b", "gpt-4", "gpt-4o"]) == ["llama", "qwen", "gpt", "gpt"]
    assert families(["m1", "m2", "n3"]) == ["0", "1", "2"]


def test_relatives_count_as_one() -> None:
    """Each model ten times over says no more than once, and to take the copies for ten makes the interval narrow."""
    pairs = next(twins(5, 1, 24, 400, items_known=False))
    again = Pairs(
        *(
            [f"{name}{suffix}" for name in pairs.model_id for suffix in "xyz"],
            *(np.repeat(side, 3) for side in pairs[1:9]),
        ),
        *pairs[9:],
    )
    once, thrice = (twin_line(each, KIND, "linear", NOT_MEASURED) for each in (pairs, again))
    assert once is not None and thrice is not None
    assert thrice.line.families == once.line.families == 24
    assert thrice.line.slope_error == pytest.approx(once.line.slope_error, rel=1e-6)
