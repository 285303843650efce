"""Names that others took over: each leads to a chart or a table that there is, and none of them is one any more."""

from pathlib import Path

from benchhealth.dashboard.figures import moved
from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.serving.server import TABLES
from benchhealth.warehouse.reader import Reader

GSM = "gsm8k-to-gsm1k"
CHARTS = {spec.name: spec for page in PAGES for spec in page.charts}


def test_what_is_gone_leads_to_what_stays() -> None:
    named = moved.with_moved(CHARTS.values())
    assert named.keys() == CHARTS.keys() | moved.CHARTS.keys() and not CHARTS.keys() & moved.CHARTS.keys()
    assert set(moved.TABLES.values()) <= TABLES.keys() and not TABLES.keys() & moved.TABLES.keys()
    assert moved.anchors("twin").count("<div id=") == 3 and not moved.anchors("map")


def test_a_chart_under_an_old_name_is_the_one_that_stays_with_its_choice(bundled_home: Path) -> None:
    view, named = View(Reader(bundled_home).current()), moved.with_moved(CHARTS.values())
    pairs = {
        "life-years": ("survival", {"by": "released"}, {}),
        "target-shortfall": ("twin-ages", {"twin": GSM}, {"pair": GSM}),
    }
    for was, (now, params, asked) in pairs.items():
        old, new = named[was].of(view, asked, LIGHT), CHARTS[now].of(view, params, LIGHT)
        assert isinstance(old, Chart) and isinstance(new, Chart)
        assert old.title == new.title and old.rows.equals(new.rows) and old.sources == new.sources
