"""Parquet for people who open it in a program."""

from collections.abc import Iterable
from pathlib import Path

import polars as pl
from pyarrow.parquet import ParquetWriter


def write_parquet(pieces: Iterable[pl.DataFrame], file: Path) -> None:
    """Write frames of the same columns as one Parquet file; no more than one of them is held at a time."""
    writer: ParquetWriter | None = None
    try:
        for piece in pieces:
            rows = piece.to_arrow(compat_level=pl.CompatLevel.oldest())
            writer = writer or ParquetWriter(file, rows.schema, compression="zstd")
            writer.write_table(rows)
    finally:
        if writer is not None:
            writer.close()
