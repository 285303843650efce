"""What is held and what passes: each rule at its edge, and invariants of any table."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from random import Random

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.ingest.run.drift import Finding, Scales, drift, held_message, released_between
from benchhealth.warehouse.batch import RESULT_FACT

Row = tuple[str, str, float]


def table(rows: Iterable[Row], std_error: float | None = None) -> pl.DataFrame:
    facts = [
        (
            benchmark,
            model,
            "",
            "third_party",
            score,
            score,
            std_error,
            None,
            None,
            None,
            f"line {line}",
            model,
            "model",
            None,
            "",
        )
        for line, (benchmark, model, score) in enumerate(rows, start=2)
    ]
    return pl.DataFrame(facts, schema=RESULT_FACT, orient="row")


def column(scores: Iterable[float], benchmark: str = "exam", names: str = "m") -> list[Row]:
    return [(benchmark, f"{names}{place}", score) for place, score in enumerate(scores)]


def drift_of(
    before: list[Row],
    after: list[Row],
    *,
    bounded: bool = True,
    released: Iterable[str] = (),
    std_error: float | None = None,
) -> list[Finding]:
    names = {benchmark for benchmark, _, _ in before + after} if bounded else set()
    old, new = (table(rows, std_error) for rows in (before, after))
    return drift(old, new, source_id="lab", scales=Scales(names), released=set(released))


FORTY = [0.30 + place / 100 for place in range(40)]
RATINGS = [1000.0 + 9 * place for place in range(40)]


def kinds(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.board_id, finding.kind) for finding in findings]


def test_new_models_and_a_few_corrections_are_the_life_of_a_board() -> None:
    corrected = [0.9, 0.95, *FORTY[2:]]
    assert drift_of(column(FORTY), column([*corrected, 0.99, 0.98])) == []


@pytest.mark.parametrize(("edited", "held"), [(2, False), (4, False), (5, True), (40, True)])
def test_more_than_a_twentieth_of_history_by_half_a_point_and_of_five_models(edited: int, held: bool) -> None:
    """Two of forty are the twentieth; three and four are more, and still too few models to show a pattern."""
    after = [score + 0.02 * (1 + place % 3) if place < edited else score for place, score in enumerate(FORTY)]
    findings = drift_of(column(FORTY), column(after))
    assert bool(findings) is held
    assert kinds(findings) == ([("lab/exam", "data")] if held else [])


def test_a_rerun_within_its_noise_passes() -> None:
    after = [score + (0.002 if place % 2 else -0.003) for place, score in enumerate(FORTY)]
    assert drift_of(column(FORTY), column(after)) == []


def test_the_same_amount_on_every_score_is_a_scale_however_small() -> None:
    (finding,) = drift_of(column(FORTY), column([score + 0.004 for score in FORTY]))
    assert (finding.board_id, finding.kind) == ("lab/exam", "scale")


@pytest.mark.parametrize("factor", [0.01, 100.0])
@pytest.mark.parametrize("bounded", [True, False])
def test_another_unit_is_a_scale(factor: float, bounded: bool) -> None:
    after = column([score * factor for score in FORTY])
    assert kinds(drift_of(column(FORTY), after, bounded=bounded)) == [("lab/exam", "scale")]


def test_ratings_move_daily_and_keep_their_order() -> None:
    refitted = [rating + (4.0 if place % 3 else -3.0) for place, rating in enumerate(RATINGS)]
    assert drift_of(column(RATINGS), column(refitted), bounded=False) == []
    assert drift_of(column(RATINGS), column([rating - 5 for rating in RATINGS]), bounded=False) == []


def test_ratings_that_move_as_a_whole_or_lose_their_order_are_held() -> None:
    moved = drift_of(column(RATINGS), column([rating + 50 for rating in RATINGS]), bounded=False)
    assert kinds(moved) == [("lab/exam", "scale")]
    (shuffled,) = drift_of(column(RATINGS), column([*RATINGS[20:], *RATINGS[:20]]), bounded=False)
    assert "rank agreement" in shuffled.reason


@pytest.mark.parametrize(
    ("shift", "spread", "held"),
    [(3.0, 1.0, True), (-10.0, 1.0, True), (5.0, 2.5, True), (2.0, 1.0, False), (5.0, 2.6, False), (0.0, 0.0, False)],
)
def test_many_ratings_that_move_by_the_same_amount_beyond_their_error_are_held(
    shift: float, spread: float, held: bool
) -> None:
    """However small beside the spread of the ratings (here 104): twice as far as they move apart, and more than 2.3."""
    moved = column([rating + shift + spread * (place % 3 - 1) for place, rating in enumerate(RATINGS)])
    findings = drift_of(column(RATINGS), moved, bounded=False, std_error=2.3)
    assert kinds(findings) == ([("lab/exam", "scale")] if held else [])
    if abs(shift) <= 5:
        assert drift_of(column(RATINGS[:19]), moved[:19], bounded=False, std_error=2.3) == []


@given(
    st.integers(20, 80),
    st.floats(0.1, 30),
    st.floats(-1, 1),
    st.floats(0, 3),
    st.randoms(use_true_random=False),
)
def test_a_refit_that_moves_ratings_apart_is_never_held_as_a_shift(
    models: int, size: float, drifted: float, error: float, random: Random
) -> None:
    """Each model moves on its own by up to `size`, and all together by as much at most."""
    before = [1000.0 + 40 * place for place in range(models)]
    after = [rating + size * (drifted + random.uniform(-1.5, 1.5)) for rating in before]
    moves = sorted(new - old for new, old in zip(after, before, strict=True))
    middle = moves[models // 2]
    apart = sorted(abs(move - middle) for move in moves)[int(0.85 * models)]
    findings = drift_of(column(before), column(after), bounded=False, std_error=error)
    if abs(middle) < 1.5 * apart:
        assert [finding for finding in findings if finding.kind == "scale"] == []


def test_two_corrected_rows_rewrite_no_order() -> None:
    """SWE-bench's costs of 2025-11-24: two of 21 were corrected, and rank agreement fell to 0.81."""
    costs = [1.0 + place / 10 for place in range(21)]
    corrected = [costs[0] + 9, costs[1] + 8, *costs[2:]]
    assert drift_of(column(costs), column(corrected), bounded=False) == []


