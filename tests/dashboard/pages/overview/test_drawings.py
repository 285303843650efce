"""The pictures of the first page that are no charts: strips of intervals, lanes of a phone, small curves."""

import re
from urllib.parse import unquote

import polars as pl
import pytest

from benchhealth.analytics.record.tables.declared import Form
from benchhealth.dashboard.figures.palette import DARK, LIGHT
from benchhealth.dashboard.pages.overview.figures.lanes import html, lanes, sparkline, without_mark
from benchhealth.dashboard.pages.overview.worth import Finding, strip

SHARE = Finding("noise", "", "", 0.68, 0.57, 0.78, 0.5, Form.PERCENT, ("field", {}, ""))
MONTHS = Finding("aging", "", "", 76.0, 46.0, None, 0.0, Form.MONTHS, ("field", {}, ""))
FALL = Finding("makers", "", "", -9.1, -13.5, -4.7, 0.0, Form.POINTS, ("benchmark", {}, ""))


@pytest.mark.parametrize("shown_finding", [SHARE, MONTHS, FALL])
def test_a_strip_has_the_interval_around_its_point_on_one_side_of_the_null(shown_finding: Finding) -> None:
    drawing = unquote(strip(shown_finding, LIGHT))
    null, left = (float(x) for x in re.findall(r'<rect x="([\d.]+)%"', drawing))
    width = float(re.findall(r'width="([\d.]+)%" height="5"', drawing)[0])
    middle = float(re.findall(r'cx="([\d.]+)%"', drawing)[0])
    assert left < middle < left + width <= 100.1
    assert null < left or null > left + width


def test_the_ends_of_a_strip_are_written_and_kept_apart() -> None:
    assert re.findall(r">([^<>]+)</span>", strip(SHARE, LIGHT)) == ["57% to 78%"]
    assert re.findall(r">([^<>]+)</span>", strip(MONTHS, DARK)) == ["3.8 years", "release"]
    assert "\u221213.5" in strip(FALL, LIGHT) and "\u22124.7" in strip(FALL, LIGHT)


def rows(*listed: tuple[str, str, float | None, float]) -> pl.DataFrame:
    """Benchmarks as `published.benchmarks` has them: id, stage, room left, months since it was looked at."""
    schema = {"benchmark_id": pl.String, "stage": pl.String, "headroom": pl.Float64, "age_months": pl.Float64}
    return pl.DataFrame(listed, schema=schema, orient="row").with_columns(
        label="benchmark_id", makers=1, models=3,
        flags=pl.lit([], pl.List(pl.String)), between=pl.lit([], pl.List(pl.String)),
    )  # fmt: skip


def test_lanes_count_what_is_in_use_and_mark_what_has_a_ceiling() -> None:
    lanes_drawn = lanes(
        rows(
            ("a", "discriminating", 0.5, 1.0), ("b", "discriminating", None, 1.0), ("old", "discriminating", 0.4, 9.0),
            ("c", "saturated", 0.01, 1.0), ("d", "unknown", 0.3, 1.0),
        )
    )  # fmt: skip
    assert [(lane.stage, lane.counted, len(lane.marks)) for lane in lanes_drawn] == [
        ("discriminating", 2, 1), ("saturated", 1, 1),
    ]  # fmt: skip
    assert without_mark(lanes_drawn) == " 1 more has no known ceiling and no mark."
    drawn = html(lanes_drawn, lambda stage: f"?stage={stage}&x=1", LIGHT)
    assert 'href="?stage=saturated&amp;x=1"' in drawn and "Still measuring 2" in drawn


def test_names_in_lanes_are_no_markup() -> None:
    drawn = html(lanes(rows(("<b>x</b>", "saturated", 0.3, 1.0))), lambda _: ".", LIGHT)
    assert "&lt;b&gt;x" in drawn and "<b>x" not in drawn


def test_a_small_curve_leaves_out_what_a_line_has_anyway() -> None:
    flat = unquote(sparkline([0.5] * 32, LIGHT))
    assert flat.count("L") == 1 and unquote(sparkline([0.0, 0.5, 1.0], LIGHT)).count("L") == 2
    assert sparkline(None, LIGHT) == sparkline([], LIGHT) == ""
