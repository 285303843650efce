"""Results item by item as older homes and bundles hold them, names and outcomes in every row: packed."""

import polars as pl

from benchhealth.analytics.record.by_item.packing import NamedRun, packed_runs
from benchhealth.warehouse.sql import FACTS


def packed_lists(rows: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows of the tables `item_run` and `item`.

    `rows` have `snapshot_id`, `source_row`, `items` and `outcomes`, and `source_id`, `benchmark_id` and `n_items` of
    the result that they are of.
    """
    runs, items = [pl.DataFrame(schema=FACTS["item_run"])], [pl.DataFrame(schema=FACTS["item"])]
    for (source_id, snapshot_id), of_file in rows.group_by("source_id", "snapshot_id", maintain_order=True):
        named = [
            NamedRun(row["source_row"], row["benchmark_id"] or "", row["n_items"], row["items"], row["outcomes"])
            for row in of_file.iter_rows(named=True)
        ]
        packed, listed = packed_runs(str(source_id), named)
        runs_of_file = pl.DataFrame(packed, schema=runs[0].drop("snapshot_id").schema, orient="row")
        runs.append(runs_of_file.select(pl.lit(snapshot_id).alias("snapshot_id"), pl.all()))
        items.append(pl.DataFrame(listed, schema=FACTS["item"], orient="row"))
    return pl.concat(runs), pl.concat(items).unique(["list_id", "place"], maintain_order=True)
