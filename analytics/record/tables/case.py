"""How a row says what it is a case of: a code and what belongs to it; `dashboard.words.prose` has the sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from benchhealth.analytics.record.tables import shared
from benchhealth.analytics.record.tables.columns import TEXT
from benchhealth.analytics.record.tables.declared import schema_of

CASE_SCHEMA = schema_of(shared.CASE_COLUMNS)
"""The columns of a case: its code; the benchmark, board, condition or model that it is about; of what kind; the day
from which and until which it holds; its numbers and names, in the order that its sentence has them."""

_NULL = {name: pl.lit(None, dtype=kind).alias(name) for name, kind in CASE_SCHEMA.items()}
"""The columns of CASE_SCHEMA without anything, made once: a table of indicators takes hundreds."""

Cell = pl.Expr | str | None
Cells = Sequence[pl.Expr | str] | pl.Expr
"""Names of columns or expressions, or one expression of lists."""


@dataclass(frozen=True, eq=False)
class Case:
    """Which case rows are of, and where they have what belongs to it; a `code` that is text is the same for all."""

    code: str | pl.Expr
    other_id: Cell = None
    kind: Cell = None
    on_day: Cell = None
    until_day: Cell = None
    numbers: Cells = ()
    names: Cells = ()

    def has(self, column: str) -> bool:
        """Whether rows of this case have anything in that column of CASE_SCHEMA."""
        cell = getattr(self, "code" if column == "case" else column)
        return isinstance(cell, pl.Expr) or bool(cell)

    def column(self, name: str) -> pl.Expr:
        """The expression of that column of CASE_SCHEMA, cast to its type."""
        if name == "case":
            code = pl.lit(self.code) if isinstance(self.code, str) else self.code
            return code.cast(TEXT).alias(name)
        cell, kind = getattr(self, name), CASE_SCHEMA[name]
        if not self.has(name):
            return _NULL[name]
        if isinstance(kind, pl.List) and not isinstance(cell, pl.Expr):
            elements = [_expression(element).cast(kind.inner) for element in cell]
            return pl.concat_list(elements).alias(name)
        return _expression(cell).cast(kind).alias(name)

    def columns(self) -> dict[str, pl.Expr]:
        """The columns of CASE_SCHEMA that rows of this case have anything in."""
        return {name: self.column(name) for name in CASE_SCHEMA.names() if self.has(name)}


def as_case(case: Case | str) -> Case:
    """A code alone as a case that nothing belongs to."""
    return Case(case) if isinstance(case, str) else case


def first_of(cases: Sequence[tuple[pl.Expr, Case]], otherwise: Case | None) -> list[pl.Expr]:
    """The columns of CASE_SCHEMA of the first case whose condition holds, else of the last one, else null."""
    columns = []
    for name, default in _NULL.items():
        column: pl.Expr = default if otherwise is None else otherwise.column(name)
        if any(case.has(name) for _, case in cases):
            for holds, case in reversed(cases):
                column = pl.when(holds).then(case.column(name)).otherwise(column)
        elif otherwise is not None and otherwise.has(name) and cases:
            column = pl.when(pl.any_horizontal(holds for holds, _ in cases)).then(default).otherwise(column)
        columns.append(column.alias(name))
    return columns


def first_case(*cases: tuple[str, pl.Expr]) -> pl.Expr:
    """The code of the first case whose condition holds; a condition that is null does not. Null where none holds."""
    code: pl.Expr = pl.lit(None, dtype=pl.String)
    for name, condition in reversed(cases):
        code = pl.when(condition.fill_null(value=False)).then(pl.lit(name)).otherwise(code)
    return code


ALWAYS = pl.lit(value=True)
"""The condition of the last case of `first_case`, which holds where no other does."""


def _expression(cell: pl.Expr | str) -> pl.Expr:
    return pl.col(cell) if isinstance(cell, str) else cell
