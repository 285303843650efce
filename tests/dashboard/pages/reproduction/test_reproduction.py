"""The Reproduction page: what holds, what differs and why, and what it says where there is nothing."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest

from analytics.record.tables import PUBLISHED
from dashboard.figures.chart import Chart
from dashboard.figures.palette import LIGHT
from dashboard.pages.reproduction import figures
from dashboard.pages.reproduction import page as reproduction
from dashboard.pages.reproduction import tables as claim_tables
from dashboard.published import generation
from dashboard.published.tables import ParameterError
from tests.support.drawn import drawn, markup, published

LONG = "the published number is of another edition, which nobody kept; " * 5
ROWS = (
    ("same", "images", "It is two", 2.0, 2.0, 0.0, True, None),
    ("near", "images", "It is *three*", 3.0, 3.05, 0.1, True, "measured on fewer"),
    ("far", "language", "It is <b>four</b>", 4.0, 9.0, 0.5, False, LONG.strip("; ")),
    ("count", "language", "There are five", 5.0, 6.0, 0.0, False, None),
    ("absent", "language", "It is six", 6.0, None, 0.1, None, None),
)


def made(rows: tuple[tuple[object, ...], ...] = ROWS) -> dict[str, pl.DataFrame]:
    claim = [
        (name, said, at, ours, within, held, "https://example.org") for name, _, said, at, ours, within, held, _ in rows
    ]
    detail = [(name, area, said, "points", why) for name, area, said, *_, why in rows]
    return {
        name: pl.DataFrame(body, schema=PUBLISHED[name], orient="row")
        for name, body in (("reproduction", claim), ("reproduction_detail", detail))
    }


def shown(home: Path, tables: Mapping[str, pl.DataFrame], **query: str) -> str:
    return markup(drawn(reproduction, published(home, tables), **query))


def test_says_what_is_missing_where_there_is_nothing(tmp_path: Path) -> None:
    assert "No claim has been recomputed" in shown(tmp_path, made(()))


def test_counts_what_holds_and_gives_every_reason_in_full(tmp_path: Path) -> None:
    said = shown(tmp_path, made())
    assert "2 of 4 published numbers hold within tolerance" in said
    assert "which nobody kept" in said.split("Source")[0] or said.count("which nobody kept") == 5
    assert "no reason is known" in said
    assert "measured on fewer" in said
    assert "1 claim cannot be computed" in said
    assert "<b>" not in said


def test_an_area_can_be_chosen_by_the_address(tmp_path: Path) -> None:
    said = shown(tmp_path, made(), about="images")
    assert "All 2 published numbers hold" in said
    view = generation.current()
    assert claim_tables.areas(view) == ["all", "images", "language"]
    assert claim_tables.claims(view, {})["claim_id"].to_list() == ["far", "count", "absent", "same", "near"]
    with pytest.raises(ParameterError):
        claim_tables.claims(view, {"about": "nothing"})


def test_points_beyond_the_edge_are_drawn_at_it(tmp_path: Path) -> None:
    shown(tmp_path, made())
    rows = claim_tables.claims(generation.current(), {})
    chart = figures.chart(rows, None, [], LIGHT)
    assert isinstance(chart, Chart)
    assert chart.rows.height == 4
    assert {trace.name: trace.x.tolist() for trace in chart.figure.data} == {
        "holds": [0.0, pytest.approx(0.5)],
        "differs by more": [3.0, 3.0],
    }
    assert "outside" in figures.alt_text(rows).casefold()
    nothing = rows.filter(pl.col("holds").is_null())
    assert "None of the published numbers" in figures.finding(nothing, None)
