from typing import Any

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.graph import ENTRIES, GIVEN
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.schedule import run
from benchhealth.analytics.verdict.ceilings import kind_of
from tests.analytics.record.test_conditions import AS_OF, NO_TOOLS, TOOLS, five, judged, of
from tests.support.frames import benchmark, frame, frames


def ceilings(facts: Frames) -> pl.DataFrame:
    rngs = {name: np.random.default_rng(1) for name in GIVEN if name.endswith("_rng")}
    given = {"frames": facts, "as_of": AS_OF, **rngs}
    table: pl.DataFrame = run(ENTRIES, given, ("condition_headroom",))["condition_headroom"]
    return table


def row_of(facts: Frames) -> dict[str, Any]:
    return ceilings(facts).row(0, named=True)


def test_a_ceiling_made_by_tools_is_told_from_what_is_left_without() -> None:
    row = row_of(judged([*five("no tools", 0.62), *five("tools", 0.97)], NO_TOOLS, TOOLS))
    assert (row["condition"], row["models"], row["others"]) == ("no tools", 5, 1)
    assert row["headroom"] == pytest.approx(0.38)
    assert row["headroom_raw"] == pytest.approx(0.03)
    assert (row["raw_condition"], row["made_by"], row["kinds"]) == ("tools", "tools", ["help"])
    assert (row["stage"], row["stage_raw"]) == ("compressing", "saturated")


def test_where_the_leader_is_of_the_condition_nothing_made_the_ceiling() -> None:
    row = row_of(judged([*five("no tools", 0.97), *five("tools", 0.62)], NO_TOOLS, TOOLS))
    assert row["headroom"] == row["headroom_raw"] == pytest.approx(0.03)
    assert (row["made_by"], row["kinds"]) == (None, [])


def test_a_leader_that_lacks_a_word_of_the_condition_is_said_to() -> None:
    judge = {**TOOLS, "condition": "one judge", "kind": "judge", "is_reference": True, "pattern": "judge"}
    rows = [*five("no tools, judge", 0.62), *five("no tools", 0.97)]
    row = row_of(judged(rows, {**NO_TOOLS, "pattern": "no tools"}, judge))
    assert (row["condition"], row["made_by"]) == ("no tools, one judge", "without one judge")


def test_a_benchmark_of_one_condition_has_the_same_twice() -> None:
    row = row_of(judged(five("no tools", 0.97), NO_TOOLS))
    assert (row["others"], row["made_by"]) == (0, None)
    assert row["headroom"] == row["headroom_raw"]
    assert (row["stage"], row["condition"]) == (row["stage_raw"], row["raw_condition"])


def test_without_a_known_chance_headroom_is_counted_from_the_worst_score() -> None:
    facts = judged(
        [*five("no tools", 0.62), *five("tools", 0.97)], NO_TOOLS, TOOLS, benchmarks=[benchmark("exam", floor=None)]
    )
    row = row_of(facts)
    assert row["chance_known"] is False
    assert row["headroom"] == pytest.approx(0.38)


def test_an_open_ended_scale_and_a_condition_without_results_have_none() -> None:
    rating = judged(
        [*five("no tools", 0.6), *five("tools", 0.9)],
        NO_TOOLS,
        TOOLS,
        benchmarks=[benchmark("exam", unit="rating", floor=None, ceiling=None)],
    )
    assert row_of(rating)["headroom"] is None
    elsewhere = row_of(judged(five("tools", 0.97), NO_TOOLS, TOOLS))
    assert (elsewhere["condition"], elsewhere["models"], elsewhere["stage"]) == ("no tools", 0, "unknown")
    assert elsewhere["headroom"] is None


def test_without_results_the_table_is_empty() -> None:
    table = ceilings(frames())
    assert table.height == 0
    assert table.schema == PUBLISHED["condition_headroom"]


def test_words_are_of_the_kind_of_their_rule() -> None:
    table = frame(
        "condition",
        [
            NO_TOOLS,
            {**TOOLS, "condition": "{}", "kind": "subset", "benchmark_id": "*"},
            {**TOOLS, "condition": "scaffold {}", "benchmark_id": "*"},
        ],
    )
    assert kind_of("no tools", table) == "help"
    assert kind_of("scaffold mini", table) == "help"
    assert kind_of("semi-private", table) == "subset"
    assert kind_of("as reported", table) == "as reported"
    assert kind_of("anything", frame("condition", [NO_TOOLS])) is None
    assert of("")["kind"] == "model"
