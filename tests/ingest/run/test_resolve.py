"""Every raw row becomes a result or a rejection with its reason."""

from collections.abc import Sequence
from datetime import date

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, RawRow
from benchhealth.ingest.run.resolve import resolve
from benchhealth.warehouse.batch import Resolved

UNITS = {"quiz": "percent", "arena": "rating", "quiz/part": "percent", "words": "tokens", "link": "correlation"}


def resolved(
    *rows: RawRow,
    models: Sequence[ModelFact] = (),
    facts: Sequence[BenchmarkFact] = (),
    source_id: str = "board",
) -> Resolved:
    parsed = Parsed(rows=list(rows), models=list(models), benchmarks=list(facts))
    return resolve(parsed, source_id=source_id, benchmarks=UNITS, aliases={}, observed_on=date(2025, 6, 1))


def reason(row: RawRow) -> str:
    facts = resolved(row)
    assert facts.results.is_empty()
    return str(facts.rejections["reason"].item())


PLAIN = RawRow("line 2", "quiz", "Alder 7B", "77.47")


def test_percent_and_fraction_are_stored_as_fractions_beside_what_was_printed() -> None:
    percent = PLAIN._replace(std_error="1.5", n_items="1,319", score="77.47%")
    fraction = RawRow("line 3", "quiz", "Birch", "0.25", unit="fraction", std_error="0.01")
    rating = RawRow("line 4", "arena", "Birch", "1,310.5", unit="rating", std_error="2.5")
    results = resolved(percent, fraction, rating).results
    assert results["score"].to_list() == pytest.approx([0.7747, 0.25, 1310.5])
    assert results["score_published"].to_list() == [77.47, 0.25, 1310.5]
    assert results["std_error"].to_list() == pytest.approx([0.015, 0.01, 2.5])
    assert results["n_items"].to_list() == [1319, None, None]
    assert results["published_name"].to_list() == ["Alder 7B", "Birch", "Birch"]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"score": "-"}, "no score"),
        ({"score": "NaN"}, "no score"),
        ({"score": "0.85±0.02"}, "not a number: '0.85±0.02'"),
        ({"score": "100.5"}, "outside 0 to 100: '100.5'"),
        ({"score": "-3"}, "outside 0 to 100: '-3'"),
        ({"score": "77%", "unit": "fraction"}, "a percent sign where the unit is not percent: '77%'"),
        ({"score": "1.01", "unit": "fraction"}, "outside 0 to 1: '1.01'"),
        ({"benchmark": "unheard-of"}, "unknown benchmark: 'unheard-of'"),
        ({"unit": "rating"}, "the row's unit is rating, the benchmark's is percent"),
        ({"benchmark": "arena"}, "the row's unit is percent, the benchmark's is rating"),
        ({"model": " "}, "no model name"),
        ({"std_error": "-1"}, "not a standard error: '-1'"),
        ({"std_error": "small"}, "not a number: 'small'"),
        ({"n_items": "0"}, "not a count: '0'"),
        ({"n_items": "1e15"}, "not a count: '1e15'"),
        ({"benchmark": "arena", "unit": "rating", "score": "1e300"}, "no score in rating lies so far from 0: '1e300'"),
        (
            {"benchmark": "arena", "unit": "rating", "score": "-12000"},
            "no score in rating lies so far from 0: '-12000'",
        ),
        ({"benchmark": "arena", "unit": "rating", "score": "1", "std_error": "1e9"}, "not a standard error: '1e9'"),
        ({"benchmark": "words", "unit": "tokens", "score": "1e308"}, "no score in tokens lies so far from 0: '1e308'"),
        (
            {"benchmark": "link", "unit": "correlation", "score": "1.2"},
            "no score in correlation lies so far from 0: '1.2'",
        ),
        ({"dated_on": "24/1/2025", "date_basis": "paper"}, "not a date: '24/1/2025'"),
        ({"dated_on": "2031-01-01", "date_basis": "paper"}, "dated 2031-01-01, after the file itself (2025-06-01)"),
        ({"reject": "excluded: an example"}, "excluded: an example"),
    ],
)
def test_a_row_that_does_not_fit_is_rejected_with_its_reason(changed: dict[str, str], why: str) -> None:
    assert reason(PLAIN._replace(**changed)) == why


def test_a_rejection_shows_what_was_published() -> None:
    assert resolved(PLAIN._replace(score="many")).rejections.rows() == [
        ("line 2", "not a number: 'many'", "quiz | Alder 7B | many")
    ]


def test_a_month_of_a_source_that_states_days_is_rejected() -> None:
    month = PLAIN._replace(dated_on="2024-03", date_basis="submission")
    why = "a month and no day, of a source that states days: '2024-03'"
    assert reason(month) == why
    model = Parsed(models=[ModelFact("line 2", "Alder 7B", released_on="2024-03")])
    refused = resolve(model, source_id="lab", benchmarks={}, aliases={})
    assert (refused.models.height, refused.rejections["reason"].to_list()) == (0, [why])
    listed = resolve(model, source_id="models-dev", benchmarks={}, aliases={})
    assert listed.models["released_on"].to_list() == [date(2024, 3, 1)]


