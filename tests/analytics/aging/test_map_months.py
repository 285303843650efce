"""The map of every month: it ends with the verdict, begins with the release, and never looks ahead."""

from calendar import monthrange
from datetime import date, timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.aging.map_months import FIRST_YEAR, map_months, month_ends
from benchhealth.analytics.indicators import indicate
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.verdict.history import BY_DATE
from benchhealth.analytics.verdict.replay import replay
from tests.support.frames import Row, benchmark, evidence_of, frames, result
from tests.support.histories import BenchmarkHistories, histories_of
from tests.support.verdicts import JUDGED_BY, LIMITS

AS_OF = date(2026, 1, 10)
RELEASE = date(2022, 1, 20)
A = benchmark("a", released_on=RELEASE, curated=True)
DAYS = st.dates(date(2021, 11, 1), AS_OF)


def wave(on: date | None, top: float, models: int = 6, exam: str = "a", **more: object) -> list[Row]:
    """Models on a day, up to the score and a point apart."""
    return [
        {**result(exam, f"{on}-{number}", top - 0.01 * number, n_items=50_000, dated_on=on), **more}
        for number in range(models)
    ]


def map_and_histories(
    rows: list[Row], benchmarks: list[Row], as_of: date = AS_OF
) -> tuple[pl.DataFrame, BenchmarkHistories]:
    facts = frames(rows, benchmarks)
    histories = histories_of(facts, as_of)
    verdict = histories.verdict.with_columns(between=pl.lit([], dtype=pl.List(pl.String)))
    table = indicate(histories.evidence)
    replayed = replay(histories.evidence, table, facts.breakpoint, LIMITS)
    return map_months(replayed, verdict, histories.evidence, table), histories


@given(st.dates(date(2000, 1, 1), date(2040, 12, 31)))
def test_months_end_one_after_the_other_and_with_the_day_itself(until: date) -> None:
    ends = month_ends(until)
    assert len(ends) == max(0, (until.year - FIRST_YEAR) * 12 + until.month)
    assert ends == sorted(set(ends)) and (not ends or ends[-1] == until)
    assert all(end.day == monthrange(end.year, end.month)[1] for end in ends[:-1])


def test_a_benchmark_waits_from_its_release_falls_and_changes_its_stage() -> None:
    months, _ = map_and_histories([*wave(date(2023, 3, 5), 0.5), *wave(date(2024, 6, 9), 0.99)], [A])
    assert months.schema == PUBLISHED["map_month"]
    shown = months.select("on", "stage", pl.col("headroom").round(2), "models", "result_on").rows()
    assert shown[:2] == [
        (date(2022, 1, 31), "unknown", None, 0, None),
        (date(2023, 3, 31), "discriminating", 0.5, 6, date(2023, 3, 5)),
    ]
    assert (date(2024, 6, 30), "saturated", 0.01, 12, date(2024, 6, 9)) in shown
    assert shown[-1][:2] == (AS_OF, "saturated")


def test_nobody_reports_it_any_more_a_year_after_the_last_result_and_again_when_somebody_does() -> None:
    months, _ = map_and_histories([*wave(date(2023, 3, 5), 0.5), *wave(date(2025, 2, 2), 0.6)], [A])
    turns = months.filter(pl.col("dormant") != pl.col("dormant").shift(1)).select("on", "dormant").rows()
    # 12 months of 30.4375 days after 5 March 2023 are over on 5 March 2024, of 2 February 2025 on the day itself.
    assert turns == [(date(2024, 3, 31), True), (date(2025, 2, 28), False)]


def test_what_has_no_day_counts_on_the_last_day_alone() -> None:
    months, _ = map_and_histories(wave(None, 0.9, date_basis="snapshot"), [A])
    assert months.select("on", "models").rows() == [(date(2022, 1, 31), 0), (AS_OF, 6)]
    assert months["headroom"].is_null().to_list() == [True, False]


def test_uncurated_benchmarks_are_not_on_it() -> None:
    months, _ = map_and_histories(wave(date(2023, 3, 5), 0.5), [{**A, "curated": False}])
    assert months.is_empty()


