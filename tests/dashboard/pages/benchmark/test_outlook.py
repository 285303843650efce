"""The forecast section of a benchmark's page: what is said first, what is published, and why nothing is."""

from datetime import date
from pathlib import Path

import polars as pl
from streamlit.testing.v1 import AppTest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.pages.benchmark import outlook
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import View
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.store import Store
from tests.support.facts import derived, publish, registry
from tests.support.small_generation import NOW

AS_OF = date(2025, 1, 3)
FACTS = {"benchmark_id": "a", "unit": "percent"}


def indicator(name: str, value: float | None, reason: str, **more: object) -> dict[str, object]:
    status = "insufficient" if value is None else "ok"
    row = {"benchmark_id": "a", "indicator": name, "value": value, "status": status, "reason": reason, "as_of": AS_OF}
    return {**row, **more}


def forecast(target_on: date) -> dict[str, object]:
    row = {"benchmark_id": "a", "made_on": date(2024, 7, 1), "target_on": target_on, "method": "running_mean"}
    row |= {"population": "on the capability scale", "chance": 0.62, "best": 0.5}
    return {**row, "median": 0.6, "low80": 0.5, "high80": 0.75}


def view(home: Path, indicators: list[dict[str, object]], made: list[dict[str, object]]) -> View:
    tables = {
        "indicator": pl.DataFrame(indicators, schema=PUBLISHED["indicator"]),
        "forecast": pl.DataFrame(made, schema=PUBLISHED["forecast"]),
    }
    nothing = registry()
    with Store.open(home):
        pass
    publish(home, nothing, load(home, nothing, NOW), {**derived(), **tables}, NOW)
    generation.use(home)
    return generation.current()


def test_what_holds_without_the_condition_is_said_first_then_the_forecasts_with_their_interval(tmp_path: Path) -> None:
    rows = [
        indicator("forecast_6_months", 0.5, "no method has proven skill"),
        indicator("forecast_12_months", 0.5, "no method has proven skill"),
    ]
    made = [forecast(date(2025, 3, 1)), {**forecast(date(2025, 7, 1)), "regrade": 0.012}]
    sentences = outlook.forecast_lines(view(tmp_path, rows, made), FACTS)
    assert sentences[0] == (
        "Whether or not a stronger model is tested, no forecast here beats “no change” for certain; what follows is "
        "for the case that one is."
    )
    assert "By 1 Mar 2025" in sentences[1]
    assert (
        "if a stronger model than all before is tested (probability 62%), the best score is expected at 60.0%"
        in sentences[1]
    )
    assert "between 50.0% and 75.0% (made of" in sentences[1]
    assert "75.0%, counting that a published score may be corrected by 1.2 points (made of" in sentences[2]
    assert sentences[3].startswith("Half a year ahead: no method")


def test_why_nothing_is_forecast_is_left_to_the_answer(tmp_path: Path) -> None:
    rows = [indicator(name, None, "", case="no_forecast") for name in outlook.HORIZONS]
    assert outlook.forecast_lines(view(tmp_path, rows, []), FACTS) == []


def test_the_section_stands_under_its_anchor_with_or_without_a_track_record(small_home: Path) -> None:
    generation.use(small_home)
    call = "from benchhealth.dashboard.published import generation\n"
    call += "from benchhealth.dashboard.pages.benchmark import outlook\n"
    call += 'outlook.section(generation.current(), {"benchmark_id": "exam", "unit": "percent"})'
    app = AppTest.from_string(call, default_timeout=60).run()
    assert not app.exception
    assert [block.proto.anchor for block in app.header] == ["forecast"]
    assert any("The record" in block.value for block in app.markdown)
