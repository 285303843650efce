"""How many are saturated is one count, and what the survival curves count of them adds up."""

from datetime import date

import polars as pl

from benchhealth.analytics.answers.counts import Saturated, saturated_counts
from benchhealth.analytics.answers.stage import SEEN_AT_ONCE, SEEN_THROUGH
from benchhealth.analytics.record.tables import PUBLISHED
from tests.support.answers import rows_of

DAY = date(2026, 1, 1)


def test_those_that_were_watched_are_told_apart_from_the_others() -> None:
    cases = [
        ("a", "exhausted", [SEEN_THROUGH]),
        ("b", "exhausted", [SEEN_AT_ONCE]),
        ("c", "exhausted_and_crowded", []),
        ("d", "narrow", [SEEN_THROUGH]),
        ("e", "measures", []),
        ("other", "exhausted", []),
    ]
    near = {"f": ["compressing", "saturated"]}
    cases.append(("f", "exhausted", []))
    rows = [
        {
            **{"benchmark_id": one, "question": "stage", "case": case, "evidence": keys, "known_until": DAY},
            "between": near.get(one, []),
        }
        for one, case, keys in cases
    ]
    counts = saturated_counts(rows_of(PUBLISHED["answer"], rows), pl.Series(list("abcdef")))
    assert counts == Saturated(benchmarks=6, saturated=3, watched=1, known_until=DAY)
