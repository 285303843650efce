"""One benchmark under several ids is read under one."""

import polars as pl
import pytest

from benchhealth.analytics.record.lineages.one_id import BENCHMARK_ALIAS, in_one_id

ALIASES = pl.DataFrame(
    [("list-quiz", "quiz", "the list's id", None), ("list-quiz/odd", "quiz/strange", "the list's word", None)],
    schema=BENCHMARK_ALIAS,
    orient="row",
)


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("list-quiz", "quiz"),
        ("list-quiz/hard", "quiz/hard"),
        ("list-quiz/hard/short", "quiz/hard/short"),
        ("list-quiz/odd", "quiz/strange"),
        ("list-quiz-2", "list-quiz-2"),
        ("quiz", "quiz"),
    ],
)
def test_an_id_and_its_parts_follow_the_alias_and_no_other_does(stored: str, expected: str) -> None:
    table = pl.DataFrame({"benchmark_id": [stored, "plain"], "score": [1, 2]})
    assert in_one_id(table, ALIASES)["benchmark_id"].to_list() == [expected, "plain"]


def test_without_aliases_the_table_is_the_same() -> None:
    table = pl.DataFrame({"benchmark_id": ["list-quiz"]})
    assert in_one_id(table, ALIASES.clear()) is table
