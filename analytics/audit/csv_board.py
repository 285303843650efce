"""A leaderboard from a CSV file: model x item, model x task, one line a cell, or a score and a number of items each."""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from benchhealth.analytics.audit.board import (
    COLUMN_A_MODEL,
    LINE_A_CELL,
    LINE_A_MODEL,
    LINE_A_SCORE,
    SCORES,
    Board,
    BoardError,
    below_one,
    board_of,
    check_size,
    kind_of,
)
from benchhealth.analytics.audit.text import separator, table_text
from benchhealth.analytics.statistics.arrays import Numbers

MODEL = ("model", "model_id", "model_name", "name", "system")
ITEM = ("item", "item_id", "question", "question_id", "instance_id", "sample_id", "doc_id", "id", "task", "problem")
MANY_COLUMNS = 1_000
CLUSTER = ("cluster", "category", "subject", "passage", "repository", "repo", "group", "topic")
VALUE = ("score", "value", "correct", "result", "accuracy", "acc", "outcome", "resolved")
COUNT = ("n", "n_items", "items", "n_questions", "num_items", "count", "total")
COLUMNS: Mapping[str, tuple[str, ...]] = {"model": MODEL, "item": ITEM, "score": VALUE, "n": COUNT, "cluster": CLUSTER}
"""What a column can be, and the names by which it is known, in small letters."""

UNNAMED: Mapping[str, str] = {}

WORDS = {
    **dict.fromkeys(("n/a", "na", "none", "-"), ""),
    "true": "1",
    "correct": "1",
    "pass": "1",
    "yes": "1",
    "false": "0",
    "incorrect": "0",
    "fail": "0",
    "no": "0",
}
"""Words of a file that mean an outcome of 1, of 0, or none."""


class ColumnsError(BoardError):
    """No column is known to be the model or the item: the file has these `columns`."""

    def __init__(self, sentence: str, columns: Sequence[str]) -> None:
        super().__init__(sentence)
        self.columns = tuple(columns)


def from_csv(body: bytes, column_names: Mapping[str, str] = UNNAMED) -> Board:
    """The board of a CSV file with a head; `column_names` says of COLUMNS which column of the file each is.

    Raises BoardError where it is none, and ColumnsError where that hangs on the names of its columns.
    """
    text = _text(body)
    names = _head(text)
    if len(names) > MANY_COLUMNS:
        return _many_items(text, names, _column_names(names, column_names, ("model",))["model"])
    rows = _read_csv(text)
    column_of = _column_names(rows.columns, column_names, ("model", "item"))
    model, item, value, size, cluster = (column_of[role] for role in COLUMNS)
    if "score" in column_names and not (model and (item or size)):
        raise BoardError("a column of scores takes one with the model, and one with n or the item beside it")
    if model and item and value:
        return _long(rows, model, item, value, cluster)
    if model and value and size:
        return _scores(rows, model, value, size)
    if model:
        unit_columns = [name for name in rows.columns if name != model]
        check_size(rows.height, len(unit_columns))
        units = _with_numbers(rows, unit_columns)
        if not units:
            raise BoardError("no column holds a number")
        board = _wide(rows[model].to_list(), _fractions(rows, units).T, units, None, LINE_A_MODEL)
        return replace(board, left_out=len(unit_columns) - len(units))
    models = [name for name in rows.columns if name not in {item, cluster}]
    check_size(len(models), rows.height)
    clusters = rows[cluster].fill_null("").to_list() if cluster else None
    return _wide(models, _fractions(rows, models), rows[item].to_list(), clusters, COLUMN_A_MODEL)


def _column_names(names: Sequence[str], column_names: Mapping[str, str], needed: Sequence[str]) -> dict[str, str]:
    """The column of the file that each of COLUMNS is: as it is named, else by its usual names; empty where neither.

    Raises ColumnsError where it is none of those that are `needed`.
    """
    by_name = {name.strip(): name for name in names}
    absent = next((name for name in column_names.values() if name.strip() not in by_name), None)
    if absent is not None:
        raise BoardError(f"there is no column {absent!r}")
    chosen = {role: by_name[name.strip()] for role, name in column_names.items()}
    unclaimed = {name.strip().lower(): name for name in names if name not in chosen.values()}
    column_of = {role: chosen.get(role) or _first_of(unclaimed, usual) for role, usual in COLUMNS.items()}
    if not any(column_of[role] for role in needed):
        raise ColumnsError(f"no column is called {' or '.join(needed)}; the first line names the columns", names)
    return column_of


def _text(body: bytes) -> str:
    try:
        return table_text(body)
    except UnicodeDecodeError as wrong:
        raise BoardError(
            f"it is no text in UTF-8 (byte {wrong.start:,}); a spreadsheet saves it as CSV UTF-8"
        ) from wrong


def _head(text: str) -> list[str]:
    """The names of the columns; raises BoardError where one is there twice."""
    line = text.split("\n", 1)[0]
    names = [name.strip().strip('"') for name in line.split(separator(text))]
    commonest, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise BoardError(f"the column {commonest!r} is there twice or more")
    return names


def _read_csv(text: str) -> pl.DataFrame:
    try:
        rows = pl.read_csv(io.StringIO(text), separator=separator(text), infer_schema=False)
    except pl.exceptions.PolarsError as wrong:
        raise BoardError(f"it is no table with one head: {str(wrong).splitlines()[0]}") from wrong
    if rows.is_empty():
        raise BoardError("it has no line below the head")
    return rows


