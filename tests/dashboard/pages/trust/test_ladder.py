"""Each rung with its evidence, worded as inference, of benchmarks and of models; unknown is an answer."""

from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.contamination.declared_leakage import POINTS, SMALLER, WITHIN_MODELS
from benchhealth.analytics.contamination.table import RUNGS
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.trust import page as trust
from benchhealth.dashboard.pages.trust import rung_tables
from benchhealth.dashboard.pages.trust.checks import LEVEL_SHAPE
from benchhealth.dashboard.pages.trust.figures import tested
from benchhealth.dashboard.published.generation import ParameterError, PublishedTable, View
from benchhealth.warehouse.reader import Reader
from tests.support.facts import benchmark, registry
from tests.support.reason_sentences import with_sentence
from tests.support.rendered_page import publish_tables, rendered, text
from tests.support.small_generation import HOSTILE

LINK = "https://example.org/paper"


def row(benchmark_id: str, rung: str, level: str, model: str | None = None, **more: object) -> dict[str, object]:
    return {
        **dict.fromkeys(PUBLISHED["contamination_risk"]),
        "benchmark_id": benchmark_id,
        "model_id": model,
        "rung": rung,
        "level": level,
        "status": "insufficient" if level == "unknown" else "ok",
        "reason": f"what {rung} found",
        **more,
    }


def tables() -> dict[str, pl.DataFrame]:
    """`old` raised by reports and by a twin on which one of three models stands out; of `quiet` nothing is known."""
    test = {"low": 1.0, "high": 9.0, "n": 3, "detectable": 0.2, "p_value": 0.001, "q_value": 0.003}
    rows = [
        *(row("quiet", rung.key, "unknown") for rung in RUNGS),
        row("quiet", "overall", "unknown"),
        row("old", "exposure", "moderate", value=40.0, source_url=LINK),
        row("old", "report", "high", value=0.2, n=2, source_url=LINK),
        row("old", "cutoff_break", "unknown"),
        row("old", "declared_training", "unknown"),
        row("old", "twin", "high", value=0.33, low=0.1, high=0.7, n=3, detectable=0.2),
        row("old", "anomaly", "unknown", value=0.0, low=0.0, high=0.6, n=3),
        row("old", "overall", "high", value=2.0, n=3),
        row("old", "twin", "high", "off", value=5.0, **test),
        row("old", "overall", "high", "off", value=1.0, n=1),
        row("old", "twin", "low", "near", value=0.5, **{**test, "p_value": 0.4, "q_value": 0.5, "low": -3.0}),
        row("old", "overall", "low", "near", value=0.0, n=1),
        row("old", "twin", "unknown", "far", value=9.0, **{**test, "q_value": None, "detectable": None}),
        row("old", "overall", "unknown", "far", value=None, n=0),
    ]
    shares = [("anomaly", "unseen benchmark", leak, 50, leak + 0.04, leak, leak + 0.1) for leak in (0.0, 0.1, 0.3)]
    shares += [("twin", "formula", leak, 9, leak + 0.05, None, None) for leak in (0.0, 0.1)]
    shares += [("twin", "documented", None, 4, 0.75, 0.2, 0.9)]
    declared = [
        ("fev", SMALLER, 0.02, 17.0, 2.6, 40.7, 2982, 56, 30, 6, 100, "ok", None, None),
        ("mteb", POINTS, 0.04, 3.6, -1.1, 9.2, 3450, 129, 9, 7, 614, "ok", None, None),
        ("gift-eval", SMALLER, 0.13, None, None, None, 11638, 1552, 121, 0, 97, "not_applicable", None, WITHIN_MODELS),
    ]
    return {
        "declared_leakage": with_sentence(pl.DataFrame(declared, schema=PUBLISHED["declared_leakage"], orient="row")),
        "contamination_risk": pl.DataFrame(rows, schema=PUBLISHED["contamination_risk"]),
        "contamination_calibration": pl.DataFrame(shares, schema=PUBLISHED["contamination_calibration"], orient="row"),
    }


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    curated = registry([benchmark("old", HOSTILE), benchmark("quiet", "Quiet")])
    return publish_tables(tmp_path_factory.mktemp("ladder"), tables(), curated)


@pytest.fixture(scope="module")
def view(home: Path) -> View:
    return View(Reader(home).current())


def shown(home: Path, **query: str) -> str:
    return text(rendered(trust, home, **query))


def test_without_anything_it_says_what_is_missing(tmp_path: Path) -> None:
    assert "No benchmark has been tested" in shown(publish_tables(tmp_path, {}))


