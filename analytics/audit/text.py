"""The text of a table as spreadsheets write it, brought to one form: UTF-8, line ends, decimal points, no empty end."""

import codecs
import re


def table_text(body: bytes) -> str:
    """The text of a table: UTF-8, or UTF-16 with its mark, without the empty columns and lines at its end.

    Where semicolons part the cells a comma is the decimal one, as Excel has it; where tabs do, if one of them cannot be
    for thousands. There a day `17.5.2026` is read too. Raises UnicodeDecodeError.
    """
    wide = body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = body.decode("utf-16" if wide else "utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    mark = separator(text)
    first_line = text.split("\n", 1)[0]
    if empty := len(first_line) - len(first_line.rstrip(mark)):
        text = re.sub(rf"{mark}{{1,{empty}}}$", "", text, flags=re.MULTILINE)
    last = len(text.rstrip(f"{mark} \t\n"))
    text = text[: text.find("\n", last) + 1 or None]
    if mark == ",":
        return text
    cell = rf'(?:(?<=[{mark}\n])|(?<=[{mark}\n]"))({{}})(?=\s*%?"?(?:[{mark}\n]|\Z))'
    text = re.sub(cell.format(r"(\d\d?)\.(\d\d?)\.(\d{4})"), _day, text)
    decimals = re.compile(cell.format(r"([+-]?\d*),(\d+)"))
    if mark == "\t" and all(len(match[3]) == 3 and match[2] not in ("", "0") for match in decimals.finditer(text)):
        return text
    return decimals.sub(r"\2.\3", text)


def separator(text: str) -> str:
    """The separator of cells, by the first line of a table: a comma, a semicolon or a tab."""
    return max(",;\t", key=text.split("\n", 1)[0].count)


def _day(match: re.Match[str]) -> str:
    return f"{match[4]}-{match[3]:0>2}-{match[2]:0>2}"
