"""The charts of a benchmark: what they find, what they draw, and what they refuse to draw."""

from datetime import date, datetime, timedelta
from typing import Any

import polars as pl
import pytest
from hypothesis import given, strategies

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.benchmark.figures import apart, curve
from benchhealth.dashboard.pages.benchmark.tabs import reporters, top_models
from benchhealth.dashboard.words.answers.sentences import Words
from benchhealth.dashboard.words.boards.first_place import top_title

FACTS: dict[str, Any] = {
    "benchmark_id": "exam",
    "name": "Exam",
    "unit": "percent",
    "higher_is_better": True,
    "floor": 0.25,
    "ceiling": 1.0,
    "human": None,
    "released_on": date(2024, 1, 1),
    "known_until": date(2026, 6, 1),
}
AS_OF = date(2026, 9, 1)


def results(*rows: tuple[str, float, date]) -> pl.DataFrame:
    plain = {
        "std_error": 0.01,
        "date_basis": "evaluation",
        "date_precision": "day",
        "reporter": "third_party",
        "side": "others",
        "setting": "",
        "ranked": True,
    }
    more = {"source_id": "lab", "url": "https://x.org", "source_row": "1", "organisation": "Lab", "condition": "plain"}
    result_rows = [
        {**plain, **more, "model": name, "model_id": name, "score": score, "dated_on": on} for name, score, on in rows
    ]
    return pl.DataFrame(result_rows).with_columns(open_weights=pl.col("model").str.starts_with("o"))


ROWS = results(("c1", 0.5, date(2024, 6, 1)), ("o1", 0.45, date(2024, 9, 1)), ("c2", 0.7, date(2025, 6, 1)))
STEPS = pl.DataFrame(
    {
        "model": ["c1", "c2", "c2"],
        "model_id": ["c1", "c2", "c2"],
        "dated_on": [date(2024, 6, 1), date(2025, 6, 1), date(2026, 6, 1)],
        "score": [0.5, 0.7, 0.7],
        "carried": [False, False, True],
        "condition": ["plain"] * 3,
        "date_precision": ["day"] * 3,
    }
)
FORECAST = pl.DataFrame(
    {
        "made_on": [date(2026, 6, 1)] * 2,
        "target_on": [date(2026, 12, 1), date(2027, 6, 1)],
        "method": ["running_mean", "logistic_regression"],
        "median": [0.75, None],
        "low80": [0.7, None],
        "high80": [0.9, None],
        "chance": [0.62, 0.8],
        "population": ["on the capability scale"] * 2,
    }
)


ISSUED = pl.DataFrame(schema=PUBLISHED["forecast_record"])


def drawn(forecast: pl.DataFrame | None) -> Chart:
    made = curve.chart(FACTS, curve.CurveData(ROWS, STEPS, STEPS.clear(), (), forecast, ISSUED), {}, [], AS_OF, LIGHT)
    assert isinstance(made, Chart)
    return made


def test_models_that_are_all_listed_are_counted_as_the_card_counts_them() -> None:
    for unlisted, said in (
        (None, "2 models, listed now or before"),
        ([], "2 listed models"),
        (["c2", "gone"], "2 models (1 listed no more)"),
    ):
        rows = ROWS.filter(pl.col("model") != "o1")
        made = curve.chart(FACTS, curve.CurveData(rows, STEPS, STEPS.clear(), unlisted=unlisted), {}, [], AS_OF, LIGHT)
        assert made.subtitle.startswith(f"Best dated result of each of {said}, until 1 Jun 2026.")


def test_where_the_best_is_withheld_no_other_score_is_named_as_the_best() -> None:
    def notes(steps: pl.DataFrame) -> list[str]:
        made = curve.chart(FACTS, curve.CurveData(ROWS, steps, STEPS.clear()), {}, [], AS_OF, LIGHT)
        return [note.text for note in made.figure.layout.annotations if "best " in note.text]

    assert notes(STEPS) and not notes(STEPS.filter(~pl.col("carried")))


def broken_on(on: date, steps: pl.DataFrame) -> Chart | Nothing:
    held = curve.CurveData(ROWS.filter(pl.col("dated_on") < on), steps, STEPS.clear(), (), None, ISSUED, on)
    return curve.chart({**FACTS, "known_until": on - timedelta(days=1)}, held, {}, [], AS_OF, LIGHT)


