"""Results that are held packed come out as they went in."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.packed import Packed, in_runs
from benchhealth.analytics.record.frames import RESULT
from tests.support.frames import frame

rows = st.lists(
    st.fixed_dictionaries(
        {
            "benchmark_id": st.sampled_from(["a", "a/part", "\N{LATIN SMALL LETTER SHARP S}"]),
            "setting": st.none() | st.text(max_size=3),
            "score": st.none() | st.floats(),
            "n_items": st.none() | st.integers(-(2**62), 2**62),
            "observed_at": st.datetimes(),
        }
    ),
    max_size=8,
)


@given(st.lists(rows, max_size=3))
def test_rows_come_out_as_they_went_in(groups: list[list[dict[str, object]]]) -> None:
    packed = Packed(RESULT)
    frames = [frame("result", group) for group in groups]
    for each in frames:
        packed.put(each)
    assert packed.rows().collect().equals(frame("result", [row for group in groups for row in group]))
    assert all(unpacked.equals(put) for unpacked, put in zip(packed, frames, strict=True))
    assert packed.rows().collect().is_empty()


@given(rows, st.integers(1, 4))
def test_runs_are_the_sorted_rows_and_split_no_benchmark(result_rows: list[dict[str, object]], at_once: int) -> None:
    order = ("benchmark_id", "setting", "n_items", "observed_at")
    all_rows = frame("result", result_rows)
    runs = list(in_runs(all_rows.lazy(), order, at_once))
    assert pl.concat(runs).select(order).equals(all_rows.sort(order).select(order))
    named = [name for run in runs for name in run["benchmark_id"].unique()]
    assert len(named) == len(set(named))