def test_a_board_whose_own_column_is_rewritten_is_held_whatever_its_parts_do() -> None:
    """LiveBench's release of January 2026: one task more among 22 moves every overall score and nothing else."""
    parts = [row for part in range(22) for row in column(FORTY, f"exam/{part}")]
    moved = [score - 0.02 - 0.001 * (place % 9) for place, score in enumerate(FORTY)]
    findings = drift_of(column(FORTY) + parts, column(moved) + parts + column(FORTY, "exam/new"))
    assert kinds(findings) == [("lab/exam", "data")]
    rewritten = [score - 0.02 - 0.001 * (place % 9) if place < 19 else score for place, score in enumerate(FORTY)]
    assert drift_of(column(FORTY) + parts, column(rewritten) + parts) == []


def test_a_third_of_the_rows_gone() -> None:
    before = column(FORTY)
    assert drift_of(before, before[:29]) == []
    (finding,) = drift_of(before, before[:28])
    assert finding.reason == "row count down by 30%: 28 rows where there were 40"
    (nothing,) = drift_of(before, [])
    assert "column gone" in nothing.reason


def test_a_column_gone_is_held_and_one_more_is_not() -> None:
    before = column(FORTY) + column(FORTY, "exam/part")
    (finding,) = drift_of(before, column(FORTY) + column(FORTY, "exam/other"))
    assert (finding.board_id, finding.reason) == (
        "lab/exam/part",
        "column gone: 40 models had a score in it, none has now",
    )
    assert drift_of(before, before + column(FORTY, "exam/new")) == []


def test_columns_that_multiply_are_held() -> None:
    parts = [row for part in range(6) for row in column(FORTY, f"exam/{part}")]
    assert "columns new: 7" in drift_of(column(FORTY), column(FORTY) + parts)[0].reason


def test_a_board_begun_anew_is_a_reset_and_under_other_names_a_rename() -> None:
    other = column([score / 2 for score in FORTY], names="new")
    assert kinds(drift_of(column(FORTY), other)) == [("lab/exam", "reset")]
    (finding,) = drift_of(column(FORTY), column(FORTY, names="new"))
    assert finding.kind == "names"
    assert "40 of them with the scores of one that vanished" in finding.reason


@pytest.mark.parametrize("released", ["lab/exam", "lab/exam/part"])
def test_a_breakpoint_releases_its_board_or_its_column_alone(released: str) -> None:
    before = column(FORTY, "exam/part") + column(FORTY, "other")
    changed = [score * 0.5 for score in FORTY]
    assert drift_of(before, column(changed, "exam/part") + column(FORTY, "other"), released=[released]) == []
    held = drift_of(before, column(changed, "exam/part") + column(changed, "other"), released=[released])
    assert kinds(held) == [("lab/other", "data")]


def test_a_breakpoint_lies_after_one_version_and_not_after_the_next() -> None:
    marked = pl.DataFrame({"board_id": ["lab/exam"], "on_date": [date(2025, 3, 2)]})

    def lies_between(before: date, after: date) -> bool:
        return released_between(marked, before, after) == {"lab/exam"}

    assert lies_between(date(2025, 3, 1), date(2025, 3, 2))
    assert lies_between(date(2025, 3, 1), date(2025, 3, 9))
    assert lies_between(date(2025, 3, 2), date(2025, 3, 2))
    assert not lies_between(date(2025, 3, 2), date(2025, 3, 9))
    assert not lies_between(date(2025, 2, 1), date(2025, 3, 1))


