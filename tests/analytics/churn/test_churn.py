from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.churn.churn import WHOLE_BOARD, churn
from benchhealth.analytics.record.boards import boards
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from tests.support.frames import Row, benchmark, dated_boards, frames, result
from tests.support.upstream import needs_upstream, versions

FIRST, SECOND, THIRD = date(2025, 1, 1), date(2025, 2, 1), date(2025, 3, 1)
AS_OF = date(2026, 2, 1)
EXPECTED = ["expected_turnover", "expected_spread"]
COUNTS = ["entered", "left", "newcomers", "departures", "renamed", "exchanged"]
NUMBERS = [*COUNTS, "turnover", "kendall_tau", "rbo", *EXPECTED]


def board(on: date, scores: dict[str, float], **more: object) -> list[Row]:
    defaults: dict[str, object] = {"date_basis": "snapshot", "observed_on": on}
    return [result("b", model, score, **{**defaults, **more}) for model, score in scores.items()]  # type: ignore[arg-type]


def ladder(names: str, top: float = 0.9) -> dict[str, float]:
    return {name: round(top - 0.01 * place, 4) for place, name in enumerate(names)}


def changes(rows: Iterable[Row] | Frames, *, seed: int = 7, **more: object) -> pl.DataFrame:
    facts = rows if isinstance(rows, Frames) else frames(rows, **more)  # type: ignore[arg-type]
    return churn(facts, boards(facts), np.random.default_rng(seed), dated_boards(facts, AS_OF))


def row_of_top(table: pl.DataFrame, k: int) -> Row:
    return table.row(by_predicate=pl.col("k") == k, named=True)


def test_a_newcomer_in_first_place_is_churn_though_tau_is_one() -> None:
    table = changes(board(FIRST, ladder("abcdefg")) + board(SECOND, {"new": 0.95, **ladder("abcdefg")}))
    assert table.schema == PUBLISHED["churn"]
    assert table["k"].to_list() == [WHOLE_BOARD, 5]
    top = row_of_top(table, 5)
    assert (top["from_on"], top["to_on"]) == (FIRST, SECOND)
    assert (top["entered"], top["left"], top["renamed"], top["turnover"]) == (1, 1, 0, 0.2)
    assert top["kendall_tau"] == 1 and top["rbo"] < 1
    assert (row_of_top(table, WHOLE_BOARD)["entered"], row_of_top(table, WHOLE_BOARD)["left"]) == (1, 0)


def test_an_alias_and_equal_numbers_are_renames() -> None:
    before = ladder("abcdefg")
    after = {"A (2)" if model == "a" else model: score for model, score in before.items()}
    by_number = changes(board(FIRST, before) + board(SECOND, after))
    rows = board(FIRST, before) + board(SECOND, before)
    rows[7]["published_name"] = "A, renamed"
    by_alias = changes(rows)
    for table in (by_number, by_alias):
        for k in (5, WHOLE_BOARD):
            row = row_of_top(table, k)
            assert (row["entered"], row["left"], row["renamed"], row["turnover"]) == (0, 0, 1, 0)
            assert (row["kendall_tau"], row["rbo"]) == (pytest.approx(1), pytest.approx(1))


def test_equal_scores_that_chance_explains_are_no_renames() -> None:
    rng = np.random.default_rng(3)
    first = {f"old{number}": float(score) for number, score in enumerate(rng.integers(0, 400, 100))}
    second = {f"new{number}": float(score) for number, score in enumerate(rng.integers(0, 400, 100))}
    row = row_of_top(changes(board(FIRST, first) + board(SECOND, second)), WHOLE_BOARD)
    assert (row["entered"], row["left"], row["renamed"], row["turnover"]) == (100, 100, 0, 1)


def test_a_name_used_by_one_of_two_settings_is_no_rename() -> None:
    both = [
        result("b", "m", 0.8, setting="high", published_name="m-high", date_basis="snapshot", observed_on=FIRST),
        result("b", "m", 0.7, setting="low", published_name="m-low", date_basis="snapshot", observed_on=FIRST),
        result("b", "m", 0.7, setting="low", published_name="m-low", date_basis="snapshot", observed_on=SECOND),
    ]
    assert row_of_top(changes(both), WHOLE_BOARD)["renamed"] == 0


def test_a_shifted_board_has_no_churn_and_an_unchanged_one_no_row() -> None:
    scores = ladder("abcdefghijkl")
    shifted = {model: score - 0.3 for model, score in scores.items()}
    table = changes(board(FIRST, scores) + board(SECOND, scores) + board(THIRD, shifted))
    assert table["from_on"].unique().to_list() == [SECOND]
    assert table.select("entered", "left", "renamed").sum_horizontal().sum() == 0
    assert table["turnover"].to_list() == [0] * 3
    assert table["kendall_tau"].to_list() == [pytest.approx(1)] * 3


