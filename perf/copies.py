"""The bundled facts several times over: every copy has its own snapshots, benchmarks and models.

Real facts, so that boards have the lengths, ties and gaps that boards have; renamed, so that there are more of them.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl

from warehouse.bundle import pack, unpack
from warehouse.registry import Registry

ROOT_OF = {"benchmark_id", "original_id", "other_id", "twin_id"}
"""Columns whose part before the first slash is renamed."""

WHOLE = {"snapshot_id", "model_id", "published_name", "sha256", "url"}
"""Columns whose text is renamed as a whole."""

BOARD = {"board_id"}
"""`<source>/<benchmark>`: renamed behind the benchmark."""


def bundles(folder: Path, to: Path, times: int) -> list[Path]:
    """Write every bundle of the folder `times` over into `to`; the new files, by name."""
    made = []
    for path in sorted(folder.glob("*.parquet")):
        tables = unpack(pl.scan_parquet(path))
        # The source's own row stays one: it is the same source that says more.
        several = {
            name: table if name == "source" else pl.concat([renamed(table, copy) for copy in range(times)])
            for name, table in tables.items()
        }
        made.append(to / path.name)
        pack(several).write_parquet(made[-1])
    return made


def registry(curated: Registry, times: int) -> Registry:
    """The curated facts `times` over, so that every copy of a benchmark is as well known as the original."""

    def several(table: pl.DataFrame) -> pl.DataFrame:
        return pl.concat([renamed(table, copy) for copy in range(times)])

    return replace(
        curated,
        benchmark=several(curated.benchmark),
        twin=several(curated.twin),
        breakpoint=several(curated.breakpoint),
        contamination_report=several(curated.contamination_report),
        model=several(curated.model),
    )


def renamed(table: pl.DataFrame, copy: int) -> pl.DataFrame:
    """The table with the names of one copy; copy 0 is the original."""
    if copy == 0:
        return table
    mark = f"-x{copy}"
    changes: list[tuple[set[str], Callable[[pl.Expr], pl.Expr]]] = [
        (ROOT_OF, lambda column: column.str.replace(r"^([^/]+)", f"${{1}}{mark}")),
        (BOARD, lambda column: column.str.replace(r"^([^/]+(?:/[^/]+)?)", f"${{1}}{mark}")),
        (WHOLE, lambda column: column + mark),
    ]
    return table.with_columns(change(pl.col(name)) for names, change in changes for name in names & set(table.columns))
