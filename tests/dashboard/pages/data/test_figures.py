"""Sources without a date are shown as what they are, and not at a date."""

from datetime import date, datetime

import polars as pl

from dashboard.pages.data import figures

AS_OF = date(2026, 11, 21)
SOURCES = pl.DataFrame(
    {
        "source_id": ["fetched", "older", "<b>never</b>"],
        "title": ["Fetched", "Older", None],
        "last_observed_at": [datetime(2025, 6, 1), datetime(2018, 1, 1), None],
        "known_until": [date(2026, 11, 20), date(2026, 1, 1), None],
    }
)


def test_a_source_never_fetched_has_a_row_with_words_and_no_date() -> None:
    drawn = figures.figure(SOURCES)
    days = {str(day)[:10] for trace in drawn.data for day in trace.x}
    assert days == {"2018-01-01", "2025-06-01", "2026-01-01", "2026-11-20"}
    assert len(drawn.layout.yaxis.categoryarray) == SOURCES.height
    low, high = sorted(drawn.layout.yaxis.range)
    assert (low, high) == (-0.5, SOURCES.height - 0.5)
    (said,) = drawn.layout.annotations
    assert (said.text, said.xref) == (figures.NEVER, "paper")
    assert said.y == drawn.layout.yaxis.categoryarray[-1]
    assert "<b>" not in said.y


def test_where_nothing_was_fetched_there_is_no_date_at_all() -> None:
    never = SOURCES.filter(pl.col("known_until").is_null())
    assert figures.finding(never, AS_OF) == "None of 1 source was fetched yet"
    assert [len(trace.x) for trace in figures.figure(never).data] == [0, 0]


def test_words_count_them_apart() -> None:
    assert figures.finding(SOURCES, AS_OF) == (
        "1 of 3 sources last seen in the 7 days up to 2026-11-21, 1 never fetched here; "
        "Older has said nothing new since 2018-01-01"
    )
    said = figures.alt_text(SOURCES)
    assert "Fetched: newest statement 2025-06-01, known until 2026-11-20" in said
    assert "<b>never</b>: never fetched here" in said
    assert "unknown" not in said
