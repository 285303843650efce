"""Fifty hostile names of models and benchmarks: read as they are published, in texts, charts and files."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from playwright.sync_api import Browser, expect

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.pages.benchmark import page as benchmark_page
from benchhealth.dashboard.pages.models import page as models_page
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import ParameterError
from benchhealth.dashboard.words.text import markdown
from benchhealth.warehouse.sharing.csv import neutral_csv
from tests.dashboard.conftest import serving
from tests.support.browsing import opened, visit
from tests.support.csv_cells import formulas
from tests.support.hostile_names import NAMES, build
from tests.support.rendered_page import markup, rendered


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("hostile")
    build(made)
    yield made


def test_there_are_fifty() -> None:
    assert len(set(NAMES)) == 50


@pytest.mark.soak
@pytest.mark.browser
@pytest.mark.whole
def test_every_name_is_read_as_it_is(browser: Browser, home: Path) -> None:
    with serving(home) as server, opened(browser, width=390) as (page, wrong):
        visit(page, f"{server}/?stage=emerging&order=name")
        listed = page.locator(".st-key-narrow_list").get_by_role("link")
        expect(listed.first).to_be_visible()
        names = [text.replace("\u2060", "") for text in listed.all_inner_texts()]
        assert set(NAMES[1:]) - set(names) == set(), "the first has enough models to be judged"
        page.set_viewport_size({"width": 1280, "height": 900})
        for address, block in (("models?model=m-0", "standing"), ("benchmark?benchmark=b-0&tab=Top+models", "top")):
            visit(page, f"{server}/{address}")
            chart = page.locator(f".st-key-chart_{block}")
            expect(chart.locator(".main-svg").first).to_be_visible()
            texts = " ".join(chart.locator("svg text").all_text_contents()).replace("\u2060", "")
            drawn_names = [name for name in NAMES if _label(name) in texts]
            assert len(drawn_names) >= (len(NAMES) if block == "standing" else 10), set(NAMES) - set(drawn_names)
        assert page.evaluate("window.hit") is None
        assert page.locator('a[href^="javascript"], [data-testid="stMain"] img, h1 b').count() == 0
        assert not wrong


def _label(name: str) -> str:
    """What every label keeps of a name: it may leave out brackets and what follows a comma."""
    return re.split(r"[(,]", name)[0].strip()


@pytest.mark.parametrize(("page", "query"), [(benchmark_page, "benchmark"), (models_page, "model")])
def test_no_title_is_markup(page: ModuleType, query: str, home: Path) -> None:
    for index in (0, 22, 31):
        text_shown = markup(rendered(page, home, **{query: f"{query[0]}-{index}"}))
        assert markdown(NAMES[index]) in text_shown
        assert NAMES[index] not in text_shown.replace(markdown(NAMES[index]), "")


def test_no_cell_of_a_file_is_a_formula(home: Path) -> None:
    generation.use(home)
    view = generation.current()
    asked = {"benchmark": "b-0", "model": "m-0", "board": "exams/b-0", "other": "m-1"}
    frames = {name: view.table(name) for name in PUBLISHED}
    for spec in PAGES:
        for table in spec.tables:
            try:
                frames[table.name] = table.build(view, asked)
            except ParameterError:
                continue
    assert len(frames) > len(PUBLISHED) + 10
    for name, frame in frames.items():
        for row in csv.reader(io.StringIO(neutral_csv(frame).decode(), newline="")):
            assert not formulas(row), (name, row)
