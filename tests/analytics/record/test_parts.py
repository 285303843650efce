"""Parts of whole benchmarks: every row once, no benchmark in two parts, and no part larger than it must be."""

from dataclasses import replace
from functools import partial

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.packed import Packed, in_runs
from benchhealth.analytics.record import boards
from benchhealth.analytics.record.conditions import histories
from benchhealth.analytics.record.frames import RESULT_ORDER, benchmark_by_benchmark, in_order, parts
from benchhealth.analytics.record.lineages import undecided
from benchhealth.analytics.schedule import run
from tests.support.digest import AS_OF, digests, shuffled, world


def rows_of(ids: list[str]) -> pl.DataFrame:
    schema = {"benchmark_id": pl.String, "row": pl.Int64}
    return pl.DataFrame({"benchmark_id": ids, "row": range(len(ids))}, schema=schema)


@given(st.lists(st.sampled_from("abcdefg"), max_size=60), st.integers(1, 20))
def test_parts_hold_whole_benchmarks(ids: list[str], at_once: int) -> None:
    part_list = list(parts(rows_of(ids), at_once))
    assert sorted(row for part in part_list for row in part["row"]) == list(range(len(ids)))
    named = [name for part in part_list for name in part["benchmark_id"].unique()]
    assert len(named) == len(set(named))
    assert all(part.height - part["benchmark_id"].unique_counts().max() < at_once for part in part_list)


@given(st.lists(st.sampled_from("abcdefg"), max_size=60), st.integers(1, 20))
def test_ordered_results_come_in_runs_of_whole_benchmarks(ids: list[str], at_once: int) -> None:
    rows = rows_of(sorted(ids))
    pieces = [part.collect() for part in benchmark_by_benchmark(rows.lazy(), at_once)]
    assert pl.concat(pieces).equals(rows)
    named = [name for part in pieces for name in part["benchmark_id"].unique()]
    assert len(named) == len(set(named))
    assert all(part.height <= at_once or part["benchmark_id"].n_unique() == 1 for part in pieces)


def test_results_in_any_order_are_put_into_the_one_order() -> None:
    facts = world(1, models=12)
    ordered = in_order(facts).result.collect()
    assert ordered.equals(facts.result.collect().sort(RESULT_ORDER, maintain_order=True))
    again = in_order(replace(facts, result=ordered.lazy())).result.collect()
    assert again.equals(ordered)
    assert in_order(shuffled(facts, 3)).result.collect().select(RESULT_ORDER).equals(ordered.select(RESULT_ORDER))


@pytest.mark.soak
def test_tables_do_not_depend_on_how_many_benchmarks_are_read_together(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = world(2, models=12)
    together = digests(facts, AS_OF, 1)
    one_by_one = partial(benchmark_by_benchmark, at_once=1)
    monkeypatch.setattr(histories, "benchmark_by_benchmark", one_by_one)
    monkeypatch.setattr(boards, "benchmark_by_benchmark", one_by_one)
    monkeypatch.setattr(boards, "in_runs", partial(in_runs, at_once=1))
    assert digests(facts, AS_OF, 1) == together


def test_boards_and_histories_are_never_held_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ten million results they took 4.4 GB: each frame is of one benchmark, and none is kept."""
    facts = in_order(world(2, models=12))
    heights: list[int] = []
    put = Packed.put
    monkeypatch.setattr(Packed, "put", lambda held, rows: (heights.append(rows.height), put(held, rows)))
    for module in (histories, boards):
        monkeypatch.setattr(module, "benchmark_by_benchmark", partial(benchmark_by_benchmark, at_once=1))
    for module in (boards, undecided):
        monkeypatch.setattr(module, "in_runs", partial(in_runs, at_once=1))
    steps = run(ENTRIES, {"frames": facts, "as_of": AS_OF}, ("histories", "boards"))
    waiting = [*steps["histories"], *steps["boards"][:-1]]
    assert max(heights) < max(rows.select(pl.len()).collect().item() for rows in waiting) / 2
    assert all("Parquet SCAN" in rows.explain() and "DF [" not in rows.explain() for rows in waiting)
