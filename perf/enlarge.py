"""A real home made several times as large: `python -m perf.enlarge HOME TIMES` adds to it TIMES - 1 copies of itself.

Real: the rows of the home, of which every copy has as many: the lengths, ties, versions and gaps of its boards, who
corrected what, how names and settings repeat. Simulated: that there are more of them. Each copy has sources,
benchmarks, boards and snapshots of its own (their ids end in `~1`, `~2`, ...) and every second of its models; the
others are those of the home, so that boards of different copies share models as real boards do. A score is moved by at
most a hundredth of itself, the same in every version of a row, so that copies agree about models and no two are equal.

What a copy of a curated benchmark would need curators for it does not have: no twins, breakpoints, conditions or
lineages. Rejected rows, mentions, lists of names and results item by item are not copied: `perf.items` simulates those.
"""

import argparse
import json
import time
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from benchhealth.analytics.record.lineages.one_id import in_one_id
from benchhealth.pipeline.settings import REPOSITORY, now
from benchhealth.warehouse.batch import BENCHMARK_FACT
from benchhealth.warehouse.loading.load import benchmark_table
from benchhealth.warehouse.registry import read_registry
from benchhealth.warehouse.sql import FACTS, quoted, select
from benchhealth.warehouse.store import Store, reading
from perf.clock import peak

NOISE = 0.01
SHARE_NEW = 2
"""One in so many models of a copy is a new one."""

_KEY = ("benchmark_id", "model_id", "setting", "reporter")
Tables = Mapping[str, pl.DataFrame]


def enlarge(home: Path, times: int) -> int:
    """Add the copies, source by source as a night adds files; returns how many results were added."""
    written = 0
    with Store.open(home) as store:
        curated = read_registry(REPOSITORY / "data" / "registry")
        about = benchmark_table(home, curated, now())
        with reading(home) as connection:
            sources = select(connection, "SELECT DISTINCT source_id FROM snapshot ORDER BY ALL")["source_id"].to_list()
        for source in sources:
            tables = _of(home, source, about, curated.benchmark_alias)
            for copy in range(1, times):
                copied = {name: renamed(table, copy) for name, table in tables.items()}
                store.write_sources(copied.pop("source"))
                store.append_all(copied)
                written += copied["result"].height
    return written


def renamed(table: pl.DataFrame, copy: int) -> pl.DataFrame:
    """The rows as the copy of that number says them."""
    mark = f"~{copy}"
    is_new = pl.col("model_id").hash(0) % SHARE_NEW == 0
    changes = {
        "source_id": pl.col("source_id") + mark,
        "snapshot_id": pl.col("snapshot_id") + mark,
        "board_id": pl.col("board_id") + mark,
        "sha256": pl.col("sha256") + mark,
        "benchmark_id": pl.col("benchmark_id").str.replace("^([^/]+)", f"${{1}}{mark}"),
        "model_id": pl.when(is_new).then(pl.col("model_id") + mark).otherwise("model_id"),
        "score": _moved(pl.col("score"), copy),
        "score_published": _moved(pl.col("score_published"), copy),
    }
    return table.with_columns(**{name: change for name, change in changes.items() if name in table.columns})


def _moved(score: pl.Expr, copy: int) -> pl.Expr:
    share = (pl.struct(_KEY).hash(copy) % 10_001).cast(pl.Float64) / 10_000
    moved = score * (1 + NOISE * (2 * share - 1))
    return pl.when(score.is_between(0, 1)).then(moved.clip(0, 1)).otherwise(moved)


def _of(home: Path, source: str, about: pl.DataFrame, alias: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """What is copied of a source: its row, its snapshots, their results and models, and facts of its benchmarks.

    Benchmarks have the ids of today: no curator has a name for the copy of an older one.
    """
    with reading(home) as connection:
        mine = f"WHERE source_id = {quoted(source)}"
        tables = {name: select(connection, f"FROM {name} {mine}") for name in ("source", "snapshot", "look")}
        for name in ("result", "model_fact"):
            sql = f"SELECT r.* FROM {name} r SEMI JOIN (FROM snapshot {mine}) USING (snapshot_id)"
            tables[name] = select(connection, sql)
    tables["result"] = in_one_id(tables["result"], alias)
    first = tables["result"].group_by("benchmark_id").agg(pl.col("snapshot_id").min())
    facts = first.join(about.select(BENCHMARK_FACT.names()), on="benchmark_id")
    snapshots = tables["snapshot"].with_columns(rows_in="rows_kept", rows_rejected=pl.lit(0, dtype=pl.Int64))
    return {**tables, "snapshot": snapshots, "benchmark_fact": facts.select(FACTS["benchmark_fact"].names())}


def main() -> None:
    """Enlarge a home and print what it took as JSON: seconds, rows, bytes held at most."""
    parser = argparse.ArgumentParser(prog="python -m perf.enlarge", description=__doc__)
    parser.add_argument("home", type=Path)
    parser.add_argument("times", type=int)
    asked = parser.parse_args()
    started, processor = time.perf_counter(), time.process_time()
    rows = enlarge(asked.home, asked.times)
    took = {"rows": rows, "wall": time.perf_counter() - started, "processor": time.process_time() - processor}
    print(json.dumps({**took, "peak": peak()}))


if __name__ == "__main__":
    main()
