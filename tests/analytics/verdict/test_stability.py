"""Which verdicts hang on a comma: thresholds moved by a fifth, one by one and together."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.verdict.threshold_stability import DRAWS, moved_limits, names, stabilities
from benchhealth.analytics.verdict.verdict import SIDES_BEFORE, judge
from tests.support.verdicts import AS_OF, LIMITS, indicator_table

FULL = {"n_models": 30, "age_months": 40, "months_since_look": 1, "months_since_result": 1, "resolution_top5": 0.0}
"""A benchmark that was looked at, with models and a top that cannot be told apart."""


def stability(*headrooms: float) -> pl.DataFrame:
    table = indicator_table([{**FULL, "headroom": (room, room, room)} for room in headrooms])
    return stabilities(table, LIMITS, SIDES_BEFORE.to_frame(), np.random.default_rng(1))


def test_a_verdict_far_from_every_threshold_holds_under_all_rules_nearby() -> None:
    row = stability(0.001).row(0, named=True)
    assert (row["stage"], row["same"], row["other"], row["hangs_on"]) == ("saturated", 1.0, None, [])


def test_a_verdict_that_hangs_on_a_comma_names_the_threshold() -> None:
    row = stability(LIMITS.exhausted_headroom - 0.001).row(0, named=True)
    assert row["stage"] == "saturated" and "exhausted_headroom" in row["hangs_on"]
    assert row["other"] == "compressing" and 0.3 < row["same"] < 0.7
    assert row["draws"] == DRAWS


def test_stages_are_those_of_the_verdicts() -> None:
    table = indicator_table([{**FULL, "headroom": room} for room in (0.01, 0.2, 0.6)] + [{}])
    stability_table = stabilities(table, LIMITS, SIDES_BEFORE.to_frame(), np.random.default_rng(1))
    assert stability_table.schema == PUBLISHED["verdict_stability"]
    assert stability_table["stage"].to_list() == judge(table, LIMITS, AS_OF)["stage"].to_list()


@given(st.floats(0.8, 1.2), st.sampled_from(names()))
def test_a_limit_moves_by_no_more_than_a_fifth_or_one(factor: float, name: str) -> None:
    before, after = getattr(LIMITS, name), getattr(moved_limits(LIMITS, {name: factor}), name)
    assert type(after) is type(before)
    assert abs(after - before) <= max(abs(before) * 0.2, 1 if isinstance(before, int) else 0) + 1e-12
    assert moved_limits(LIMITS, {}) == LIMITS


@pytest.mark.parametrize("factor", [0.8, 1.2])
def test_a_count_moves_too(factor: float) -> None:
    assert moved_limits(LIMITS, {"min_models": factor}).min_models == (4 if factor < 1 else 6)
    assert moved_limits(LIMITS, {"makers_mentioning": factor}).makers_mentioning == (1 if factor < 1 else 2)
