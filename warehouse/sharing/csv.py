"""CSV for people who open it in a spreadsheet: the one place where texts are made neutral."""

from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import polars as pl

BETWEEN = "; "
"""What stands between the values of a list."""
_SIGNS = r"=+\-@|%"
_LIKE_SIGNS = r"＝﹦⁼₌⩵⩶＋﹢⁺₊﬩－﹣−⁻₋＠﹫｜％﹪"
"""What compatibility forms of Unicode (NFKC) turn into a sign, as some spreadsheets do, and the minus sign."""
_INVISIBLE = r"[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]"
"""Blanks, controls, and what has no width: nothing of it makes a text less of a formula."""
_FORMULA = rf"^{_INVISIBLE}*[{_SIGNS}{_LIKE_SIGNS}\t\r\n]"


def write_csv(pieces: Iterable[pl.DataFrame], file: Path) -> None:
    """Write frames of the same columns as one `neutral_csv`; no more than one of them is held at a time."""
    with file.open("wb") as opened:
        send_csv(pieces, opened)


def send_csv(pieces: Iterable[pl.DataFrame], file: BinaryIO) -> None:
    """Write the CSV of `write_csv` into a file that is open already."""
    for index, piece in enumerate(pieces):
        _neutral(piece).write_csv(file, include_bom=False, include_header=index == 0)


def neutral_csv(frame: pl.DataFrame, *, with_names: bool = True) -> bytes:
    """The frame as UTF-8 CSV in which no text, nor the name of a column, can be taken for a formula.

    A text that begins with `=`, `+`, `-`, `@`, `|`, `%` or a form of one in Unicode such as the full-width `＝` (also
    after blanks, controls and marks that have no width), a tab or a line break gets an apostrophe in front, as OWASP
    advises against CSV injection. Lists are joined with `; `. Numbers and dates stay as they are. Without
    `with_names` the first line is left out. Raises pl.exceptions.PolarsError for what CSV cannot hold.
    """
    return _neutral(frame).write_csv(include_bom=False, include_header=with_names).encode()


def _neutral(frame: pl.DataFrame) -> pl.DataFrame:
    joined = frame.with_columns(
        pl.col(name).cast(pl.List(pl.String)).list.join(BETWEEN)
        for name, kind in frame.schema.items()
        if isinstance(kind, pl.List)
    )
    texts = [name for name, kind in joined.schema.items() if isinstance(kind, pl.String | pl.Enum | pl.Categorical)]
    neutral = joined.with_columns(_apostrophe(pl.col(name).cast(pl.String)).alias(name) for name in texts)
    names = pl.DataFrame({"name": neutral.columns}, schema={"name": pl.String}).select(name=_apostrophe(pl.col("name")))
    return neutral.rename(dict(zip(neutral.columns, names["name"], strict=True)))


def _apostrophe(text: pl.Expr) -> pl.Expr:
    return pl.when(text.str.contains(_FORMULA)).then("'" + text).otherwise(text)
