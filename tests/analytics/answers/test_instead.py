"""What may be used instead of a benchmark."""

from typing import Any

import polars as pl
import pytest

from benchhealth.analytics.answers.instead import (
    CLEARLY,
    FAILED,
    NAMED,
    RESERVATIONS,
    SAME_CONSTRUCT,
    STANDING,
    alternatives,
    reservations,
)
from benchhealth.analytics.record.tables import empty
from benchhealth.dashboard.words.answers.instead import wording
from tests.support.answers import answer, rows_of
from tests.support.frames import benchmark, frames, result

SCHEMA = pl.Schema(
    {
        **dict.fromkeys(STANDING, pl.String()),
        **dict.fromkeys(("curated", "is_fresh", "is_dormant", "has_ceiling", "has_human", "has_floor"), pl.Boolean()),
        **dict.fromkeys(("apart", "own", "headroom"), pl.Float64()),
        "models": pl.Int64(),
    }
)
LIKENESS = {"domain": "code", "construct": "programs", "answer_kind": "program", "modality": "text"}
OWN = {**LIKENESS, "benchmark_id": "own", "curated": True, "stage": "saturated", "headroom": 0.01, "models": 40}
FIT = {
    **LIKENESS,
    **{"name": "X", "curated": True, "stage": "discriminating", "is_fresh": True, "is_dormant": False},
    **{"models": 30, "apart": 0.6, "own": 0.1, "headroom": 0.4},
    **dict.fromkeys(("has_ceiling", "has_human", "has_floor"), False),
}


def table(
    *others: dict[str, Any],
    headroom: float | None = 0.01,
    named: dict[str, str] | None = None,
    transfer: pl.DataFrame | None = None,
    **more: object,
) -> pl.DataFrame:
    rows = [
        {**OWN, "headroom": headroom, **more},
        *({**FIT, "benchmark_id": f"x{place}", **each} for place, each in enumerate(others)),
    ]
    successor = rows_of(
        empty("successor").schema,
        [{"benchmark_id": "own", "successor_id": key, "why": why} for key, why in (named or {}).items()],
    )
    orders = empty("transfer") if transfer is None else transfer
    return alternatives(rows_of(SCHEMA, rows), orders, successor).filter(benchmark_id="own")


def ranked(
    *others: dict[str, Any], headroom: float | None = 0.01, named: dict[str, str] | None = None
) -> list[tuple[str, bool]]:
    return (
        table(*others, headroom=headroom, named=named)
        .drop_nulls("place")
        .sort("place")
        .select("other_id", "fits")
        .rows()
    )


def test_a_rank_agreement_holds_from_either_side() -> None:
    sides = [{"original_id": "own", "other_id": "x0"}, {"original_id": "x0", "other_id": "own"}]
    for pair in sides:
        transfer = rows_of(empty("transfer").schema, [{**pair, "n_models": 81, "kendall_tau": 0.71}])
        assert table({}, transfer=transfer).select("kendall_tau", "shared").rows() == [(0.71, 81)]


@pytest.mark.parametrize(
    ("lacking", "failed"),
    [
        ({"models": 0}, "no_result"),
        ({"is_fresh": False}, "not_looked"),
        ({"is_dormant": True}, "dormant"),
        ({"models": 4}, "few_models"),
        ({"apart": None}, "apart_unknown"),
        ({"stage": "unknown"}, "no_room"),
        ({"stage": "compressing", "headroom": 0.9, "apart": 0.0}, "crowded"),
        ({"benchmark_id": "whole/part"}, "part"),
        ({"modality": "image"}, "other_modality"),
        ({"construct": "patches"}, "other_construct"),
        ({"answer_kind": "votes"}, "other_answer"),
    ],
)
def test_the_first_rule_that_keeps_one_out_is_named(lacking: dict[str, Any], failed: str) -> None:
    (row,) = table(lacking).iter_rows(named=True)
    assert (row["fits"], row["failed"], row["place"], row["reason"]) == (False, failed, None, None)


