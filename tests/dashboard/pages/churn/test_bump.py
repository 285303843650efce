from datetime import date, timedelta

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.record.tables import PUBLISHED
from dashboard.figures.base import LINE_LIMIT
from dashboard.pages.churn.figures import bump
from dashboard.published.standings import DAY_LIMIT, spread

FIRST = date(2024, 7, 1)
TOP = pl.Schema(
    {
        "observed_on": pl.Date,
        "rank": pl.Int64,
        "rank_low": pl.Int64,
        "rank_high": pl.Int64,
        "score": pl.Float64,
        "model_id": pl.String,
        "model": pl.String,
        "could_be_first": pl.Int64,
    }
)
HOSTILE = "<b>x</b> $y$ %{z}"
NO_BREAKS = pl.DataFrame(schema={"on_date": pl.Date, "kind": pl.String, "note": pl.String, "source_url": pl.String})


def board(*days: dict[str, int], low: int | None = 1) -> pl.DataFrame:
    """A day for each mapping of models to ranks."""
    rows = [
        (FIRST + timedelta(days=on), rank, low, None if low is None else 9, 100.0 - rank, model, model.upper(), 2)
        for on, ranks in enumerate(days)
        for model, rank in ranks.items()
    ]
    return pl.DataFrame(rows, schema=TOP, orient="row")


def breaks(on: date) -> pl.DataFrame:
    return pl.DataFrame([(on, "names", "names changed", "https://example.org")], schema=NO_BREAKS.schema, orient="row")


boards = st.lists(
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 5), min_size=1), min_size=2, max_size=12
).map(lambda days: board(*days))


@settings(deadline=None, max_examples=40)
@given(boards)
def test_each_day_has_the_places_one_to_its_number_of_models_in_the_order_of_ranks(rows: pl.DataFrame) -> None:
    placed = bump.places(rows)
    assert placed.height == rows.height
    for _, today in placed.sort("place").group_by("observed_on", maintain_order=True):
        assert today["place"].to_list() == list(range(1, today.height + 1))
        assert today["rank"].is_sorted()


def test_equals_keep_the_order_of_the_day_before() -> None:
    placed = bump.places(board({"b": 1, "a": 2}, {"a": 1, "b": 1}))
    second = placed.filter(pl.col("observed_on") == FIRST + timedelta(days=1))
    assert dict(second.select("model_id", "place").iter_rows()) == {"b": 1, "a": 2}


@settings(deadline=None, max_examples=40)
@given(boards)
def test_lines_hold_every_row_once_and_break_where_a_model_was_not_in_the_top(rows: pl.DataFrame) -> None:
    drawn = bump.figure(rows, NO_BREAKS, 5)
    lines = [trace for trace in drawn.data if "markers" in (trace.mode or "")]
    known = rows["observed_on"].unique().sort().to_list()
    points = [
        (trace.customdata[at], str(trace.x[at]))
        for trace in lines
        for at in range(len(trace.y))
        if not np.isnan(trace.y[at])
    ]
    assert len(points) == rows.height
    for trace in lines:
        assert len(trace.x) <= LINE_LIMIT
        days = [known.index(date.fromisoformat(str(on))) for on in trace.x]
        for before, after, left, right in zip(days, days[1:], trace.y, trace.y[1:], strict=False):
            if not (np.isnan(left) or np.isnan(right)):
                assert after - before == 1


def test_published_names_stay_text_in_labels_and_hover() -> None:
    rows = board({"a": 1, "b": 2}, {"a": 1, "b": 2}).with_columns(model=pl.lit(HOSTILE))
    drawn = bump.figure(rows, NO_BREAKS, 5)
    texts = [note.text for note in drawn.layout.annotations] + [trace.name for trace in drawn.data]
    texts += [said for trace in drawn.data if trace.customdata is not None for said in trace.customdata]
    assert not any("<b>" in text or "$y$" in text or "%{z" in text for text in texts)


