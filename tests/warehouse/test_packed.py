"""Results that are held packed come out as they went in."""

from hypothesis import given
from hypothesis import strategies as st

from analytics.record.frames import RESULT
from tests.support.frames import frame
from warehouse.loading.results import Packed

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
    assert all(found.equals(put) for found, put in zip(packed, frames, strict=True))
    assert packed.rows().collect().is_empty()
