"""Static and dynamic on Field: what differs, what does not, what is unknown, and how old each kind is."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.renewal.kinds import KINDS
from benchhealth.analytics.renewal.measures import HEADROOM_LOST, MEASURES
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.field import page as field
from benchhealth.dashboard.pages.field import renewal
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import ParameterError
from tests.support.rendered_page import publish_tables, rendered, text

AGES = {"live": 20.0, "refreshed": 14.0, "private": 90.0, "static": 60.0}


def rows(low: float = 0.02, *, is_known: bool = True) -> pl.DataFrame:
    measure_rows = [
        {
            "measure": measure,
            "kind": kind,
            **({"value": 0.3, "low": 0.2, "high": 0.4} if is_known else {}),
            "n": 7,
            "interval": "bootstrap by benchmark",
            **({"matched": 0.1, "matched_low": low, "matched_high": 0.2} if is_known and kind == "refreshed" else {}),
            "matched_n": 6,
            "age_months": AGES[kind],
            "n_models": 40.0,
            "domain": "code",
            "status": "ok" if is_known else "insufficient",
            "reason": "",
            "known_until": date(2026, 1, 1),
        }
        for measure in MEASURES
        for kind in KINDS
    ]
    return pl.DataFrame(measure_rows, schema=PUBLISHED["static_dynamic"])


def test_says_which_kind_differs_from_static_ones_of_its_age(tmp_path: Path) -> None:
    text_shown = text(rendered(field, publish_tables(tmp_path, {"static_dynamic": rows()}), chart="static-dynamic"))
    assert "Headroom lost a year: higher for refreshed ones than for static ones of their age" in text_shown
    doubts = renewal.doubts(rows().filter(measure=HEADROOM_LOST), HEADROOM_LOST, None)
    assert "refreshed +0.10 (+0.02 to +0.20, 6 benchmarks)" in doubts
    assert "2 of 3 other kinds are younger" in text_shown
    assert "ImageNot" in text_shown


def test_says_where_no_kind_differs_and_where_nothing_is_known(tmp_path: Path) -> None:
    assert renewal.finding(rows(-0.1), HEADROOM_LOST).endswith(
        "no kind differs beyond error from static ones of its age"
    )
    assert renewal.finding(rows(is_known=False), HEADROOM_LOST).endswith("too few of one age to compare kinds")
    text_shown = text(
        rendered(field, publish_tables(tmp_path, {"static_dynamic": rows(is_known=False)}), chart="static-dynamic")
    )
    assert "No kind can be given" in text_shown


def test_a_measure_can_be_asked_for_by_address(tmp_path: Path) -> None:
    generation.use(publish_tables(tmp_path, {"static_dynamic": rows()}))
    view = generation.current()
    chart = renewal.STATIC_DYNAMIC.build(view, {"measure": MEASURES[1]}, LIGHT)
    assert isinstance(chart, Chart)
    assert chart.rows["measure"].unique().to_list() == [MEASURES[1]]
    assert chart.rows.height == len(KINDS)
    assert renewal.side_by_side(view, {}).height == len(KINDS) * len(MEASURES)
    with pytest.raises(ParameterError):
        renewal.side_by_side(view, {"measure": "nothing"})


def test_nothing_is_drawn_of_nothing(tmp_path: Path) -> None:
    generation.use(publish_tables(tmp_path, {}))
    assert isinstance(renewal.STATIC_DYNAMIC.build(generation.current(), {}, LIGHT), Nothing)
