"""Frames that wait to be read, as Parquet in memory: names and settings repeat, so that it takes a small part.

A frame cut out of a larger one keeps the text of all of it: packed and unpacked again it keeps its own alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO

import polars as pl

PAGE = 30_000
"""Rows that are packed together, the fewest that can be unpacked alone."""

ROWS_AT_ONCE = 300_000
"""Rows that are worked on together, where no benchmark or board has more."""

Rows = pl.DataFrame | pl.LazyFrame
"""A table; a lazy one is never held as a whole: who reads it collects the columns and rows that it needs."""


class Packed:
    """Frames of one schema put in one after the other, each kept as the bytes of a Parquet file."""

    def __init__(self, schema: pl.Schema) -> None:
        self.empty = pl.LazyFrame(schema=schema)
        self._files: list[bytes] = []

    def put(self, rows: pl.DataFrame) -> None:
        """Pack these rows and put them behind those that are packed already."""
        packed = BytesIO()
        rows.write_parquet(packed, compression="zstd", compression_level=1, row_group_size=PAGE)
        self._files.append(packed.getvalue())

    def rows(self) -> pl.LazyFrame:
        """All rows that were packed, as a table in the order in which they came."""
        return pl.scan_parquet(self._files) if self._files else self.empty

    def __iter__(self) -> Iterator[pl.DataFrame]:
        """The frames that were put in; each is let go once it was taken."""
        while self._files:
            yield pl.read_parquet(self._files.pop(0))


def packed(frames: Iterable[pl.DataFrame]) -> pl.LazyFrame:
    """All rows of these frames of one schema, of which there is one at least, packed."""
    (packed_rows,) = packed_apart((frame,) for frame in frames)
    return packed_rows


def packed_apart(frame_tuples: Iterable[tuple[pl.DataFrame, ...]]) -> tuple[pl.LazyFrame, ...]:
    """The first frames of all parts packed together, the second ones, and so on; there is one part at least."""
    packed_frames: list[Packed] = []
    for frames in frame_tuples:
        packed_frames = packed_frames or [Packed(frame.schema) for frame in frames]
        for packed_frame, frame in zip(packed_frames, frames, strict=True):
            packed_frame.put(frame)
    return tuple(packed_frame.rows() for packed_frame in packed_frames)


def in_runs(rows: pl.LazyFrame, order: Sequence[str], at_once: int = ROWS_AT_ONCE) -> Iterator[pl.DataFrame]:
    """The rows sorted by `order`, the first of which is text without nulls, in frames of `at_once` rows or so.

    All rows that agree in the first column are in one frame, however many they are. Of no rows there is one frame.
    """
    first = order[0]
    sizes = rows.group_by(first).agg(size=pl.len()).collect(engine="streaming").sort(first)
    if sizes.is_empty():
        yield rows.collect()
    groups = sizes.group_by(pl.col("size").cum_sum() // at_once, maintain_order=True)
    for begin, end in groups.agg(begin=pl.col(first).first(), end=pl.col(first).last()).select("begin", "end").rows():
        yield (
            rows.filter(pl.col(first).is_between(pl.lit(begin), pl.lit(end))).collect().sort(order, maintain_order=True)
        )
