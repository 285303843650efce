"""One board under successive addresses: one history, no comparison across a handover, and checks that move nothing."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.assess import assess
from benchhealth.analytics.record.boards import boards
from benchhealth.analytics.record.current import benchmark_facts, leaderboard, newest, ranked_results
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.frontier import frontier, history_of
from benchhealth.analytics.record.lineages.handovers import breakpoints
from benchhealth.analytics.record.lineages.stretches import follow
from benchhealth.analytics.record.looks import looks
from tests.support.frames import Row, benchmark, frame, frames, result
from tests.support.soaking import examples

SPRING, SUMMER, WINTER = date(2024, 3, 1), date(2024, 6, 1), date(2024, 12, 1)
AS_OF = date(2025, 1, 1)
BOARD = "arena/duel"
ARENA = benchmark("duel", unit="rating", floor=None, ceiling=None)


def member(board_id: str, precedence: str = "own", **more: object) -> Row:
    row: Row = {"board_id": board_id, "lineage_id": BOARD, "precedence": precedence}
    return {**row, "note": f"why {board_id}", "source_url": "https://example.org/moved", **more}


BY_LOOK = {"date_basis": "snapshot"}


def listed(source_id: str, on: date, ratings: dict[str, float], benchmark_id: str = "duel") -> list[Row]:
    return [
        result(benchmark_id, name, score, source_id=source_id, observed_on=on, dated_on=on, std_error=1.0, **BY_LOOK)
        for name, score in ratings.items()
    ]


def facts(rows: Iterable[Row], *members: Row, benchmarks: list[Row] | None = None, **more: list[Row]) -> Frames:
    made = frames(rows, [ARENA] if benchmarks is None else benchmarks, **more)
    return replace(made, lineage=frame("lineage", members))


def curve(facts_known: Frames) -> list[tuple[date, float]]:
    rows = ranked_results(facts_known, benchmark_facts(facts_known))
    breaks = breakpoints(facts_known, boards(facts_known).lineage)
    steps = frontier(rows, history_of(rows, AS_OF), breaks, looks(facts_known, rows, AS_OF).benchmark).filter(
        ~pl.col("carried")
    )
    return list(steps.select("dated_on", "score").iter_rows())


MOVES = [
    *listed("old", SPRING, {"a": 1000, "b": 900}),
    *listed("old", SUMMER, {"a": 1010, "b": 1020}),
    *listed("new", WINTER, {"a": 1300, "b": 1100, "c": 1200}),
    *listed("new", WINTER + timedelta(days=7), {"a": 1300, "b": 1350, "c": 1200}),
]
MEMBERS = (member("old/duel", "crawl", until_on=SUMMER), member("new/duel"))


def test_a_board_that_moved_is_one_board_with_a_breakpoint_at_the_handover() -> None:
    frames_of = facts(MOVES, *MEMBERS)
    assessed = assess(frames_of, AS_OF, np.random.default_rng(0), tables=("rank", "churn", "breakpoint"))
    assert assessed.tables["rank"]["board_id"].unique().to_list() == [BOARD]
    assert assessed.tables["rank"]["observed_at"].n_unique() == 4
    row = assessed.breakpoint.row(0, named=True)
    assert (row["board_id"], row["on_date"], row["kind"]) == (BOARD, WINTER, "moved")
    assert (row["case"], row["names"], row["note"]) == ("handed_over", ["old/duel", "new/duel", "why new/duel"], None)
    assert row["until_day"] == date(2024, 6, 1)
    steps = assessed.tables["churn"].filter(pl.col("k") == 0).sort("from_on")
    assert steps["spans_breakpoint"].to_list() == [False, True, False]
    assert steps.filter("spans_breakpoint").select("turnover", "kendall_tau", "entered").row(0) == (None, None, None)


def test_without_a_lineage_they_are_two_boards() -> None:
    assessed = assess(facts(MOVES), AS_OF, np.random.default_rng(0), tables=("rank", "lineage")).tables
    assert assessed["rank"]["board_id"].unique().sort().to_list() == ["new/duel", "old/duel"]
    assert assessed["lineage"].is_empty()


def test_the_running_best_of_ratings_starts_anew_at_a_handover() -> None:
    fallen = [*listed("old", SUMMER, {"a": 1500}), *listed("new", WINTER, {"a": 1200})]
    assert curve(facts(fallen, *MEMBERS)) == [(SUMMER, 1500.0), (WINTER, 1200.0)]


def test_the_lineage_says_who_led_on_which_days() -> None:
    lineage = boards(facts(MOVES, *MEMBERS)).lineage
    assert lineage.select("board_id", "address", "leads", "from_on", "until_on", "states").rows() == [
        (BOARD, "old/duel", True, SPRING, SUMMER, 2),
        (BOARD, "new/duel", True, WINTER, WINTER + timedelta(days=7), 2),
    ]


def test_where_two_cover_the_same_days_the_board_s_own_counts_and_the_crawl_is_a_check() -> None:
    both = [
        *listed("own", SPRING, {"a": 1000.4, "b": 900.0}),
        *listed("own", SUMMER, {"a": 1000.4, "b": 950.0}),
        *listed("crawl", SPRING - timedelta(days=30), {"a": 990, "b": 890}),
        *listed("crawl", SPRING + timedelta(days=10), {"a": 1000, "b": 903, "z": 9999}),
    ]
    lineage = boards(facts(both, member("own/duel"), member("crawl/duel", "crawl")))
    assert lineage.lineage.select("address", "leads", "states", "shared").rows() == [
        ("crawl/duel", True, 1, None),
        ("own/duel", True, 2, None),
        ("crawl/duel", False, 1, 2),
    ]
    assert lineage.lineage["difference"].to_list()[2] == pytest.approx(1.7)
    placed = lineage.placed.collect()
    assert "z" not in placed["model_id"].to_list()
    assert placed["observed_at"].dt.date().unique().sort().to_list() == [
        SPRING - timedelta(days=30),
        SPRING,
        SUMMER,
    ]


def test_a_leader_that_is_not_stored_here_leaves_the_lead_to_the_others() -> None:
    lineage = boards(
        facts(listed("crawl", SPRING, {"a": 1.0}), member("feed/duel", "feed"), member("crawl/duel", "crawl"))
    )
    assert lineage.lineage.select("address", "leads").rows() == [("crawl/duel", True)]


def test_an_address_that_speaks_after_its_last_day_is_not_lost_where_nobody_else_covers_the_day() -> None:
    rows = [
        *listed("old", SPRING, {"a": 1000}),
        *listed("old", WINTER, {"a": 900}),
        *listed("new", SUMMER, {"a": 1300}),
    ]
    ended = member("old/duel", "crawl", until_on=SPRING)
    lineage = boards(facts(rows, ended, member("new/duel", until_on=SUMMER))).lineage
    assert lineage.select("address", "leads", "from_on").rows() == [
        ("old/duel", True, SPRING),
        ("new/duel", True, SUMMER),
        ("old/duel", True, WINTER),
    ]
    still = boards(facts(rows, ended, member("new/duel"))).lineage
    assert still.select("address", "leads", "from_on").rows()[2] == ("old/duel", False, WINTER)


def test_the_same_address_after_a_silence_is_a_gap() -> None:
    rows = [*listed("own", SPRING, {"a": 1000}), *listed("own", WINTER, {"a": 900})]
    silent = (member("own/duel", until_on=SUMMER), member("own/duel", from_on=date(2024, 9, 1)))
    frames_of = facts(rows, *silent)
    assert breakpoints(frames_of, boards(frames_of).lineage).select("on_date", "kind").rows() == [(WINTER, "gap")]
    assert curve(frames_of) == [(SPRING, 1000.0), (WINTER, 900.0)]


def test_a_breakpoint_counts_where_its_address_led_and_nowhere_else() -> None:
    breaks = [
        {"board_id": "old/duel", "on_date": SUMMER, "kind": "scale", "note": "+10"},
        {"board_id": "old/duel", "on_date": WINTER + timedelta(days=3), "kind": "scale", "note": "of a check"},
        {"board_id": "new/duel", "on_date": WINTER + timedelta(days=7), "kind": "names", "note": "renamed"},
        {"board_id": "other/quiz", "on_date": SUMMER, "kind": "data", "note": "another board"},
    ]
    frames_of = facts(MOVES, *MEMBERS, breakpoints=breaks)
    broken = breakpoints(frames_of, boards(frames_of).lineage)
    assert broken.select("board_id", "on_date", "kind").sort("board_id", "on_date").rows() == [
        (BOARD, SUMMER, "scale"),
        (BOARD, WINTER, "moved"),
        (BOARD, WINTER + timedelta(days=7), "names"),
        ("other/quiz", SUMMER, "data"),
    ]


def test_stays_at_the_top_end_unknown_at_a_handover() -> None:
    days = [SPRING + timedelta(days=index) for index in range(12)]
    others = {f"m{index}": 90.0 - index for index in range(6)}
    rows = [
        row
        for index, on in enumerate(days)
        for row in listed("old" if index < 6 else "new", on, {**others, "x": 100.0, "y": 100.2 if index % 2 else 99.8})
    ]
    members = (member("old/duel", "crawl", until_on=days[5]), member("new/duel"))
    assessed = assess(facts(rows, *members), AS_OF, np.random.default_rng(0), tables=("dwell",)).tables["dwell"]
    assert assessed.filter(k=1)["left_out"].unique().to_list() == [2]


def test_of_a_bounded_benchmark_the_newest_house_alone_is_listed_and_the_older_was() -> None:
    rows = [
        *listed("old", SPRING, {"a": 0.7, "withdrawn": 0.99}),
        *listed("new", WINTER, {"a": 0.7, "b": 0.8}),
    ]
    frames_of = facts(rows, *MEMBERS, benchmarks=[benchmark("duel")])
    ranked = ranked_results(frames_of, benchmark_facts(frames_of))
    assert leaderboard(newest(ranked)).select("model_id", "board_id").rows() == [("b", BOARD), ("a", BOARD)]
    past = history_of(ranked, AS_OF)
    assert past.sort("model_id").select("model_id", "listed").rows() == [("a", True), ("b", True), ("withdrawn", False)]


def test_a_star_stands_for_every_benchmark_of_a_source_and_a_part_follows_its_whole() -> None:
    rows = [*listed("old", SPRING, {"a": 0.5}, "quiz/hard"), *listed("new", WINTER, {"a": 0.6}, "quiz/hard")]
    stars = [
        {**member(f"{source}/*", precedence), "lineage_id": "exam/*"}
        for source, precedence in (("old", "own"), ("new", "feed"))
    ]
    frames_of = facts(rows, *stars, benchmarks=[benchmark("quiz/hard")])
    followed = follow(frames_of.result.collect(), frames_of.lineage)
    assert followed.select("board_id", "source_id", "led_until").sort("source_id").rows() == [
        ("exam/quiz/hard", "new", None),
        ("exam/quiz/hard", "old", WINTER),
    ]


@examples(4)
@given(
    st.dictionaries(st.sampled_from("abcxyz"), st.floats(-1e6, 1e6), min_size=1),
    st.integers(0, 300),
    st.integers(0, 5),
)
def test_whatever_a_check_says_nothing_that_is_shown_moves(ratings: dict[str, float], after: int, seed: int) -> None:
    own_rows = [
        *listed("own", SPRING, {"a": 1000, "b": 900}),
        *listed("own", WINTER, {"a": 1010, "b": 1020}),
    ]
    members = (member("own/duel"), member("crawl/duel", "crawl"))
    rows = [*own_rows, *listed("crawl", SPRING + timedelta(days=after), ratings)]
    mixed = [rows[index] for index in np.random.default_rng(seed).permutation(len(rows))]
    alone, beside = facts(own_rows, *members), facts(mixed, *members)
    assert curve(beside) == curve(alone)
    columns = ["board_id", "observed_at", "model_id", "rank", "score"]
    assert boards(beside).placed.select(columns).collect().equals(boards(alone).placed.select(columns).collect())
