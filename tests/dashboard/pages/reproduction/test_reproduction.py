"""The Reproduction page: what holds, what differs and why, and what it says where there is nothing."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.reproduction import figures
from benchhealth.dashboard.pages.reproduction import page as reproduction
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import ParameterError
from tests.support.rendered_page import markup, publish_tables, rendered

LONG = "the published number is of another edition, which nobody kept; " * 5
PAPERS = {"images": "Who 2024, What", "language": "Else and Other 2023, How"}
ROWS = (
    ("same", "images", "It is two", 2.0, 2.0, 0.0, True, None, "recomputed"),
    ("near", "images", "It is *three*", 3.0, 3.05, 0.1, True, "measured on fewer", "recomputed"),
    ("far", "language", "It is <b>four</b>", 4.0, 9.0, 0.5, False, LONG.strip("; "), "recomputed"),
    ("count", "language", "There are five", 5.0, 6.0, 0.0, False, None, "recomputed"),
    ("absent", "language", "It is six", 6.0, None, 0.1, None, None, "recomputed"),
    ("cell", "language", "It scores seven", 7.0, 7.0, 0.1, True, None, "looked up"),
    ("own", "language", "Ours is eight", None, 8.0, None, None, None, "ours"),
    ("named", "images", "They say nine", 9.0, None, None, None, "nobody shows the table", "cited"),
)


def made(rows: tuple[tuple[object, ...], ...] = ROWS) -> dict[str, pl.DataFrame]:
    more = (2024, "table 1", "it is rounded", 12, "the table")
    ends = (None, None, None, 0.0, "nothing")
    claim = [
        (name, printed, computed_on, ours, within, held, "https://example.org", kind, PAPERS.get(area), *more, *ends)
        for name, area, printed, computed_on, ours, within, held, _, kind in rows
    ]
    detail = [(name, area, printed, "points", why) for name, area, printed, *_, why, _ in rows]
    return {
        name: pl.DataFrame(body, schema=PUBLISHED[name], orient="row")
        for name, body in (("reproduction", claim), ("reproduction_detail", detail))
    }


def shown(home: Path, tables: Mapping[str, pl.DataFrame], **query: str) -> str:
    return markup(rendered(reproduction, publish_tables(home, tables), **query))


def test_says_what_is_missing_where_there_is_nothing(tmp_path: Path) -> None:
    assert "No claim has been recomputed" in shown(tmp_path, made(()))


def test_counts_what_holds_and_gives_every_reason_in_full(tmp_path: Path) -> None:
    app = rendered(reproduction, publish_tables(tmp_path, made()))
    app.session_state["otherwise"] = True  # as a click opens it
    text_shown = markup(app.run())
    assert "1 of 2 papers hold in every recomputed statistic" in text_shown
    assert "which nobody kept" in text_shown.split("Source")[0] or text_shown.count("which nobody kept") == 5
    assert "no reason is known" in text_shown
    assert "measured on fewer" in text_shown
    assert "1 claim cannot be computed" in text_shown
    assert "<b>" not in text_shown


def test_an_area_can_be_chosen_by_the_address(tmp_path: Path) -> None:
    text_shown = shown(tmp_path, made(), about="images")
    assert "1 of 1 paper holds in every recomputed statistic" in text_shown
    view = generation.current()
    assert reproduction.areas_of_claims(view) == ["all", "images", "language"]
    counted = reproduction.claims(view, {"class": "recomputed"})
    assert counted["claim_id"].to_list() == ["far", "count", "absent", "same", "near"]
    assert reproduction.claims(view, {}).height == len(ROWS)
    for wrong in ({"about": "nothing"}, {"class": "nothing"}):
        with pytest.raises(ParameterError):
            reproduction.claims(view, wrong)


def test_each_class_is_counted_by_itself(tmp_path: Path) -> None:
    text_shown = shown(tmp_path, made())
    assert "**Recomputed**: 5 claims of 2 papers, 4 computed: 2 hold, 2 differ" in text_shown
    assert "**Cited**: 1 claim of 1 paper\n" in f"{text_shown}\n"
    counts = reproduction.classes(generation.current(), {})
    assert counts.rows() == [
        ("recomputed", 2, 5, 4, 2, 2, 5),
        ("looked up", 1, 1, 1, 1, 0, 1),
        ("ours", 1, 1, 1, None, None, 1),
        ("cited", 1, 1, 0, None, None, 1),
    ]


@pytest.mark.parametrize(
    ("kind", "words", "absent"),
    [
        ("looked up", "One printed score", "which nobody kept"),
        ("ours", "published by nobody", "which nobody kept"),
        ("cited", "nobody shows the table", "which nobody kept"),
    ],
)
def test_the_table_shows_one_class_at_a_time(kind: str, words: str, absent: str, tmp_path: Path) -> None:
    text_shown = shown(tmp_path, made(), **{"class": kind})
    assert words in text_shown
    assert absent not in text_shown
    assert "2 of 4 statistics are within tolerance" in text_shown


def test_points_beyond_the_edge_are_drawn_at_it(tmp_path: Path) -> None:
    shown(tmp_path, made())
    rows = reproduction.claims(generation.current(), {"class": "recomputed"})
    chart = figures.chart(rows, None, LIGHT)
    assert isinstance(chart, Chart)
    assert chart.rows.height == 4
    assert {trace.name: trace.x.tolist() for trace in chart.figure.data} == {
        "holds": [0.0, pytest.approx(0.5)],
        "differs by more": [3.0, 3.0],
    }
    assert "outside" in figures.alt_text(rows).casefold()
    nothing = rows.filter(pl.col("holds").is_null())
    assert "None of the published statistics" in figures.finding(nothing, None)