def test_the_message_says_what_to_write() -> None:
    message = held_message([Finding("lab/exam", "data", "history rewritten")], date(2025, 3, 1), date(2025, 3, 2))
    assert "The version of 2025-03-01 stays in service" in message
    assert message.endswith("lab/exam,2025-03-02,data")


SCORES = st.floats(0, 1)
TABLES = st.dictionaries(
    st.tuples(st.sampled_from(["a", "a/x", "b"]), st.sampled_from([f"m{place}" for place in range(30)])), SCORES
)


@given(TABLES, st.booleans(), st.randoms(use_true_random=False))
def test_the_same_table_in_any_order_passes(
    scores: dict[tuple[str, str], float], bounded: bool, random: Random
) -> None:
    rows = [(*key, score) for key, score in scores.items()]
    again = rows.copy()
    random.shuffle(again)
    assert drift_of(rows, again, bounded=bounded) == []


@given(TABLES, TABLES, st.booleans())
def test_any_two_tables_are_judged_and_a_release_of_all_boards_lets_all_pass(
    one: dict[tuple[str, str], float], other: dict[tuple[str, str], float], bounded: bool
) -> None:
    before, after = ([(*key, score) for key, score in scores.items()] for scores in (one, other))
    findings = drift_of(before, after, bounded=bounded)
    assert all(finding.kind in ("data", "rules", "scale", "names", "reset") for finding in findings)
    assert drift_of(before, after, bounded=bounded, released=["lab/a", "lab/b"]) == []
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr("benchhealth.ingest.run.drift._FEW_ROWS", -1)  # each view compared by itself
        assert drift_of(before, after, bounded=bounded) == findings


@given(
    TABLES,
    st.lists(st.sampled_from(["gone", "moved a little", "moved tenfold", "moved back tenfold", "as before"])),
    st.integers(0, 6),
    st.booleans(),
)
def test_versions_that_are_too_alike_to_compare_would_be_judged_the_same(
    scores: dict[tuple[str, str], float], changes: list[str], new_columns: int, bounded: bool
) -> None:
    factors = {"moved a little": 1.02, "moved tenfold": 10.0, "moved back tenfold": 0.1}
    before = [(*key, score) for key, score in scores.items()]
    changed = dict(enumerate(changes))
    after = [
        (benchmark, model, score * factors.get(changed.get(place, ""), 1.0))
        for place, (benchmark, model, score) in enumerate(before)
        if changed.get(place) != "gone"
    ] + [(f"new{place}", "m", 0.5) for place in range(new_columns)]
    findings = drift_of(before, after, bounded=bounded)
    with pytest.MonkeyPatch.context() as compared:
        compared.setattr("benchhealth.ingest.run.drift._is_quiet", lambda *_: False)
        assert drift_of(before, after, bounded=bounded) == findings


def test_scores_that_are_counted_on_from_day_to_day_move_unasked() -> None:
    before = column(FORTY)
    scales = Scales({"exam"}, continuous={"exam"})

    def moved(after: pl.DataFrame) -> list[tuple[str, str]]:
        return kinds(drift(table(before), after, source_id="lab", scales=scales, released=set()))

    assert moved(table(column([score - 0.02 for score in FORTY]))) == []
    assert moved(table(column([score * 100 for score in FORTY]))) == [("lab/exam", "scale")]
    assert moved(table(column([*FORTY[20:], *FORTY[:20]]))) == [("lab/exam", "data")]
    assert moved(table(column(FORTY[:20]))) == [("lab/exam", "data")]


def test_a_rating_that_is_counted_on_and_moves_as_a_whole_is_held_like_any_other() -> None:
    before, after = table(column(RATINGS), 3.0), table(column([rating + 60 for rating in RATINGS]), 3.0)
    for continuous in (set[str](), {"exam"}):
        scales = Scales(set(), continuous=continuous)
        assert kinds(drift(before, after, source_id="lab", scales=scales, released=set())) == [("lab/exam", "scale")]


def test_a_file_of_one_model_fills_up_and_is_run_again() -> None:
    first = table([("exam", "m", 0.5)])
    filled = table([(f"exam-{place}", "m", 0.5) for place in range(9)])
    again = table([(f"quiz-{place}", "m", 0.5) for place in range(9)])
    scales = Scales(set())
    assert drift(first, filled, source_id="lab", scales=scales, released=set()) == []
    assert drift(filled, again, source_id="lab", scales=scales, released=set()) == []


def test_ratings_that_are_counted_on_are_still_held_where_the_whole_board_shifts() -> None:
    scales = Scales(set(), continuous={"exam"})
    shifted = table(column([rating + 50 for rating in RATINGS]))
    assert kinds(drift(table(column(RATINGS)), shifted, source_id="lab", scales=scales, released=set())) == [
        ("lab/exam", "scale")
    ]
