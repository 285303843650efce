"""The newest leading models by the most used benchmarks, on facts made for it."""

from dataclasses import replace
from datetime import date, timedelta

import polars as pl

from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.measurers import blind_spots as module
from benchhealth.analytics.record.frames import MEASURER
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.saturation.attention import MAKERS_MENTIONING
from benchhealth.analytics.schedule import run
from tests.support.frames import Row, benchmark, frames, result

AS_OF = date(2026, 1, 1)


def spots(
    rows: list[Row],
    released: dict[str, date | None],
    mentioned: tuple[str, ...] = (),
    looked_on: date = AS_OF,
    later: str = "",
) -> pl.DataFrame:
    models = [{"model_id": name, "name": name, "released_on": day} for name, day in released.items()]
    named = sorted({str(row["benchmark_id"]) for row in rows})
    listed = [benchmark(name, n_items=50, higher_is_better=True) for name in named]
    facts = frames(rows, listed, models=models, looked_on=looked_on)
    facts = replace(
        facts,
        measurer=pl.DataFrame([("collection/*", None, None, None, None, None, "", "")], schema=MEASURER, orient="row"),
    )
    tables = run(ENTRIES, {"frames": facts, "as_of": AS_OF}, ("standing_numbers", "position", "benchmark", "board"))
    moved = pl.when(pl.col("source_id") == later).then(pl.lit(AS_OF)).otherwise("known_until")
    board = tables["board"].with_columns(known_until=moved)
    shown = [(name, MAKERS_MENTIONING.key, float(name in mentioned)) for name in named]
    indicator = pl.DataFrame(shown, schema=["benchmark_id", "indicator", "value"], orient="row")
    return module.blind_spots(
        tables["standing_numbers"],
        tables["position"],
        indicator,
        tables["benchmark"],
        facts.model,
        board,
        AS_OF,
    )


def test_each_pair_says_who_measured_it_and_the_mentioned_benchmark_comes_first() -> None:
    days = {"new": date(2025, 12, 1), "old": date(2025, 1, 1), "undated": None, "once": date(2025, 12, 2)}
    rows = [
        result("a", "new", 0.51, reporter="self"),
        result("a", "old", 0.52),
        result("b", "new", 0.53),
        result("b", "old", 0.54),
        result("b", "once", 0.55),
        *(result(name, "undated", 0.1) for name in ("a", "b")),
    ]
    table = spots(rows, days, mentioned=("a",))
    assert table.schema == PUBLISHED["blind_spot"]
    assert table.select("model_id", "benchmark_id", "who", "houses", "makers").rows() == [
        ("new", "a", "maker", [], 1),
        ("new", "b", "independent", ["lab"], 0),
        ("old", "a", "independent", ["lab"], 1),
        ("old", "b", "independent", ["lab"], 0),
    ], "one benchmark is too few to lead, and without a day of release nobody is new"
    assert table["n_items"].unique().to_list() == [50]


def test_a_pair_without_a_result_is_nobodys_and_the_matrix_is_no_larger_than_it_says() -> None:
    names = [f"m{index:02}" for index in range(25)]
    days: dict[str, date | None] = {name: AS_OF - timedelta(10 + index) for index, name in enumerate(names)}
    rows = [result(f"b{on:02}", name, 0.5) for on in range(30) for name in names if (on, name) != (0, "m00")]
    table = spots(rows, days)
    assert table.height == module.MODELS * module.BENCHMARKS
    assert table["benchmark_id"][-1] == "b00", "with a model less it is the least used"
    nobody = table.filter(pl.col("who") == module.NOBODY)
    assert nobody.select("model_id", "benchmark_id", "results").rows() == [("m00", "b00", 0)]


def test_what_no_independent_source_was_looked_at_for_is_not_known() -> None:
    days: dict[str, date | None] = {"new": date(2025, 12, 1), "old": date(2025, 1, 1)}
    rows = [result(name, model, 0.5, observed_on=date(2025, 3, 1)) for name in ("a", "b") for model in days]
    rows += [result("c", model, 0.5, reporter="self", source_id="maker") for model in days]
    table = spots(rows, days, looked_on=date(2025, 6, 1)).select("model_id", "benchmark_id", "looked", "looked_on")
    looked = date(2025, 6, 1)
    assert set(table.rows()) == {
        *(("new", name, False, looked) for name in ("a", "b")),
        *(("old", name, True, looked) for name in ("a", "b")),
        *((model, "c", False, None) for model in days),
    }


def test_a_look_at_who_only_quotes_is_no_look_at_who_measures() -> None:
    days: dict[str, date | None] = {"new": date(2025, 12, 1)}
    on = date(2025, 3, 1)
    rows = [result(name, "new", 0.7531 + index / 1000, observed_on=on) for index, name in enumerate("ab")]
    rows += [result(row["benchmark_id"], "new", row["score"], source_id="collection", observed_on=on) for row in rows]
    table = spots(rows, days, looked_on=date(2025, 6, 1), later="collection")
    assert table["looked_on"].unique().to_list() == [date(2025, 6, 1)]


def test_without_leading_models_there_is_no_matrix() -> None:
    assert spots([result("a", "m", 0.5)], {"m": None}).is_empty()
