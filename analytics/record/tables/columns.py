"""The types of columns that tables are declared with, and fields that hold a table."""

from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any

import polars as pl

TEXT = pl.String()
NUMBER = pl.Float64()
COUNT = pl.Int64()
FLAG = pl.Boolean()
DAY = pl.Date()
INSTANT = pl.Datetime("us")
TEXTS = pl.List(pl.String())
NUMBERS = pl.List(pl.Float64())

Row = Mapping[str, Any]
"""A row of a table: its values by column."""


def schema(**columns: pl.DataType) -> pl.Schema:
    """A table: its columns in their order, each with its type."""
    return pl.Schema(columns)


def table_field(schema: pl.Schema) -> Any:  # noqa: ANN401 - as `dataclasses.field`
    """A field of a dataclass that holds a table of that schema, without rows where none is given."""
    return field(default_factory=lambda: pl.DataFrame(schema=schema), metadata={"schema": schema})


def schemas_of(dataclass: type) -> dict[str, pl.Schema]:
    """The schema of each field that is declared with one."""
    return {entry.name: entry.metadata["schema"] for entry in fields(dataclass) if "schema" in entry.metadata}
