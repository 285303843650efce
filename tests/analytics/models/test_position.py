"""A model against the best of its own day, worked by hand, and by a plain loop on drawn boards."""

from datetime import date, timedelta

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.models.position import FEWEST_RIVALS, listed_by_others
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.schedule import run
from tests.support.frames import Row, benchmark, frames, passing_on, result
from tests.support.soaking import examples

FIRST = date(2025, 1, 1)


def tables(rows: list[Row], released: dict[str, date | None], **about: object) -> dict[str, pl.DataFrame]:
    names = sorted({str(row["benchmark_id"]) for row in rows})
    models = [{"model_id": name, "name": name, "released_on": day} for name, day in released.items()]
    listed = [benchmark(name, curated=True, **about) for name in names]
    given = {"frames": frames(rows, listed, models=models), "as_of": date(2026, 1, 1)}
    return run(ENTRIES, given, ("position", "model_position"))


def board(scores: list[float], **more: object) -> dict[str, pl.DataFrame]:
    """Models m0, m1 ... that came out a month after one another, with these scores on one benchmark."""
    released: dict[str, date | None] = {f"m{index}": FIRST + timedelta(30 * index) for index in range(len(scores))}
    return tables([result("a", f"m{index}", score, **more) for index, score in enumerate(scores)], released)  # type: ignore[arg-type]


def of(position: pl.DataFrame, model_id: str) -> dict[str, object]:
    return position.row(by_predicate=pl.col("model_id") == model_id, named=True)


def today(tables_of: dict[str, pl.DataFrame], model_id: str) -> dict[str, object]:
    return of(tables_of["model_position"].filter(pl.col("clock") == "now"), model_id)


def test_the_best_of_its_day_is_not_the_best_of_today() -> None:
    position = board([0.1, 0.5, 0.2, 0.3, 0.4, 0.45, 0.9], n_items=100)["position"]
    assert position.schema == PUBLISHED["position"]
    late, newest = of(position, "m5"), of(position, "m6")
    assert (late["rival_then"], late["behind_then"]) == ("m1", pytest.approx(0.05))
    assert (late["rival_now"], late["behind_now"]) == ("m6", pytest.approx(0.45))
    assert late["behind_then_error"] == pytest.approx((0.45 * 0.55 / 100 + 0.25 / 100) ** 0.5)
    assert (newest["rival_then"], newest["behind_then"]) == ("m1", pytest.approx(-0.4)), "ahead is below zero"
    assert (newest["rank"], newest["rank_low"], newest["rank_high"]) == (1, 1, 1)
    assert (late["rank"], late["n_models"], late["n_then"]) == (3, 7, 6)


def test_nobody_is_the_best_of_few() -> None:
    position = board([0.9, 0.1, 0.2, 0.3, 0.4])["position"]
    assert position.sort("out_on")["behind_then"].is_null().to_list() == [True] * (FEWEST_RIVALS - 1) + [False]


def test_the_day_of_a_model_is_its_release_and_not_that_of_a_late_test() -> None:
    released: dict[str, date | None] = {f"m{index}": FIRST for index in range(4)}
    rows = [result("a", name, 0.1) for name in released]
    rows += [result("a", "old", 0.3), result("a", "new", 0.8), result("a", "undated", 0.5, dated_on=None)]
    made = tables(rows, {**released, "old": FIRST, "new": date(2025, 6, 1), "undated": None})["position"]
    assert of(made, "old")["rival_then"] == "m0"
    assert of(made, "undated")["rival_then"] is None
    assert of(made, "undated")["rival_now"] == "new"


def test_a_lower_score_can_be_the_better_one() -> None:
    released: dict[str, date | None] = {f"m{index}": FIRST for index in range(5)}
    rows = [result("a", name, 0.1 * index) for index, name in enumerate(released)]
    made = tables(rows, released, higher_is_better=False)["position"]
    assert of(made, "m0")["behind_now"] == pytest.approx(-0.1)
    assert of(made, "m4")["behind_now"] == pytest.approx(0.4)


