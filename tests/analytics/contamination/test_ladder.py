"""The ladder as a whole: nothing known is unknown, levels follow from findings, truth known beforehand is met."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.assess import assess
from benchhealth.analytics.contamination.anomaly.fresh import boards
from benchhealth.analytics.contamination.calibration import LEAKS
from benchhealth.analytics.contamination.exposure import find as exposure
from benchhealth.analytics.contamination.findings import FLAGGED_AT, LEVELS, RungInputs
from benchhealth.analytics.contamination.reports import find as reports
from benchhealth.analytics.contamination.reports import find_declared as declared
from benchhealth.analytics.contamination.table import RUNGS, ladder
from benchhealth.analytics.contamination.twins import find as twins
from benchhealth.analytics.record.frames import CUTOFF, Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.twins.gap import detectable as shortfall_shown
from benchhealth.analytics.twins.pairs import matched_pairs
from benchhealth.analytics.twins.tables import tables as compared
from benchhealth.dashboard.words.prose.tables import with_prose
from tests.analytics.contamination.rung_inputs import rung_inputs
from tests.support.frames import benchmark, frame, frames, result, twin_pair
from tests.support.reason_sentences import with_sentence
from tests.support.simulated_leaks import boards_of, contest

PAPER = Path(__file__).resolve().parents[3] / "data" / "registry" / "paper_gsm1k.csv"


def report(benchmark_id: str, subject: str, **more: object) -> dict[str, object]:
    return {
        "benchmark_id": benchmark_id,
        "subject": subject,
        "subject_kind": "model",
        "split": "test",
        "share": None,
        "method": "an N-gram in the training data",
        "reference_url": "https://example.org/report",
        **more,
    }


def levels(rungs: pl.DataFrame) -> dict[tuple[str, str | None], str]:
    return {(b, m): level for b, m, level in rungs.select("benchmark_id", "model_id", "level").iter_rows()}


def test_a_benchmark_of_which_nothing_is_known_is_unknown_on_every_rung() -> None:
    made = ladder(rung_inputs(frames([], [benchmark("quiet", labels=None)])))
    assert made.risk.schema == PUBLISHED["contamination_risk"]
    assert made.risk["rung"].to_list() == [*(rung.key for rung in RUNGS), "overall"]
    assert set(made.risk["level"]) == {"unknown"}
    assert set(made.risk["status"]) == {"insufficient"}
    assert with_sentence(made.risk)["reason"].null_count() == 0 and made.risk["value"].null_count() == made.risk.height


def test_being_exposed_raises_nothing_and_being_unexposed_is_low() -> None:
    of = frames(
        [],
        [
            benchmark("open", released_on=date(2022, 1, 1)),
            benchmark("withheld", labels="private"),
            benchmark("odd", labels="half"),
        ],
        models=[{"model_id": "early", "released_on": date(2021, 1, 1)}, {"model_id": "late"}, {"model_id": "undated"}],
    )
    stated = pl.DataFrame(
        [("late", date(2023, 1, 1), "lab", "u"), ("late", date(2023, 6, 1), "other", "v")], schema=CUTOFF, orient="row"
    )
    pairs = [(b, m) for b in ("open", "withheld") for m in ("early", "late", "undated")]
    facts = rung_inputs(of, board=pairs, cutoff=stated)
    by_model = levels(exposure(facts))
    assert by_model == {
        ("open", None): "moderate",
        ("withheld", None): "low",
        ("odd", None): "unknown",
        ("open", "early"): "low",
        ("open", "late"): "moderate",
        **{("withheld", model): "low" for model in ("early", "late", "undated")},
    }
    reasons = (
        with_sentence(exposure(facts))
        .filter((pl.col("model_id") == "late") & (pl.col("benchmark_id") == "open"))
        .row(0, named=True)
    )
    assert "training data to 2023-06-01, as other states" in reasons["reason"]
    assert reasons["value"] == pytest.approx(17, abs=0.1)
    overall = levels(ladder(facts).risk.filter(pl.col("rung") == "overall"))
    assert overall["open", None] == overall["open", "late"] == "unknown"
    assert overall["withheld", None] == overall["open", "early"] == "low"


def test_reports_count_by_share_and_for_models_of_that_very_name() -> None:
    of = frames(
        [],
        [benchmark(name) for name in ("large", "small", "unmeasured")],
        models=[{"model_id": "big-1"}, {"model_id": "big-1-chat"}],
        reports=[
            report("large", "Lab/Big 1", share=0.1),
            report("large", "A corpus", share=0.02, subject_kind="corpus"),
            report("small", "Big-1", share=0.0999),
            report("unmeasured", "Big"),
        ],
    )
    assert levels(reports(rung_inputs(of))) == {
        ("large", None): "high",
        ("small", None): "low",
        ("unmeasured", None): "moderate",
        ("large", "big-1"): "high",
        ("small", "big-1"): "low",
    }
    reported = reports(rung_inputs(of)).row(
        by_predicate=pl.col("benchmark_id").eq("large") & pl.col("model_id").is_null(), named=True
    )
    assert reported["value"] == 0.1 and reported["n"] == 2 and reported["source_url"] == "https://example.org/report"


def test_declared_training_is_a_rung_of_its_own_and_the_test_split_is_worse() -> None:
    method = "declared by the developers: training_datasets"
    of = frames(
        [],
        [benchmark("a"), benchmark("b")],
        models=[{"model_id": "one"}, {"model_id": "two"}],
        reports=[
            report("a", "one", method=method, split="train"),
            report("a", "two", method=method, split="validation, test"),
            report(
                "b", "one", method="trained on data of the test's distribution, as the developers say (HELM: strong)"
            ),
        ],
    )
    assert reports(rung_inputs(of)).is_empty()
    assert levels(declared(rung_inputs(of))) == {
        ("a", None): "high",
        ("b", None): "moderate",
        ("a", "one"): "moderate",
        ("a", "two"): "high",
        ("b", "one"): "moderate",
    }


def gsm1k() -> RungInputs:
    """The published table of GSM1k, its twin computed as `assess` does."""
    table = pl.read_csv(PAPER)
    rows = [
        result(name, model, score, n_items=items)
        for model, original, fresh in table.iter_rows()
        for name, score, items in (("gsm8k", original, 1319), ("gsm1k", fresh, 1205))
    ]
    of = frames(rows, twin_pairs=[twin_pair("t", "gsm8k", "gsm1k", kind="fresh sample", test="difference")])
    tables = compared(matched_pairs(of))._asdict()
    return rung_inputs(of, twin=tables["twin"], twin_residual=tables["twin_residual"], twin_pair=of.twin_pair)


def test_families_that_the_paper_names_score_higher_than_the_fresh_sample_predicts_and_its_frontier_does_not() -> None:
    """Zhang et al. 2024, arXiv:2405.00332: Phi and Mistral overfit at almost all sizes, the frontier does not."""
    rungs = twins(gsm1k()).drop_nulls("model_id")
    name = pl.col("model_id").str.to_lowercase()
    named = rungs.filter(name.str.contains(r"^phi-|mistral|mixtral"))
    frontier = rungs.filter(name.str.contains(r"^gpt-|^claude-|^gemini-"))
    assert named.height == 17 and frontier.height == 12
    assert (named["value"] > 0).mean() > 0.9
    assert named["value"].mean() == pytest.approx(3.1, abs=0.6)
    assert abs(float(frontier["value"].mean() or 0)) < 0.8  # type: ignore[arg-type]
    assert (named["q_value"] <= FLAGGED_AT).sum() >= 4
    assert (frontier["q_value"] <= FLAGGED_AT).sum() == 0
    assert rungs["value"].max() == pytest.approx(8.0, abs=0.05)


def test_the_leak_that_a_twin_shows_is_that_of_its_slope_and_of_its_many_tests() -> None:
    facts = gsm1k()
    row = twins(facts).filter(model_id="command").row(0, named=True)
    tested = facts.twin_residual.drop_nulls("p_value")
    one = tested.row(by_predicate=pl.col("model_id") == "command", named=True)
    least = shortfall_shown(one["std_error"], tested.height)
    assert row["detectable"] == pytest.approx(least / (100 - one["original"]))
    halved = tested.with_columns(slope=pl.lit(0.5))
    again = twins(replace(facts, twin_residual=halved)).filter(model_id="command").row(0, named=True)
    assert again["detectable"] == pytest.approx(2 * row["detectable"])
    assert row["value"] == pytest.approx(one["excess"]) and row["high"] <= one["original"]


def test_a_twin_of_the_same_items_is_no_evidence() -> None:
    facts = gsm1k()
    for kind in ("harder variant", "equal preparation", "debiased metric", "independent rerun"):
        assert twins(replace(facts, twin=facts.twin.with_columns(kind=pl.lit(kind)))).is_empty()


def test_overall_is_the_strongest_finding_with_all_of_them_named() -> None:
    facts = gsm1k()
    of = replace(
        facts,
        model=frame("model", [{"model_id": "command"}]),
        report=frame("contamination_report", [report("gsm8k", "command", share=0.02)]),
    )
    risk = with_sentence(ladder(of).risk)
    overall = risk.filter(pl.col("rung") == "overall")
    pair = overall.row(by_predicate=(pl.col("model_id") == "command"), named=True)
    assert pair["level"] == "high" and pair["value"] == 1.0
    assert pair["reason"] == "rung 2 (report): low; rung 5 (twin): high"
    rank = {level: index for index, level in enumerate(LEVELS)}
    for row in overall.iter_rows(named=True):
        evidence = risk.filter(
            pl.col("benchmark_id").eq(row["benchmark_id"])
            & pl.col("model_id").eq_missing(row["model_id"])
            & ~pl.col("rung").is_in(["overall", "exposure"])
        )
        highest = max((rank[level] for level in evidence["level"]), default=0)
        assert rank[row["level"]] == highest or (highest == 0 and row["level"] == "low")


def test_every_row_keeps_the_contract() -> None:
    rng = np.random.default_rng(4)
    facts = gsm1k()
    risk = with_sentence(
        ladder(replace(facts, panels=[contest(rng, 0.3)], boards=boards(boards_of(rng, (3, 0.5))))).risk
    )
    assert risk.select("benchmark_id", "model_id", "rung").is_unique().all()
    assert set(risk["level"]) <= set(LEVELS)
    assert risk["reason"].null_count() == 0
    ok = risk["status"] == "ok"
    assert risk.filter(ok)["value"].is_finite().all() and risk.filter(~ok)["value"].null_count() == (~ok).sum()
    assert "cheat" not in " ".join(risk["reason"])


def test_calibration_shows_errors_near_nominal_and_power_that_grows() -> None:
    rng = np.random.default_rng(8)
    panels = [contest(rng) for _ in range(12)]
    calibration = ladder(replace(gsm1k(), panels=panels, boards=boards(boards_of(rng, models=60)))).calibration
    assert calibration.schema == PUBLISHED["contamination_calibration"]
    for _, rows in calibration.drop_nulls("leak").sort("leak").group_by("rung", "truth"):
        assert rows["leak"].to_list() == list(LEAKS)
        assert rows["flagged"].to_list() == sorted(rows["flagged"])
        assert (rows["low"].fill_null(0)[0]) <= 0.08
        assert rows["flagged"][-1] > 0.75
    assert set(calibration["rung"]) == {"cutoff_break", "anomaly", "twin"}


@pytest.fixture(scope="module")
def small() -> Frames:
    rows = [result("exam", f"m{index}", 0.3 + 0.01 * index, n_items=200) for index in range(12)]
    return frames(rows, [benchmark("exam", released_on=date(2020, 1, 1))], reports=[report("exam", "m3", share=0.3)])


def test_assess_publishes_the_ladder_and_indicators_read_it(small: Frames) -> None:
    tables = with_prose(assess(small, date(2026, 1, 1), np.random.default_rng(0)).tables)
    assert levels(tables["contamination_risk"].filter(pl.col("rung") == "overall"))["exam", None] == "high"
    indicators = {row["indicator"]: row for row in tables["indicator"].iter_rows(named=True)}
    assert indicators["contamination_rungs"]["value"] == 1.0
    assert indicators["contamination_rungs"]["reason"].startswith("risk high: ")
    assert indicators["cutoff_break_share"]["status"] == "insufficient"
    assert indicators["anomaly_share"]["reason"]
    verdict = tables["verdict"].row(0, named=True)
    assert "contaminated" in verdict["flags"]
    assert any("rung 2 of the ladder of evidence" in reason for reason in verdict["reasons"])