def test_every_rule_is_on_the_list_in_the_order_in_which_it_is_tried() -> None:
    """What fails all rules fails the first; with that one met, the next."""
    worst: dict[str, Any] = {"models": 0, "is_fresh": False, "is_dormant": True, "apart": None, "stage": "compressing"}
    worst |= {"headroom": 0.0, "modality": "image", "construct": "patches", "answer_kind": "votes"}
    worst |= {"benchmark_id": "whole/part"}
    better = [{"models": 3}, {"is_fresh": True}, {"is_dormant": False}, {"models": 9}, {"apart": 0.0}]
    better += [{"headroom": 0.9}, {"apart": 0.9}, {"benchmark_id": "x"}, {"modality": "text"}]
    better += [{"construct": "programs"}, {"answer_kind": "program"}]
    met = []
    for mended in ({}, *better):
        worst |= mended
        met.append(table(worst)["failed"][0])
    assert met == [*FAILED, None]


def test_what_still_measures_the_same_in_the_same_form_fits() -> None:
    (row,) = table({}).iter_rows(named=True)
    assert (row["other_id"], row["fits"], row["place"], row["reason"]) == ("x0", True, 1, SAME_CONSTRUCT)
    assert ranked({"curated": False}) == []
    assert table({"domain": "games", "construct": "chess"}).is_empty(), "nothing makes the two a pair"


def test_a_likeness_that_is_not_on_record_is_none() -> None:
    assert table({}, construct=None)["failed"].to_list() == ["other_construct"]


def test_what_is_running_out_needs_clearly_more_room_and_a_top_that_can_be_told_apart() -> None:
    running_out = {"stage": "compressing", "headroom": 0.2}
    assert ranked(running_out)
    assert not ranked(running_out, headroom=0.2 - CLEARLY + 0.01)
    assert not ranked(running_out, headroom=None)
    assert not ranked({**running_out, "apart": 0.1})


def test_what_a_curator_names_comes_first_and_is_listed_although_it_does_not_fit() -> None:
    unlike = {"name": "B", "domain": "games", "construct": "chess"}
    assert ranked({"name": "A"}, unlike, named={"x1": "why"}) == [("x1", True), ("x0", True)]
    assert ranked({"stage": "saturated"}, {}, named={"x0": "why"}) == [("x1", True), ("x0", False)]
    assert table(unlike, named={"x0": "why"})["reason"].to_list() == [NAMED]


def test_what_is_lost_is_listed() -> None:
    have = {"has_ceiling": True, "has_human": True, "has_floor": True}
    lost = table({"models": 15, "has_ceiling": True}, **have)["loses"].to_list()
    assert lost == [["fewer_models", "no_human", "no_floor"]]
    assert table({"models": 20, **have}, **have)["loses"].to_list() == [[]]


def test_what_keeps_a_better_result_from_showing_progress_is_listed() -> None:
    def listed(**row: object) -> list[str]:
        return reservations(rows_of(SCHEMA, [{**FIT, "benchmark_id": "x", **row}]))["reservations"][0].to_list()

    assert listed() == []
    assert listed(models=0, is_fresh=False, apart=None) == ["no_result"]
    assert listed(apart=None, own=1.0) == ["apart_unknown", "makers_all"]
    every = {*listed(models=2, is_fresh=False, is_dormant=True, apart=0.0, own=None)}
    every |= {*listed(models=0), *listed(apart=None, own=0.7), *listed(own=1.0)}
    assert every == set(RESERVATIONS)


def test_the_answer_is_the_first_of_them() -> None:
    rows = [result(of, f"m{index}", 0.7 - 0.1 * index, n_items=1000) for of in ("a", "b") for index in range(6)]
    row = answer(frames(rows), "instead")
    assert (row["reply"], row["case"], row["other_id"], row["kind"]) == ("yes", "same_construct", "b", "discriminating")
    assert answer(frames(rows[:6]), "instead")["case"] == "none_fits"
    assert answer(frames(rows[:6], [benchmark("a", construct=None)]), "instead")["case"] == "no_construct"
    named = answer(
        frames(rows[:6], [benchmark("a"), benchmark("c")]),
        "instead",
        successor=[{"benchmark_id": "a", "successor_id": "c", "why": "w"}],
    )
    assert (named["reply"], named["case"], named["other_id"]) == ("partly", "named_only", "c")


def test_what_a_curator_alone_names_is_not_said_to_have_run_out_where_it_still_measures() -> None:
    row = {
        "case": "named_only",
        "other_id": "c",
        "value": 0.24,
        "bound": None,
        "kind": "discriminating",
        "second": None,
    }
    assert wording({**row, "second": None}, {"c": "Other"}).sentence == (
        "Other is what a curator names, though something speaks against it (still measuring, 24% of the scale left)"
    )
