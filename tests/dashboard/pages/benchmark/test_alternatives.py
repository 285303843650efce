"""What may be recommended instead of a benchmark, and what the rest lack."""

from typing import Any

from benchhealth.dashboard.pages.benchmark.alternatives import lacks

ROW: dict[str, Any] = {
    "models": 30,
    "fresh": True,
    "flags": [],
    "apart": 0.6,
    "own": 0.1,
    "known_until": None,
    "stage": "discriminating",
    "headroom": 0.4,
}


def test_what_a_benchmark_lacks_is_said() -> None:
    assert lacks(ROW) == []
    assert lacks({**ROW, "models": 0}) == ["no result is on record"]
    assert lacks({**ROW, "apart": None, "own": 1.0}) == [
        "not known whether its top five differ beyond error",
        "all results are the makers' own",
    ]
