import csv
import io
import sys
import unicodedata

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.warehouse.sharing.csv import neutral_csv
from tests.support.small_generation import FORMULA

DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")


def cells(frame: pl.DataFrame) -> list[list[str]]:
    return list(csv.reader(io.StringIO(neutral_csv(frame).decode(), newline="")))


@pytest.mark.parametrize("text", [FORMULA, "+1", "-2+3", "@SUM(A1)", "\t=1", " =1", "|calc", "%0a", "\ufeff=1"])
def test_formulas_get_an_apostrophe(text: str) -> None:
    assert cells(pl.DataFrame({"name": [text]}))[1] == [f"'{text}"]


def letters() -> list[str]:
    return [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]


def test_no_letter_of_unicode_that_a_spreadsheet_may_take_for_a_sign_begins_a_cell() -> None:
    """Full-width and small forms, raised and lowered ones; what NFKC makes a sign of, and the minus sign itself."""
    alike = [letter for letter in letters() if unicodedata.normalize("NFKC", letter)[:1] in {*"=+-@|%", "\u2212"}]
    assert {"\uff1d", "\uff0b", "\uff0d", "\uff20", "\ufe62", "\ufe66"} < set(alike)
    assert [cell for (cell,) in cells(pl.DataFrame({"name": alike}))[1:]] == [f"'{letter}" for letter in alike]


def test_nothing_unseen_hides_a_sign() -> None:
    """Blanks, controls, marks without width, byte order marks, variation selectors, fillers."""
    unseen = [letter for letter in letters() if letter.isspace() or unicodedata.category(letter) in ("Cc", "Cf", "Zs")]
    unseen += ["\u034f", "\u115f", "\u3164", "\uffa0", "\ufe0f", "\U000e0100"]
    begun = [f"{letter}\ufeff{letter}{sign}1" for letter in unseen if letter not in "\r\n" for sign in "=\uff1d"]
    assert [cell for (cell,) in cells(pl.DataFrame({"name": begun}))[1:]] == [f"'{text}" for text in begun]


def test_numbers_dates_and_plain_text_stay_as_they_are() -> None:
    frame = pl.DataFrame({"name": ["gpt-4 (high)", None], "score": [-0.5, None], "flags": [["a", "=b"], []]})
    assert cells(frame) == [["name", "score", "flags"], ["gpt-4 (high)", "-0.5", "a; =b"], ["", "", ""]]


def test_a_list_that_begins_with_a_formula_is_neutral_too() -> None:
    assert cells(pl.DataFrame({"flags": [["=b", "a"]]}))[1] == ["'=b; a"]


def test_a_text_of_any_type_is_neutral() -> None:
    frame = pl.DataFrame(
        {"enum": ["=1"], "category": ["\t=1"], "enums": [["@a"]], "number": [-1]},
        schema={
            "enum": pl.Enum(["=1"]),
            "category": pl.Categorical,
            "enums": pl.List(pl.Enum(["@a"])),
            "number": pl.Int8,
        },
    )
    assert cells(frame)[1] == ["'=1", "'\t=1", "'@a", "-1"]


@pytest.mark.parametrize("name", [FORMULA, "+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "|calc", "%0a", "\ufeff=1"])
def test_the_name_of_a_column_is_no_formula(name: str) -> None:
    assert cells(pl.DataFrame({name: [1]}))[0] == [f"'{name}"]


def test_column_names_are_kept() -> None:
    assert cells(pl.DataFrame({"a": [1]}, schema={"a": pl.Int64}))[0] == ["a"]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1))
def test_no_text_cell_begins_as_a_formula(text: str) -> None:
    cell = cells(pl.DataFrame({"name": [text]}))[1][0]
    assert not cell.lstrip(" \u00a0\ufeff").startswith(DANGEROUS)
    assert cell in (text, f"'{text}")