def test_the_tests_of_a_benchmark_say_who_is_higher_than_expected_and_lead_to_each_kind_of_evidence(home: Path) -> None:
    text_shown = shown(home, benchmark="old", more="ladder", rung="twin")
    assert "tab=Contamination" in text_shown
    assert (
        "1 of 2 tested models scores higher than expected" in text_shown
        and "1 more lie where nothing compares" in text_shown
    )
    assert "*Higher than expected* is all that a mark says" in text_shown
    assert "cheat" not in text_shown.lower()


def test_declared_leakage_is_said_with_its_interval_and_numbers_or_why_not(home: Path) -> None:
    text_shown = shown(home, more="checks")
    assert "3 of 4 pairs with a documented overlap" in text_shown
    assert "losses are smaller by 17.0 percent (95% interval 2.6 to 40.7)" in text_shown
    assert "56 of 2,982 scores declared, 100 tasks, 6 of 30 models with both kinds" in text_shown
    assert "declaring does not show: the difference is 3.6 points (95% interval −1.1 to 9.2)" in text_shown
    assert "no answer; declared for whole models" in text_shown


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"benchmark": "nothing"}, "holds no benchmark"),
        ({"benchmark": "quiet", "more": "ladder"}, "No model on it was tested."),
        ({"model": "nobody"}, "No test says anything of"),
        ({"benchmark": "quiet"}, "Nobody has tested it."),
    ],
)
def test_what_is_not_there_is_said(home: Path, query: dict[str, str], words: str) -> None:
    assert words in shown(home, **query)


def test_tables_give_the_published_numbers(view: View) -> None:
    excess = rung_tables.excesses(view, {"benchmark": "old", "rung": "twin"})
    assert excess["model_id"].to_list() == ["far", "off", "near"]
    assert excess["is_extrapolated"].to_list() == [True, False, False]
    assert rung_tables.tests_with_results(view, "old") == ["twin"]


@pytest.mark.parametrize(
    ("table", "params"),
    [
        (rung_tables.RUNGS_OF, {"benchmark": "none"}),
        (rung_tables.RUNGS_OF, {"benchmark": "old", "model": "nobody"}),
        (rung_tables.EXCESSES, {"benchmark": "old", "rung": "report"}),
        (rung_tables.RUNGS_OF_MODEL, {"model": "nobody"}),
    ],
    ids=str,
)
def test_what_names_nothing_is_refused(view: View, table: PublishedTable, params: dict[str, str]) -> None:
    with pytest.raises(ParameterError):
        table.build(view, params)


def test_figures_show_every_kind_of_point(view: View) -> None:
    rows = rung_tables.rungs(view, {"benchmark": "old", "model": "off"})
    assert rows["who"].to_list().count("benchmark") == len(RUNGS) + 1 and rows["who"].to_list().count("model") == 2
    excesses = rung_tables.excesses(view, {"benchmark": "old", "rung": "twin"})
    points = tested.excess("Twin of new items", "Old", excesses, None, LIGHT)
    assert isinstance(points, Chart)
    assert {trace.name for trace in points.figure.data} == {
        "higher than expected", "within error", "extrapolated, not counted"
    }  # fmt: skip
    assert points.title == "1 of 2 models scores higher on Old than expected"
    lines = tested.calibration(rung_tables.calibration(view, {}), None, LIGHT)
    assert isinstance(lines, Chart)
    assert sorted(trace.error_y.visible for trace in lines.figure.data) == [False, True]
    assert lines.title == "Where nothing leaked, 4% of tests raise a false alarm"


def test_what_is_said_of_one_model_is_no_verdict_about_anybody(home: Path, view: View) -> None:
    text_shown = shown(home, model="off")
    assert "off: the one test is beyond error" in text_shown
    assert "no finding about anybody's conduct" in text_shown and "cheat" not in text_shown.lower()
    assert rung_tables.own_tests(view, {"model": "off"})["benchmark_id"].to_list() == ["old"]
    assert rung_tables.tested_models(view) == {"far": "far", "near": "near", "off": "off"}
    far = tested.of_model("far", rung_tables.own_tests(view, {"model": "far"}), None, LIGHT)
    assert isinstance(far, Chart) and far.title == "far: no test counts, as all extrapolate"
    nothing = rung_tables.own_tests(view, {"model": "far"}).clear()
    assert isinstance(tested.of_model("far", nothing, None, LIGHT), Nothing)


def test_a_calibration_without_measured_truth_claims_nothing() -> None:
    nothing = pl.DataFrame(
        schema={"title": pl.String, "truth": pl.String, "leak": pl.Float64, "n": pl.Int64, "flagged": pl.Float64}
    )
    assert "No test could be held" in tested.calibration_finding(nothing, None)
    assert isinstance(tested.calibration(nothing, None, LIGHT), Nothing)


def test_colours_alone_never_tell_a_level() -> None:
    assert len(set(LEVEL_SHAPE.values())) == len(LEVEL_SHAPE)
