"""Packing runs item by item: any outcomes in, the same out, in few bytes."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchhealth.analytics.record.by_item.item_results import item_results
from benchhealth.analytics.record.by_item.packing import NamedRun, fits, pack, packed_runs, unpack
from tests.support.by_item import assert_the_same, runs_of_a_file
from tests.support.frames import frames, of_runs
from tests.support.soaking import examples


@given(st.integers(1, 24).flatmap(lambda bits: st.tuples(st.just(bits), st.lists(st.integers(0, 2**bits - 1)))))
def test_numbers_of_any_width_come_back(given_: tuple[int, list[int]]) -> None:
    bits, numbers = given_
    packed = pack(np.array(numbers, dtype=np.int64), bits)
    assert unpack(packed, len(numbers), bits).tolist() == numbers
    assert len(packed) == 2 * -(-bits * len(numbers) // 8)


def test_the_bits_are_those_that_the_column_promises() -> None:
    assert pack(np.array([1, 0, 1, 1]), 1) == "b0"
    assert pack(np.array([0, 1, 2, 3]), 2) == "53", "all lowest bits, 0101, then the next, 0011"


@examples(50, soak=150)
@given(runs_of_a_file())
@example([NamedRun("run 0", "squad-2.0", None, (), ())])
@example([NamedRun("run 0", "squad-2.0", 3, ("a", "b", "c"), (0.1 + 0.2, 1 / 3, 5e-324))])
def test_any_outcomes_options_clusters_and_gaps_come_back(runs: list[NamedRun]) -> None:
    row = {"snapshot_id": "one", "benchmark_id": "squad-2.0", "n_items": runs[0].size, "stands": True}
    held = item_results(of_runs(frames(), runs, [row] * len(runs))).tests()
    assert_the_same(runs, held)


def test_runs_of_one_file_share_a_list_unless_they_name_more_than_the_test_has() -> None:
    solved = [NamedRun(name, "b", 3, [name], [1.0]) for name in "xyz"]
    runs, items = packed_runs("lab", solved)
    assert len({run.list_id for run in runs}) == 1 and [item.item for item in items] == ["x", "y", "z"]
    runs, items = packed_runs("lab", [run._replace(n_items=2) for run in solved])
    assert len({run.list_id for run in runs}) == len(items) == 3
    apart = [NamedRun("m", "b", 1, ["x"], [1.0], ["law"]), NamedRun("n", "b", 1, ["x"], [1.0], ["art"])]
    assert len({run.list_id for run in packed_runs("lab", apart)[0]}) == 2, "one item in two clusters"


def test_right_and_wrong_take_a_bit_an_item_and_ten_samples_four() -> None:
    names = [f"{index:04}" for index in range(4000)]
    right, (of_ten,) = np.arange(4000) % 2, [(np.arange(4000) % 11) / 10]
    runs, _ = packed_runs("lab", [NamedRun("m", "b", None, names, each.tolist()) for each in (right, of_ten)])
    assert [len(run.outcome_bits) for run in runs] == [2 * 500, 2 * 2000]
    assert runs[0].outcome_levels is None and len(runs[1].outcome_levels or []) == 11


@pytest.mark.parametrize(
    ("column", "value"),
    [("outcome_bits", "ff"), ("outcome_bits", "zz" * 2), ("outcome_levels", [0.5]), ("outcome_levels", [0.0, 7.0]),
     ("answered_bits", ""), ("chosen_bits", "00")],
)  # fmt: skip
def test_what_does_not_fit_its_list_is_seen(column: str, value: object) -> None:
    names = [str(index) for index in range(12)]
    (run,), items = packed_runs("lab", [NamedRun("m", "b", None, names, [1.0, 0.0, 0.5] * 4)])
    row = run._asdict()
    assert fits(row, len(items)) and not fits({**row, column: value}, len(items))
