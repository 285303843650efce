"""Parts of whole benchmarks: every row once, no benchmark in two parts, and no part larger than it must be."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from analytics.record.frames import parts


@given(st.lists(st.sampled_from("abcdefg"), max_size=60), st.integers(1, 20))
def test_parts_hold_whole_benchmarks(ids: list[str], at_once: int) -> None:
    rows = pl.DataFrame(
        {"benchmark_id": ids, "row": range(len(ids))}, schema={"benchmark_id": pl.String, "row": pl.Int64}
    )
    found = list(parts(rows, at_once))
    assert sorted(row for part in found for row in part["row"]) == list(range(len(ids)))
    named = [name for part in found for name in part["benchmark_id"].unique()]
    assert len(named) == len(set(named))
    assert all(part.height - part["benchmark_id"].unique_counts().max() < at_once for part in found)