def test_a_curve_stops_before_a_proposed_break_and_says_so() -> None:
    on = date(2025, 5, 1)
    made = broken_on(on, STEPS.head(1).vstack(STEPS.head(1).with_columns(carried=True, dated_on=pl.lit(on))))
    assert isinstance(made, Chart)
    assert made.subtitle.endswith("It stops before 1 May 2025: a proposed break of a board awaits a curator.")
    assert "c2" not in made.rows["model"].to_list()
    assert "proposed break,<br>awaits a curator" in [note.text for note in made.figure.layout.annotations]
    assert [shape.x0 for shape in made.figure.layout.shapes if shape.type == "line" and shape.x0 == shape.x1] == [on]
    none = broken_on(date(2024, 1, 1), STEPS.clear())
    assert isinstance(none, Nothing)
    assert none.reason == "A proposed break of 1 Jan 2024 awaits a curator."


def test_a_fan_is_drawn_where_the_score_is_forecast() -> None:
    fan = drawn(FORECAST)
    assert fan.subtitle.endswith(
        "Fan, 80% interval: the best score is expected at 70 to 90% in Dec 2026 if a stronger model is tested "
        "(probability 62%). Its record: no earlier forecast to check yet."
    )
    assert "Whether or not" not in fan.subtitle
    best = float(STEPS["score"].max() or 0.0)  # type: ignore[arg-type]
    narrow = drawn(FORECAST.with_columns(low80=pl.lit(best), high80=pl.lit(best + 0.0012)))
    assert "is expected within 0.2 points of today's in" in narrow.subtitle
    skills = pl.DataFrame(schema=PUBLISHED["forecast_skill"])
    borne = curve.CurveData(ROWS, STEPS, STEPS.clear(), (), FORECAST, ISSUED, skills=skills)
    with_skills = curve.chart(FACTS, borne, {}, [], AS_OF, LIGHT)
    first = "no forecast here beats “no change” for certain. Fan, 80% interval: the best score"
    assert isinstance(with_skills, Chart)
    assert first in with_skills.subtitle
    flat = drawn(FORECAST.filter(pl.col("median").is_null()))
    assert "Fan" not in flat.subtitle
    assert len(fan.figure.data) == len(flat.figure.data) + 1


def test_the_rows_are_all_that_is_drawn() -> None:
    kinds = drawn(FORECAST).rows["what"].value_counts().rows()
    assert dict(kinds) == {"best of the model": 3, "best so far": 3, "forecast": 1}
    assert drawn(FORECAST).rows.filter(what="forecast")["high80"].to_list() == [0.9]


def test_the_last_advance_beyond_error_is_dated_by_its_own_day() -> None:
    test_row = {"status": "ok", "on_day": date(2025, 6, 1)}
    tried = {"status": "ok", "value": 4.0}
    assert (
        curve.title(FACTS, STEPS, 3, test_row, tried)
        == "Nobody has beaten the best of Jun 2025 beyond error; 4 models tried"
    )
    listed = curve.title(FACTS, STEPS, 3, test_row, tried, [SourceLine("timm", "https://example.org", None)])
    assert listed.startswith("Nobody on the list of timm has beaten the best of Jun 2025")
    rated = {**tried, "status": "not_applicable", "value": None}
    assert curve.title(FACTS, STEPS, 3, test_row, rated) == "Nobody has beaten the best of Jun 2025 beyond error"
    makers = SourceLine("LLM Stats: scores that makers report about their own models", "https://example.org", None)
    assert curve.title(FACTS, STEPS, 3, test_row, tried, [makers]).startswith(
        "Nobody on the list of LLM Stats has beaten"
    )


def test_one_model_alone_is_not_still_the_best() -> None:
    """TruthfulQA's MC2: nobody else has a result that counts."""
    one = STEPS.filter(~pl.col("carried"))[:1]
    assert curve.title(FACTS, one, 1, None, None) == "One model has a result: 50% in Jun 2024"
    assert curve.title(FACTS, one, 3, None, None) == "50% in Jun 2024 is still the best"


def test_the_best_has_its_own_day_and_not_that_until_which_it_is_known() -> None:
    chart = drawn(None)
    assert chart.title == "The best of 3 models rose from 50% in Jun 2024 to 70% in Jun 2025"
    assert chart.alt == "Scores of 3 models on Exam by date: best 70% by c2 in Jun 2025, ceiling 100%, chance 25%."


