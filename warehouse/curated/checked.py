"""How a file of curated facts is read: every cell of its kind, every key once, and no row that breaks a rule."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from benchhealth.analytics.record.tables.columns import COUNT, DAY, FLAG, NUMBER, TEXT

LINE, AS_TEXT = "line of the file", "text of "
"""Beside the columns while they are checked: the line that a row ends on, and each cell as it stands there."""


class RegistryError(ValueError):
    """A registry file that cannot be trusted: which file, line and column, and why; no line is 0, no column empty."""

    def __init__(self, file: str, line: int, column: str, why: str) -> None:
        address = [file, *([f"line {line}"] if line else []), *([f"column {column}"] if column else [])]
        super().__init__(f"{', '.join(address)}: {why}")
        self.file = file
        self.line = line
        self.column = column
        self.why = why


@dataclass(frozen=True)
class Rule:
    """A rule for rows: `broken` is true where the cell `column` is wrong, null where that cannot be judged."""

    column: str
    broken: pl.Expr
    why: str


def _is_no_pattern(pattern: str) -> bool:
    try:
        pl.Series([""]).str.contains(pattern)
    except pl.exceptions.ComputeError:
        return True
    return False


PATTERN_RULE = Rule(
    "pattern", pl.col("pattern").map_elements(_is_no_pattern, return_dtype=pl.Boolean), "is not a regular expression"
)


@dataclass(frozen=True)
class CuratedFile:
    """One file: its columns, what identifies a row, which cells may not be empty, which fact needs which other cell.

    A day `to_the_month` may be YYYY-MM or YYYY, which stand for their first day. A file that is missing has no rows;
    one that is `indispensable` stops the reading.
    """

    name: str
    schema: pl.Schema
    key: tuple[str, ...]
    required: tuple[str, ...]
    rules: tuple[Rule, ...] = ()
    sourced: tuple[tuple[str, str], ...] = ()
    to_the_month: tuple[str, ...] = ()
    indispensable: bool = False


def file_field(file: CuratedFile) -> Any:  # noqa: ANN401 - as `dataclasses.field`
    """A field that holds the rows of a file, without any where none are given."""
    return field(default_factory=lambda: pl.DataFrame(schema=file.schema), metadata={"file": file})


def one_of(column: str, *words: str) -> Rule:
    """The rule that a cell is empty or one of these words."""
    return Rule(column, ~pl.col(column).is_in(words), f"is not one of {', '.join(words)}")


def read(folder: Path, file: CuratedFile, *rules: Rule) -> pl.DataFrame:
    """The rows of a file, none of which breaks a rule of the file or one of the others given."""
    path = folder / file.name
    if not path.exists():
        if file.indispensable:
            raise RegistryError(file.name, 0, "", "the file is missing")
        return pl.DataFrame(schema=file.schema)
    columns = file.schema.names()
    rows = pl.DataFrame(_numbered_rows(path, file), schema={LINE: COUNT, **dict.fromkeys(columns, TEXT)}, orient="row")
    text = rows.with_columns(pl.col(columns).str.strip_chars().replace("", None))
    typed = [_typed_cell(file, column).alias(column) for column in columns]
    cells = text.select(LINE, pl.col(columns).name.prefix(AS_TEXT), *typed)
    _refuse(file, cells, [*_rules_of(file), *rules])
    repeated = cells.with_columns(before=pl.col(LINE).first().over(file.key)).filter(pl.col(LINE) > pl.col("before"))
    for line, before in repeated.select(LINE, "before").head(1).iter_rows():
        raise RegistryError(file.name, line, file.key[0], f"the same key as line {before}")
    return cells.select(columns)


def _numbered_rows(path: Path, file: CuratedFile) -> list[tuple[int | str, ...]]:
    """The line that each row ends on and its cells as text, in the order of the schema."""
    with path.open(encoding="utf-8", newline="") as opened:
        reader = csv.reader(opened, strict=True)
        try:
            header = next(reader, [])
            for wanted in file.schema:
                if wanted not in header:
                    raise RegistryError(file.name, 1, wanted, "the column is missing")
            for column_name in header:
                if column_name not in file.schema or header.count(column_name) > 1:
                    raise RegistryError(file.name, 1, column_name, "not a column of this file, or twice")
            order = [header.index(column) for column in file.schema]
            lines: list[tuple[int | str, ...]] = []
            for cells in reader:
                if len(cells) != len(header):
                    why = f"{len(cells)} cells under {len(header)} columns"
                    raise RegistryError(file.name, reader.line_num, "", why)
                lines.append((reader.line_num, *(cells[index] for index in order)))
        except (csv.Error, UnicodeDecodeError) as error:
            raise RegistryError(file.name, reader.line_num, "", str(error)) from error
    return lines


def _typed_cell(file: CuratedFile, column: str) -> pl.Expr:
    """The value of a cell; null where it is empty or not of the column's kind."""
    cell, kind = pl.col(column), file.schema[column]
    if kind == NUMBER:
        return cell.cast(NUMBER, strict=False)
    if kind == COUNT:
        return pl.when(cell.str.contains("^[0-9]+$")).then(cell).cast(COUNT, strict=False)
    if kind == FLAG:
        return cell.replace_strict({"true": True, "false": False}, default=None, return_dtype=FLAG)
    if kind == DAY:
        if column in file.to_the_month:
            cell = cell.str.replace("^([0-9]{4})$", "$1-01").str.replace("^([0-9]{4}-[0-9]{2})$", "$1-01")
        return (
            pl.when(cell.str.contains("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")).then(cell).str.to_date("%Y-%m-%d", strict=False)
        )
    return cell


_MISREAD = {
    NUMBER: "is not a number",
    COUNT: "is not a whole number",
    FLAG: "is neither true nor false",
    DAY: "is not an ISO date",
}


def _rules_of(file: CuratedFile) -> Iterator[Rule]:
    """Every rule of one file, its kinds of cells first: the others read values."""
    for column, kind in file.schema.items():
        if kind in _MISREAD:
            misread = pl.col(AS_TEXT + column).is_not_null() & pl.col(column).is_null()
            yield Rule(column, misread, _MISREAD[kind])
        if kind == NUMBER:
            yield Rule(column, ~pl.col(column).is_finite(), "is not finite")
    for column in file.required:
        yield Rule(column, pl.col(column).is_null(), "empty")
    yield from file.rules
    for fact, source in file.sourced:
        missing = pl.col(fact).is_not_null() & pl.col(source).is_null()
        yield Rule(source, missing, f"{fact} is given without it")


def _refuse(file: CuratedFile, rows: pl.DataFrame, rules: Sequence[Rule]) -> None:
    """Raise RegistryError for the first line that breaks a rule, and the first rule that it breaks."""
    broken = rows.select(rule.broken.fill_null(value=False).alias(str(number)) for number, rule in enumerate(rules))
    for index, *marks in broken.with_row_index().filter(pl.any_horizontal(pl.exclude("index"))).head(1).iter_rows():
        rule = rules[marks.index(True)]
        cell = rows[AS_TEXT + rule.column][index]
        why = rule.why if cell is None else f"{cell!r} {rule.why}"
        raise RegistryError(file.name, rows[LINE][index], rule.column, why)
