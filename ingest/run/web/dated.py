"""A Parquet table of many editions as one CSV an edition, so that each day is a version of the board."""

from collections.abc import Iterator
from datetime import date
from io import BytesIO
from typing import NamedTuple

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from benchhealth.ingest.formats.numbers import UnreadableError, read_day

MEDIA_TYPES = ("application/octet-stream", "binary/octet-stream", "application/vnd.apache.parquet")
MOST_ROWS = 5_000_000
_REFUSALS = (pa.ArrowException, pl.exceptions.PolarsError, pl.exceptions.PanicException)
"""The errors of the reader, and of turning its table into ours; a panic is no Exception and would end the night."""


class Edition(NamedTuple):
    """What a table says of one day; `day` is null where the body is not such a table and stands as it came."""

    day: date | None
    body: bytes


def editions(body: bytes, column: str) -> Iterator[Edition]:
    """Yield the rows of each day, oldest first, as CSV with all columns, and numbers in their shortest form.

    A body that is not Parquet, has no such column of days, or is larger than any board, is yielded whole and unread:
    the parser says what is wrong with it.
    """
    rows = _read_parquet(body, column)
    if rows is None:
        yield Edition(None, body)
        return
    for (day,), of_day in rows.sort(column, maintain_order=True).group_by(column, maintain_order=True):
        yield Edition(read_day(str(day)), of_day.write_csv().encode())


def _read_parquet(body: bytes, column: str) -> pl.DataFrame | None:
    # By Arrow: some damaged bytes end a process in which Polars reads them.
    try:
        file = pq.ParquetFile(BytesIO(body))
        if file.metadata.num_rows > MOST_ROWS:
            return None
        table = file.read(use_threads=False)
        table.validate(full=True)
        rows = pl.DataFrame(pl.from_arrow(table))
        unlisted = any(dtype.is_nested() or dtype in (pl.Binary, pl.Object) for dtype in rows.schema.values())
        if unlisted or rows.schema.get(column) not in (pl.String, pl.Date):
            return None
        rows = rows.with_columns(pl.col(column).cast(pl.String))
        for day in rows[column].unique():
            read_day(str(day))
    except (*_REFUSALS, UnreadableError, OSError, ValueError, MemoryError):
        return None
    return rows if rows.height else None
