"""The best of several entries by one organisation."""

import numpy as np
import pytest

from benchhealth.analytics.goodhart.measure import MeasureInputs
from benchhealth.analytics.goodhart.selection import FEWEST_ORGANISATIONS, best_of_several
from benchhealth.analytics.statistics.best_of_n import expected_best
from tests.analytics.goodhart.measure_inputs import by_subject, inputs, measure_rows
from tests.support.frames import benchmark, result
from tests.support.reason_sentences import reason

TRIES = 10


def board(spread: float, error: float = 0.02, tries: int = TRIES, **more: object) -> MeasureInputs:
    rng = np.random.default_rng(1)
    rows, models = [], []
    for organisation in range(FEWEST_ORGANISATIONS):
        for index in range(tries):
            name = f"o{organisation}-{index}"
            score = 0.6 + 0.02 * organisation + spread * rng.normal() + error * rng.normal()
            rows.append(result("exam", name, score, std_error=error))
            models.append({"model_id": name, "organisation": f"Org {organisation}"})
    return inputs(rows, [benchmark("exam", **more)], models=models)


def test_equal_entries_are_overstated_by_the_best_of_their_errors() -> None:
    on = board(0.0)
    noise = by_subject(measure_rows(best_of_several, on, "best_of_n_by_noise"))
    assert set(noise) == {f"exam: Org {index}" for index in range(FEWEST_ORGANISATIONS)}
    assert noise["exam: Org 0"].value == pytest.approx(100 * 0.02 * expected_best(TRIES), rel=1e-6)
    excess = measure_rows(best_of_several, on, "best_of_n_excess")
    lead = by_subject(measure_rows(best_of_several, on, "best_over_typical"))
    for row in excess:
        assert row.value is not None
        assert 0 < row.value <= float(lead[row.subject].value or 0) + 1e-9


def test_an_entry_far_above_the_rest_is_not_drawn_back() -> None:
    excess = measure_rows(best_of_several, board(0.2, error=0.001), "best_of_n_excess")
    assert all(row.status == "insufficient" for row in excess)
    assert all("could have come first by chance" in reason(row) for row in excess)


def test_lead_over_the_mean_stands_beside_what_the_tries_alone_give() -> None:
    on = board(0.05)
    lead = measure_rows(best_of_several, on, "best_over_typical")
    expected = measure_rows(best_of_several, on, "best_over_typical_expected")
    ratio = np.mean([a.value / b.value for a, b in zip(lead, expected, strict=True) if a.value and b.value])
    assert ratio == pytest.approx(1, abs=0.25)


def test_lower_is_better_and_open_scales_read_alike() -> None:
    turned = by_subject(measure_rows(best_of_several, board(0.0, higher_is_better=False), "best_of_n_excess"))
    assert all(row.value is None or row.value > 0 for row in turned.values())
    plain = by_subject(measure_rows(best_of_several, board(0.0, unit="rating"), "best_of_n_by_noise"))
    assert plain["exam: Org 0"].value == pytest.approx(0.02 * expected_best(TRIES), rel=1e-6)


def test_too_few_entries_are_said_to_be_few() -> None:
    for on in (board(0.0, tries=4), inputs([])):
        assert {row.status for row in measure_rows(best_of_several, on)} == {"insufficient"}