@pytest.mark.parametrize(
    ("dated", "title"),
    [
        (1, "The best, 91%, has no day; the only dated step is 50% in Jun 2024"),
        (2, "The best, 91%, has no day; dated results rose from 50% in Jun 2024 to 70% in Jun 2025"),
    ],
)
def test_a_best_without_a_day_is_told_from_the_dated_ones(dated: int, title: str) -> None:
    steps = pl.concat([STEPS.head(dated), STEPS.tail(1).with_columns(score=pl.lit(0.91))])
    made = curve.chart(FACTS, curve.CurveData(ROWS, steps, STEPS.clear()), {}, [], AS_OF, LIGHT)
    assert isinstance(made, Chart)
    assert made.title == title
    assert "best 91% by c2 on a day not known" in made.alt
    assert "has no day" in made.subtitle


LAG: dict[str, Any] = {
    "status": "ok",
    "level": 0.45,
    "closed_on": date(2024, 6, 1),
    "open_on": date(2024, 9, 1),
    "lag_months": 3.02,
    "median_months": 3.02,
    "low_months": 2.0,
    "high_months": 4.0,
    "waiting_months": None,
    "n": 5,
    "n_waiting": 2,
    "n_ahead": 0,
    "open_models": 1,
    "closed_models": 2,
    "unknown_models": 7,
    "reason": None,
}


@pytest.mark.parametrize(
    ("lag", "title"),
    [
        ({}, "Open weights reached a best score of 45% in Sep 2024, 3 months after closed ones"),
        ({"lag_months": -4.4}, "Open weights reached a best score of 45% in Sep 2024, 4 months before closed ones"),
        ({"lag_months": 0.2}, "Open weights reached a best score of 45% in Sep 2024, within a month of closed ones"),
        (
            {"waiting_months": 11.2},
            "Open weights reached a best score of 45% in Sep 2024, 3 months after closed ones; the next has waited 11 "
            "months",
        ),
        ({"status": "insufficient", "reason": "why"}, "How far open weights are behind is not known"),
    ],
)
def test_the_lag_is_said_with_its_level_or_not_at_all(lag: dict[str, Any], title: str) -> None:
    assert apart.title(FACTS, {**LAG, **lag}) == title


def test_the_lag_names_its_levels_its_models_and_its_day() -> None:
    subtitle = apart.subtitle(FACTS, LAG)
    levels = "5 levels of either, 2 not yet reached by open weights"
    assert subtitle.startswith(f"{levels}: the median wait for a level is 3 months, 95% 2 to 4, waits that go on")
    open_ended = apart.subtitle(FACTS, {**LAG, "high_months": None, "n_ahead": 1})
    assert "and 1 not by closed ones: the median wait for a level is 3 months, 95% 2 and more, waits" in open_ended
    never = apart.subtitle(FACTS, {**LAG, "median_months": None, "high_months": None})
    assert never.startswith(f"{levels}: the median wait for a level is longer than what was seen.")
    assert "is \u22121 months, 95% 0 to 4" in apart.subtitle(FACTS, {**LAG, "median_months": -1.4, "low_months": -0.2})
    assert "1 model with open weights, 2 with closed, 7 unknown and left out; data to 1 Jun 2026." in subtitle
    few = apart.subtitle(FACTS, {**LAG, "median_months": None, "n": 2})
    assert few.startswith("2 levels of either, 2 not yet reached by open weights: with fewer than 3 no median wait")
    assert apart.subtitle(FACTS, {**LAG, "status": "not_applicable", "reason": "a rating moves"}).startswith("A rating")


def test_open_and_closed_are_two_lines_and_all_that_is_drawn_is_in_the_rows() -> None:
    steps = pl.concat(
        [STEPS.with_columns(weights=pl.lit("closed")), STEPS.with_columns(weights=pl.lit("open"), score=pl.lit(0.45))]
    )
    made = apart.chart(FACTS, ROWS, steps, LAG, (), [], AS_OF, LIGHT)
    assert isinstance(made, Chart)
    assert dict(made.rows.group_by("what").len().rows()) == {"best of the model": 3, "best so far": 6}
    assert isinstance(apart.chart(FACTS, ROWS, steps.clear(), LAG, (), [], AS_OF, LIGHT), Nothing)


def document(maker: str, on: date, *, mentions: bool) -> dict[str, Any]:
    about = {"model": maker, "document_kind": "model_card", "url": "https://x.org"}
    return {"organisation": maker, "document": f"{maker} {on}", "mentioned_on": on, "mentions": mentions, **about}


