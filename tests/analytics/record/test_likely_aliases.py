from datetime import date

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.record.likely_aliases import ENOUGH_POINTS, EQUAL_AT_LEAST, LARGEST_GROUP, likely_aliases
from benchhealth.analytics.record.tables import PUBLISHED
from tests.support.frames import Row, frames, result
from tests.support.reason_sentences import with_sentence


def listed(*rows: Row, **more: list[dict[str, str]]) -> list[tuple[str, str]]:
    return likely_aliases(frames(rows, models=more.get("models", ()))).select("model_id", "other_id").rows()


def on(source_id: str, model_id: str, *scores: float, **more: object) -> list[Row]:
    return [result(f"{source_id}-{n}", model_id, score, source_id=source_id, **more) for n, score in enumerate(scores)]


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("alder-instruct-7b", "alder-7b-instruct", "another order or spelling"),
        ("alderbirch-2", "alder-birch-2", "another order or spelling"),
        ("alder-7b-preview", "alder-7b", "the same name but for preview"),
        ("alder-pro-2024-05-13", "alder-pro", "the same name but for 05, 13, 2024"),
        ("somebody/alder-7b", "alder-7b", "another order or spelling"),
        ("alder-7b-v1-7b", "alder-7b-v1", None),
        ("alder-7b", "alder-70b", None),
        ("alder-1.5-7b", "alder-2.5-7b", None),
        ("alder-pro-2024-05-13", "alder-pro-2024-08-06", None),
        ("alder-7b-base", "alder-7b-instruct", None),
        ("alder", "birch", None),
    ],
)
def test_names_speak_for_a_pair_or_against_it(one: str, other: str, why: str | None) -> None:
    table = likely_aliases(frames([*on("x", one, 0.1), *on("y", other, 0.2)]))
    assert [why in reason for reason in with_sentence(table, "why")["why"] if why] == [True] * (why is not None)
    assert table.height == (why is not None)


def test_a_slip_of_one_letter_needs_something_besides() -> None:
    rows = [*on("x", "weeping-willow-2", 0.1), *on("y", "weeping-wilow-2", 0.2)]
    assert listed(*rows) == []
    one_maker = [{"model_id": name, "organisation": "Grove"} for name in ("weeping-willow-2", "weeping-wilow-2")]
    assert listed(*rows, models=one_maker) == [("weeping-willow-2", "weeping-wilow-2")]
    assert listed(*on("x", "weeping-willow-2", 0.1), *on("y", "weeping-willow-3", 0.2), models=one_maker) == []


def test_who_lists_both_with_other_scores_took_them_for_two() -> None:
    apart = [*on("x", "alder-pro", 0.1, 0.2), *on("x", "alder-pro-preview", 0.1, 0.3)]
    assert listed(*apart) == []
    same = [*on("x", "alder-pro", 0.1, 0.2), *on("x", "alder-pro-preview", 0.1, 0.2)]
    assert listed(*same) == [("alder-pro", "alder-pro-preview")]
    later = [
        *on("x", "alder-pro", 0.1, observed_on=date(2025, 1, 1)),
        *on("x", "alder-pro-preview", 0.3, observed_on=date(2025, 2, 1)),
    ]
    assert listed(*later) == [("alder-pro", "alder-pro-preview")]


def test_equal_scores_speak_for_any_two_names_unless_many_have_them() -> None:
    scores = [0.11, 0.22, 0.33, 0.44][: EQUAL_AT_LEAST + 1]
    rows = [*on("x", "alder", *scores), *on("x", "birch", *scores)]
    table = likely_aliases(frames(rows))
    assert table.select("model_id", "other_id", "n_shared", "n_equal").rows() == [("alder", "birch", 4, 4)]
    assert with_sentence(table, "why")["why"].to_list() == ["equal scores on 4 of 4 shared benchmarks"]
    crowd = [row for n in range(LARGEST_GROUP) for row in on("x", f"oak{'n' * n}", *scores)]
    assert listed(*rows, *crowd) == []


def test_the_strongest_evidence_comes_first_and_the_better_known_name_stands_first() -> None:
    rows = [
        *on("x", "elm-7b-preview", 0.1),
        *on("y", "elm-7b", 0.2, 0.3),
        *on("x", "fir-chat-7b", 0.4),
        *on("z", "fir-7b-chat", 0.5),
    ]
    table = likely_aliases(frames(rows))
    assert table.select("model_id", "other_id").rows() == [("fir-7b-chat", "fir-chat-7b"), ("elm-7b", "elm-7b-preview")]
    assert table["points"].is_sorted(descending=True)
    elm = table.row(1, named=True)
    assert (elm["sources"], elm["other_sources"], elm["n_results"], elm["n_other_results"]) == (["y"], ["x"], 2, 1)


def test_without_results_of_models_there_is_nothing_to_report() -> None:
    assert likely_aliases(frames()).equals(pl.DataFrame(schema=PUBLISHED["likely_alias"]))
    people = [*on("x", "alder-pro", 0.1, kind="human"), *on("y", "alder-pro-preview", float("nan"))]
    assert likely_aliases(frames(people)).is_empty()


WORDS = st.sampled_from(["alder", "7b", "70b", "chat", "base", "2024", "0613", "pro", "x"])
NAMES = st.lists(WORDS, min_size=1, max_size=4)


@given(st.lists(st.tuples(NAMES, st.sampled_from("xyz"), st.integers(0, 3)), max_size=12), st.randoms())
@settings(max_examples=12, deadline=None)
def test_pairs_are_of_two_models_once_and_do_not_depend_on_the_order_of_rows(
    drawn: list[tuple[list[str], str, int]], shuffler: object
) -> None:
    rows = [row for words, source, score in drawn for row in on(source, "-".join(words), score / 4)]
    table = likely_aliases(frames(rows))
    assert (table["model_id"] != table["other_id"]).all()
    pairs = [frozenset(pair) for pair in table.select("model_id", "other_id").rows()]
    assert len(set(pairs)) == len(pairs)
    assert (table["points"] >= ENOUGH_POINTS).all()
    assert (table["n_equal"] <= table["n_shared"]).all()
    shuffler.shuffle(rows)  # type: ignore[attr-defined]
    assert likely_aliases(frames(rows)).equals(table)
