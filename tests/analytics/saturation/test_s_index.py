"""The published saturation index, recomputed; and what is left of it with the true error."""

import csv
import io

import polars as pl
import pytest

from tests.analytics.saturation.test_headroom import observed
from tests.support.frames import frames, result
from tests.support.reason_sentences import with_sentence
from tests.support.upstream import needs_upstream, versions

HIGH = 0.7
"""From here on the source's own reading says high or very high."""

SOURCE = "https://github.com/evaleval/benchmark-saturation/blob/main/data/manual_annotation_data.csv"
PUBLISHED = [
    ("MATH-500", (99.2, 99.0, 98.3, 98.2, 98.2), 500, 0.916397111),
    ("GPQA", (87.7, 85.4, 84.4, 83.4, 82.9), 564, 0.803167272),
    ("MMLU-Pro", (89.3, 87.8, 87.3, 87.0, 86.2), 12032, 0.6117584647),
    ("ARC-AGI", (79.6, 77.1, 70.2, 66.7, 63.7), 1000, 0.1311964681),
    ("GSM8K", (97.3, 97.1, 97.0, 96.8, 96.4), 1319, 0.9528999489),
    ("LiveBench", (79.33, 78.85, 78.73, 78.26, 78.24), 1000, 0.9888217223),
]


def indices(rows: list[tuple[str, tuple[float, ...], int, float]]) -> pl.DataFrame:
    """Both indices of each (name, top five in percent, n, published index)."""
    results = [
        result(name, f"m{place}", score / 100, n_items=n) for name, top, n, _ in rows for place, score in enumerate(top)
    ]
    table = observed(frames(results))
    wide = table.filter(pl.col("indicator").str.starts_with("s_index")).pivot(
        on="indicator", index="benchmark_id", values="value"
    )
    published = pl.DataFrame({"benchmark_id": [row[0] for row in rows], "published": [row[3] for row in rows]})
    return published.join(wide, on="benchmark_id", how="left")


def test_rows_of_the_published_table() -> None:
    table = indices(PUBLISHED)
    assert table["s_index_published"].to_list() == pytest.approx(table["published"].to_list(), abs=1e-9)


@needs_upstream
def test_the_whole_published_table_and_three_of_sixty_with_the_true_error() -> None:
    body = versions("evaleval/benchmark-saturation", "data/manual_annotation_data.csv")[-1].body
    rows = [
        (
            record["Name"],
            tuple(float(record[f"top model {place}"]) for place in range(1, 6)),
            int(record["Quantity of test samples"].replace(",", "")),
            float(record["Saturation Index"]),
        )
        for record in csv.DictReader(io.StringIO(body.decode()))
        if record["Name"] and record["Saturation Index"]
    ]
    table = indices(rows)
    assert table.height == 60
    assert (table["s_index_published"] - table["published"]).abs().max() < 1e-3
    assert (table["published"] >= HIGH).sum() == 29
    assert (table["s_index_true_error"] >= HIGH).sum() == 3


def test_equal_scores_are_1_and_four_models_have_none() -> None:
    same = [result("same", f"m{place}", 1.0, n_items=100) for place in range(5)]
    few = [result("few", f"m{place}", 0.9, n_items=100) for place in range(4)]
    table = observed(frames(same + few))
    told_rows = with_sentence(table.filter(pl.col("indicator").str.starts_with("s_index")))
    assert told_rows.filter(pl.col("benchmark_id") == "same")["value"].to_list() == [1.0, 1.0]
    assert set(told_rows.filter(pl.col("benchmark_id") == "few")["reason"]) == {"fewer than five models"}
