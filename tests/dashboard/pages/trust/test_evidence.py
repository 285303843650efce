"""The matrix of evidence: which cell says what, what folds, and that a click opens the row."""

from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.language import ONLY_WIDE
from benchhealth.dashboard.figures.palette import DARK, LIGHT
from benchhealth.dashboard.pages.trust import charts, matrix_rows
from benchhealth.dashboard.pages.trust import page as trust
from benchhealth.dashboard.pages.trust.figures.matrix import OPENS
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.warehouse.reader import Reader
from tests.support.answer_rows import answer, answered
from tests.support.facts import benchmark, registry
from tests.support.rendered_page import publish_tables, rendered, text
from tests.support.small_generation import HOSTILE

NAMES = {
    "seen": HOSTILE, "hinted": "Hinted exam", "clean": "Clean exam, whole", "weak": "Weak exam", "dark": "Dark exam",
    "few": "Few models", "little": "Little exam", "clean-part": "Clean exam, part",
}  # fmt: skip


def rung(benchmark_id: str, kind: str, level: str, value: float, n: int) -> dict[str, object]:
    cells = {"benchmark_id": benchmark_id, "rung": kind, "level": level, "value": value, "n": n, "status": "ok"}
    return {**dict.fromkeys(PUBLISHED["contamination_risk"]), **cells, "reason": f"what {kind} found"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [
        rung("seen", "report", "high", 0.43, 2),
        rung("seen", "anomaly", "low", 0.0, 30),
        rung("little", "report", "low", 0.01, 1),
        rung("hinted", "declared_training", "moderate", 2.0, 2),
        rung("clean", "twin", "low", 0.0, 40),
        rung("weak", "anomaly", "unknown", 0.0, 12),
        rung("few", "anomaly", "low", 0.0, 9),
        rung("dark", "exposure", "moderate", 40.0, 1),
    ]
    answers = [
        answer("seen", "seen", "documented", value=0.43, n=2, count=2, n_of="reports", kind="report"),
        answer("little", "seen", "documented_little", value=0.01, n=1, count=1, n_of="reports", kind="report"),
        answer("hinted", "seen", "declared_task", n=2, count=2, n_of="models", kind="declared_training"),
        answer("clean", "seen", "nothing_found", n=40, count=0, n_of="models", kind="twin", missed=0.2),
        answer("weak", "seen", "too_weak", n=12, count=0, n_of="models", kind="anomaly", missed=0.6),
        answer("few", "seen", "nobody_looked"),
        answer("dark", "seen", "withheld"),
        answer("hinted", "second", "rerun", **_gap(4.0, "hinted")),
        answer("few", "second", "rerun", **_gap(-31.0, "few")),
    ]
    tables = {
        "contamination_risk": pl.DataFrame(rows, schema=PUBLISHED["contamination_risk"]),
        "answer": answered(*answers),
    }
    curated = registry([benchmark(key, name) for key, name in NAMES.items()])
    return publish_tables(tmp_path_factory.mktemp("evidence"), tables, curated)


def _gap(value: float, other: str) -> dict[str, object]:
    gap = {"value": value, "unit": "points", "n": 20, "n_of": "models", "other_id": other}
    return {**gap, "kind": "independent rerun"}


@pytest.fixture(scope="module")
def view(home: Path) -> View:
    return View(Reader(home).current())


def test_a_benchmark_stands_in_the_list_of_its_answer(view: View) -> None:
    strengths = dict(matrix_rows.benchmarks(view).select("benchmark_id", "strength").iter_rows())
    assert strengths == {
        "seen": "evidence", "little": "evidence", "hinted": "hint", "clean": "nothing", "weak": "weak",
        "few": "unknown", "dark": "unknown", "clean-part": "unknown",
    }  # fmt: skip
    assert matrix_rows.benchmarks(view)["benchmark_id"][0] == "seen"
    assert matrix_rows.counts(matrix_rows.benchmarks(view)) == {
        "evidence": 2, "hint": 1, "nothing": 1, "weak": 1, "unknown": 3
    }  # fmt: skip


def test_a_cell_has_a_number_few_models_are_no_test_and_a_gap_stands_beside(view: View) -> None:
    rows = matrix_rows.cells(view)
    cells = {(one, kind): (strength, text) for one, kind, strength, text in rows.select(
        "benchmark_id", "kind", "strength", "text").iter_rows()}  # fmt: skip
    assert cells["seen", "report"] == ("evidence", "43%")
    assert cells["seen", "anomaly"] == ("nothing", "0 of 30")
    assert cells["hinted", "declared_training"] == ("hint", "2")
    assert cells["little", "report"] == ("evidence", "1%"), "yes, however little"
    assert cells["hinted", "second"] == ("beside", "4 lower")
    assert cells["few", "second"] == ("beside", "31 higher") and ("few", "anomaly") not in cells


def test_names_are_short_where_that_is_enough(view: View) -> None:
    labels = dict(matrix_rows.benchmarks(view).select("benchmark_id", "label").iter_rows())
    assert labels["hinted"] == "Hinted exam"
    assert labels["clean"] == "Clean exam, whole" and labels["clean-part"] == "Clean exam, part"


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_what_is_known_stands_out_and_a_click_opens_the_row(view: View, palette: object) -> None:
    chart = charts.MATRIX.of(view, {"benchmark": "seen"}, palette)  # type: ignore[arg-type]
    assert isinstance(chart, Chart)
    assert chart.rows["benchmark_id"].unique().sort().to_list() == ["clean", "hinted", "little", "seen"]
    assert chart.title == "For 2 of 8 benchmarks there is evidence that models saw the items"
    assert "it is unknown. Nobody tested 3, and the tests of 1 were too weak" in chart.subtitle
    assert "none does. Unknown does not mean clean" in chart.subtitle
    dots = chart.figure.data[0]
    assert dots.marker.size == 3 and len(dots.x) == 4 * 5 - chart.rows.height, "of the kinds that are known of some"
    marks = [trace for trace in chart.figure.data[1:] if trace.mode == "markers"]
    numbers = [note.text for note in chart.figure.layout.annotations if note.opacity == ONLY_WIDE]
    assert {"43%", "1%", "2", "0 of 30"} <= set(numbers), "beside the marks, where there is room"
    assert [trace.marker.symbol for trace in marks] == ["square", "triangle-up", "circle", "diamond"], "none too weak"
    assert all(dict(trace.meta) == OPENS and trace.customdata[0][0] in NAMES for trace in chart.figure.data)
    assert chart.figure.layout.shapes[0].fillcolor == palette.chosen  # type: ignore[attr-defined]
    assert "<script" not in chart.figure.to_json()


def test_pills_choose_rows_and_what_they_name_must_exist(view: View) -> None:
    chart = charts.MATRIX.of(view, {"evidence": "unknown"}, LIGHT)
    assert isinstance(chart, Chart) and chart.rows["kind"].to_list() == ["second"], "which says nothing about items"
    hints = charts.MATRIX.of(view, {"evidence": "hint"}, LIGHT)
    assert isinstance(hints, Chart) and set(hints.rows["benchmark_id"]) == {"hinted"}
    with pytest.raises(ParameterError):
        charts.MATRIX.of(view, {"evidence": "guilt"}, LIGHT)


def test_nothing_at_all_is_said_to_be_nothing(tmp_path: Path) -> None:
    empty = View(Reader(publish_tables(tmp_path, {})).current())
    assert isinstance(charts.MATRIX.of(empty, {}, LIGHT), Nothing)


def test_the_page_says_what_is_known_of_a_benchmark_without_a_second_measurement(home: Path) -> None:
    text_shown = text(rendered(trust, home, benchmark="seen"))
    assert "For 2 of 8 benchmarks there is evidence" in text_shown
    assert (
        "**Have models seen the items?** Yes (43% documented, 2 reports)" in text_shown
        and "what report found" in text_shown
    )
    dark = text(rendered(trust, home, benchmark="dark"))
    assert "**Have models seen the items?** Unknown (answers withheld)" in dark and "Nobody has tested it." in dark
    hinted = text(rendered(trust, home, benchmark="hinted"))
    assert "**Does a second measurement agree?** Partly (4 points lower in an independent rerun)" in hinted
    assert "cheat" not in text_shown.casefold()


def test_pills_are_the_address(home: Path) -> None:
    app = rendered(trust, home, evidence="hint,unknown", more="order")
    groups = {group.key: group.value for group in app.get("button_group")}
    assert groups["evidence_box"] == ["hint", "unknown"]
    assert groups["more_box"] == "order"
