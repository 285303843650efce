"""A snapshot dates what first appears in it, and never what was there at the first look."""

from datetime import date, datetime, time, timedelta

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.record.dating import date_results
from tests.support.frames import frame, frames, result
from tests.support.soaking import examples

FIRST, SECOND, THIRD = date(2025, 1, 1), date(2025, 2, 1), date(2025, 3, 1)
TESTS = pl.Schema({"benchmark_id": pl.String(), "released_on": pl.Date()})
UNDATED = {"dated_on": None, "date_basis": None}


RESETS = pl.Schema({"board_id": pl.String(), "on_date": pl.Date(), "kind": pl.String()})
NO_RESETS = pl.DataFrame(schema=RESETS)


def days(
    rows: list[dict[str, object]],
    released: dict[str, date] | None = None,
    since: date | None = None,
    resets: list[tuple[str, date, str]] | None = None,
) -> list[tuple[object, ...]]:
    facts = frames(rows)
    models = frame("model", [{"model_id": name, "released_on": on} for name, on in (released or {}).items()])
    tests = pl.DataFrame({"benchmark_id": ["a"], "released_on": [since]}, schema=TESTS)
    breakpoints = pl.DataFrame(resets or [], schema=RESETS, orient="row")
    dated_rows = date_results(facts.result.collect(), models, facts.snapshot, tests, breakpoints)
    return dated_rows.select("model_id", "dated_on", "date_basis").rows()


def seen(model_id: str, on: date, **more: object) -> dict[str, object]:
    return result("a", model_id, 0.5, observed_on=on, **{**UNDATED, **more})  # type: ignore[arg-type]


def test_what_the_first_look_shows_has_no_day_in_any_version() -> None:
    assert days([seen("old", FIRST), seen("old", SECOND)]) == [("old", None, "snapshot")] * 2


def test_what_appears_later_has_the_day_on_which_it_did_in_every_version() -> None:
    dates = days([seen("old", FIRST), seen("new", SECOND), seen("new", THIRD)])
    assert dates[1:] == [("new", SECOND, "snapshot")] * 2


def test_a_corrected_row_is_as_old_as_the_one_whose_place_it_took() -> None:
    self_reported = {"reporter": "self"}
    relabelled = [
        seen("old", FIRST),
        seen("old", SECOND, **self_reported),
        seen("new", SECOND),
        seen("new", THIRD, **self_reported),
    ]
    assert days(relabelled) == [
        *[("old", None, "snapshot")] * 2,
        *[("new", SECOND, "snapshot")] * 2,
    ]
    beside = [seen("old", FIRST), seen("old", SECOND), seen("old", SECOND, setting="high")]
    assert days(beside)[2] == ("old", SECOND, "snapshot")


def test_a_setting_that_came_with_another_score_was_measured_when_it_came() -> None:
    larger = {**seen("old", SECOND, setting="320 px"), "score": 0.6}
    assert days([seen("old", FIRST, setting="224 px"), larger]) == [
        ("old", None, "snapshot"),
        ("old", SECOND, "snapshot"),
    ]


def test_nothing_is_older_than_the_test_with_which_its_board_began_anew() -> None:
    board = str(frames([seen("old", FIRST)]).result.collect()["board_id"][0])
    rows = [seen("old", FIRST), seen("old", SECOND), seen("old", THIRD), seen("new", THIRD), seen("late", THIRD)]
    run = {"dated_on": FIRST, "date_basis": "evaluation"}
    rows.append(seen("run", THIRD, **run))
    released = {"old": date(2024, 6, 1), "late": date(2025, 2, 20)}
    dates = days(rows, released, resets=[(board, SECOND, "reset"), (board, THIRD, "rules")])
    assert dates == [
        ("old", date(2024, 6, 1), "model_release"),
        *[("old", None, "snapshot")] * 2,
        ("new", THIRD, "snapshot"),
        ("late", date(2025, 2, 20), "model_release"),
        ("run", FIRST, "evaluation"),
    ]


def test_parts_begin_anew_with_their_whole() -> None:
    part = {**seen("old", SECOND), "benchmark_id": "a/x", "board_id": "lab/a/x"}
    released = {"old": date(2024, 6, 1)}
    assert days([part], released)[0] == ("old", date(2024, 6, 1), "model_release")
    assert days([part], released, resets=[("lab/a", SECOND, "reset")])[0][1:] == (None, "snapshot")


def test_a_benchmark_that_a_file_has_from_a_later_version_on_is_first_looked_at_there() -> None:
    first_snapshot = {"snapshot_id": "lab-2025-02-01"}
    other = {**result("b", "m", 0.5, observed_on=SECOND, **UNDATED), **first_snapshot, "board_id": "lab/a"}  # type: ignore[arg-type]
    assert days([seen("old", FIRST), {**seen("new", SECOND), **first_snapshot}, other])[1:] == [
        ("new", SECOND, "snapshot"),
        ("m", None, "snapshot"),
    ]


