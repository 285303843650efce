"""The line parted at breaks, marks that stand at the release, and the field of faulty items."""

from datetime import date

import numpy as np
import plotly.graph_objects as go
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.benchmark.figures.frame import (
    best_of_models,
    counted_faults,
    drawable_faults,
    moved_sentence,
    unlisted_models,
)
from benchhealth.dashboard.pages.benchmark.figures.line import (
    best_so_far,
    breaks_of,
    cuts_of,
    parted_sentence,
    with_measured_by_others,
)

FACTS = {
    "unit": "percent", "higher_is_better": True, "released_on": date(2024, 1, 1), "known_until": date(2025, 1, 1),
    "n_items": 500,
}  # fmt: skip


def marks(*rows: tuple[str, float, date, str, date | None]) -> pl.DataFrame:
    """Results by model, score, day, basis and the release of the model."""
    return pl.DataFrame(
        rows,
        schema={
            "model_id": pl.String, "score": pl.Float64, "dated_on": pl.Date, "date_basis": pl.String,
            "released_on": pl.Date,
        },
        orient="row",
    ).with_columns(
        ranked=True, side=pl.lit("others"), source_id=pl.lit("board"), setting=pl.lit(None, pl.String)
    )  # fmt: skip


def test_a_mark_that_a_later_run_dates_and_that_was_no_best_stands_at_its_models_release() -> None:
    batch = date(2024, 9, 1)
    best = best_of_models(
        marks(
            ("first", 0.50, date(2024, 2, 1), "model_release", date(2024, 2, 1)),
            ("old", 0.40, batch, "evaluation", date(2024, 3, 1)),
            ("older", 0.30, batch, "snapshot", date(2023, 3, 1)),
            ("best", 0.60, batch, "evaluation", date(2024, 4, 1)),
            ("new", 0.55, batch, "evaluation", date(2024, 8, 20)),
            ("unknown", 0.45, batch, "snapshot", None),
        ),
        FACTS,
    )
    drawn = dict(best.select("model_id", "drawn_on").iter_rows())
    assert drawn["old"] == date(2024, 3, 1)
    assert drawn["older"] == FACTS["released_on"], "nobody was measured before there was a benchmark"
    assert {drawn[one] for one in ("best", "new", "unknown")} == {batch}
    assert best.filter("of_look")["model_id"].to_list() == ["unknown"]
    assert "2 marks dated by a later run or look stand at their models' release." in moved_sentence(best)


@given(st.permutations(range(4)))
def test_of_equal_scores_of_a_day_what_others_measured_is_shown_whatever_the_order(order: list[int]) -> None:
    day = date(2024, 5, 1)
    rows = marks(*[("model", 0.5, day, "evaluation", None)] * 3, ("model", 0.5, date(2024, 6, 1), "evaluation", None))
    rows = rows.with_columns(
        side=pl.Series(["self", "others", "others", "others"]),
        source_id=pl.Series(["a", "c", "b", "a"]),
    )
    best = best_of_models(rows[order], FACTS)
    assert best.select("dated_on", "side", "source_id").rows() == [(day, "others", "b")]


def test_the_line_is_open_at_a_break_of_a_board_that_gave_its_steps() -> None:
    moves = pl.DataFrame(
        {
            "model_id": ["a", "b"],
            "model": ["A", "B"],
            "score": [0.5, 0.7],
            "dated_on": [date(2024, 1, 1), date(2024, 7, 1)],
            "date_precision": ["day", "day"],
        }
    )
    results = moves.select("model_id", "score", "dated_on").with_columns(source_id=pl.lit("lab"))
    kinds = [("lab/exam", "data"), ("lab/exam", "names"), ("lab/exam", "proposed data"), ("else/exam", "data")]
    breakpoints = pl.DataFrame(
        [(board, date(2024, 4, 1), kind, "scores changed") for board, kind in kinds],
        schema=["board_id", "on_date", "kind", "note"],
        orient="row",
    )
    breaks = breaks_of(breakpoints, results, moves, "exam")
    assert breaks.select("board_id", "kind").rows() == [("lab/exam", "data"), ("lab/exam", "names")]
    assert parted_sentence(breaks).startswith(" Parted at 1 break of")
    figure = go.Figure()
    sides = results.with_columns(side=pl.Series(["self", "others"]))
    best_so_far(figure, with_measured_by_others(moves, sides), (), breaks, FACTS, LIGHT)
    open_marks = [trace for trace in figure.data if trace.mode == "markers"]
    assert [(trace.y.tolist(), trace.marker.color) for trace in open_marks] == [([0.5], LIGHT.paper)], (
        "the maker's is open"
    )
    lines = [
        np.asarray(trace.x) for trace in figure.data if trace.mode.startswith("lines") and trace.line.dash != "dot"
    ]
    before, after = date(2024, 3, 31), date(2024, 4, 2)
    assert all(not (x.min() < np.datetime64(before) and x.max() > np.datetime64(after)) for x in lines), "none crosses"
    assert sum(shape.name == "break" for shape in figure.layout.shapes) == 1


def test_a_change_of_names_alone_counts_as_a_break_and_parts_nothing() -> None:
    days = {"data": date(2024, 4, 1), "names": date(2024, 8, 1)}
    breaks = pl.DataFrame({"on_date": [*days.values()], "kind": [*days], "board_id": ["lab/exam"] * 2})
    assert cuts_of(breaks) == [days["data"]]
    assert parted_sentence(breaks).startswith(" Parted at 1 of 2 breaks")
    assert parted_sentence(breaks.filter(pl.col("kind") == "names")) == ""
    assert cuts_of(None) == []


@pytest.mark.parametrize(
    ("share", "n", "faulty"), [(0.5942, 138, 82), (0.26, 564, 0), (0.29, None, 0)], ids=["counted", "of more", "a rate"]
)
def test_only_faults_that_were_counted_in_items_of_the_test_count(share: float, n: int | None, faulty: int) -> None:
    audits = pl.DataFrame(
        {"kind": ["audit"], "share": [share], "n": [n]}, schema={"kind": pl.String, "share": pl.Float64, "n": pl.Int64}
    )
    assert counted_faults(audits, 500) == faulty
    assert counted_faults(audits, 500, "hidden") == 0
    assert counted_faults(audits, 500, "public") == faulty
    assert drawable_faults(faulty, FACTS) == faulty
    assert drawable_faults(faulty, {**FACTS, "unit": "rating"}) == 0


def test_models_that_left_a_rating_are_listed_no_more_though_they_have_no_place() -> None:
    drawn = pl.DataFrame({"model_id": ["oak", "elm", "elm", "ash"]})
    placed = pl.DataFrame({"model_id": ["oak", "ash"], "listed": [True, False]})
    assert unlisted_models(drawn, placed, "rating") == ["elm"]
    assert unlisted_models(drawn, placed, "percent") == ["ash"]
