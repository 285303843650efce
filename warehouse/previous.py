"""What the generation in service says, for the next one to be compared with."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import duckdb
import polars as pl

from analytics.change.previous import CARRIED, COMPARED, NONE, Previous
from analytics.record.tables import PUBLISHED
from warehouse.read import Generation, NoGeneration, current_path

_ROWS: Mapping[str, str] = {
    "result": "stands",
    "rank": "observed_at = (SELECT max(observed_at) FROM rank AS newest WHERE newest.board_id = rank.board_id)",
    "indicator": "status = 'ok'",
}
"""Which rows of the longer tables are compared."""


def previous(home: Path) -> Previous:
    """What the generation in service says of what is compared; nothing where there is none that can be read.

    A generation of an earlier edition of the program lacks tables or columns: they are empty.
    """
    try:
        generation = Generation(current_path(home))
    except (NoGeneration, duckdb.Error):
        return NONE
    with closing(generation):
        try:
            return Previous(generation.name, {name: _table(generation, name) for name in (*COMPARED, CARRIED)})
        except duckdb.Error:
            return NONE


def _table(generation: Generation, name: str) -> pl.DataFrame:
    schema = PUBLISHED[name]
    try:
        found = generation.query(f'SELECT * FROM "{name}" WHERE {_ROWS.get(name, "true")}')  # noqa: S608 - ours
    except (duckdb.CatalogException, duckdb.BinderException):
        return pl.DataFrame(schema=schema)
    return found.select(
        (pl.col(column) if column in found.columns else pl.lit(None)).cast(kind).alias(column)
        for column, kind in schema.items()
    )
