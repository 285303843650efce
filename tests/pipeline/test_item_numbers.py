"""What the items of MMLU-Pro and of MMLU-Redux say, over the bundled facts: counted once more apart from the product.

The expected numbers were counted of the upstream's files by a script that shares no code with the product.
"""

import polars as pl
import pytest

from benchhealth.warehouse.read import Generation

pytestmark = pytest.mark.whole


@pytest.mark.parametrize(
    ("benchmark_id", "expected"),
    [
        (
            "mmlu-pro",
            {
                "n_models": 24, "n_items": 12_032, "missing": 1_713, "missing_most": 1_681, "by_none": 716,
                "by_all": 289, "by_median": 9, "shared_items": 12_002, "first_alone": 1_705, "second_alone": 967,
                "n_clusters": 14, "same_order": 0,
            },
        ),
        (
            "mmlu",
            {
                "n_models": 14, "n_items": 5_700, "missing": 0, "by_none": 204, "by_all": 3_406, "candidates": 142,
                "labelled": 5_700, "labelled_wrong": 107,
            },
        ),
    ],
)  # fmt: skip
def test_counts_are_those_of_the_files(bundled: Generation, benchmark_id: str, expected: dict[str, int]) -> None:
    row = bundled.table("item_test").row(by_predicate=pl.col("benchmark_id") == benchmark_id, named=True)
    assert {name: row[name] for name in expected} == expected


def test_precision_and_recall_are_those_of_the_labels(bundled: Generation) -> None:
    """52 of the 142 candidates have a key that people found wrong, of 107 such keys; 69 have any fault."""
    rows = {row["benchmark_id"]: row for row in bundled.table("item_test").iter_rows(named=True)}
    redux = rows["mmlu"]
    assert redux["precision"] == pytest.approx(52 / 142)
    assert redux["recall"] == pytest.approx(52 / 107)
    assert redux["flawed"] == pytest.approx(69 / 142)
    assert rows["mmlu-pro"]["precision"] is None and rows["mmlu-pro"]["precision_reason"] == "not_checked"