def test_a_month_is_its_first_day_and_no_date_has_no_basis() -> None:
    rows = resolved(
        PLAIN._replace(dated_on="2024-03", date_basis="paper"),
        PLAIN._replace(model="b", date_basis="paper"),
        source_id="milestones",
    )
    assert rows.results.select("dated_on", "date_basis").rows() == [(date(2024, 3, 1), "paper"), (None, None)]


def test_the_first_of_equal_keys_stays() -> None:
    facts = resolved(
        PLAIN,
        PLAIN._replace(row="line 3", model="alder_7b"),
        PLAIN._replace(row="line 4", score="50"),
        PLAIN._replace(row="line 5", score="50", setting="5-shot"),
        PLAIN._replace(row="line 6", score="50", reporter="self"),
        PLAIN._replace(row="line 7", benchmark="quiz/part"),
    )
    assert facts.results["source_row"].to_list() == ["line 2", "line 5", "line 6", "line 7"]
    assert facts.rejections.select("source_row", "reason").rows() == [
        ("line 3", "duplicate of line 2"),
        ("line 4", "second value for the same key: line 2"),
    ]


def test_a_rejected_row_does_not_stand_in_the_way_of_a_good_one() -> None:
    facts = resolved(PLAIN._replace(score="-"), PLAIN._replace(row="line 3"))
    assert facts.results["source_row"].to_list() == ["line 3"]


def test_settings_of_the_row_and_of_the_name_are_one() -> None:
    facts = resolved(PLAIN._replace(model="o3-mini-high", setting="0-shot"))
    assert facts.results.select("model_id", "setting").row(0) == ("o3-mini", "0-shot, high effort")


def test_the_registry_knows_better_than_the_source() -> None:
    own_fact = BenchmarkFact("board-tasks", "Tasks", "share", unit="fraction", floor="0.25", released_on="2024-05")
    other_fact = BenchmarkFact("quiz", "Another quiz", "score", unit="rating")
    facts = resolved(
        PLAIN,
        RawRow("line 3", "board-tasks", "Alder 7B", "0.5", unit="fraction"),
        facts=[own_fact, other_fact, own_fact],
    )
    assert facts.results.height == 2
    assert facts.benchmarks.select("benchmark_id", "floor", "released_on").rows() == [
        ("board-tasks", 0.25, date(2024, 5, 1))
    ]


def test_what_is_said_of_a_model_adds_up_and_does_not_contradict() -> None:
    facts = resolved(
        models=[
            ModelFact("line 2", "Alder 7B", "Alder Labs"),
            ModelFact("line 3", "alder-7b", "", "2024-03-01", "true"),
            ModelFact("line 4", "Alder 7B", "Alder Labs", "2024-03-01"),
            ModelFact("line 5", "Alder 7B", "Another"),
            ModelFact("line 6", "Birch", open_weights="perhaps"),
            ModelFact("line 7", "Cedar"),
        ]
    )
    assert facts.models["source_row"].to_list() == ["line 2", "line 3"]
    assert facts.rejections["reason"].to_list() == [
        "excluded: says nothing that is not already in line 2",
        "contradicts what is said of the same model in line 2",
        "open weights must be true or false: 'perhaps'",
        "excluded: says nothing that is not already in line 7",
    ]


def test_a_spelling_of_a_models_name_is_kept_though_it_says_nothing_else() -> None:
    facts = resolved(models=[ModelFact("line 2", "Alder 7B", is_spelling=True), ModelFact("line 3", "Alder 7B")])
    assert facts.models.select("source_row", "model_id", "name").rows() == [("line 2", "alder-7b", "Alder 7B")]
    assert facts.rejections["source_row"].to_list() == ["line 3"]


@pytest.mark.parametrize("changed", [{"reporter": "nobody"}, {"kind": "ghost"}, {"dated_on": "2024-01-01"}])
def test_a_parser_that_breaks_its_contract_is_an_error(changed: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="line 2"):
        resolved(PLAIN._replace(**changed))


CELLS = st.one_of(st.text(max_size=8), st.sampled_from(["1", "50", "100", "-", "50%", "1e999", "o3-mini-high", "a"]))


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["line 2", "line 3"]),
            st.sampled_from([*UNITS, "unheard-of"]),
            CELLS,
            CELLS,
            st.sampled_from(["percent", "fraction", "rating"]),
            CELLS,
            CELLS,
        ).map(lambda cells: RawRow(*cells)),
        max_size=12,
    )
)
@settings(deadline=None, max_examples=60)
def test_rows_in_are_results_and_rejections(rows: list[RawRow]) -> None:
    facts = resolved(*rows)
    assert facts.rows_in == len(rows) == facts.results.height + facts.rejections.height
    assert not facts.results.select(
        pl.struct("benchmark_id", "model_id", "setting", "reporter").is_duplicated().any()
    ).item()
    bounded = facts.results.filter(pl.col("benchmark_id") != "arena")["score"]
    assert bounded.is_between(0, 1).all()
    assert facts.rejections["reason"].str.len_chars().fill_null(0).min() != 0
