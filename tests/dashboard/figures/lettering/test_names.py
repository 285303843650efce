"""Names are shortened where they differ least, and never to the same text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.dashboard.figures.lettering.names import told_apart
from benchhealth.dashboard.words.text import one_line

WORDS = st.lists(st.sampled_from(["claude", "opus", "thinking", "high", "4.5", "v2", "in1k", "448"]), min_size=1)
NAMES = st.lists(WORDS.map("-".join), min_size=1, max_size=8, unique=True)


def test_a_name_that_fits_stays_whole() -> None:
    assert told_apart(["GPT-4o", "o3"], 10) == ["GPT-4o", "o3"]


def test_a_long_name_loses_its_end_where_the_beginning_tells_it_apart() -> None:
    assert told_apart(["Humanity's Last Exam", "GPQA Diamond"], 12) == ["Humanity's…", "GPQA Diamond"]


def test_what_differs_at_the_end_stays_and_the_middle_goes() -> None:
    names = ["claude-opus-4-5-thinking-32k", "claude-opus-4-5-thinking-64k"]
    assert told_apart(names, 18) == ["claude-opus-4…32k", "claude-opus-4…64k"]


def test_names_that_part_within_a_word_part_there_where_the_word_is_too_long() -> None:
    names = ["legacy_seresnext101_32x4d.in1k", "legacy_seresnet50.in1k"]
    assert all(len(name) <= 13 for name in told_apart(names, 12))


def test_names_that_cannot_be_told_apart_within_the_limit_stay_whole() -> None:
    names = ["a long name with a very long word at its end: alphabetagammadelta1", "a long name with a very long word"]
    assert len(set(told_apart([*names, names[0][:-1] + "2"], 6))) == 3


@given(NAMES, st.integers(4, 30))
def test_different_names_never_become_the_same(names: list[str], limit: int) -> None:
    made = told_apart(names, limit)
    assert len(set(made)) == len(set(names))
    assert all(len(short) <= limit or short == one_line(name) for short, name in zip(made, names, strict=True))


@pytest.mark.parametrize("limit", [5, 12])
def test_names_beside_which_they_stand_count_too(limit: int) -> None:
    alone = told_apart(["LiveBench reasoning zebra puzzle"], limit)
    beside = told_apart(
        ["LiveBench reasoning zebra puzzle"], limit, ["LiveBench reasoning zebra house", "LiveBench reasoning web"]
    )
    assert alone != beside or beside[0] == "LiveBench reasoning zebra puzzle"