def test_makers_and_others_are_kept_apart() -> None:
    rows = [result("a", f"m{index}", 0.1) for index in range(5)]
    rows += [result("a", "m", 0.6, reporter="self", source_id="maker"), result("a", "m", 0.5, source_id="lab")]
    rows += [result("b", f"m{index}", 0.1) for index in range(5)]
    rows += [result("b", "m", 0.5, reporter="self", source_id="maker"), result("b", "m", 0.5, source_id="lab")]
    rows += [result("c", "m", 0.5, reporter="self", source_id="maker")]
    made = tables(rows, {"m": FIRST})
    a, b, c = made["position"].filter(pl.col("model_id") == "m").sort("benchmark_id").iter_rows(named=True)
    assert (a["self_score"], a["other_score"], a["reporter"], a["quoted"]) == (0.6, 0.5, "both", False)
    assert a["self_above"] == pytest.approx(0.1)
    assert b["quoted"] is True
    assert (c["reporter"], c["other_score"], c["quoted"]) == ("self", None, None)
    row = today(made, "m")
    assert (row["benchmarks"], row["n"], row["best"], row["by_self"], row["by_others"]) == (3, 2, 2, 1, 2)


def test_what_a_list_passes_on_is_measured_by_nobody_known() -> None:
    facts = frames(
        [
            result("a", "m", 0.5, source_id="hub"),
            result("a", "n", 0.4, source_id="lab"),
            result("a", "n", 0.6, source_id="hub"),
        ],
        [benchmark("a", curated=True)],
        models=[{"model_id": name, "name": name, "released_on": FIRST} for name in ("m", "n")],
    )
    made = run(ENTRIES, {"frames": passing_on(facts, "hub"), "as_of": date(2026, 1, 1)}, ("position", "model_position"))
    m, n = made["position"].sort("model_id").iter_rows(named=True)
    assert (m["score"], m["reporter"], m["other_score"]) == (0.5, None, None)
    assert (n["score"], n["reporter"], n["other_score"]) == (0.6, "others", 0.4)
    assert [today(made, name)["by_others"] for name in ("m", "n")] == [0, 1]


def test_what_a_decision_counts_is_listed_and_measured_by_others() -> None:
    facts = frames(
        [
            result("a", "gone", 0.5, source_id="lab", observed_on=FIRST),
            result("a", "listed", 0.6, source_id="lab", observed_on=FIRST + timedelta(30)),
            result("a", "quoted", 0.4, source_id="lab", observed_on=FIRST + timedelta(30)),
            result("a", "quoted", 0.4, source_id="maker", reporter="self"),
            result("a", "claimed", 0.4, source_id="maker", reporter="self"),
        ],
        [benchmark("a", curated=True)],
    )
    made = run(ENTRIES, {"frames": facts, "as_of": date(2026, 1, 1)}, ("position",))["position"]
    assert made.filter(~pl.col("listed"))["model_id"].to_list() == ["gone"]
    assert made["n_models"].unique().to_list() == [4]
    assert made.filter(listed_by_others())["model_id"].to_list() == ["listed"]


def test_medians_part_what_it_could_have_seen() -> None:
    released: dict[str, date | None] = {f"m{index}": FIRST for index in range(5)}
    rows = [result(name, f"m{index}", 0.1 * index) for name in ("old", "young") for index in range(5)]
    listed = [
        benchmark("old", curated=True, labels="public", released_on=date(2024, 1, 1)),
        benchmark("young", curated=True, labels="public", released_on=date(2025, 6, 1)),
    ]
    models = [{"model_id": name, "name": name, "released_on": day} for name, day in released.items()]
    facts = frames(rows, listed, models=models)
    made = run(ENTRIES, {"frames": facts, "as_of": date(2026, 1, 1)}, ("position", "model_position"))
    row = made["model_position"].row(by_predicate=(pl.col("model_id") == "m1") & (pl.col("clock") == "now"), named=True)
    assert (row["n_seen"], row["n_fresh"]) == (1, 1)
    assert row["seen_gap"] == row["fresh_gap"] == pytest.approx(0.3)
    assert row["seen_low"] is None, "too few for an interval"


@examples(10, soak=25)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5)), min_size=0, max_size=14))
def test_the_best_other_by_then_is_what_a_loop_finds(drawn: list[tuple[int, int]]) -> None:
    released: dict[str, date | None] = {
        f"m{number:02}": FIRST + timedelta(day) for number, (_, day) in enumerate(drawn)
    }
    rows = [result("a", f"m{number:02}", score / 10) for number, (score, _) in enumerate(drawn)]
    for row in tables(rows, released)["position"].iter_rows(named=True) if rows else ():
        number = int(row["model_id"][1:])
        by_then = [(score, other) for other, (score, day) in enumerate(drawn) if day <= drawn[number][1]]
        assert row["n_then"] == len(by_then)
        others = [score for score, other in by_then if other != number]
        expected = (max(others) - drawn[number][0]) / 10 if len(by_then) >= FEWEST_RIVALS else None
        assert row["behind_then"] == (None if expected is None else pytest.approx(expected))
