"""What the columns of a table's CSV hold, in the W3C's Metadata Vocabulary for Tabular Data."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from benchhealth.analytics.record.tables.declared import Column, Table
from benchhealth.warehouse.sharing.csv import BETWEEN

SUFFIX = "-metadata.json"
"""What is put behind the address of a CSV for that of its description, as the vocabulary proposes."""
MEDIA_TYPE = "application/csvm+json"

DATATYPES: Mapping[pl.DataType, str] = {
    pl.String(): "string",
    pl.Float64(): "number",
    pl.Int64(): "integer",
    pl.Boolean(): "boolean",
    pl.Date(): "date",
    pl.Datetime("us"): "datetime",
}
_LISTS: Mapping[pl.DataType, str] = {pl.List(kind): datatype for kind, datatype in DATATYPES.items()}


def description(table: Table, file: str) -> dict[str, Any]:
    """The metadata of the CSV of this table; `file` is its name beside the metadata."""
    return {
        "@context": ["http://www.w3.org/ns/csvw", {"@language": "en"}],
        "url": file,
        "dc:title": table.name,
        "dc:description": f"A row is {table.row}.",
        "tableSchema": {"columns": [_column(column) for column in table.columns], "primaryKey": list(table.key)},
    }


def _column(column: Column) -> dict[str, Any]:
    """The first title is the name, which heads the column in the file; the other is for readers."""
    titles = list(dict.fromkeys((column.name, column.title)))
    described: dict[str, Any] = {"name": column.name, "titles": titles, "dc:description": column.meaning}
    if column.unit:
        described["schema:unitText"] = str(column.unit)
    if column.kind in _LISTS:
        return {**described, "datatype": _LISTS[column.kind], "separator": BETWEEN}
    return {**described, "datatype": DATATYPES[column.kind]}
