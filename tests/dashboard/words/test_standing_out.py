"""Models that stand out: the gap, the chance, what was not seen, and that nobody is accused."""

from datetime import date

import polars as pl

from benchhealth.dashboard.pages.trust.rung_tables import TESTS
from benchhealth.dashboard.words.prose.contamination import (
    OTHERWISE,
    excess_text,
    false_alarm_text,
    missed_leak_text,
    standing_out_sentence,
)

ROW = {"value": 7.2, "low": 4.02, "high": 10.38, "p_value": 0.0005, "q_value": 0.007, "detectable": 0.37}


def test_each_row_says_gap_chance_and_what_would_have_been_missed() -> None:
    assert excess_text(ROW) == "7.2 points (4.0 to 10.4)"
    assert false_alarm_text(ROW) == "1 in 2,000 by chance; 0.7% of findings as strong"
    assert false_alarm_text({**ROW, "p_value": 1e-9}).startswith("rarer than 1 in 1,000,000")
    assert missed_leak_text(ROW) == "most leaks of less than 37% of the items"
    assert "of all items" in missed_leak_text({**ROW, "detectable": None})
    assert set(OTHERWISE) == set(TESTS), "each test has what else explains it"


def test_the_finding_counts_pairs_until_a_day_and_accuses_nobody() -> None:
    tested = pl.DataFrame(
        {"model_id": ["a", "b", "c"], "benchmark_id": ["x", "x", "y"], "known_until": [date(2026, 8, 22)] * 3}
    )
    sentence = standing_out_sentence(tested, tested.head(1))
    assert sentence.startswith(
        "**1 of 3 tested pairs of a model and a benchmark scores higher than expected**: 1 model"
    )
    assert "data to Aug 2026" in sentence and "not about anyone's conduct" in sentence
    assert "no proof of clean models" in standing_out_sentence(tested, tested.clear())
    assert standing_out_sentence(tested.clear(), tested.clear()).startswith("No model has been tested")
