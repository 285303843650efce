"""GSM8K: school sums, new ones of the same kind, and who stood out on them."""

from functools import partial

import polars as pl

from benchhealth.analytics.statistics.errors import Z95
from benchhealth.dashboard.pages.story.stories.frames import (
    of_pair,
    pairs_frame,
    ranked_points,
    rise_frame,
    side_by_side,
    two_tests,
)
from benchhealth.dashboard.pages.story.story import Content, Frame, Pair, Story, content, pair_of, rise_of
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.stories import gsm8k as words
from benchhealth.dashboard.words.text import count

BENCHMARK, TWIN = "gsm8k", "gsm8k-to-gsm1k"
OLD, NEW = "old sums", "new sums"


def _content(view: View) -> Content:
    rise, pair = rise_of(view, BENCHMARK), pair_of(view, TWIN)
    first = None if rise is None else rise_frame(view, BENCHMARK, rise, words.rise(rise[0]))
    if pair is None:
        return content(words.moral(None), first)
    twin = pair.twin
    return content(
        words.moral(twin),
        first,
        _new_sums_frame(pair),
        of_pair(pair, words.lower(twin), partial(side_by_side, pair, OLD, NEW, "score")),
        _stood_out(pair),
        of_pair(pair, words.trust(twin), pairs_frame(twin, count(twin.compared, "model")), "kendall_tau"),
    )


def _new_sums_frame(pair: Pair) -> Frame | None:
    twin = pair.twin
    if twin.items is None or twin.other_items is None:
        return None
    draw = two_tests(
        ("The old sums", f"{twin.items:,}, on the web", twin.items),
        ("The new sums", f"{twin.other_items:,}, secret", twin.other_items),
        100,
    )
    return of_pair(pair, words.new_sums(twin), draw)


def _stood_out(pair: Pair) -> Frame | None:
    """A row for each model that stood out; where none did, the five that lost most."""
    rows = pair.models.drop_nulls("excess").sort("excess", "model", descending=[True, False])
    flagged = rows.filter(pl.col("flagged"))
    selected = flagged if flagged.height else rows.head(5)
    half = Z95 * pl.col("std_error")
    drawn = selected.select(
        "model",
        value=pl.col("excess"),
        low=pl.col("excess") - half,
        high=pl.col("excess") + half,
        strong=pl.col("flagged").fill_null(value=False),
    )
    hover = [f"{name}: {value:.1f} of 100 fewer" for name, value in drawn.select("model", "value").iter_rows()]
    draw = partial(ranked_points, drawn, "of 100 sums fewer right on the new ones", hover)
    return of_pair(pair, words.stood_out(pair.twin), draw)


STORY = Story("gsm8k", _content)
