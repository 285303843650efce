"""Whatever the facts are: every benchmark has one answer to every question, of a closed list."""

from datetime import date
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.answers.cases import COUNTED, REPLIES, UNITS, WHYS
from benchhealth.analytics.answers.table import QUESTIONS, AnswerError, _check
from benchhealth.analytics.record.tables import PUBLISHED
from tests.support.answers import answer_table
from tests.support.frames import benchmark, frames, result
from tests.support.soaking import examples

DAYS = st.dates(date(2023, 1, 1), date(2026, 1, 1))
SHARES = st.none() | st.floats(0, 1)

RESULTS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from([f"m{number}" for number in range(8)]), st.floats(0, 1), DAYS),
    unique_by=lambda row: row[:2],
)
FACTS = st.fixed_dictionaries(
    {
        "unit": st.sampled_from(["percent", "rating", None]),
        "floor": st.sampled_from([0.0, 0.25, 1.0, None]),
        "ceiling": st.sampled_from([1.0, 0.9, None]),
        "human": SHARES,
        "n_items": st.sampled_from([100, None]),
        "domain": st.sampled_from(["code", "agentic-code", None]),
        "labels": st.sampled_from(["public", "private", None]),
    }
)
TWINS = st.lists(
    st.fixed_dictionaries(
        {
            "original_id": st.sampled_from("abc"),
            "other_id": st.sampled_from("abc"),
            "kind": st.sampled_from(["fresh sample", "independent rerun", "harder variant", "equal preparation"]),
            "n_models": st.sampled_from([2, 30]),
            "gap": st.floats(-50, 50),
        }
    ),
    max_size=3,
)
RUNGS = st.lists(
    st.fixed_dictionaries(
        {
            "benchmark_id": st.sampled_from("abc"),
            "rung": st.sampled_from(["report", "declared_training", "twin", "anomaly", "cutoff_break"]),
            "level": st.sampled_from(["low", "moderate", "high", "unknown"]),
            "value": SHARES,
            "n": st.sampled_from([5, 20]),
            "detectable": SHARES,
        }
    ),
    max_size=4,
    unique_by=lambda row: (row["benchmark_id"], row["rung"]),
)
AUDITS = st.lists(
    st.fixed_dictionaries(
        {
            "benchmark_id": st.sampled_from("abc"),
            "covers": st.sampled_from(["whole", "sample", "part"]),
            "n_checked": st.sampled_from([100, None]),
            "share_flawed": st.floats(0, 1),
        }
    ),
    max_size=2,
)


@given(RESULTS, st.lists(FACTS, min_size=3, max_size=3), TWINS, RUNGS, AUDITS)
@examples(4, soak=8)
def test_every_benchmark_has_one_answer_to_every_question(
    results: list[Any], facts: list[dict[str, Any]], twins: list[dict[str, Any]], rungs: list[Any], audits: list[Any]
) -> None:
    rows = [result(of, model, score, dated_on=day, n_items=100) for of, model, score, day in results]
    named = [benchmark(key, **more) for key, more in zip("abc", facts, strict=True)]
    table = answer_table(
        frames(rows, named),
        twin=[{"twin_id": f"t{index}", "scale": "linear", **around(twin)} for index, twin in enumerate(twins)],
        contamination_risk=[
            {**rung, "status": "ok" if rung["value"] is not None else "insufficient"} for rung in rungs
        ],
        label_error=audits,
    )
    assert table.schema == PUBLISHED["answer"]
    assert table.select("benchmark_id", "question").rows() == [(key, one.key) for key in "abc" for one in QUESTIONS]
    holds(table)


def around(twin: dict[str, Any]) -> dict[str, Any]:
    """The twin with an interval of a point either way about its gap."""
    gap = twin["gap"]
    return twin if gap is None else {**twin, "gap_low": gap - 1.0, "gap_high": gap + 1.0}


def holds(table: pl.DataFrame) -> None:
    """What holds of every row."""
    for question in QUESTIONS:
        codes = {case.code: case for case in question.cases}
        for row in table.filter(pl.col("question") == question.key).iter_rows(named=True):
            case = codes[row["case"]]
            assert (row["reply"], row["why_unknown"]) == (case.reply, case.why)
            assert row["reply"] in REPLIES
            assert (row["reply"] == "unknown") == (row["why_unknown"] in WHYS)
            assert row["value"] is None or row["reply"] != "unknown"
            assert (row["value"] is None) or row["unit"] in UNITS
            assert row["n_of"] is None or row["n_of"] in COUNTED
            assert (row["missed"] is None) == (row["missed_unit"] is None)
            assert question.key != "seen" or row["reply"] != "no"


def test_codes_are_told_once_and_meant_once() -> None:
    for question in QUESTIONS:
        codes = [case.code for case in question.cases]
        assert len(set(codes)) == len(codes), question.key
        for case in question.cases:
            assert (case.reply == "unknown") == (case.why is not None), case
            assert case.meaning and not case.meaning.endswith("."), case
            assert question.case(case.code) is case


def test_a_case_that_is_not_on_the_list_is_refused() -> None:
    room = QUESTIONS[0]
    rows = pl.DataFrame({"benchmark_id": ["a"], "case": ["made up"]})
    with pytest.raises(AnswerError, match="made up is no case of it"):
        _check(room, rows, rows, ["open"])
    with pytest.raises(AnswerError, match="2 benchmarks, 1 rows"):
        _check(room, rows, pl.concat([rows, rows]), ["open"])