def test_nothing_is_computed_across_a_breakpoint() -> None:
    rows = board(FIRST, ladder("abcdef")) + board(SECOND, ladder("ghijkl")) + board(THIRD, ladder("ghijkm"))
    table = changes(rows, breakpoints=[{"board_id": "lab/b", "on_date": SECOND, "kind": "data"}])
    broken, unbroken = table.partition_by("from_on", maintain_order=True)
    assert broken["spans_breakpoint"].all() and not unbroken["spans_breakpoint"].any()
    assert broken.select(NUMBERS).null_count().sum_horizontal().item() == len(NUMBERS) * broken.height
    assert broken["k"].to_list() == unbroken["k"].to_list() == [0, 5]
    on_the_first_day = changes(rows, breakpoints=[{"board_id": "lab/b", "on_date": FIRST, "kind": "data"}])
    assert not on_the_first_day["spans_breakpoint"].any()


def test_several_snapshots_of_a_day_are_its_last() -> None:
    noon = datetime(2025, 1, 1, 12)
    rows = board(FIRST, ladder("fedcba")) + board(FIRST, ladder("abcdef"), observed_at=noon, snapshot_id="noon")
    table = changes(rows + board(SECOND, ladder("abcdeg")))
    assert row_of_top(table, 5)["turnover"] == 0
    assert table["from_on"].unique().to_list() == [FIRST]


def test_boards_too_small_constant_or_alone() -> None:
    assert changes([]).schema == PUBLISHED["churn"]
    assert changes(board(FIRST, {"a": 0.5})).is_empty()
    single = changes(board(FIRST, {"a": 0.5}) + board(SECOND, {"a": 0.6}))
    assert row_of_top(single, WHOLE_BOARD)["kendall_tau"] is None and row_of_top(single, WHOLE_BOARD)["turnover"] == 0
    tied = changes(board(FIRST, dict.fromkeys("abcdefg", 0.5)) + board(SECOND, dict.fromkeys("abcdefgh", 0.5)))
    assert row_of_top(tied, 5)["left"] == 0 and row_of_top(tied, 5)["kendall_tau"] is None


def yearly(*entries: tuple[str, float, int], looked: date) -> Frames:
    rows = [
        result("b", name, score, dated_on=date(year, 6, 1), date_basis="submission", observed_on=date(2023, 10, 1))
        for name, score, year in entries
    ]
    return frames(rows, looked_on=looked)


def test_dated_results_are_compared_between_year_ends_as_far_as_is_known() -> None:
    entries = [(name, 0.5 + number / 100, 2021 if number < 5 else 2022) for number, name in enumerate("abcdef")]
    table = changes(yearly(*entries, looked=date(2025, 1, 1)))
    ends = [date(2021, 12, 31), date(2022, 12, 31), date(2023, 12, 31)]
    top = table.filter(pl.col("k") == 5)
    assert top.select("from_on", "to_on").rows() == [(ends[0], ends[1]), (ends[1], ends[2])]
    assert top["turnover"].to_list() == [0.2, 0]
    assert changes(yearly(*entries, looked=date(2023, 11, 1)))["to_on"].max() == ends[1]
    facts = yearly(*entries, looked=date(2025, 1, 1))
    early = churn(facts, boards(facts), np.random.default_rng(7), dated_boards(facts, date(2023, 11, 1)))
    assert early["to_on"].max() == ends[1]


SCORES = st.lists(st.integers(0, 9), min_size=5, max_size=9)


@pytest.mark.soak
@given(st.lists(st.tuples(SCORES, SCORES), min_size=6, max_size=6))
@settings(max_examples=5, deadline=None)  # each of six boards at once
def test_churn_follows_order_not_numbers_or_names(drawn: list[tuple[list[int], list[int]]]) -> None:
    def rows(prefix: str, scale: float) -> list[Row]:
        return [
            result(f"b{number}", f"{prefix}{place}", score**2 * scale - scale, observed_on=on, date_basis="snapshot")
            for number, both in enumerate(drawn)
            for on, scores in zip((FIRST, SECOND), both, strict=True)
            for place, score in enumerate(scores)
        ]

    # ids in both boards are the same models, so a leaver and an entrant never meet: no rename can be inferred
    plain = [{**row, "score_published": None} for row in rows("m", 0.001)]
    other = [{**row, "score_published": None} for row in reversed(rows("x", 7.0))]
    one = changes(frames(plain), seed=1)
    two = changes(frames(other, [benchmark(f"b{number}", unit="rating") for number in range(len(drawn))]), seed=1)
    compared = ["board_id", "k", *(name for name in NUMBERS if name not in EXPECTED)]
    assert one.select(compared).equals(two.select(compared))
    for column, low in (("turnover", 0), ("rbo", 0), ("kendall_tau", -1)):
        assert one[column].drop_nulls().is_between(low, 1).all()


