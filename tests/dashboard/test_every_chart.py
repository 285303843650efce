"""Every chart of every page over all bundled facts: as many rows as marks, and all that makes it citable.

What each chart draws of rows that a test made up, and what it sends, is tested with its page and in serving/.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.palette import DARK, LIGHT
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.pages.methods.topics import TITLES
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import View
from benchhealth.warehouse.sharing.csv import neutral_csv
from tests.support.csv_cells import formulas
from tests.support.mark_count import mark_count

CHARTS = {spec.name: spec for page in PAGES for spec in page.charts}
PRO = {"benchmark": "mmlu-pro"}
GPQA, GSM, TEXT = {"benchmark": "gpqa-diamond"}, {"twin": "gsm8k-to-gsm1k"}, {"board": "lmarena/lmarena-text"}
PARAMS: Mapping[str, Mapping[str, str]] = {
    "curve": GPQA,
    "top": GPQA,
    "reporters": GPQA,
    "measurers": GPQA,
    "past-forecasts": GPQA,
    "two-scores": {**GPQA, "first": "71.2", "second": "72.4"},
    "standing": {"model": "gpt-4o-2024-05-13"},
    "difference": {"model": "gpt-4o-2024-05-13", "other": "gpt-4-turbo-2024-04-09"},
    **dict.fromkeys(("reign", "board-day", "turnover", "movement"), TEXT),
    "left-out": {"tasks": "livebench/livebench-2026-01-08"},
    **dict.fromkeys(("twin", "twin-groups", "twin-ages"), GSM),
    **dict.fromkeys(("items-solved", "items-information", "items-subjects"), PRO),
    "contamination-excess": {"benchmark": "gsm8k"},
    "model-tests": {"model": "gpt-4o-2024-05-13"},
    "desk-panel": {"domain": "code"},
    "story": {"story": "gpqa-diamond", "frame": "2"},
}
"""What is asked for where a chart is of something; the others are drawn as they open."""

LACKING = {"item-age": "No source of this generation dates its items."}
"""Charts that the bundled facts cannot draw."""

TIMES = {
    "best-scores": 2, "movement": 2, "left-out": 2, "twin-groups": 2, "ceilings": 2, "claims": 2,
    "proxy-frontier": 3,
}  # fmt: skip
"""Rows that are drawn several times: before and after, measured and corrected."""

LINES = {
    "curve": "its fan is a band",
    "past-forecasts": "the best so far is a line",
    "lives": "a stretch is a rectangle",
    "successors": "an old benchmark has two marks, and one for each that took over",
    "reign": "stays are lines",
    "turnover": "sums are steps",
    "survival": "curves of survival are steps",
    "cohorts": "curves of survival are steps",
    "standstill": "curves of survival are steps",
    "fates": "shares of ends are steps",
    "standing": "a row without a place has no mark",
    "difference": "a row without a place has no mark",
    "items-information": "its points are a line",
    "evidence": "a row is a benchmark, a mark one of six kinds of evidence",
    "hazards": "a cause that cannot be fitted alone has one mark of two",
    "best-of-several": "a board whose noise is not known has one mark of two",
    "story": "its steps are carried on to the last day",
    "own-family": "a judge has a mark for each way of measuring that it has",
}
"""Charts whose rows are not counted by marks, and why."""


HYPHEN = re.compile(r"(?:^|[\s(\[>])-\d[\d.]*(?=[\s,;:)\]<]|$)")
"""A number that is below nothing by a hyphen."""


def _texts(chart: Chart) -> list[str]:
    """What the chart says in words, and what stands at its marks."""
    hovers = [trace.hovertext for trace in chart.figure.data if trace.hovertext is not None]
    notes = [note.text or "" for note in chart.figure.layout.annotations]
    return [chart.title, chart.subtitle, chart.alt, *notes, *(str(text) for texts in hovers for text in texts)]


@pytest.fixture(scope="module")
def view(bundled_home: Path) -> Iterator[View]:
    generation.use(bundled_home)
    yield generation.current()


def test_each_chart_is_asked_for_by_something_that_there_is() -> None:
    assert {*PARAMS, *LACKING, *TIMES, *LINES} <= set(CHARTS)


@pytest.mark.parametrize("spec", CHARTS.values(), ids=list(CHARTS))
def test_a_chart_shows_its_rows_and_says_where_they_are_from(spec: ChartSpec, view: View) -> None:
    params = PARAMS.get(spec.name, {})
    full_chart, chart = spec.of(view, params, DARK), spec.of(view.shared(), params, LIGHT)
    if spec.name in LACKING or isinstance(full_chart, Nothing):
        assert isinstance(full_chart, Nothing) and isinstance(chart, Nothing)
        assert full_chart.reason == LACKING.get(spec.name, "No best score on a scale with a ceiling changed.")
        return
    assert isinstance(chart, Chart)
    assert 0 < chart.rows.height <= full_chart.rows.height
    if spec.name not in LINES:
        times = TIMES.get(spec.name, 1)
        assert mark_count(chart.figure) == times * chart.rows.height, "the CSV holds what is drawn"
        assert mark_count(full_chart.figure) == times * full_chart.rows.height
    assert chart.title and chart.subtitle and chart.alt
    assert chart.sources and all(
        source.title and source.url.startswith(("https://", "http://")) for source in chart.sources
    )
    assert chart.known_until is not None and "data to" in chart.source_text()
    assert chart.method in TITLES, "a topic of Methods"
    cited = chart.citation(view.name, "https://example.org/here")
    assert chart.title.rstrip(".") in cited and view.name in cited and all(one.url in cited for one in chart.sources)
    assert [text for text in _texts(chart) if HYPHEN.search(text)] == [], "a minus sign is none of these"
    for row in csv.reader(io.StringIO(neutral_csv(chart.rows).decode(), newline="")):
        assert not formulas(row)
