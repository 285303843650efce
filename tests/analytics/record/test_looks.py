"""Until when boards, sources and benchmarks are known."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.assess import assess
from benchhealth.analytics.record.conditions.recognise import EXCLUDED
from benchhealth.analytics.record.current import benchmark_facts, ranked_results
from benchhealth.analytics.record.frames import EVERY_BOARD, Frames
from benchhealth.analytics.record.looks import Looks, looks
from tests.support.frames import Row, benchmark, frame, frames, result
from tests.support.soaking import examples

SAID, LOOKED, AS_OF = date(2025, 1, 1), date(2025, 6, 1), date(2026, 1, 1)


def of(facts: Frames, as_of: date = AS_OF) -> Looks:
    return looks(facts, ranked_results(facts, benchmark_facts(facts)), as_of)


def until(table: pl.DataFrame) -> dict[str, date]:
    return dict(table.select(table.columns[0], "known_until").iter_rows())


def looked_at(facts: Frames, *rows: tuple[str, str, date], kind: str = "board") -> Frames:
    """The facts with these looks alone, at sources of this kind."""
    look = [
        {"source_id": source, "board_id": board, "looked_at": datetime.combine(on, time())}
        for source, board, on in rows
    ]
    return replace(facts, look=frame("look", look), source=facts.source.with_columns(kind=pl.lit(kind)))


def one(**more: object) -> Row:
    return result("a", "m", 0.5, observed_on=SAID, dated_on=date(2024, 12, 1), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "known_until"),
    [("board", LOOKED), ("collection", LOOKED), ("crawl", SAID), ("paper", SAID), ("retired", SAID)],
)
def test_a_look_speaks_for_what_answers_and_no_further_than_a_copy_reaches(kind: str, known_until: date) -> None:
    look = of(looked_at(frames([one()]), ("lab", "lab/a", LOOKED), kind=kind))
    assert look.board.rows() == [("lab/a", "lab", "a", known_until, date(2024, 12, 1))]
    assert until(look.benchmark) == {"a": known_until}
    assert until(look.source) == {"lab": known_until}


def test_a_source_of_unknown_kind_proves_nothing_beyond_what_it_holds() -> None:
    facts = looked_at(frames([one()]), ("lab", "lab/a", LOOKED))
    unknown = replace(facts, source=facts.source.with_columns(kind=pl.lit(None, dtype=pl.String)))
    assert until(of(unknown).benchmark) == {"a": SAID}


def test_a_look_at_another_file_of_the_source_says_nothing_about_a_board() -> None:
    two = frames([one(), result("b", "m", 0.5, observed_on=SAID)])
    look = of(looked_at(two, ("lab", "lab/b", LOOKED)))
    assert until(look.benchmark) == {"a": SAID, "b": LOOKED}
    assert until(look.source) == {"lab": LOOKED}
    looks_of = of(looked_at(two, ("lab", EVERY_BOARD, LOOKED)))
    assert until(looks_of.benchmark) == {"a": LOOKED, "b": LOOKED}


def test_a_benchmark_is_known_until_the_latest_of_its_sources() -> None:
    rows = [one(), one(source_id="second"), one(source_id="third")]
    look = of(looked_at(frames(rows), ("second", "second/a", LOOKED), ("third", "third/a", date(2025, 3, 1))))
    assert until(look.benchmark) == {"a": LOOKED}
    assert until(look.board) == {"lab/a": SAID, "second/a": LOOKED, "third/a": date(2025, 3, 1)}


def test_a_board_that_is_not_ranked_says_nothing_about_an_open_ended_benchmark() -> None:
    rating = [benchmark("a", unit="rating", floor=None, ceiling=None)]
    rows = [one(), result("a", "m", 1100.0, source_id="other", observed_on=date(2024, 12, 1))]
    look = of(looked_at(frames(rows, rating), ("other", "other/a", LOOKED)))
    assert until(look.benchmark) == {"a": SAID}


def test_the_newest_result_of_a_board_is_a_dated_one_of_a_model_that_counts() -> None:
    rows = [
        one(),
        result("a", "there", 0.6, observed_on=SAID, dated_on=None, date_basis="snapshot"),  # type: ignore[arg-type]
        result("a", "expert", 0.9, observed_on=SAID, dated_on=SAID, kind="human"),
        result("a", "left_out", 0.9, observed_on=SAID, dated_on=SAID, condition=EXCLUDED),
    ]
    assert of(frames(rows)).board["newest_result_on"].to_list() == [date(2024, 12, 1)]


days = st.integers(0, 900).map(lambda number: date(2024, 1, 1) + timedelta(days=number))


@examples(8, soak=60)
@given(days, days, days, st.sampled_from(["board", "collection", "crawl", "paper", "retired"]))
def test_a_later_look_never_makes_a_benchmark_less_known(early: date, late: date, as_of: date, kind: str) -> None:
    early, late = min(early, late), max(early, late)
    facts = frames([one()])
    before = until(of(looked_at(facts, ("lab", "lab/a", early), kind=kind), as_of).benchmark)["a"]
    after = until(
        of(looked_at(facts, ("lab", "lab/a", early), ("lab", EVERY_BOARD, late), kind=kind), as_of).benchmark
    )["a"]
    assert before <= after <= as_of


STALENESS = ("months_since_look", "forecast_6_months", "forecast_12_months")
"""What the day of the assessment decides; of a forecast its note alone, which says that the day has passed."""


def test_an_assessment_beyond_all_looks_changes_nothing_but_how_long_ago_they_were() -> None:
    rows = [
        result(name, f"m{place:02}", 0.3 + 0.02 * place, dated_on=date(2023, 1, 15) + timedelta(days=30 * place))
        for name in ("a", "b")
        for place in range(24)
    ]
    about = [benchmark(name, released_on=date(2022, 6, 1), n_items=500, human=0.7) for name in ("a", "b")]
    facts = frames(rows, about, looked_on=date(2026, 2, 1))
    near, far = (assess(facts, day, np.random.default_rng(0)).tables for day in (date(2026, 2, 1), date(2027, 9, 1)))
    for name, table in near.items():
        if name not in ("indicator", "verdict", "verdict_reason", "answer", "alternative", "reservation", "map_month"):
            flagged = [column for column in ("flags",) if name == "verdict_history"]
            assert table.drop(flagged).equals(far[name].drop(flagged)), name
    months = [tables["map_month"].filter(pl.col("on") < date(2026, 2, 1)) for tables in (near, far)]
    assert months[0].height > 0 and months[0].equals(months[1]), "the last month is the day of the assessment"
    soon = {code for codes in near["reservation"]["reservations"].to_list() for code in codes}
    late = {code for codes in far["reservation"]["reservations"].to_list() for code in codes}
    assert late == {"not_looked", *soon}
    plain = ~pl.col("indicator").is_in(STALENESS)
    assert near["indicator"].filter(plain).drop("as_of").equals(far["indicator"].filter(plain).drop("as_of"))
    assert near["verdict"].select("stage", "known_until").equals(far["verdict"].select("stage", "known_until"))
    assert [flags for flags in near["verdict"]["flags"].to_list() if "stale" in flags] == []
    assert [set(flags) for flags in far["verdict"]["flags"].to_list()] == [
        {*flags, "stale"} for flags in near["verdict"]["flags"].to_list()
    ]
