"""What happened to benchmarks: a view of four homes, and what a constant answer does to a verdict."""

from dataclasses import replace
from datetime import date

import polars as pl
import pytest

from benchhealth.analytics.record.frames import INCIDENT, LABEL_ERROR
from benchhealth.analytics.record.happened.incidents import CONSTANT_ANSWER, constant_answers, incidents
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.words.prose.incidents import HEADS, month_of_incident, other_side, what_happened
from benchhealth.warehouse.registry import Registry
from tests.support.curated_facts import curated
from tests.support.frames import frames


@pytest.fixture(scope="module")
def registry() -> Registry:
    return curated()


@pytest.fixture(scope="module")
def table(registry: Registry) -> pl.DataFrame:
    facts = replace(
        frames(),
        incident=registry.incident,
        label_error=registry.label_error,
        contamination_report=registry.contamination_report.select(PUBLISHED["contamination_report"].names()),
    )
    return incidents(facts, registry.breakpoint)


def test_a_fact_has_one_home_and_every_home_is_there(registry: Registry, table: pl.DataFrame) -> None:
    assert table.schema == PUBLISHED["incident"]
    assert dict(table.group_by("home").len().iter_rows()) == {
        "incident": registry.incident.height,
        "label_error": registry.label_error.height,
        "contamination_report": registry.contamination_report.height,
        "breakpoint": registry.breakpoint.filter(pl.col("kind") != "none").height,
    }
    assert set(table["kind"]) <= set(HEADS)


@pytest.mark.parametrize(
    ("benchmark_id", "kind"),
    [
        ("swe-bench-verified", "retired"),
        ("swe-bench-verified", "audit"),
        ("alpacaeval-2", CONSTANT_ANSWER),
        ("lmarena-text", "selection"),
        ("frontiermath", "access"),
        ("gpqa-main", "audit"),
        ("hle", "audit"),
        ("mmlu", "audit"),
        ("imagenet", "relabelled"),
        ("tau2-bench/airline", "regraded"),
        ("gsm8k", "audit"),
    ],
)
def test_what_was_looked_for_first_is_on_record_with_its_source(
    table: pl.DataFrame, benchmark_id: str, kind: str
) -> None:
    rows = table.filter(benchmark_id=benchmark_id, kind=kind)
    assert rows.height
    assert rows["source_url"].str.starts_with("http").all()


def test_a_dispute_is_told_from_both_sides(table: pl.DataFrame) -> None:
    arena = table.filter(benchmark_id="lmarena-text", kind="selection").row(0, named=True)
    assert "27 by Meta" in what_happened({**arena, "unit": "rating"})
    assert other_side(arena).startswith("The other side, LMArena: its policy has allowed tests")


def test_an_audit_of_a_part_says_of_which(table: pl.DataFrame) -> None:
    audit = table.filter(benchmark_id="swe-bench-verified", home="label_error").row(0, named=True)
    assert what_happened({**audit, "unit": "percent"}) == (
        "59.4% of 138 checked items are faulty, a part: 27.6% of the problems, those that models often failed; audit "
        "by one of the makers"
    )


def test_a_share_says_that_no_number_of_items_is_stated_and_a_break_says_what_changed() -> None:
    leak = {"home": "contamination_report", "share": 0.01, "subject": "GPT-4", "said": "substrings", "on_date": None}
    assert what_happened(leak).startswith("1.0% of the items (no number of them is stated) reported")
    assert month_of_incident(leak) == "day not on record"
    moved = {"home": "breakpoint", "said": None, "subject": "moved"}
    assert what_happened(moved) == "its results are read at another address and may differ there"


def test_the_month_of_a_paper_is_its_day_where_none_is_stated() -> None:
    paper = {"benchmark_id": "exam", "covers": "whole", "share_flawed": 0.1, "method": "read"}
    rows = [{**paper, "source_url": url} for url in ("https://arxiv.org/abs/2406.04127", "https://example.org/2406.1")]
    facts = replace(frames(), label_error=pl.DataFrame(rows, schema=LABEL_ERROR))
    happened = incidents(facts, pl.DataFrame(schema=PUBLISHED["breakpoint"]))
    assert happened["on_date"].to_list() == [date(2024, 6, 1), None]


def test_of_several_constant_answers_the_best_counts() -> None:
    rows = [{"benchmark_id": "exam", "kind": CONSTANT_ANSWER, "score": score} for score in (0.4, 0.7)]
    every = pl.DataFrame(rows, schema=PUBLISHED["incident"])
    assert constant_answers(every).rows() == [("exam", 0.7)]
    assert INCIDENT["score"] == pl.Float64()
