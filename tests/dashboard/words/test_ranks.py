"""Ranks that errors leave open, in words."""

import polars as pl
import pytest

from benchhealth.dashboard.words.ranks import how_compared, rank_line


def row(low: int | None, joint: int | None, paired: int) -> dict[str, int | None]:
    high = None if low is None else 3
    return {"rank_low": low, "rank_high": high, "rank_low_joint": joint, "rank_high_joint": 5, "paired": paired}


@pytest.mark.parametrize(
    ("about", "expected"),
    [
        (row(None, None, 0), "ranks not known"),
        (row(3, None, 0), "rank 3"),
        (row(2, 1, 0), "rank 2 to 3; all ranks at once: 1 to 5"),
        (row(2, 1, 11), "rank 2 to 3; all ranks at once: 1 to 5; item by item with 11"),
    ],
)
def test_both_kinds_of_rank_sets_have_their_names(about: dict[str, int | None], expected: str) -> None:
    assert rank_line(about) == expected


def test_what_ranks_rest_on_is_named_where_it_is_items() -> None:
    assert [how_compared(pl.DataFrame({"paired": paired})) for paired in ([0, 0], [3, 3], [1, 0, 1])] == [
        "",
        ", compared item by item",
        ", 2 compared item by item",
    ]
