"""The forms of an answer: text as it is sent, its bytes counted as they are made, or plain cells for a page.

How large an answer is in memory says nothing of how long it is: a word of a dictionary is a byte a row there. So
nothing leaves the worker but what is written out in full, a few rows at a time.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import orjson
import polars as pl

from benchhealth.warehouse.queries.grammar import Refused
from benchhealth.warehouse.sharing.csv import neutral_csv

ROWS = 64
"""How many rows of an answer are written at a time."""

NO_CSV = "CSV cannot hold a column of this answer: CAST it AS VARCHAR, or ask for json."

_NUMBER_BYTES = 16
"""The bytes of a cell that is no text: what the widest number takes."""


@dataclass(frozen=True)
class Format:
    """How an answer is written: frames (the first may be empty) as pieces of bytes; and the most bytes allowed."""

    written: Callable[[Iterable[pl.DataFrame]], Iterator[bytes]]
    most: int

    def body(self, frames: Iterable[pl.DataFrame]) -> bytes:
        """All pieces joined. Raises Refused as soon as they are more bytes than `most`."""
        body = bytearray()
        for piece in self.written(frames):
            body += piece
            self.allow(len(body))
        return bytes(body)

    def allow(self, size: int) -> None:
        """Check a size in bytes. Raises Refused where it is above `most`."""
        if size > self.most:
            raise Refused(f"The answer is larger than {self.most // 1024**2} MB. Fewer rows or columns may help.")


def _csv(frames: Iterable[pl.DataFrame]) -> Iterator[bytes]:
    for index, frame in enumerate(frames):
        try:
            yield neutral_csv(frame, with_names=index == 0)
        except pl.exceptions.PolarsError as error:
            raise Refused(NO_CSV) from error


def _json(frames: Iterable[pl.DataFrame]) -> Iterator[bytes]:
    """The rows as a JSON list of objects, one object a row."""
    begun = False
    for frame in frames:
        if frame.height:
            rows = orjson.dumps(frame.to_dicts(), default=str)
            yield (b"," if begun else b"[") + rows[1:-1]
            begun = True
    yield b"]" if begun else b"[]"


def _cells(most: int) -> Format:
    """One frame as Arrow, in which every cell stands in full: numbers, truth, days, instants, and texts of all else."""

    def written(frames: Iterable[pl.DataFrame]) -> Iterator[bytes]:
        plain_frames: list[pl.DataFrame] = []
        size = 0
        for frame in frames:
            plain_frames.append(frame.select(_plain_column(column) for column in frame))
            size += _cell_bytes(plain_frames[-1])
            form.allow(size)
        yield pl.concat(plain_frames).write_ipc(None, compat_level=pl.CompatLevel.oldest()).getvalue()

    form = Format(written, most)
    return form


def _plain_column(column: pl.Series) -> pl.Series:
    if isinstance(column.dtype, pl.Categorical | pl.Enum):
        return column.cast(pl.String)
    if column.dtype == pl.String or (column.dtype.is_numeric() or column.dtype.is_temporal()):
        return column
    if column.dtype == pl.Boolean:
        return column
    texts = [None if cell is None else orjson.dumps(cell, default=str).decode() for cell in column.to_list()]
    return pl.Series(column.name, texts, dtype=pl.String)


def _cell_bytes(frame: pl.DataFrame) -> int:
    texts = [int(column.str.len_bytes().sum()) for column in frame if column.dtype == pl.String]
    return sum(texts) + _NUMBER_BYTES * frame.width * frame.height


CELLS = _cells(1024**2)
"""For a page: its reader's browser, and the server's memory, hold all of it."""

_FILE = 16 * 1024**2
FORMATS: Mapping[str, Format] = {
    "csv": Format(_csv, _FILE),
    "json": Format(_json, _FILE),
    "cells": CELLS,
    "arrow": _cells(_FILE),
}
