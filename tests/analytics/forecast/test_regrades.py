"""How far a published score may fall: by what its boards lowered, nothing after long watching, else as others do."""

from datetime import date, timedelta

import polars as pl
import pytest

from benchhealth.analytics.forecast.scale import ENOUGH_WATCHED, regrades
from benchhealth.analytics.forecast.series import known_results, series_of
from benchhealth.analytics.record.current import benchmark_facts, ranked_results
from benchhealth.analytics.record.edits import edits
from benchhealth.analytics.record.frontier import history_of
from tests.support.frames import Row, benchmark, frames, result

AS_OF = date(2026, 1, 1)


def watched(benchmark_id: str, n: int, days: int, falls: list[float]) -> list[Row]:
    """That many results, seen twice so many days apart, the first of them lowered."""
    first, on = AS_OF - timedelta(days=days), date(2024, 1, 1)
    before = [result(benchmark_id, f"m{index}", 0.9, dated_on=on, observed_on=first) for index in range(n)]
    down = [*falls, *[0.0] * (n - len(falls))]
    after = [result(benchmark_id, f"m{index}", 0.9 - down[index], dated_on=on, observed_on=AS_OF) for index in range(n)]
    return [*before, *after]


def test_a_fall_is_seen_excluded_or_unknown() -> None:
    rows = [
        *watched("few", ENOUGH_WATCHED - 1, 365, []),
        *watched("half", 5, 365, [0.02, 0.04, 0.06]),
        *watched("long", ENOUGH_WATCHED, 365, []),
        *watched("short", ENOUGH_WATCHED, 100, []),
    ]
    facts = frames(rows, [benchmark(name, floor=0.2, ceiling=1.0) for name in ("few", "half", "long", "short")])
    about = benchmark_facts(facts)
    ranked = ranked_results(facts, about)
    changed = edits(ranked)
    half = changed.row(by_predicate=pl.col("benchmark_id") == "half", named=True)
    assert (half["seen_again"], half["edited"], half["lowered"], half["watched_days"]) == (5, 3, 3, 365)
    series = series_of(known_results(history_of(ranked, AS_OF), facts.snapshot), about)
    shares = dict(zip(series.benchmark_ids, regrades(series, changed).tolist(), strict=True))
    of_room = 0.04 / 0.8
    assert shares == pytest.approx({"few": of_room, "half": of_room, "long": 0.0, "short": of_room})


def test_a_score_that_rose_is_no_fall() -> None:
    rows = watched("a", 3, 365, [-0.05])
    facts = frames(rows, [benchmark("a")])
    changed = edits(ranked_results(facts, benchmark_facts(facts)))
    assert changed.select("edited", "lowered", "fall").row(0) == (1, 0, None)
