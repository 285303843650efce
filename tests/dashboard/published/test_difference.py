"""Two scores on one benchmark as an address asks for them, and what is said of them."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from benchhealth.analytics.difference.two_scores import EQUAL, ERRORS_UNKNOWN, IF_SHARED, ON_THESE, REAL, WITHIN
from benchhealth.analytics.record.by_item.packing import NamedRun, packed_runs
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.figures import two_scores
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.published.boards.difference import BEST, positions, score_pair
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.dashboard.words.boards import difference as words
from benchhealth.warehouse.read import open_current
from tests.support import small_generation

HARD = {"benchmark": "hard-exam"}
RIGHT, WRONG = 1.0, 0.0


def rows(table: str, *given: Mapping[str, Any]) -> pl.DataFrame:
    schema = PUBLISHED[table]
    return pl.DataFrame(given, schema_overrides=schema).select(
        *(name if name in given[0] else pl.lit(None, kind).alias(name) for name, kind in schema.items())
    )


def standing(model: str, score: float, error: float | None, rank: int, reporter: str = "others") -> dict[str, Any]:
    about = {"benchmark_id": "silent-exam", "model_id": model, "condition": "no tools", "reporter": reporter}
    return {**about, "score": score, "error": error, "rank": rank, "n_models": 4}


def answers(model: str, solved: int, late: int, clusters: int = 0) -> NamedRun:
    """Of 100 items the first `solved`, and of the last ones `late`; items come in so many `clusters` of one size."""
    outcomes = [RIGHT] * solved + [WRONG] * (100 - solved - late) + [RIGHT] * late
    within = [f"{index * clusters // 100}" for index in range(100)] if clusters else []
    return NamedRun(model, "silent-exam", 100, [f"{index:02}" for index in range(100)], outcomes, within)


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[View]:
    """The small generation with four models on an exam of 100 items, and two like tests."""
    like = {"benchmark_id": "like", "source_id": "exams", "n_runs": 9, "n_items": 300, "basis": "curated"}
    more = {
        "position": rows(
            "position",
            standing("one", 0.80, 0.04, 1),
            standing("two", 0.66, (0.66 * 0.34 / 100) ** 0.5, 2, "self"),
            standing("three", 0.60, (0.60 * 0.40 / 100) ** 0.5, 3),
            standing("four", 0.20, None, 4),
        ),
        "design_effect": rows(
            "design_effect", {**like, "correlation": 0.4}, {**like, "n_items": 301, "correlation": 0.6}
        ),
    }
    home = small_generation.build(tmp_path_factory.mktemp("difference"), more).parent.parent
    with closing(open_current(home)) as generation:
        yield View(generation)


def numbers(view: View, first: str, second: str, **more: str) -> words.ScorePair:
    return score_pair(view, {**HARD, "first": first, "second": second, **more})


def models(view: View, first: str, second: str) -> words.ScorePair:
    return score_pair(view, {"benchmark": "silent-exam", "a": first, "b": second})


def test_two_numbers_are_of_the_items_of_the_test(view: View) -> None:
    difference = numbers(view, "60", "66,0%")
    assert (difference.first.items, difference.second.items) == (400, 400)
    assert difference.difference.case == IF_SHARED
    assert [one.correlation for one in difference.difference.intervals] == [0.0, 0.4, 0.6]
    assert words.title(difference) == "Beyond error only if both err on the same items: 6 points on Hard exam"
    sentence = words.sentence(difference)
    assert "95% interval −0.7 to 12.6 with independent errors" in sentence and "as on 2 like tests" in sentence


@pytest.mark.parametrize(
    ("first", "second", "items", "case"),
    [
        ("60", "66", "450", IF_SHARED),
        ("60", "66", "5000", REAL),
        ("60", "60", "500", EQUAL),
        ("66", "60", "90,100", WITHIN),
    ],
)
def test_the_number_of_items_decides(view: View, first: str, second: str, items: str, case: str) -> None:
    assert numbers(view, first, second, n=items).difference.case == case


@pytest.mark.whole
def test_a_condition_that_asks_a_part_of_the_items_is_of_that_part(bundled_home: Path) -> None:
    with closing(open_current(bundled_home)) as opened:
        full_view = View(opened)
        first, second = positions(full_view, "swe-bench-verified")["model_id"].head(2)
        pair = score_pair(full_view, {"benchmark": "swe-bench-verified", "a": first, "b": second})
        cards = full_view.table("board_card").filter(pl.col("board_id").str.ends_with("/swe-bench-verified"))
        of_all = full_view.table("benchmark").filter(pl.col("benchmark_id") == "swe-bench-verified")["n_items"].item()
    assert pair.test_items in cards["n_items"].to_list()
    assert pair.test_items is not None and pair.test_items < of_all


def test_whichever_is_higher_is_said_to_be(view: View) -> None:
    up, down = (words.sentence(numbers(view, *pair, n="5000")) for pair in (("60", "66"), ("66", "60")))
    assert up.startswith("The second score (66%) is 6 points above the first score (60%)")
    assert down.startswith("The first score (66%) is 6 points above the second score (60%)")
    assert up.split("95% interval")[1] == down.split("95% interval")[1]


def test_unlike_conditions_are_not_compared(view: View) -> None:
    difference = numbers(view, "60", "66", shots="0,5")
    assert words.title(difference) == "Not compared: 1 thing beside the model differs"
    assert words.lines(difference) == []
    assert isinstance(two_scores.chart(difference, LIGHT), Nothing)
    assert words.facts(difference)[1].detail == "the number of examples: 0 against 5"
    assert words.facts(numbers(view, "60", "66", shots="5"))[1].reply == "As far as stated"
    assert words.facts(numbers(view, "60", "66"))[1].reply == "Not known"


def elsewhere(view: View, monkeypatch: pytest.MonkeyPatch, *given: tuple[str, str, float, int | None]) -> None:
    """These are all standing results: model, condition, score, number of items."""
    listed = [
        {"model_id": model, "model": model, "score": score, "std_error": None, "n_items": items, "reporter": "self"}
        | {"condition": condition}
        for model, condition, score, items in given
    ]
    kinds = {"std_error": pl.Float64, "n_items": pl.Int64}
    query = View.query

    def answer(self: View, sql: str, **params: object) -> pl.DataFrame:
        if "FROM result r" not in sql:
            return query(self, sql, **params)
        of = [row for row in listed if row["model_id"] == params["model"]]
        return pl.DataFrame(of, schema_overrides=kinds) if of else pl.DataFrame(schema={"model_id": pl.String})

    monkeypatch.setattr(View, "query", answer)


def test_a_model_under_another_condition_is_not_compared(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere(view, monkeypatch, ("new", "search", 0.9, 100), ("one", "no tools", 0.8, 100))
    asked_for = models(view, "new", "one")
    assert words.title(asked_for) == "Not compared: 1 thing beside the model differs"
    assert words.facts(asked_for)[1].detail == "the condition: search against no tools"
    assert words.nearest(asked_for) == "No like test is known on which both stand under one condition."
    assert isinstance(two_scores.chart(asked_for, LIGHT), Nothing)


def test_a_condition_that_both_share_is_compared_there(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere(
        view, monkeypatch, ("new", "search", 0.9, 100), ("one", "no tools", 0.8, 100), ("one", "search", 0.7, 100)
    )
    asked_for = models(view, "new", "one")
    assert asked_for.difference.case == REAL and asked_for.difference.value == pytest.approx(-0.2)
    assert (
        words.facts(asked_for)[1].detail == "Both search; the benchmark is judged under another condition"
        and words.nearest(asked_for) == ""
    )


def test_the_nearest_test_is_the_second_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    twin = {"twin_id": "t", "original_id": "silent-exam", "other_id": "hard-exam", "kind": "fresh sample"}
    stands = {"condition": "no tools", "reporter": "others", "error": 0.02, "n_models": 2}
    more = {
        "position": rows(
            "position",
            {**stands, "benchmark_id": "silent-exam", "model_id": "one", "score": 0.8, "rank": 1},
            {**stands, "benchmark_id": "hard-exam", "model_id": "one", "score": 0.7, "rank": 1},
            {**stands, "benchmark_id": "hard-exam", "model_id": "new", "score": 0.6, "rank": 2},
            {**stands, "benchmark_id": "arena", "model_id": "one", "score": 1200.0, "rank": 1},
            {**stands, "benchmark_id": "arena", "model_id": "new", "score": 1100.0, "rank": 2},
        ),
        "twin": rows("twin", twin),
    }
    home = small_generation.build(tmp_path, more).parent.parent
    with closing(open_current(home)) as generation:
        full_view = View(generation)
        elsewhere(full_view, monkeypatch, ("new", "search", 0.9, 100), ("one", "no tools", 0.8, 100))
        nearest = words.nearest(models(full_view, "new", "one"))
    assert nearest == "Both stand under one condition on Hard exam, its second measurement."


def test_more_items_than_a_test_can_have_are_no_plan(view: View) -> None:
    (settles, *_) = words.facts(numbers(view, "60", "60.5"))
    assert settles.reply == "No number of items"
    assert "the test has 400" in settles.detail


def test_ratings_have_no_items(view: View) -> None:
    difference = score_pair(view, {"benchmark": "arena", "first": "1200", "second": "1210"})
    assert difference.difference.case == ERRORS_UNKNOWN
    assert words.title(difference) == "Not known: 10 points on Arena, without an error"
    assert isinstance(two_scores.chart(difference, LIGHT), Nothing)


def by_item(monkeypatch: pytest.MonkeyPatch, *named: NamedRun, files: int = 1) -> None:
    """These runs are known item by item, by one file or by one each."""
    runs, listed = packed_runs("mmlu-pro", named)
    about = {"benchmark_id": "silent-exam", "n_items": 100}
    of_file = {run.source_row: {"snapshot_id": f"s{index % files}"} for index, run in enumerate(runs)}
    results = rows(
        "item_result",
        *({**about, **of_file[run.source_row], "model_id": run.source_row, **run._asdict()} for run in runs),
    )
    items = pl.DataFrame(listed, schema=PUBLISHED["item"], orient="row")
    query = View.query

    def answered(self: View, sql: str, **given: object) -> pl.DataFrame:
        clustered = items.filter(pl.col("cluster").is_not_null()).select("source_id").head(1)
        held = {"FROM item_result": results, "FROM item WHERE": items, "FROM item i JOIN": clustered}
        named = [table for words, table in held.items() if words in sql]
        return named[0] if named else query(self, sql, **given)

    monkeypatch.setattr(View, "query", answered)


def test_two_models_are_held_against_each_other_item_by_item(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    by_item(monkeypatch, answers("two", 60, 6), answers("three", 58, 2))
    difference = models(view, "two", "three")
    assert difference.pairs is not None and difference.over is None
    assert (difference.pairs.items, difference.pairs.only_first, difference.pairs.only_second) == (100, 6, 0)
    assert difference.difference.value == pytest.approx(-0.06)
    assert "6 went better for the first alone, 0 for the second" in words.sentence(difference)
    assert words.facts(difference)[-1].detail == "two: its maker; three: others than its maker"


def test_two_models_are_held_against_each_other_over_clusters_too(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    by_item(monkeypatch, answers("two", 66, 0, clusters=10), answers("three", 60, 0, clusters=10), files=2)
    difference = models(view, "two", "three")
    assert difference.difference.case == ON_THESE, "all six items of their difference are in one cluster"
    assert (
        words.title(difference)
        == "Beyond error on these items, not over their 10 subjects: 6 points on Exam nobody reports"
    )
    assert "if other subjects than its 10 had been drawn" in words.sentence(difference)
    assert [name for name, _ in words.lines(difference)] == ["item by item", "over 10 subjects"]
    assert words.facts(difference)[0].reply == "No number of items"
    assert words.limits(difference).startswith("But for the interval over subjects it speaks of these items")
    chart = two_scores.chart(difference, LIGHT)
    assert isinstance(chart, Chart) and chart.rows["clusters"].to_list() == [None, 10]


def test_two_numbers_take_what_clusters_did_to_other_models(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = {"benchmark_id": "hard-exam", "source_id": "swe-bench", "correlation": 0.5, "clusters": 12}
    effects = rows("design_effect", {**measured, "cluster_ratio": 4.0, "cluster_degrees": 3.0})
    table, query = View.table, View.query
    monkeypatch.setattr(View, "table", lambda self, name: effects if name == "design_effect" else table(self, name))
    named = effects.select("source_id")
    monkeypatch.setattr(
        View, "query", lambda self, sql, **given: named if "FROM item i JOIN" in sql else query(self, sql, **given)
    )
    difference = numbers(view, "60", "66", n="5000")
    assert difference.difference.case == ON_THESE
    assert words.title(difference).startswith("Beyond error on these items, not over their 12 repositories: 6 points")
    assert "had been drawn, as between models known item by item" in words.sentence(difference)


def test_one_is_held_against_the_best_of_all_others(view: View) -> None:
    difference = models(view, "three", BEST)
    assert difference.second.name == "one" and difference.picked_of == 3
    alone, named = (one.difference.intervals[0] for one in (difference, models(view, "three", "one")))
    assert alone.low < named.low and alone.high > named.high, "to have chosen the best takes a wider interval"
    assert "such tests" not in words.sentence(difference)


def test_a_model_without_an_error_is_not_compared(view: View) -> None:
    assert models(view, "four", "one").difference.case == ERRORS_UNKNOWN


def test_the_chart_has_a_row_for_each_assumption(view: View) -> None:
    chart = two_scores.chart(numbers(view, "60", "66"), LIGHT)
    assert isinstance(chart, Chart)
    assert chart.rows["correlation"].to_list() == [0.0, 0.4, 0.6]
    assert chart.rows["low"].is_sorted()


@pytest.mark.parametrize(
    ("params", "why"),
    [
        ({"first": "60", "second": "66"}, "benchmark is missing"),
        ({"benchmark": "nope", "first": "60", "second": "66"}, "no benchmark"),
        ({**HARD, "first": "60"}, "second is missing"),
        ({**HARD, "first": "60", "second": "sixty"}, "is a score"),
        ({**HARD, "first": "60", "second": "660"}, "from 0 to 100"),
        ({**HARD, "first": "nan", "second": "60"}, "from 0 to 100"),
        ({**HARD, "first": "60", "second": "61", "n": "0"}, "from 1 on"),
        ({**HARD, "first": "60", "second": "61", "n": "1,2,3"}, "with a comma"),
        ({"benchmark": "silent-exam", "a": "nobody"}, "no standing result of 'nobody'"),
        ({**HARD, "a": "model3"}, "did you mean model-3"),
        ({"benchmark": "silent-exam", "a": "one", "b": "one"}, "not one with itself"),
        ({"benchmark": "arena", "first": "inf", "second": "1"}, "finite"),
    ],
)
def test_what_names_nothing_is_refused(view: View, params: Mapping[str, str], why: str) -> None:
    with pytest.raises(ParameterError, match=why):
        score_pair(view, params)


def test_benchmarks_are_named_by_their_names_too(view: View) -> None:
    assert score_pair(view, {"benchmark": "hard EXAM", "first": "1", "second": "2"}).benchmark_id == "hard-exam"
