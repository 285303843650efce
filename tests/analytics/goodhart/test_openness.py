"""Who sets the frontier, of models of which it is known whether their weights are open."""

from datetime import date

import pytest

from benchhealth.analytics.goodhart.openness import open_frontier
from tests.analytics.goodhart.measure_inputs import inputs, measure_rows
from tests.support.frames import result
from tests.support.reason_sentences import reason


def test_steps_and_entries_are_counted_by_year_among_the_known() -> None:
    rows, models = [], []
    for index in range(24):
        # Every other model steps up; of those the first three are open.
        steps = index % 2 == 0
        rows.append(
            result("a", f"m{index}", 0.3 + 0.02 * index if steps else 0.1, dated_on=date(2025, 1 + index // 2, 1))
        )
        models.append({"model_id": f"m{index}", "open_weights": index < 6})
    rows.append(result("a", "nobody-knows", 0.2, dated_on=date(2025, 1, 1)))
    by_measure = {
        row.measure: row for row in measure_rows(open_frontier, inputs(rows, models=models)) if row.year in {2025, None}
    }
    assert by_measure["frontier_open_weights"].value == pytest.approx(3 / 12)
    assert by_measure["entries_open_weights"].value == pytest.approx(6 / 24)
    assert reason(by_measure["entries_open_weights"]) == "24 of 25 are by models of which it is known"
    assert by_measure["frontier_open_code"].status == "insufficient"


def test_few_known_models_and_none_are_said() -> None:
    measured = measure_rows(open_frontier, inputs([result("a", "m", 0.5)]))
    assert {row.status for row in measured} == {"insufficient"}
    assert {row.status for row in measure_rows(open_frontier, inputs([]))} == {"insufficient"}