def test_a_known_release_and_a_stated_day_stand_above_the_look() -> None:
    released = {"old": date(2024, 6, 1), "typo": date(2024, 6, 1), "later": date(2025, 6, 1)}
    stated = {"dated_on": date(2024, 8, 1), "date_basis": "evaluation"}
    slipped = {"dated_on": date(2023, 6, 1), "date_basis": "evaluation"}
    assert days([seen("old", FIRST), seen("told", FIRST, **stated)], released) == [
        ("old", date(2024, 6, 1), "model_release"),
        ("told", date(2024, 8, 1), "evaluation"),
    ]
    assert days([seen("typo", FIRST, **slipped), seen("later", FIRST)], released) == [
        ("typo", date(2024, 6, 1), "model_release"),
        ("later", None, "snapshot"),
    ]


def test_no_part_is_older_than_its_whole_unless_its_own_release_is_known() -> None:
    facts = frames([result(test, "m", 0.5, observed_on=FIRST, **UNDATED) for test in ("a/x", "a/y", "b/x")])  # type: ignore[arg-type]
    models = frame("model", [{"model_id": "m", "released_on": date(2024, 6, 1)}])
    tests = pl.DataFrame({"benchmark_id": ["a", "a/y"], "released_on": [date(2024, 12, 1), date(2024, 6, 15)]})
    days_of = date_results(facts.result.collect(), models, facts.snapshot, tests, NO_RESETS).sort("benchmark_id")
    assert days_of.select("benchmark_id", "dated_on", "date_basis").rows() == [
        ("a/x", None, "snapshot"),
        ("a/y", date(2024, 6, 15), "model_release"),
        ("b/x", date(2024, 6, 1), "model_release"),
    ]


@examples(20, soak=60)
@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.integers(1, 6), st.sampled_from(["", "high"])),
        min_size=1,
        max_size=20,
        unique=True,
    )
)
def test_no_day_is_before_the_second_look_or_after_the_row_was_seen(rows: list[tuple[str, int, str]]) -> None:
    facts = frames([seen(model, date(2025, month, 1), setting=setting) for model, month, setting in rows])
    dated_rows = date_results(
        facts.result.collect(), frame("model", []), facts.snapshot, pl.DataFrame(schema=TESTS), NO_RESETS
    )
    first = min(date(2025, month, 1) for _, month, _ in rows)
    day = pl.col("dated_on")
    assert dated_rows.filter(day <= first).is_empty()
    assert dated_rows.filter(day > pl.col("observed_at").dt.date()).is_empty()
    assert dated_rows.filter(pl.col("observed_at") == datetime.combine(first, time()))["dated_on"].null_count() == sum(
        date(2025, month, 1) == first for _, month, _ in rows
    )


def test_a_day_that_a_source_calls_the_release_is_the_release_that_is_held() -> None:
    stated = {"dated_on": date(2024, 6, 20), "date_basis": "model_release"}
    stated_rows = [seen("m", FIRST, **stated), seen("unknown", FIRST, **stated)]
    assert days(stated_rows, {"m": date(2024, 6, 24)}) == [
        ("m", date(2024, 6, 24), "model_release"),
        ("unknown", date(2024, 6, 20), "model_release"),
    ]


def test_nothing_is_dated_by_what_was_before_its_benchmark() -> None:
    began = date(2024, 6, 1)
    run = {"dated_on": date(2023, 5, 1), "date_basis": "evaluation"}
    early = {"dated_on": date(2024, 5, 20), "date_basis": "evaluation"}
    rows = [seen("old", FIRST), seen("run", FIRST, **run), seen("early", FIRST, **early), seen("new", FIRST)]
    assert days(rows, {"old": date(2024, 2, 1), "new": date(2024, 5, 13)}, began) == [
        ("old", None, "snapshot"),
        ("run", None, "snapshot"),
        ("early", date(2024, 5, 20), "evaluation"),
        ("new", began, "model_release"),
    ]
    later = [seen("first", FIRST), seen("old", SECOND)]
    assert days(later, {"old": date(2024, 2, 1)}, began)[1] == ("old", SECOND, "snapshot")


def test_a_release_dates_no_result_before_its_benchmark_and_what_a_source_states_stays() -> None:
    began = date(2025, 11, 25)
    linked = {"dated_on": date(2025, 11, 1), "date_basis": "paper"}
    rows = [
        seen("claude-opus-4-5-20251101", date(2026, 1, 8)),
        seen("at-once", began - timedelta(days=1)),
        seen("linked", date(2026, 1, 8), **linked),
    ]
    facts = frames(rows)
    models = frame("model", [{"model_id": row["model_id"], "released_on": date(2025, 11, 24)} for row in rows[:2]])
    models = models.with_columns(released_precision=pl.lit("day"))
    tests = pl.DataFrame({"benchmark_id": ["a"], "released_on": [began]}, schema=TESTS)
    dated_rows = date_results(facts.result.collect(), models, facts.snapshot, tests, NO_RESETS)
    assert dated_rows.select("dated_on", "date_basis", "date_precision").rows() == [
        (began, "model_release", "day"),
        (date(2025, 11, 24), "model_release", "day"),
        (began, "paper", "day"),
    ]
