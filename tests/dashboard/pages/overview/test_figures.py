"""The map and what it is drawn of."""

from datetime import date

import polars as pl
import pytest

from benchhealth.dashboard.pages.overview.figures import map as map_figure
from benchhealth.dashboard.published.benchmarks import family, is_alive, is_fresh, is_old, sparklines


def test_sparklines_carry_the_running_best_at_equal_distances_between_chance_and_ceiling() -> None:
    frontier = pl.DataFrame(
        {
            "benchmark_id": ["exam"] * 3,
            "dated_on": [date(2020, 1, 1), date(2020, 1, 31), date(2021, 1, 30)],
            "score": [0.5, 0.9, 0.9],
            "carried": [False, False, True],
        }
    )
    facts = pl.DataFrame({"benchmark_id": ["exam"], "floor": [0.25], "ceiling": [1.0]})
    line = sparklines(frontier, facts, width=4).row(0, named=True)["frontier"]
    assert line == pytest.approx([1 / 3, 0.65 / 0.75, 0.65 / 0.75, 0.65 / 0.75])
    assert sparklines(frontier.clear(), facts).is_empty()


@pytest.mark.parametrize(
    ("stage", "flags", "age", "alive"),
    [
        ("discriminating", [], 2.0, True),
        ("discriminating", ["gap"], 6.0, True),
        ("discriminating", ["dormant"], 2.0, False),
        ("discriminating", [], 6.5, False),
        ("discriminating", [], None, False),
        ("saturated", [], 2.0, False),
    ],
)
def test_alive_is_what_discriminates_is_reported_and_was_looked_at(
    stage: str, flags: list[str], age: float | None, *, alive: bool
) -> None:
    schema = {"stage": pl.String, "flags": pl.List(pl.String), "age_months": pl.Float64}
    row = pl.DataFrame([(stage, flags, age)], schema=schema, orient="row")
    sure = row.with_columns(between=pl.lit([], pl.List(pl.String)))
    assert sure.select(is_alive()).item() is alive
    assert not sure.with_columns(between=pl.lit(["discriminating", "compressing"])).select(is_alive()).item()
    assert row.select(is_fresh()).item() is (age is not None and age <= 6)
    assert row.select(is_old()).item() is (age is None or age > 18)


def test_releases_parts_and_boards_of_one_arena_are_one_family() -> None:
    rows = pl.DataFrame(
        [
            ("live-2026-01-08", "Live, release of 2026-01-08"),
            ("live-2025-01-08", "Live, release of 2025-01-08"),
            ("tau/voice", "tau: voice"),
            ("tau", "tau"),
            ("arena-video", "LMArena video"),
            ("lmarena-text", "Chatbot Arena / LMArena"),
        ],
        schema=["benchmark_id", "name"],
        orient="row",
    )
    assert rows.select(family()).to_series().to_list() == ["live"] * 2 + ["tau"] * 2 + ["LMArena"] * 2


def test_what_is_not_on_the_map_has_its_own_reason() -> None:
    rows = pl.DataFrame({"headroom": [None, 0.5, None], "best": [None, 0.5, 1400.0]})
    assert map_figure._left_out(rows) == (
        " 3 more are in the table only: 1 without a result that counts, 1 without a release day and 1 "
        "without a known ceiling."
    )
    assert not map_figure._left_out(rows.clear())
