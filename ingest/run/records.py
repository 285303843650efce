"""What `resolve` makes of raw rows: a row for each table of `warehouse.batch`, its fields in the table's order."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import NamedTuple, Protocol, TypeVar

import polars as pl

from benchhealth.ingest.formats.numbers import UnreadableError
from benchhealth.ingest.names.identity import printable

BOUNDED: Mapping[str, float] = {"percent": 100.0, "fraction": 1.0}
"""Units with a known range, from 0 to the number given; a score in them is stored as a fraction."""

_LONGEST_PUBLISHED = 500


class Result(NamedTuple):
    """One result as it is stored: a row of the schema RESULT_FACT."""

    benchmark_id: str
    model_id: str
    setting: str
    reporter: str
    score: float
    score_published: float
    std_error: float | None
    n_items: int | None
    dated_on: date | None
    date_basis: str | None
    source_row: str
    published_name: str
    kind: str
    printed_in: str | None = None
    row_setting: str | None = None

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What identifies the result within its file: no other result there may have the same."""
        return self.benchmark_id, self.model_id, self.setting, self.reporter

    def repeats(self, other_result: "Result") -> bool:
        """Whether the other says the same under the same key, wherever in the file it stands."""
        listing_fields = ("source_row", "published_name", "kind", "printed_in", "row_setting")
        of_row = {name: getattr(self, name) for name in listing_fields}
        return self == other_result._replace(**of_row)


class Rejection(NamedTuple):
    """One rejected row with its reason: a row of the schema REJECTION_FACT."""

    source_row: str
    reason: str
    published: str


def as_line(*cells: str) -> str:
    """What was published, in one line short enough to store and read."""
    return " | ".join(printable(cell) for cell in cells if cell.strip())[:_LONGEST_PUBLISHED]


class _AddressedRow(Protocol):
    """What a parser returned, with its address in the file, and why it must not become a fact."""

    @property
    def row(self) -> str: ...

    @property
    def reject(self) -> str: ...


Raw = TypeVar("Raw", bound=_AddressedRow)
Fact = Mapping[str, object]
"""A row of a stored table: what each of its columns holds."""


def each_once(
    published: Sequence[Raw],
    fact_of: Callable[[Raw], Fact],
    key: Sequence[str],
    text_of: Callable[[Raw], str],
    repeated: str = "duplicate of",
) -> tuple[list[Fact], list[Rejection]]:
    """The facts that `fact_of` makes of what was published, of equal `key` columns the first, and the others with why.

    `fact_of` raises UnreadableError where it is none; `text_of` is what a rejection says was published, and `repeated`
    what a repetition is called, before the address of the first.
    """
    accepted: list[Fact] = []
    rejected: list[Rejection] = []
    first: dict[tuple[object, ...], str] = {}
    for raw in published:
        try:
            if raw.reject:
                raise UnreadableError(raw.reject)
            fact = fact_of(raw)
            address = first.setdefault(tuple(fact[column] for column in key), raw.row)
            if address is not raw.row:
                raise UnreadableError(f"{repeated} {address}")
        except UnreadableError as error:
            rejected.append(Rejection(raw.row, str(error), text_of(raw)))
        else:
            accepted.append(fact)
    return accepted, rejected


def frame(records: Sequence[NamedTuple] | Sequence[Fact], schema: pl.Schema) -> pl.DataFrame:
    """The records as a table. Raises ValueError where their fields are not its columns, in their order."""
    fields = tuple(schema) if not records else tuple(getattr(records[0], "_fields", records[0]))
    if fields != tuple(schema):
        raise ValueError(f"fields {fields}, columns {tuple(schema)}")
    return pl.DataFrame(records, schema=schema, orient="row")
