"""Whether models have seen the items: documented, standing out, or not known; never no."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from benchhealth.analytics.answers.seen import CASES, FEWEST_MODELS
from tests.support.answers import answer
from tests.support.frames import benchmark, frames, result

REPORT = {"benchmark_id": "a", "subject": "GPT", "subject_kind": "model", "method": "string match"}


def rung(
    name: str, level: str, value: float | None = 0.0, n: int = 20, detectable: float | None = None
) -> dict[str, Any]:
    status = "insufficient" if value is None else "ok"
    return {
        "benchmark_id": "a", "rung": name, "level": level, "value": value, "n": n, "detectable": detectable,
        "status": status,
    }  # fmt: skip


def seen(
    *rungs: dict[str, Any],
    labels: str | None = "public",
    reports: Sequence[dict[str, Any]] = (),
    incidents: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    facts = frames([result("a", "m", 0.5)], [benchmark("a", labels=labels)], reports=reports)
    return answer(facts, "seen", contamination_risk=rungs, incident=incidents)


def test_it_is_never_no() -> None:
    assert {case.reply for case in CASES} == {"yes", "partly", "unknown"}


@pytest.mark.parametrize(("share", "case"), [(0.12, "documented"), (0.01, "documented_little")])
def test_what_is_documented_is_yes_with_share_and_report(share: float, case: str) -> None:
    level = "high" if case == "documented" else "low"
    report = {**REPORT, "share": share, "reference_url": "https://example.org/r"}
    row = seen(rung("report", level, share, n=3), rung("twin", "high", 0.25), reports=[report])
    assert (row["reply"], row["case"], row["value"], row["n"], row["n_of"]) == ("yes", case, share, 3, "reports")
    assert (row["said_by"], row["flagged"], row["tested"]) == ("GPT", 5, 20)
    assert row["evidence"] == ["contamination_report/https://example.org/r", "contamination_risk/twin"]


def test_reports_without_a_share_and_declarations() -> None:
    assert seen(rung("report", "moderate", None, n=1), reports=[REPORT])["case"] == "documented_unmeasured"
    declared = seen(rung("declared_training", "high", 2.0))
    assert (declared["reply"], declared["case"], declared["count"]) == ("yes", "declared", 2)
    assert seen(rung("declared_training", "moderate", 2.0))["reply"] == "partly"


def test_models_that_stand_out_are_partly_an_answer() -> None:
    row = seen(rung("anomaly", "low", 0.0, detectable=0.1), rung("twin", "moderate", 0.05))
    assert (row["reply"], row["case"], row["kind"], row["count"], row["n"]) == ("partly", "stand_out", "twin", 1, 20)


def test_nothing_found_is_unknown_with_what_would_have_been_missed() -> None:
    row = seen(rung("twin", "low", detectable=0.13), rung("anomaly", "unknown", detectable=0.5))
    assert (row["reply"], row["case"], row["value"], row["missed"]) == ("unknown", "nothing_found", None, 0.13)
    weak = seen(rung("anomaly", "unknown", detectable=0.345, n=19))
    assert (weak["reply"], weak["case"], weak["missed"], weak["n"]) == ("unknown", "too_weak", 0.345, 19)
    assert weak["why_unknown"] == "looked_too_weakly"


def test_a_test_of_few_models_is_none_and_withheld_answers_are_no_proof() -> None:
    assert seen(rung("anomaly", "moderate", 0.5, n=FEWEST_MODELS - 1))["case"] == "nobody_looked"
    assert (seen(labels="private")["reply"], seen(labels="private")["case"]) == ("unknown", "withheld")


def test_models_that_could_have_seen_them_are_counted() -> None:
    could = [{**rung("exposure", "moderate", 3.0), "model_id": f"m{index}"} for index in range(3)]
    assert (seen(*could)["second"], seen(*could)["second_unit"]) == (3, "models")


def test_an_incident_that_may_bear_on_an_unknown_is_named_with_its_day() -> None:
    retired = {"benchmark_id": "a", "kind": "retired", "subject": "OpenAI", "on_date": date(2026, 2, 20)}
    earlier, audited = {**retired, "on_date": date(2025, 1, 1)}, {**retired, "kind": "audit"}
    row = seen(incidents=[earlier, retired])
    assert (row["reply"], row["on_day"]) == ("unknown", date(2026, 2, 20))
    assert seen(incidents=[audited])["on_day"] is None
    report = {**REPORT, "share": 0.5, "reference_url": "https://example.org/r"}
    documented = seen(rung("report", "high", 0.5, n=1), reports=[report], incidents=[retired])
    assert (documented["said_by"], documented["on_day"]) == ("GPT", None)
