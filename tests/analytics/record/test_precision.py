"""What its source states of a month or a year is no day: it counts from the last of it, and no earlier."""

from datetime import date

import polars as pl
import pytest

from benchhealth.analytics.record.current import benchmark_facts, ranked_results
from benchhealth.analytics.record.dating import date_results
from benchhealth.analytics.record.frontier import frontier, history_of
from benchhealth.analytics.record.looks import looks
from benchhealth.analytics.record.model_facts.named_dates import named_date
from benchhealth.analytics.record.model_facts.precision import DAY, MONTH, YEAR
from benchhealth.analytics.record.model_facts.reconcile import reconcile
from benchhealth.analytics.record.model_facts.release import DatedClaim, choose_release_day
from tests.support.frames import Row, frame, frames, result

SEEN = date(2025, 6, 1)
TESTS = pl.Schema({"benchmark_id": pl.String(), "released_on": pl.Date()})
AS_OF = date(2025, 7, 1)


def of(source_id: str, on: date, basis: str, observed_on: date = SEEN) -> Row:
    return result(
        "hellaswag", "muppet", 0.864, dated_on=on, date_basis=basis, source_id=source_id, observed_on=observed_on
    )


def placed(row: Row, released: tuple[date, str] | None = None) -> tuple[object, ...]:
    facts = frames([row])
    model_rows = (
        [{"model_id": "muppet", "released_on": released[0], "released_precision": released[1]}] if released else []
    )
    dated_rows = date_results(
        facts.result.collect(), frame("model", model_rows), facts.snapshot, pl.DataFrame(schema=TESTS), facts.breakpoint
    )
    return dated_rows.select("dated_on", "date_precision", "date_basis").row(0)


@pytest.mark.parametrize(
    ("source_id", "basis", "stated", "counts", "precision"),
    [
        ("milestones", "paper", date(2021, 1, 1), date(2021, 1, 31), MONTH),
        ("milestones", "paper", date(2021, 1, 26), date(2021, 1, 26), DAY),
        ("ito", "paper", date(2020, 2, 1), date(2020, 2, 29), MONTH),
        ("nlp-progress", "paper", date(2018, 1, 1), date(2018, 12, 31), YEAR),
        ("nlp-progress", "paper", date(2017, 11, 1), date(2017, 11, 30), MONTH),
        ("squad", "submission", date(2018, 1, 1), date(2018, 1, 1), DAY),
        ("import", "evaluation", date(2021, 1, 1), date(2021, 1, 31), MONTH),
    ],
)
def test_a_month_counts_from_its_last_day_and_says_that_it_is_one(
    source_id: str, basis: str, stated: date, counts: date, precision: str
) -> None:
    assert placed(of(source_id, stated, basis)) == (counts, precision, basis)


def test_a_month_that_was_seen_before_its_end_counts_from_then() -> None:
    row = of("milestones", date(2025, 6, 1), "paper", observed_on=date(2025, 6, 9))
    assert placed(row) == (date(2025, 6, 9), MONTH, "paper")


def test_a_result_that_the_release_dates_is_as_exact_as_the_release() -> None:
    undated = result("a", "muppet", 0.5, dated_on=None, date_basis=None, observed_on=SEEN)
    assert placed(undated, (date(2025, 4, 1), MONTH)) == (date(2025, 4, 30), MONTH, "model_release")
    assert placed(undated, (date(2025, 4, 1), DAY)) == (date(2025, 4, 1), DAY, "model_release")
    assert placed(undated) == (None, None, "snapshot")


@pytest.mark.parametrize(
    ("model_id", "stated", "precision"),
    [
        ("ministral-3-14b-2512", [], MONTH),
        ("ministral-3-14b-2512", [("models-dev", date(2025, 12, 2))], DAY),
        ("qwen3-vl-30b-a3b", [("models-dev", date(2025, 4, 1))], MONTH),
        ("deepseek-v3.2", [("llm-stats", date(2025, 12, 1))], DAY),
        ("qwen3-vl-30b-a3b", [("models-dev", date(2025, 4, 1)), ("epoch", date(2025, 4, 1))], DAY),
    ],
)
def test_a_release_known_by_its_month_says_so(model_id: str, stated: list[tuple[str, date]], precision: str) -> None:
    release = choose_release_day(named_date(model_id), [DatedClaim(day, source_id) for source_id, day in stated], None)
    assert release.precision(stated) == precision


def test_the_table_of_models_holds_how_exactly_a_release_is_known() -> None:
    claims = frame("model_claim", [{"model_id": "gpt-x", "released_on": date(2025, 4, 1), "source_id": "models-dev"}])
    seen = pl.DataFrame({"model_id": ["gpt-x", "other"], "seen_on": [SEEN, SEEN]})
    model = reconcile(claims, seen).model
    assert model.select("model_id", "released_precision").rows() == [("gpt-x", MONTH), ("other", None)]


@pytest.mark.parametrize(("of_day", "stands"), [(0.7, "day"), (0.5, "month")])
def test_of_a_month_and_a_day_in_it_the_lower_is_no_step(of_day: float, stands: str) -> None:
    rows = [
        result("a", "month", 0.6, dated_on=date(2025, 3, 31), date_precision=MONTH, date_basis="paper"),
        result("a", "day", of_day, dated_on=date(2025, 3, 10), source_id="other"),
        result("a", "later", 0.9, dated_on=date(2025, 5, 1), source_id="third"),
    ]
    facts = frames(rows)
    ranked = ranked_results(facts, benchmark_facts(facts))
    curve = frontier(ranked, history_of(ranked, AS_OF), facts.breakpoint, looks(facts, ranked, AS_OF).benchmark)
    assert curve["model_id"].to_list() == [stands, "later", "later"]
    assert curve["date_precision"][0] == (MONTH if stands == "month" else None)