WAVES = st.lists(st.tuples(DAYS, st.floats(0.1, 1.0), st.integers(1, 6)), min_size=1, max_size=6)


@pytest.mark.soak
@settings(max_examples=4)  # each is a whole replay, of eight benchmarks at once
@given(st.lists(st.tuples(WAVES, st.booleans()), min_size=8, max_size=8))
def test_it_ends_with_the_verdict_and_agrees_with_the_history(
    drawn: list[tuple[list[tuple[date, float, int]], bool]],
) -> None:
    exams = {f"exam-{number}": one for number, one in enumerate(drawn)}
    rows = [row for exam, (waves, _) in exams.items() for wave_ in waves for row in wave(*wave_, exam=exam)]
    facts = [
        {**A, "benchmark_id": exam, "released_on": RELEASE if is_released else None}
        for exam, (_, is_released) in exams.items()
    ]
    months, lived = map_and_histories(rows, facts)
    for exam, (waves, is_released) in exams.items():
        first_day = min(on for on, *_ in waves)
        _agrees(
            months.filter(benchmark_id=exam),
            lived.verdict.filter(benchmark_id=exam),
            lived.history.filter(benchmark_id=exam),
            begins=min(first_day, RELEASE) if is_released else first_day,
        )


def _agrees(months: pl.DataFrame, verdict: pl.DataFrame, history: pl.DataFrame, begins: date) -> None:
    """The months of one benchmark end with its verdict, begin in time and have the stages of its history."""
    assert months.filter(pl.col("on") == AS_OF)["stage"].to_list() == verdict["stage"].to_list()
    assert months["on"].min() >= begins, "no mark before the release or the first result"
    assert (months["result_on"].drop_nulls() <= months.filter(pl.col("result_on").is_not_null())["on"]).all()
    history = history.filter(pl.col("basis") == BY_DATE, pl.col("from_on").is_not_null())
    ends = pl.DataFrame({"on": month_ends(AS_OF)}).filter(
        pl.col("on").is_between(history["from_on"].min(), AS_OF, closed="left")
    )
    if ends.height:
        by_map = ends.join_asof(months.sort("on"), on="on")["stage"]
        by_history = ends.join_asof(history.sort("from_on"), left_on="on", right_on="from_on")["stage"]
        assert by_map.to_list() == by_history.to_list()


@pytest.mark.soak
@settings(max_examples=3)  # each is two whole replays, of nine benchmarks at once
@given(st.lists(st.lists(st.tuples(DAYS, st.floats(0.1, 1.0)), min_size=2, max_size=6), min_size=9, max_size=9), DAYS)
def test_what_comes_later_changes_no_month_before(drawn: list[list[tuple[date, float]]], cut: date) -> None:
    exams = {f"exam-{number}": waves for number, waves in enumerate(drawn) if min(waves)[0] <= cut}
    if not exams:
        return
    benchmarks = [{**A, "benchmark_id": exam} for exam in exams]
    rows = [row for exam, waves in exams.items() for on, top in waves for row in wave(on, top, exam=exam)]
    all_months, _ = map_and_histories(rows, benchmarks)
    months_until_cut, _ = map_and_histories([row for row in rows if row["dated_on"] <= cut], benchmarks)
    before = pl.col("on") <= cut
    assert all_months.filter(before, pl.col("on") < AS_OF).equals(months_until_cut.filter(before, pl.col("on") < AS_OF))


def test_no_day_no_map() -> None:
    facts = frames([], [A])
    evidence = evidence_of(facts, date(FIRST_YEAR, 1, 1) - timedelta(days=1))
    none = pl.DataFrame(schema=PUBLISHED["verdict"])
    table = pl.DataFrame(schema=PUBLISHED["indicator"])
    replayed = replay(evidence, indicate(evidence, indicators=JUDGED_BY), facts.breakpoint, LIMITS)
    assert map_months(replayed, none, evidence, table).schema == PUBLISHED["map_month"]
    assert month_ends(evidence.as_of) == []
