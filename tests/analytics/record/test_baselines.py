"""Chance and human rows of boards as candidates for facts that are not known."""

from datetime import date

import polars as pl

from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.record.baselines import baselines, with_baselines
from benchhealth.analytics.record.current import benchmark_facts
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.schedule import run
from tests.support.frames import Row, benchmark, frames, result

EARLIER, LATER = date(2026, 1, 1), date(2026, 2, 1)


def printed(name: str, score: float, kind: str, on: date = LATER, of: str = "quiz", **more: object) -> Row:
    return result(of, name, score, kind=kind, observed_on=on, published_name=name, **more)


def candidates(facts: Frames) -> list[tuple[str, str, int, float, str]]:
    listed_baselines = baselines(facts, benchmark_facts(facts))
    assert listed_baselines.schema == PUBLISHED["baseline"]
    return listed_baselines.select("benchmark_id", "attribute", "place", "value", "published_name").rows()


BOARD = [
    printed("Expert (Medium)", 0.826, "human"),
    printed("Expert (High)", 0.886, "human"),
    printed("Frequent Choice", 0.268, "random"),
    printed("Random Choice", 0.221, "random"),
    printed("alpha", 0.7, "model"),
    printed("Constant answer", 0.9, "cheating"),
]


def test_a_board_offers_guessing_as_floor_and_its_best_people_as_human_line() -> None:
    facts = frames(BOARD, [benchmark("quiz", floor=None, human=None)])
    assert candidates(facts) == [
        ("quiz", "floor", 1, 0.221, "Random Choice"),
        ("quiz", "floor", 2, 0.268, "Frequent Choice"),
        ("quiz", "human", 1, 0.886, "Expert (High)"),
        ("quiz", "human", 2, 0.826, "Expert (Medium)"),
    ]
    filled = with_baselines(benchmark_facts(facts), baselines(facts, benchmark_facts(facts)))
    assert filled.select("floor", "human").row(0) == (0.221, 0.886)
    assert filled.schema == benchmark_facts(facts).schema


def test_every_candidate_names_its_source_snapshot_and_row() -> None:
    facts = frames(BOARD[:1], [benchmark("quiz", human=None)])
    listed_baselines = baselines(facts, benchmark_facts(facts)).row(0, named=True)
    row = BOARD[0]
    assert all(
        listed_baselines[name] == row[name] for name in ("source_id", "snapshot_id", "source_row", "observed_at")
    )


def test_what_the_registry_knows_stands_above_every_row() -> None:
    facts = frames(BOARD, [benchmark("quiz", floor=0.25, human=0.95)])
    assert candidates(facts) == []
    known_facts = benchmark_facts(facts)
    assert with_baselines(known_facts, baselines(facts, known_facts)).equals(known_facts)


def test_a_row_that_the_board_dropped_or_corrected_is_no_candidate() -> None:
    rows = [printed("Expert", 0.9, "human", EARLIER), printed("alpha", 0.7, "model", LATER)]
    assert candidates(frames(rows, [benchmark("quiz", human=None)])) == []
    corrected = [*rows, printed("Expert", 0.8, "human", LATER)]
    assert candidates(frames(corrected, [benchmark("quiz", human=None)])) == [("quiz", "human", 1, 0.8, "Expert")]


def test_lower_is_better_turns_the_order_round() -> None:
    rows = [
        printed(name, score, kind)
        for name, score, kind in (
            ("worse", 0.4, "human"),
            ("better", 0.1, "human"),
            ("guess", 0.7, "random"),
            ("best guess", 0.6, "random"),
        )
    ]
    errors = benchmark("quiz", floor=None, human=None, ceiling=0.0, higher_is_better=False)
    assert [row[2:] for row in candidates(frames(rows, [errors]))] == [
        (1, 0.7, "guess"),
        (2, 0.6, "best guess"),
        (1, 0.1, "better"),
        (2, 0.4, "worse"),
    ]


def test_nobody_guesses_a_rating_and_a_score_that_is_no_number_is_no_candidate() -> None:
    rating = benchmark("quiz", unit="rating", floor=None, human=None, ceiling=None)
    rows = [printed("Random", 800.0, "random"), printed("Expert", 1500.0, "human")]
    assert candidates(frames(rows, [rating])) == [("quiz", "human", 1, 1500.0, "Expert")]
    assert candidates(frames([printed("Expert", float("nan"), "human")], [benchmark("quiz", human=None)])) == []


def test_a_line_that_leaves_no_room_is_not_filled_in() -> None:
    rows = [printed("Random", 0.96, "random"), printed("Expert", 0.2, "human")]
    facts = frames(rows, [benchmark("quiz", floor=None, human=None, ceiling=0.95)])
    known_facts = benchmark_facts(facts)
    assert with_baselines(known_facts, baselines(facts, known_facts))["floor"].to_list() == [None]
    chance = frames(rows, [benchmark("quiz", floor=0.25, human=None)])
    known_facts = benchmark_facts(chance)
    assert with_baselines(known_facts, baselines(chance, known_facts))["human"].to_list() == [None]


def test_a_benchmark_of_unknown_direction_gets_none() -> None:
    unknown = benchmark("quiz", floor=None, human=None, higher_is_better=None)
    assert candidates(frames(BOARD, [unknown])) == []
    assert baselines(frames(), benchmark_facts(frames())).equals(pl.DataFrame(schema=PUBLISHED["baseline"]))


def test_a_random_forest_is_no_guess_and_a_share_above_one_no_human_line() -> None:
    rows = [printed("Random Forest", 0.84, "random"), printed("People", 76.6, "human")]
    listed_baselines = baselines(
        frames(rows, [benchmark("quiz", floor=None, human=None)]),
        benchmark_facts(frames(rows, [benchmark("quiz", floor=None, human=None)])),
    )
    assert listed_baselines["taken"].to_list() == [False, False]


def test_indicators_are_read_against_the_printed_lines() -> None:
    facts = frames(BOARD, [benchmark("quiz", floor=None, human=None)])
    held = run(ENTRIES, {"frames": facts, "as_of": LATER}, ("benchmark_facts",))["benchmark_facts"]
    assert held.select("floor", "human").row(0) == (0.221, 0.886)
