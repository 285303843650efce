"""The page that says what changed, the lines it is made of, and the card and line on other pages."""

from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.changes import page as changes
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import changed
from tests.support.drawn import drawn, published, text
from tests.support.facts import benchmark, registry

DAY = date(2025, 1, 3)
HOSTILE = "<b>Best</b> *exam* [here](javascript:alert(1))"


def row(kind: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any cell
    return {"made_on": DAY, "kind": kind, "benchmark_id": "exam", "against": "gen-20250102T040000Z-000001", **more}


ROWS = [
    row("stage", before="compressing", after="saturated", value=0.09, text="12 more models on record"),
    row("flag", after="dormant", text="newly flagged"),
    row("leader", board_id="lab/exam", after="oak", beyond_noise=False, n=3, text="Oak is first since 1 Jan 2025"),
    row("rules", benchmark_id=None, before="1", after="2", text="judged by version 2"),
    row("held", benchmark_id=None, source_id="lab", after="held", text="the newest version drifts too far"),
    row("results", benchmark_id=None, source_id="lab", n=12, on_day=DAY, text="12 new results"),
    row(
        "best",
        model_id="oak",
        beyond_noise=True,
        text="Oak holds the best score",
        value_before=0.7,
        low_before=0.69,
        high_before=0.71,
        value=0.8,
        low=0.79,
        high=0.81,
    ),
    row("flag", against="gen-20250101T040000Z-000000", before="gap", text="no longer flagged"),
]


def home(folder: Path, rows: list[dict[str, Any]]) -> Path:
    curated = registry([benchmark("exam", HOSTILE), benchmark("quiz", "Quiz")])
    return published(folder, {"change": pl.DataFrame(rows, schema=PUBLISHED["change"])}, curated)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return home(tmp_path_factory.mktemp("changes"), ROWS)


@pytest.fixture
def view(made: Path) -> View:
    generation.use(made)
    return generation.current()


def test_the_page_counts_and_says_each_change(made: Path) -> None:
    said = text(drawn(changes, made, uncurated="true"))
    assert "1 benchmark moved; of 1 new best score, 1 are beyond error" in said
    assert "It added 12 results of 1 source" in said
    assert "against the edition made on 2 Jan 2025 at 04:00" in said
    for line in (
        "running out → saturated: 12 more models on record",
        "1 newly flagged *no new results*",
        "Oak is first since 1 Jan 2025, within its error, 3 tied for first",
        "the newest version drifts too far",
        "judged by version 2",
    ):
        assert line in said
    assert "a twin scores lower" not in said


def test_the_last_thirty_days_and_one_benchmark_can_be_asked_for(made: Path) -> None:
    assert "a twin scores lower" in text(drawn(changes, made, uncurated="true", period="month"))
    said = text(drawn(changes, made, benchmark="exam"))
    assert "5 changes of" in said
    assert "drifts too far" not in said
    assert "Nothing changed." in text(drawn(changes, made, benchmark="quiz"))


def test_nothing_changed_is_said_with_the_day_of_the_last_news(tmp_path: Path) -> None:
    said = text(drawn(changes, home(tmp_path, [])))
    assert "No change on record" in said
    assert "sources last had news on" in said


def test_where_only_uncurated_benchmarks_changed_the_page_says_so(tmp_path: Path) -> None:
    said = text(drawn(changes, home(tmp_path, [row("stage", benchmark_id="lab/unknown", text="new")])))
    assert "No curated benchmark changed in the last edition" in said
    assert "switch on “Uncurated too”" in said


def test_best_scores_are_drawn_with_what_they_were(view: View) -> None:
    found = changes.BEST.of(view, {"uncurated": "1"}, LIGHT)
    assert isinstance(found, Chart)
    assert found.title == "1 new best score; 1 of 1 with known errors part"
    assert found.rows.select("value_before", "value").row(0) == (0.7, 0.8)
    assert isinstance(changes.BEST.of(view, {"benchmark": "quiz"}, LIGHT), Nothing)


def test_a_page_about_one_benchmark_has_a_line(view: View) -> None:
    said = changed.of_one(view, "exam")
    assert said.startswith("**Changed on 3 Jan 2025:** ")
    assert "and 2 more changes" in said
    assert "feed.xml?benchmark=exam" in said
    assert changed.of_one(view, "quiz") == ""


def test_published_names_stay_text(view: View) -> None:
    (line,) = [changed.line(one) for one in changes.chosen(view, {"benchmark": "exam"}).filter(kind="stage").to_dicts()]
    assert "](javascript" not in line
    assert "<b>" not in line
