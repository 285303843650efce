"""How long benchmarks last: curves, half-lives, the naive count and the estimate, and what is said without any."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from benchhealth.analytics.aging.hazards import TOO_FEW_DEATHS
from benchhealth.analytics.aging.lives import OVERALL
from benchhealth.analytics.aging.survival import survival
from benchhealth.analytics.answers.counts import Saturated
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.verdict.history import BY_DATE
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.field import life_tables
from benchhealth.dashboard.pages.field import page as field
from benchhealth.dashboard.pages.field.figures import hazards, item_age
from benchhealth.dashboard.pages.field.figures import survival as drawn_curves
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import ParameterError
from benchhealth.dashboard.words.numbers import months
from tests.support import facts as builders
from tests.support.answers import rows_of
from tests.support.facts import registry
from tests.support.rendered_page import publish_tables, rendered, text

KNOWN = date(2025, 11, 21)
COUNTED = Saturated(benchmarks=190, saturated=36, watched=17, known_until=KNOWN)
WATCHED = "22 saturated while watched (17 of the 36 curated ones that are saturated now and 5 others)"


def curves() -> pl.DataFrame:
    rng = np.random.default_rng(3)
    end = rng.uniform(5, 100, 40)
    return survival(
        pl.DataFrame(
            {
                "benchmark_id": [f"benchmark-{number}" for number in range(40)],
                "family": [f"family {number // 2}" for number in range(40)],
                "entry": 0.0,
                "exit": end,
                "died": (end < 60).tolist(),
                "abandoned": ((end >= 60) & (end < 75)).tolist(),
                "cohorts": [[OVERALL, f"domain: {'code' if number % 2 else 'math'}"] for number in range(40)],
            }
        )
    )


def shown(home: Path, tables: Mapping[str, pl.DataFrame], **query: str) -> AppTest:
    return rendered(field, publish_tables(home, tables), **query)


def test_says_what_is_missing_where_there_is_nothing(tmp_path: Path) -> None:
    nothing = {"survival": pl.DataFrame(schema=PUBLISHED["survival"])}
    assert "No survival curve" in text(shown(tmp_path, nothing))
    assert "No survival curve" in text(shown(tmp_path / "lives", nothing, chart="lives"))


def test_shows_the_half_life_and_what_counting_the_dead_alone_would_say(tmp_path: Path) -> None:
    page_text = text(shown(tmp_path, {"survival": curves()}, chart="lives"))
    assert "Of 40 watched benchmarks, 22 saturated while watched. These are 0 of the 0" in page_text
    assert "and 22 others. Half of the 40 benchmarks are saturated" in page_text
    assert "Counting only the 22 benchmarks that saturated" in page_text and "40 benchmarks in all" in page_text


def test_the_address_chooses_what_is_compared(tmp_path: Path) -> None:
    app = shown(tmp_path, {"survival": curves()}, chart="lives", by="domain")
    assert {box.key: box.value for box in app.selectbox}["by_box"] == "domain"
    assert "Math: " in text(app)
    view = generation.current()
    assert life_tables.divisions(view) == [OVERALL, "domain"]
    assert set(life_tables.curves(view, {"by": "domain"})["cohort"]) == {"domain: code", "domain: math"}
    with pytest.raises(ParameterError):
        life_tables.curves(view, {"by": "nothing"})


def test_at_most_six_curves_are_drawn_and_the_words_say_so() -> None:
    one = curves().filter(cohort=OVERALL)
    many = pl.concat([one.with_columns(cohort=pl.lit(f"domain: number {number}")) for number in range(9)])
    assert len(drawn_curves.drawn_cohorts(many)) == 6
    chart = drawn_curves.cohorts(many, one, "By domain", COUNTED, KNOWN, LIGHT)
    assert isinstance(chart, Chart)
    assert "3 cohorts" in chart.alt and chart.rows["cohort"].n_unique() == 6
    assert len(chart.figure.data) == 8, "six lines, and one of them with its band"
    alive = one.with_columns(share=1.0, low=1.0, high=1.0)
    none = drawn_curves.cohorts(alive.with_columns(cohort=pl.lit("domain: code")), one, "", COUNTED, KNOWN, LIGHT)
    assert (
        isinstance(none, Chart) and "half at no age yet" in none.subtitle and "Nov 2025 at the latest" in none.subtitle
    )
    assert "22 of 40 benchmarks saturated while watched, half " in chart.subtitle and "after release" in chart.subtitle
    assert drawn_curves.contrast(pl.DataFrame(schema=PUBLISHED["survival"]), KNOWN) is None


def test_what_became_of_benchmarks_counts_the_abandoned_as_gone(tmp_path: Path) -> None:
    rows = curves()
    chart = drawn_curves.fates(rows, COUNTED, KNOWN, LIGHT)
    assert isinstance(chart, Chart)
    at_mark = drawn_curves.row_at_mark(rows.filter(cohort=OVERALL))
    assert at_mark["saturated"] == pytest.approx(22 / 40)  # all ends are known and none was abandoned before month 60
    shares = "55% (95%: 38% to 69%) are saturated 60 months after release, 0% abandoned"
    assert chart.title == f"{shares}, estimated from 40 watched benchmarks"
    last = chart.rows.row(-1, named=True)
    assert last["saturated"] + last["abandoned"] < 1
    assert 1 - last["share"] == pytest.approx(last["saturated"])
    assert WATCHED in chart.subtitle and "data to Nov 2025" in chart.subtitle
    assert isinstance(drawn_curves.fates(rows.clear(), COUNTED, KNOWN, LIGHT), Nothing)
    assert "Two ends compete" in text(shown(tmp_path, {"survival": rows}, chart="fates"))


def hazard(**more: object) -> pl.DataFrame:
    row = {
        "covariate": "release year",
        "level": "one year later",
        "ratio": 1.2,
        "low": 0.9,
        "high": 1.6,
        "p_value": 0.2,
        "q_value": 0.3,
        "proportional_p": 0.4,
        "n": 51,
        "deaths": 18,
        "families": 15,
        "per_variable": 18.0,
        "status": "ok",
        **more,
    }
    schema = PUBLISHED["hazard"]
    return pl.DataFrame([{name: row.get(name) for name in schema}], schema=schema, orient="row")


def dated(model: str | None, cutoff: date | None = None) -> pl.DataFrame:
    rows = [
        ("lcb", "lcb", model, date(2024, month, 1), difficulty, 0.9 - 0.1 * place, 0.5, 0.95, 20, 7, cutoff, "lcb")
        for month in (1, 2, 3, 4)
        for place, difficulty in enumerate(("hard", "easy"))
    ]
    return pl.DataFrame(rows, schema=PUBLISHED["item_age"], orient="row")


@pytest.mark.parametrize(
    ("more", "phrase"),
    [
        ({}, "is not settled"),
        ({"low": 1.05}, "Younger benchmarks saturated sooner"),
        ({"high": 0.98, "ratio": 0.9, "low": 0.7}, "Younger benchmarks saturated later"),
        ({"status": "insufficient", "ratio": None, "reason": "too few events"}, "cannot be said. Too few events"),
    ],
    ids=["open", "faster", "slower", "refused"],
)
def test_the_plain_answer_has_its_uncertainty(more: dict[str, object], phrase: str) -> None:
    title, finding = said_of_year(hazard(**more))
    assert phrase in f"{title}. {finding}"
    assert ("18 of 51 benchmarks saturated while watched" in finding) == (more.get("status") is None)
    assert "cannot be said. Nothing was watched" in ". ".join(said_of_year(hazard().clear()))
    assert finding.split()[:3] != title.split()[:3], "the subtitle begins with the title again"


def said_of_year(rows: pl.DataFrame) -> tuple[str, str]:
    year = hazards.of_year(rows)
    return hazards.title(year), hazards.finding(year, KNOWN)


def test_a_test_that_rejects_nothing_is_no_evidence_for_one_ratio() -> None:
    unsettled = hazards.caveat(hazards.of_year(hazard(proportional_p=0.051)), KNOWN)
    assert "is not settled" in unsettled and "p = 0.051; 18 of 51 benchmarks" in unsettled and "Nov 2025" in unsettled
    assert "p below 0.001" in hazards.caveat(hazards.of_year(hazard(proportional_p=6.6e-208)), KNOWN)
    assert hazards.caveat(hazards.of_year(hazard(proportional_p=None)), KNOWN) == ""


def test_the_forest_holds_both_estimates_and_open_ends(tmp_path: Path) -> None:
    more = {"covariate": "format", "level": "choice", "reference": "open answer"}
    rows = pl.concat(
        [
            hazard(proportional_p=0.01),
            hazard(**more, low=None),
            hazard(**more, adjusted_for="release year", high=None),
            hazard(
                covariate="domain",
                level="math",
                status="insufficient",
                ratio=None,
                case=TOO_FEW_DEATHS,
                reason="too few events",
                per_variable=4.5,
            ),
        ]
    )
    assert hazards.drawn_rows(rows).height == 2
    forest = hazards.chart(rows, KNOWN, LIGHT)
    assert isinstance(forest, Chart)
    assert len(forest.figure.data[1].x) == 1
    assert isinstance(hazards.chart(rows.clear(), KNOWN, LIGHT), Nothing)
    assert "domain (too few events: 4.5 for each coefficient)" in hazards.refusals(rows)
    page_text = text(shown(tmp_path, {"hazard": rows}, chart="hazards"))
    assert "is not settled" in page_text
    assert "not the same at every age" in page_text


def test_scores_by_the_age_of_items_of_one_model_and_of_all(tmp_path: Path) -> None:
    tables = {"item_age": pl.concat([dated(None), dated("oak", date(2024, 2, 15)), dated("elm")])}
    app = shown(tmp_path, tables, chart="items")
    page_text = text(app)
    assert "Of 160 items from 2024-01 to 2024-04, the mean score of 7 listed models on the newer half" in page_text
    view = generation.current()
    assert life_tables.models_on_dated_items(view, "lcb") == [OVERALL, "oak", "elm"]
    assert life_tables.training_ends(view, "lcb", OVERALL) == [(date(2024, 2, 15), "oak")]
    assert life_tables.item_ages(view, {"model": "elm"}).height == 8
    for wrong in ({"model": "ash"}, {"dated": "nothing"}):
        with pytest.raises(ParameterError):
            life_tables.item_ages(view, wrong)
    assert item_age.difficulties(dated(None)) == ["easy", "hard"]
    one = text(shown(tmp_path / "one", tables, chart="items", model="oak"))
    assert "no test at the end of its training data is possible" in one


def test_what_a_test_found_is_worded_as_an_inference() -> None:
    finding = item_age.finding(dated("oak"), "oak", {"value": 4.2, "low": 1.0, "high": 7.4}, KNOWN)
    assert finding.startswith(
        "oak scores 4.2 points higher on items from before the end of its training data than others"
    )
    assert "within error" in item_age.finding(dated("oak"), "oak", {"value": -1.0, "low": -3.0, "high": 1.0}, KNOWN)
    assert len(item_age.figure(dated("oak"), [(date(2024, 2, 15), "training to 2024-02-15")], LIGHT).data) == 6
    assert len(item_age.figure(dated(None), [(date(2024, 2, 15), "a"), (date(2024, 3, 1), "b")], LIGHT).data) == 7


def test_which_saturated_benchmarks_are_no_death_is_said_with_the_reason(tmp_path: Path) -> None:
    cases = {"a": "watched", "b": "saturated_at_once", "c": "chance_unknown", "d": "no_beginning"}
    rows = [{"benchmark_id": one, "family": one, "case": case} for one, case in cases.items()]
    stages = [{"benchmark_id": one, "stage": "saturated", "flags": [], "reasons": []} for one in cases]
    hows = {"d": "undated"}
    stretches = [
        {"benchmark_id": one, "stage": "saturated", "flags": [], "how": hows.get(one, "crossed")} | {"basis": BY_DATE}
        for one in cases
    ]
    tables = {
        "survival": curves(),
        "life": rows_of(PUBLISHED["life"], rows),
        "verdict": rows_of(PUBLISHED["verdict"], stages),
        "verdict_history": rows_of(PUBLISHED["verdict_history"], stretches),
    }
    listed = registry([builders.benchmark(one, one.upper()) for one in cases])
    page_text = text(rendered(field, publish_tables(tmp_path, tables, listed), chart="lives"))
    assert "3 of the 4 whole curated benchmarks that are saturated are no death in these curves" in page_text
    assert "B (saturated on the first day on which a verdict was possible, so never seen alive)" in page_text
    assert (
        "C (its chance level is not known)" in page_text
        and "D (since when is not known: no result has a day)" in page_text
    )
    full_lives = life_tables.whole_lives(generation.current(), {})
    assert full_lives["case"].to_list() == list(cases.values())


def test_says_what_is_missing_of_each_part(tmp_path: Path) -> None:
    assert "No ratio of risks" in text(shown(tmp_path, {}, chart="hazards"))
    assert "No source of this generation dates its items" in text(shown(tmp_path / "items", {}, chart="items"))


def test_the_half_is_the_finding_and_a_curve_that_never_gets_there_says_so() -> None:
    chart = drawn_curves.lives(curves(), COUNTED, KNOWN, LIGHT)
    assert isinstance(chart, Chart)
    half = drawn_curves.half_life(curves().filter(cohort=OVERALL))
    assert half.low is not None
    watched = "Half of 40 watched benchmarks of 20 families"
    assert chart.title == f"{watched} are estimated to last at least {months(half.low)} (95%)"
    assert "Of 40 watched benchmarks, 22 saturated while watched." in chart.subtitle
    assert "40 watched benchmarks, 22 saturated while watched" in chart.alt
    alive = curves().with_columns(share=1.0, low=1.0, high=1.0)
    assert drawn_curves.half_title(alive) == (
        "More than half are not saturated at any age yet, estimated from 40 watched benchmarks of 20 families"
    )


@pytest.mark.parametrize(
    ("q", "phrase"), [(0.3, "are not found to be saturated sooner"), (0.01, "differ in how long they last")]
)
def test_cohorts_differ_only_where_the_corrected_p_says_so(q: float, phrase: str) -> None:
    released = {"domain: code": "released: from 2022", "domain: math": "released: to 2018"}
    rows = curves().filter(pl.col("cohort").is_in(list(released)))
    rows = rows.with_columns(pl.col("cohort").replace(released), share=pl.max_horizontal("share", 0.6))
    tested = hazard(covariate="release cohort", level="to 2018", reference="from 2022", q_value=q)
    twice = rows.with_columns(events=pl.col("events") * 2)
    chart = drawn_curves.cohorts(rows, twice, drawn_curves.cohort_title(tested), COUNTED, KNOWN, LIGHT)
    assert isinstance(chart, Chart)
    assert phrase in chart.title
    assert "corrected p" in chart.title and "of their kind too few benchmarks were watched" in chart.subtitle
    assert chart.subtitle.index("To 2018") < chart.subtitle.index("From 2022"), "in the order of time"