def test_newcomers_and_departures_are_no_exchange() -> None:
    names = "abcdefghijkl"
    before = board(FIRST, ladder(names))
    table = changes(before + board(SECOND, {"x": 0.99, "y": 0.98, **ladder(names)}))
    top = row_of_top(table, 5)
    assert (top["entered"], top["newcomers"], top["left"], top["departures"], top["exchanged"]) == (2, 2, 2, 0, 0)
    assert (top["expected_turnover"], top["expected_spread"]) == (0, 0)  # nobody was measured again
    gone = row_of_top(
        changes(before + board(SECOND, {name: score for name, score in ladder(names).items() if name > "b"})), 5
    )
    assert (gone["left"], gone["departures"], gone["entered"], gone["newcomers"], gone["exchanged"]) == (2, 2, 2, 0, 0)
    climbed = row_of_top(changes(before + board(SECOND, {**ladder(names), "f": 0.95})), 5)
    assert (climbed["entered"], climbed["newcomers"], climbed["exchanged"]) == (1, 0, 1)


def test_equals_that_part_exchange_nothing() -> None:
    names = "abcdefghijkl"
    tied = {name: 0.86 if name in "efg" else score for name, score in ladder(names).items()}
    parted = {**tied, "f": 0.855, "g": 0.854}
    top = row_of_top(changes(board(FIRST, tied) + board(SECOND, parted)), 5)
    assert (top["left"], top["departures"], top["exchanged"]) == (2, 0, 0)


def test_noise_is_learnt_from_what_changed_and_unknown_among_few() -> None:
    names = "abcdefghijkl"
    moved = {name: score + 0.01 * (-1) ** place for place, (name, score) in enumerate(ladder(names).items())}
    table = changes(board(FIRST, ladder(names), n_items=100) + board(SECOND, moved, n_items=100))
    assert 0 < row_of_top(table, 5)["expected_turnover"] < 1 and row_of_top(table, 5)["expected_spread"] > 0
    assert row_of_top(table, WHOLE_BOARD)["expected_turnover"] == 0
    few = changes(board(FIRST, ladder("abcdefg")) + board(SECOND, {**ladder("abcdef"), "g": 0.86}))
    assert row_of_top(few, 5)["expected_turnover"] is None


@needs_upstream
def test_squad_keeps_0_2_5_10_10_of_its_top_ten() -> None:
    newest = versions("rajpurkar/SQuAD-explorer", "out-v2.0.json")[-1]
    rows = []
    for entry in newest.json()["leaderboard"]:
        name, score = entry["submission"].get("description"), (entry.get("scores") or {}).get("exact_match")
        if name and score is not None:
            day = datetime.fromtimestamp(entry["submission"]["created"], UTC).date()
            rows.append(
                result(
                    "squad-2.0",
                    name.casefold(),
                    score / 100,
                    dated_on=day,
                    date_basis="submission",
                    observed_on=newest.committed_at.date(),
                )
            )
    facts = frames(rows)
    fetched = facts.snapshot.with_columns(fetched_at=pl.lit(datetime(2024, 1, 1)).cast(pl.Datetime("us")))
    top = changes(replace(facts, snapshot=fetched)).filter(pl.col("k") == 10)
    assert top["from_on"].dt.year().to_list() == [2018, 2019, 2020, 2021, 2022]
    assert [10 - left for left in top["left"]] == [0, 2, 5, 10, 10]
    assert top["turnover"].to_list() == pytest.approx([1, 0.8, 0.5, 0, 0])


@pytest.fixture(scope="module")
def arena() -> pl.DataFrame:
    rows = []
    for version in versions("fboulnois/llm-leaderboard-csv", "csv/lmsys.csv"):
        if date(2024, 10, 29) <= version.committed_at.date() <= date(2025, 2, 16):
            for line in version.table():
                up, down = (float(text) for text in line["95_pct_ci"].split("/"))
                rows.append(
                    result(
                        "arena",
                        line["model"].casefold(),
                        float(line["arena_score"]),
                        std_error=(up - down) / 2 / 1.96,
                        observed_on=version.committed_at.date(),
                        date_basis="snapshot",
                        published_name=line["model"],
                    )
                )
    return changes(frames(rows, [benchmark("arena", unit="rating")]))


@needs_upstream
def test_arena_renames_are_renames(arena: pl.DataFrame) -> None:
    row = row_of_top(arena.filter(pl.col("to_on") == date(2024, 11, 5)), WHOLE_BOARD)
    assert (row["renamed"], row["entered"], row["left"]) == (29, 2, 0)


@needs_upstream
def test_arena_dropping_thirty_models_reorders_nothing(arena: pl.DataFrame) -> None:
    dropped = arena.filter(pl.col("to_on") == date(2025, 2, 16))
    assert dropped["kendall_tau"].to_list() == [pytest.approx(1)] * 4
    row = row_of_top(dropped, WHOLE_BOARD)
    assert (row["entered"], row["left"], row["renamed"]) == (0, 30, 0)
