"""The tab Items: what it says of a test that is known item by item, and of one that is not."""

from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.items.table import ItemTables, rows_of
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.palette import DARK, LIGHT
from benchhealth.dashboard.pages.benchmark import page as benchmark_page
from benchhealth.dashboard.pages.benchmark.tabs import items as tab
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.boards.items import CANDIDATES
from benchhealth.dashboard.published.generation import ParameterError, View
from tests.support import small_generation
from tests.support.item_worlds import Panel, panel_of, with_wrong_keys
from tests.support.item_worlds import drawn as drawn_items
from tests.support.mark_count import mark_count
from tests.support.rendered_page import rendered, text

KNOWN_UNTIL = date(2024, 10, 1)
EXAM = {"benchmark": "exam"}


def published(panel: Panel, floor: float | None) -> dict[str, pl.DataFrame]:
    """The tables about items of one panel, of a source that the small generation has."""
    rows: dict[str, list[dict[str, object]]] = {name: [] for name in ItemTables._fields}
    for name, row in rows_of(panel, floor, np.random.default_rng(0)):
        about = {"benchmark_id": "exam", "source_id": "exams", "condition": "as reported", "known_until": KNOWN_UNTIL}
        rows[name].append({**{key: value for key, value in about.items() if key in PUBLISHED[name]}, **row})
    return {name: pl.DataFrame(rows[name], schema=PUBLISHED[name], orient="row") for name in rows}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """24 models on 600 items of six subjects, three in a hundred keys wrong, nobody having checked them."""
    rng = np.random.default_rng(9)
    _, panel = drawn_items(24, 600, 8, floor=0.25)
    planted = with_wrong_keys(panel, rng.random(600) < 0.03, rng)
    items_panel = panel_of(planted.outcomes, cluster=np.arange(600) % 6, chosen=planted.chosen)
    made = tmp_path_factory.mktemp("items")
    small_generation.build(made, published(items_panel, 0.25))
    return made


@pytest.fixture
def view(home: Path) -> View:
    generation.use(home)
    return generation.current()


def test_a_test_known_item_by_item_has_its_strip_its_tiles_and_its_limits(home: Path, view: View) -> None:
    shown = text(rendered(benchmark_page, home, benchmark="exam", tab="Items"))
    row = view.table("item_test").row(0, named=True)
    assert f"{row['by_none']:,} of 600 items are solved by no model, {row['by_all']:,} by all" in shown
    for words in (
        "Would fewer items do?", "No (0 of 200 draws)", "Is anything missing?", "Do the clusters agree?",
        "What cannot be said with 24 models", "An interval for the curve", "nobody has checked them",
        "If all 24 models guessed and were right 25% of the time",
    ):  # fmt: skip
        assert words in shown.replace("\\", "")
    assert "csv/item-candidates?benchmark=exam" in shown


def test_where_nothing_is_known_there_is_no_tab_but_its_address_says_what_it_takes(home: Path) -> None:
    assert "No results item by item" not in text(rendered(benchmark_page, home, benchmark="hard-exam"))
    shown = text(rendered(benchmark_page, home, benchmark="hard-exam", tab="Items"))
    assert "No results item by item" in shown
    assert "of 8 models or more on the same items" in shown
    assert "benchmark=exam" in shown, "it leads to one that has them"


def test_charts_draw_the_rows_that_their_csv_holds(view: View) -> None:
    for spec in (tab.SOLVED, tab.SUBJECTS):
        for palette in (LIGHT, DARK):
            chart = spec.of(view, EXAM, palette)
            assert isinstance(chart, Chart)
            assert mark_count(chart.figure) == chart.rows.height
            assert chart.known_until == KNOWN_UNTIL and chart.alt and chart.sources
    strip = tab.SOLVED.of(view, EXAM, LIGHT)
    assert isinstance(strip, Chart)
    assert strip.rows["items"].sum() == 600
    bar = strip.figure.data[0]
    assert list(bar.base) == pytest.approx([0, *strip.rows["items"].cum_sum()[:-1]])
    curve = tab.INFORMATION.of(view, EXAM, LIGHT)
    assert isinstance(curve, Chart)
    assert curve.rows["model"].drop_nulls().len() == 24
    assert not curve.figure.layout.yaxis.visible, "below 50 models its height is not to be read"


def test_a_subject_can_be_shown_alone(view: View) -> None:
    chart = tab.SOLVED.of(view, {**EXAM, "subject": "subject 3"}, LIGHT)
    assert isinstance(chart, Chart)
    assert chart.rows["items"].sum() == 100
    assert "of 100 items of subject 3" in chart.title
    with pytest.raises(ParameterError):
        tab.SOLVED.of(view, {**EXAM, "subject": "alchemy"}, LIGHT)


def test_candidates_are_listed_as_ids(view: View) -> None:
    rows = CANDIDATES.build(view, EXAM)
    assert rows.height == view.table("item_test")["candidates"].item()
    assert rows["item"].str.starts_with("item-").all()
    assert rows["agreeing"].unique().to_list() == [8]
    with pytest.raises(ParameterError):
        CANDIDATES.build(view, {"benchmark": "hard-exam"})


def test_many_models_and_checked_keys_leave_less_that_cannot_be_said(tmp_path: Path) -> None:
    rng = np.random.default_rng(10)
    _, panel = drawn_items(60, 400, 12)
    planted = with_wrong_keys(panel, rng.random(400) < 0.05, rng)
    small_generation.build(tmp_path, published(planted, None))
    shown = text(rendered(benchmark_page, tmp_path, benchmark="exam", tab="Items")).replace("\\", "")
    assert "What cannot be said with 60 models" in shown
    assert "An interval for the curve" not in shown and "Which keys are wrong" not in shown
    assert "people found the key wrong in" in shown
    assert "its file does not say what each item belongs to" in shown
    generation.use(tmp_path)
    curve = tab.INFORMATION.of(generation.current(), EXAM, LIGHT)
    assert isinstance(curve, Chart) and "At its top it distinguishes models" in curve.title