def test_a_breakpoint_is_a_vertical_line_with_its_kind_that_no_model_crosses() -> None:
    on = FIRST + timedelta(days=1)
    drawn = bump.figure(board({"a": 1}, {"a": 1}, {"a": 1}), breaks(on), 5)
    assert [shape.x0 for shape in drawn.layout.shapes if shape.name == "breakpoint"] == [on]
    assert any("names" in (note.hovertext or "") for note in drawn.layout.annotations)
    np.testing.assert_array_equal(drawn.data[-1].y, [1, np.nan, 1, 1])


def test_nothing_is_counted_across_a_breakpoint() -> None:
    rows = board({"a": 1, "b": 2}, {"c": 1, "d": 2}, {"c": 1, "d": 2})
    everything = bump.finding(rows, NO_BREAKS, 2)
    since = bump.finding(rows, breaks(FIRST + timedelta(days=1)), 2)
    assert everything.startswith("Between 2024-07-01 and 2024-07-03, all of the top 2 were replaced")
    assert since.startswith(
        "Between 2024-07-02 and 2024-07-03, since the last breakpoint, none of the top 2 were replaced"
    )
    assert "can be compared" in bump.finding(rows, breaks(FIRST + timedelta(days=2)), 2)


def test_places_within_errors_are_shaded_only_where_errors_are_known() -> None:
    with_errors = bump.figure(board({"a": 1}, {"a": 1}), NO_BREAKS, 5)
    without = bump.figure(board({"a": 1}, {"a": 1}, low=None), NO_BREAKS, 5)
    assert [trace.fill for trace in with_errors.data].count("toself") == 1
    assert "toself" not in [trace.fill for trace in without.data]
    assert set(without.data[0].marker.symbol) == {"x-thin-open"}
    assert "first within their errors" not in bump.finding(board({"a": 1}, {"a": 1}, low=None), NO_BREAKS, 5)


@settings(deadline=None)
@given(st.integers(1, 400), st.integers(2, DAY_LIMIT))
def test_days_are_thinned_to_the_limit_with_both_ends(number: int, limit: int) -> None:
    known = [FIRST + timedelta(days=on) for on in range(number)]
    kept = spread(known, limit)
    assert len(kept) == min(number, limit)
    assert (kept[0], kept[-1]) == (known[0], known[-1])
    assert kept == sorted(set(kept))


def test_the_columns_of_ranks_are_the_published_ones() -> None:
    assert {"rank", "rank_low", "rank_high", "score", "model_id"} <= set(PUBLISHED["rank"])


def test_a_board_of_equals_is_drawn_to_a_depth_and_says_so() -> None:
    everybody = {f"m{number}": 1 for number in range(300)}
    nobody_stays = [{f"{name}-{on}": 1 for name in everybody} for on in range(DAY_LIMIT)]
    rows = board(*nobody_stays)
    drawn = bump.figure(rows, NO_BREAKS, 10)
    assert max(len(trace.x) for trace in drawn.data) <= LINE_LIMIT
    assert len(drawn.layout.annotations) == 20
    assert "Only the first 20 places are drawn" in bump.alt_text(rows, NO_BREAKS, 10)


def test_where_the_board_has_just_changed_the_stretch_before_is_spoken_of() -> None:
    rows = board({"a": 1, "b": 2}, {"a": 1, "c": 2}, {"d": 1, "e": 2})
    changed = breaks(FIRST + timedelta(days=2))
    assert bump.finding(rows, changed, 2).startswith(
        "Between 2024-07-01 and 2024-07-02, 1 of the top 2 was replaced; then the board changed, and nothing"
    )
    alone = board({"a": 1}, {"b": 1})
    changed = breaks(FIRST + timedelta(days=1))
    assert (
        bump.finding(alone, changed, 1) == "The source changed its board on 2024-07-02; nothing since can be compared"
    )