DOCUMENTS = pl.DataFrame(
    [
        document("A", date(2025, 1, 1), mentions=True),
        document("A", date(2026, 1, 1), mentions=False),
        document("B", date(2025, 6, 1), mentions=True),
        document("C", date(2025, 6, 1), mentions=False),
    ]
)


def test_of_each_maker_what_its_newest_document_says_and_the_answer_as_the_title() -> None:
    mentions = reporters.last_mentions(DOCUMENTS)
    assert mentions.select("organisation", "shows", "mentions", "documents").rows() == [
        ("A", False, 1, 2),
        ("B", True, 1, 1),
    ]
    answer = Words("Do makers report it?", "Yes", "1 of 3", "Yes (1 of 3)", "", "", "Alt.", "")
    made = reporters.chart(DOCUMENTS, answer, None, [], LIGHT)
    assert isinstance(made, Chart)
    assert made.rows.height == 3
    assert made.title == "Do makers report it? Yes (1 of 3)"
    assert made.alt == "Alt. 2 of 3 documents mention it."
    assert isinstance(reporters.chart(DOCUMENTS.filter(~pl.col("mentions")), answer, None, [], LIGHT), Nothing)


def ranked(*lows: int | None) -> pl.DataFrame:
    rows = [
        {
            "model": f"m{index}",
            "score": 0.9 - index / 100,
            "rank_low_joint": low,
            "rank_high_joint": None if low is None else 9,
        }
        for index, low in enumerate(lows)
    ]
    joint = dict.fromkeys(("rank_low_joint", "rank_high_joint"), pl.Int64)
    return pl.DataFrame(rows, schema={"model": pl.String, "score": pl.Float64, **joint})


def test_the_group_that_could_be_first_is_counted_among_all_and_among_the_chosen() -> None:
    every = ranked(1, 1, 1, 4)
    assert top_title(every, every, FACTS["unit"]) == "3 are tied for first"
    assert top_title(every, every[1:3], FACTS["unit"]) == "2 of these 2 are tied for first"
    assert top_title(every, every[3:], FACTS["unit"]) == "m3 is the first of these, at place 4 to 9 of 4"
    assert top_title(ranked(1, 2), ranked(1, 2), FACTS["unit"]) == "m0 is first by more than its error"
    assert top_title(ranked(1), ranked(1), FACTS["unit"]) == "m0 is the only model listed"
    assert top_title(ranked(1, 1), ranked(1, 1), FACTS["unit"]) == "m0 and m1 share first place"
    assert top_title(ranked(None), ranked(None), FACTS["unit"]) == "m0 is listed first with 90%; errors are not known"


def test_the_effort_of_a_row_stands_beside_its_name_and_not_in_it() -> None:
    rows = ranked(None, None).with_columns(
        model_id=pl.col("model"),
        setting=pl.Series(["high effort, 5-shot", None], dtype=pl.String),
        condition=pl.lit("no tools"),
        organisation=pl.lit("Oak"),
        error=pl.lit(None, pl.Float64),
        observed_at=pl.lit(datetime(2026, 1, 1)),
        paired=pl.lit(0),
        rank_low=pl.lit(None, pl.Int64),
        rank_high=pl.lit(None, pl.Int64),
    )
    made = top_models.top_chart(FACTS, rows, rows, [], LIGHT)
    assert isinstance(made, Chart)
    labels = made.figure.layout.yaxis.ticktext
    assert labels[0].startswith("m0 <span") and ">high effort<" in labels[0] and labels[1] == "m1"
    assert "effort" not in made.title + made.alt


def test_conditions_that_begin_alike_have_labels_that_differ() -> None:
    assert curve.beside_lines(["no tools, biology", "no tools, questions of mmlu-redux"]) == ["biology", "questions…"]
    assert curve.beside_lines(["no tools", "no tools, biology"]) == ["no tools", "biology"]
    assert curve.beside_lines(["search"]) == ["search"]
    same = ["questions of 2024", "questions of 2025", "questions of 2024, tools, tools", "tools, questions of 2024"]
    assert curve.beside_lines(same[:2]) == ["questio…2024", "questio…2025"]
    assert len(set(curve.beside_lines(same))) == len(same)


@given(conditions=strategies.lists(strategies.text("ab, ", min_size=1, max_size=30), unique=True, max_size=6))
def test_no_two_conditions_have_one_label(conditions: list[str]) -> None:
    labels = curve.beside_lines(conditions)
    assert len(set(labels)) == len(labels) == len(conditions)