def _many_items(text: str, names: list[str], model: str) -> Board:
    """A line for each model with a column an item: turned round, as a frame of so many columns takes long to make."""
    model_column = names.index(model)
    lines = [line for line in csv.reader(io.StringIO(text), delimiter=separator(text)) if line][1:]
    check_size(len(lines), len(names) - 1)
    wrong = next((index for index, line in enumerate(lines, 2) if len(line) != len(names)), None)
    if wrong is not None:
        raise BoardError(f"line {wrong} has other columns than the head")
    models = [line.pop(model_column).strip() for line in lines]
    items = names[:model_column] + names[model_column + 1 :]
    cells = pl.DataFrame({f"{index}": line for index, line in enumerate(lines)})
    return _wide(models, _fractions(cells, cells.columns, items), items, None, LINE_A_MODEL)


def _first_of(columns: dict[str, str], names: Sequence[str]) -> str:
    return next((columns[name] for name in names if name in columns), "")


def _cells(columns: Sequence[str]) -> pl.Expr:
    """The cells of these columns without blanks, signs of percent and words for right and wrong."""
    bare = pl.col(columns).str.strip_chars().str.strip_suffix("%").str.strip_chars().str.to_lowercase()
    return bare.replace(WORDS).replace("", None)


def _with_numbers(rows: pl.DataFrame, columns: Sequence[str]) -> list[str]:
    """The columns that hold any number; a column of text alone describes a model."""
    has = rows.select(_cells(columns).cast(pl.Float64, strict=False).is_not_null().any()).row(0)
    empty = rows.select(_cells(columns).is_null().all()).row(0)
    return [name for name, number, nothing in zip(columns, has, empty, strict=True) if number or nothing]


def _fractions(rows: pl.DataFrame, columns: Sequence[str], items: Sequence[str] | None = None) -> Numbers:
    """The scores of these columns as `_numbers` reads them, as fractions of 1: all are percents or none is.

    They are percents where one is above 1 or has the sign. Raises BoardError for one below 1 without a sign among them.
    """
    numbers = _numbers(rows, columns, items)
    signed = rows.select(pl.col(columns).str.contains("%", literal=True).fill_null(value=False)).to_numpy().T
    if not signed.any() and np.nanmax(numbers, initial=0.0) <= 1:
        return numbers
    either = (numbers > 0) & (numbers < 1) & ~signed
    if either.any():
        column, line = (int(indices[0]) for indices in np.nonzero(either))
        cell_name, score = _cell_address(line, columns[column], items), float(numbers[column, line])
        raise below_one(f"{cell_name}: percents beside a score below 1", score)
    return numbers / 100


def _numbers(rows: pl.DataFrame, columns: Sequence[str], items: Sequence[str] | None = None) -> Numbers:
    """The cells of these columns, (columns, rows), NaN where empty; raises BoardError for what is no number.

    `items` are the names of the rows where the table was turned round.
    """
    cells = rows.select(_cells(columns))
    cast = cells.select(pl.all().cast(pl.Float64, strict=False))
    wrong = cells.select(pl.all().is_not_null()).to_numpy() & ~np.isfinite(cast.fill_null(np.nan).to_numpy())
    if wrong.any():
        line, column = (int(indices[0]) for indices in np.nonzero(wrong))
        cell = cells[columns[column]][line]
        raise BoardError(f"{_cell_address(line, columns[column], items)}: {cell!r} is no score")
    return np.ascontiguousarray(cast.fill_null(np.nan).to_numpy().T)


def _cell_address(line: int, column: str, items: Sequence[str] | None) -> str:
    """The position of a cell in the file, as messages print it."""
    return f"line {line + 2}, column {column!r}" if items is None else f"line {int(column) + 2}, column {items[line]!r}"


def _wide(
    models: Sequence[str], fractions: Numbers, units: Sequence[str], clusters: Sequence[str] | None, read_as: str
) -> Board:
    names, listed = (["" if name is None else str(name) for name in side] for side in (models, units))
    return board_of(kind_of(fractions), names, fractions, listed, read_as, clusters=clusters)


def _long(rows: pl.DataFrame, model: str, item: str, value: str, cluster: str) -> Board:
    named = rows.select(model=pl.col(model).fill_null(""), item=pl.col(item).fill_null(""))
    models, units = (named[name].unique(maintain_order=True) for name in ("model", "item"))
    check_size(models.len(), units.len())
    cells = named.with_columns(score=pl.Series(_fractions(rows, [value])[0]))
    repeated = named.filter(named.is_duplicated())
    if repeated.height:
        raise BoardError(f"the model {repeated['model'][0]!r} has the item {repeated['item'][0]!r} more than once")
    matrix = np.full((models.len(), units.len()), np.nan)
    positions = [
        cells[name].replace_strict(side, np.arange(side.len())).to_numpy()
        for name, side in (("model", models), ("item", units))
    ]
    matrix[positions[0], positions[1]] = cells["score"].to_numpy()
    clusters = None
    if cluster:
        of_item = rows.select(item=pl.col(item).fill_null(""), of=pl.col(cluster).fill_null("")).unique()
        if of_item.height != units.len():
            raise BoardError("an item belongs to more than one cluster")
        clusters = units.replace_strict(of_item["item"], of_item["of"]).to_list()
    return board_of(
        kind_of(matrix), models.to_list(), matrix, units.to_list(), LINE_A_CELL,
        clusters=clusters,
    )  # fmt: skip


def _scores(rows: pl.DataFrame, model: str, value: str, size: str) -> Board:
    values, sizes = _fractions(rows, [value]), _numbers(rows, [size])[0]
    if not (np.isfinite(sizes).all() and (sizes >= 1).all() and (sizes == np.round(sizes)).all()):
        raise BoardError(f"the column {size!r} holds whole numbers of items from 1 on")
    names = rows[model].fill_null("").to_list()
    return board_of(SCORES, names, values.T, [value], LINE_A_SCORE, sizes=sizes)
