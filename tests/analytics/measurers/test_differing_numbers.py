"""In what numbers of one model on one benchmark are unlike, worked by hand."""

from datetime import date

import polars as pl
import pytest

from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.schedule import run
from tests.support.frames import Row, benchmark, frames, result


def differing(rows: list[Row]) -> pl.DataFrame:
    named = sorted({str(row["benchmark_id"]) for row in rows})
    facts = frames(rows, [benchmark(name, n_items=100) for name in named])
    table: pl.DataFrame = run(ENTRIES, {"frames": facts, "as_of": date(2026, 1, 1)}, ("differing_number",))[
        "differing_number"
    ]
    return table


def test_each_number_is_held_against_the_one_that_ranks_the_model() -> None:
    numbers = differing(
        [
            result("a", "m", 0.848, reporter="self", source_id="maker", setting="maj@64", date_basis="model_release"),
            result("a", "m", 0.661, source_id="epoch", dated_on=date(2025, 2, 24)),
            result("a", "m", 0.672, source_id="epoch", dated_on=date(2025, 3, 24), setting="16k", source_row="2"),
            result("a", "other", 0.5),
        ]
    )
    assert numbers.schema == PUBLISHED["differing_number"]
    assert numbers.select("model_id", "place", "score").rows() == [("m", 1, 0.848), ("m", 2, 0.672), ("m", 3, 0.661)]
    assert numbers["unlike"].to_list() == [[], ["setting", "reporter"], ["setting", "reporter"]]
    assert numbers["difference"].to_list() == [None, pytest.approx(-0.176), pytest.approx(-0.187)]
    error = (0.848 * 0.152 / 100 + 0.661 * 0.339 / 100) ** 0.5
    assert numbers["difference_error"][2] == pytest.approx(error)
    assert numbers["within"].to_list() == [None, False, False]


def test_days_names_and_houses_are_compared_where_both_say_them() -> None:
    numbers = differing(
        [
            result("a", "m", 0.66, source_id="lab", dated_on=date(2025, 2, 24)),
            result("a", "m", 0.64, source_id="house", dated_on=date(2025, 5, 1), published_name="m-0513", n_items=90),
            result("a", "m", 0.62, source_id="third", date_basis="model_release", published_name="M"),
        ]
    )
    assert numbers["unlike"].to_list() == [[], ["house", "name", "items", "day"], ["house"]]
    assert numbers["within"].to_list() == [None, True, True]
    assert numbers["against_source_id"].unique().to_list() == ["lab"]


def test_one_number_that_several_print_is_no_difference_and_neither_is_one_alone() -> None:
    same = [result("a", "m", 0.661, source_id=name) for name in ("lab", "house")]
    assert differing([*same, result("b", "m", 0.3)]).is_empty()
