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


def by_type(*groups: tuple[pl.DataType, str]) -> pl.Schema:
    """A schema of a type and the names of the columns that have it, with spaces between; then the next type.

    >>> by_type((TEXT, "model_id setting"), (DAY, "dated_on")).names()
    ['model_id', 'setting', 'dated_on']
    """
    return pl.Schema({name: kind for kind, names in groups for name in names.split()})


def table_field(schema: pl.Schema) -> Any:  # noqa: ANN401 - as `dataclasses.field`
    """A field of a dataclass that holds a table of that schema, without rows where none is given."""
    return field(default_factory=lambda: pl.DataFrame(schema=schema), metadata={"schema": schema})


def schemas_of(dataclass: type) -> dict[str, pl.Schema]:
    """The schema of each field that is declared with one."""
    return {entry.name: entry.metadata["schema"] for entry in fields(dataclass) if "schema" in entry.metadata}
