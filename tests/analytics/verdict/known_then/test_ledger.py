"""The ledger of verdicts: its stretches of days, what it says on which basis, and that it never looks ahead."""

from datetime import date, timedelta

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.of_verdicts import VERDICT_ISSUED
from benchhealth.analytics.verdict.history import KNOWN_THEN, SAME_SOURCES
from benchhealth.analytics.verdict.known_then.ledger import (
    FIRST_SAID,
    FROM_THE_START,
    stretches,
    verdict_history,
    verdicts_then,
)

MAY, JUNE, JULY = date(2025, 5, 31), date(2025, 6, 30), date(2025, 7, 31)
NOW = date(2025, 8, 20)


def verdict_row(on: date, stage: str, benchmark_id: str = "a", **more: object) -> dict[str, object]:
    row = {"benchmark_id": benchmark_id, "issued_on": on, "backcast": True, "stage": stage, "flags": []}
    return {**row, "rules_version": "8", "best": 0.5, "best_model": "m", **more}


def entries(*rows: dict[str, object]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=VERDICT_ISSUED)


def then(*rows: dict[str, object], now: tuple[dict[str, object], ...] = ()) -> pl.DataFrame:
    return verdicts_then(entries(*rows), entries(*now), NOW)


def runs(days: pl.DataFrame, *columns: str) -> list[tuple[object, ...]]:
    return (
        stretches(days).sort("benchmark_id", "basis", "from_on").select("from_on", "until_on", "stage", *columns).rows()
    )


def test_a_stretch_lasts_until_the_next_day_on_which_another_stage_is_said() -> None:
    days = then(
        verdict_row(MAY, "emerging"),
        verdict_row(JUNE, "emerging"),
        verdict_row(JULY, "saturated"),
        now=(verdict_row(NOW, "saturated"),),
    )
    assert runs(days, "last_on", "how") == [
        (MAY, JULY, "emerging", JUNE, FROM_THE_START),
        (JULY, None, "saturated", NOW, FIRST_SAID),
    ]


def test_a_benchmark_that_is_gone_for_a_day_begins_again() -> None:
    days = then(verdict_row(MAY, "emerging"), verdict_row(JUNE, "emerging", "b"), verdict_row(JULY, "emerging"))
    assert runs(days.filter(benchmark_id="a"))[:1] == [(MAY, None, "emerging")]
    assert runs(days) == [(MAY, JUNE, "emerging"), (JULY, None, "emerging"), (JUNE, JULY, "emerging")]


def test_what_was_published_goes_before_what_was_backcast_of_the_day() -> None:
    days = then(verdict_row(MAY, "emerging"), verdict_row(MAY, "saturated", backcast=False, generation="gen-1"))
    assert days.select("stage", "generation").rows() == [("saturated", "gen-1")]


def test_each_basis_stands_for_itself_and_the_first_of_the_same_sources_counts() -> None:
    same = [verdict_row(day, "compressing", held_on=MAY) for day in (MAY, JUNE)]
    later = verdict_row(JUNE, "saturated", held_on=JUNE)
    days = then(verdict_row(MAY, "emerging"), verdict_row(JUNE, "discriminating"), *same, later)
    assert days.select("basis", "issued_on", "stage").rows() == [
        (KNOWN_THEN, MAY, "emerging"),
        (KNOWN_THEN, JUNE, "discriminating"),
        (SAME_SOURCES, MAY, "compressing"),
        (SAME_SOURCES, JUNE, "compressing"),
    ]


def test_without_a_ledger_nothing_is_said_to_have_been_known_then() -> None:
    assert then(now=(verdict_row(NOW, "saturated"),)).is_empty()
    assert verdict_history(pl.DataFrame(schema=PUBLISHED["verdict_history"]), then()).is_empty()


def test_the_table_has_both_ends_of_a_stretch() -> None:
    days = then(
        verdict_row(MAY, "emerging", best=0.4, condition="no tools", p=0.7, flags=["gap"]),
        verdict_row(JUNE, "emerging", best=0.6, best_model="n", condition="tools", p=0.9),
    )
    row = verdict_history(pl.DataFrame(schema=PUBLISHED["verdict_history"]), days).row(0, named=True)
    assert (row["best"], row["best_model"], row["condition"]) == (0.4, "m", "no tools")
    assert (row["best_end"], row["best_model_end"], row["condition_end"]) == (0.6, "n", "tools")
    assert (row["p"], row["flags"], row["basis"], row["backcast"]) == (0.7, ["gap"], KNOWN_THEN, True)


STAGES = st.sampled_from(["emerging", "compressing", "saturated"])


@given(st.lists(st.one_of(st.none(), STAGES), min_size=1, max_size=9), st.integers(0, 9))
def test_stretches_are_the_days_again_and_no_later_entry_moves_them(stages: list[str | None], cut: int) -> None:
    """Every day of the ledger lies in the one stretch that has its stage; entries of a later day are not read."""
    month = [MAY + timedelta(days=30 * place) for place in range(len(stages))]
    rows = [verdict_row(day, stage) for day, stage in zip(month, stages, strict=True) if stage is not None]
    others = [verdict_row(day, "emerging", "b") for day in month]
    far = month[-1] + timedelta(days=1)
    stretch_rows = stretches(verdicts_then(entries(*rows, *others), entries(), far)).filter(benchmark_id="a")
    for day, stage in zip(month, stages, strict=True):
        holds = stretch_rows.filter(pl.col("from_on") <= day, pl.col("until_on").is_null() | (pl.col("until_on") > day))
        assert holds["stage"].to_list() == ([] if stage is None else [stage])
    until = MAY + timedelta(days=30 * cut)
    part = stretches(verdicts_then(entries(*rows, *others), entries(), until)).filter(benchmark_id="a")
    before = stretch_rows.filter(pl.col("from_on") < until)
    assert part.select("from_on", "stage").sort("from_on").equals(before.select("from_on", "stage").sort("from_on"))
