"""What may be recommended instead of a benchmark, and what the rest lack."""

from typing import Any

import polars as pl

from benchhealth.dashboard.pages.benchmark.alternatives import _measures, kin, lacks

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


def measures(room: float | None, **changes: object) -> bool:
    frame = pl.DataFrame([{**ROW, **changes}], schema_overrides={"flags": pl.List(pl.String), "apart": pl.Float64})
    return bool(frame.select(_measures(room)).item())


def test_what_still_measures_fits_and_what_is_not_known_well_enough_does_not() -> None:
    assert measures(None)
    assert not measures(0.0, fresh=False)
    assert not measures(0.0, models=4)
    assert not measures(0.0, apart=None)
    assert not measures(0.0, flags=["dormant"])
    assert not measures(0.0, stage="unknown")


def test_what_is_running_out_needs_clearly_more_room_and_a_top_that_can_be_told_apart() -> None:
    running_out = {"stage": "compressing", "headroom": 0.2}
    assert measures(0.007, **running_out)
    assert not measures(0.15, **running_out)
    assert not measures(None, **running_out)
    assert not measures(0.007, **running_out, apart=0.1)


def test_what_a_benchmark_lacks_is_said() -> None:
    assert lacks(ROW) == []
    assert lacks({**ROW, "models": 0}) == ["no result is on record"]
    assert lacks({**ROW, "apart": None, "own": 1.0}) == [
        "not known whether its top five differ beyond error",
        "all results are the makers' own",
    ]


def test_code_written_by_hand_and_by_agents_is_kin() -> None:
    assert kin("code") == kin("agentic-code") == {"code", "agentic-code"}
    assert kin("games") == {"games"}
    assert kin(None) == frozenset()
