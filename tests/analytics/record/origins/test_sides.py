"""Whose number a result is: the maker's, by others, or of nobody who is known; a copy is of its original."""

import polars as pl

from benchhealth.analytics.record.origins.copies import copies
from benchhealth.analytics.record.origins.sides import SUBMITTED, with_sides
from benchhealth.analytics.record.tables import empty
from tests.support.frames import benchmark, frames, passing_on, result


def test_each_side_is_named_and_a_copy_is_of_its_original() -> None:
    rows = [
        result("a", "passed", 0.5, source_id="hub"),
        result("a", "measured", 0.4, source_id="lab"),
        result("a", "claimed", 0.3, source_id="maker", reporter="self"),
        result("a", "handed", 0.2, source_id=SUBMITTED[0], reporter="self"),
        result("a", "quoted", 0.6123, source_id="maker", reporter="self"),
        result("a", "quoted", 0.6123, source_id="hub"),
    ]
    facts = passing_on(frames(rows, [benchmark("a")]), "hub")
    alone = with_sides(facts.result, facts.measurer, empty("copy")).collect()
    sides = dict(alone.select(pl.format("{} {}", "model_id", "source_id"), "side").iter_rows())
    assert sides == {
        "passed hub": None,
        "measured lab": "others",
        "claimed maker": "self",
        f"handed {SUBMITTED[0]}": None,
        "quoted maker": "self",
        "quoted hub": None,
    }
    made = with_sides(facts.result, facts.measurer, copies(facts)).collect()
    assert made.filter(pl.col("model_id") == "quoted")["side"].to_list() == ["self", "self"]
    assert made.drop("side").equals(facts.result.collect()), "what a source says of itself stays as it is"
