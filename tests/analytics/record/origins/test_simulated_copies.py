"""Copies that were drawn: two aggregators of one origin, digits rounded, beside houses that measure by themselves."""

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.record.frames import LINEAGE, MEASURER
from benchhealth.analytics.record.origins.origins import origins
from tests.support.frames import Row, frame, result
from tests.support.soaking import Soak

AGGREGATORS = ("first-list", "second-list")
HOUSES = ("board", "other-board")
ITEMS = (198, 500, 1319)
NO_LINES = pl.DataFrame(schema=LINEAGE)
COLLECT = pl.DataFrame(
    [(f"{name}/*", None, None, None, None, None, "", "") for name in AGGREGATORS], schema=MEASURER, orient="row"
)


def drawn(rng: np.random.Generator, models: int) -> list[tuple[Row, int]]:
    """Rows with the number that each truly is: of each model the maker's, two boards' own runs, and what lists copy.

    Every run draws its items anew, so that two of one model agree by chance as often as they do. A list rounds what it
    copies to two, three or four decimals, and calls it a third party's in one row of three.
    """
    rows: list[tuple[Row, int]] = []
    for model in range(models):
        ability, items = rng.beta(6, 3), int(rng.choice(ITEMS))
        runs = [round(float(rng.binomial(items, ability)) / items, 4) for _ in range(1 + len(HOUSES))]
        name = f"m{model}"
        rows.append((result("exam", name, runs[0], source_id="maker", reporter="self"), 0))
        rows += [
            (result("exam", name, run, source_id=house), index)
            for index, (house, run) in enumerate(zip(HOUSES, runs[1:], strict=True), start=1)
        ]
        for source in AGGREGATORS:
            origin = int(rng.integers(len(runs)))
            reporter = "self" if origin == 0 and rng.random() > 1 / 3 else "third_party"
            score = round(runs[origin], int(rng.choice([2, 3, 4], p=[0.1, 0.6, 0.3])))
            rows.append((result("exam", name, score, source_id=source, reporter=reporter), origin))
    return rows


def recovered(rows: list[tuple[Row, int]]) -> tuple[float, float]:
    """Precision and recall of pairs of rows of one model that are said to be one number."""
    truth = [number for _, number in rows]
    table = origins(frame("result", [row for row, _ in rows]), NO_LINES, COLLECT).with_columns(
        truth=pl.Series(truth), row=pl.int_range(pl.len())
    )
    pairs = table.join(table, on="model_id", suffix="_other").filter(pl.col("row") < pl.col("row_other"))
    same_origin = (pl.col("origin") == pl.col("origin_other")).alias("said")
    true = (pl.col("truth") == pl.col("truth_other")).alias("true")
    hits, claimed, copied = pairs.select(
        (same_origin & true).sum(), same_origin.sum().alias("n"), true.sum().alias("m")
    ).row(0)
    return hits / claimed, hits / copied


def test_copies_are_found_and_seldom_invented() -> None:
    precision, recall = recovered(drawn(np.random.default_rng(32), 300))
    print(f"300 models: precision {precision:.3f}, recall {recall:.3f}")
    assert precision > 0.9
    assert recall > 0.75


@pytest.mark.soak
def test_copies_of_many_models_are_found(soak: Soak) -> None:
    precision, recall = recovered(drawn(np.random.default_rng(soak.random.randrange(2**32)), 5000))
    soak.say(f"copies of 5000 models: precision {precision:.3f}, recall {recall:.3f}")
    assert precision > 0.9
    assert recall > 0.75
