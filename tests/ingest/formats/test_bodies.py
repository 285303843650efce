"""Tables and documents are read with every record's address, or refused as a whole."""

import pytest

from benchhealth.ingest.formats.bodies import object_at, objects_of, read_csv, read_json, value_at
from benchhealth.ingest.rows import PayloadError


def test_the_line_is_that_of_the_file_even_after_quoted_line_breaks() -> None:
    records = read_csv(b'\xef\xbb\xbfa, b\r\n1,"x\r\ny"\r\n\r\n2,3\r\n', ["a", "b"])
    assert [(record.line, record.cells["a"], record.problem) for record in records] == [(2, "1", ""), (5, "2", "")]


def test_a_line_of_another_width_carries_its_problem() -> None:
    records = read_csv(b"a,b\n1\n1,2,3\n", ["a"])
    assert [record.problem for record in records] == ["1 cells under 2 columns", "3 cells under 2 columns"]
    assert records[0].cells == {"a": "1", "b": ""}


def test_a_column_named_twice_is_refused() -> None:
    with pytest.raises(PayloadError, match="named twice: a"):
        read_csv(b"a,b,a\n1,2,3\n", ["a"])


def test_numbers_of_a_document_stay_as_published() -> None:
    assert read_json(b'{"a": 1.50, "b": [12, NaN], "c": true}') == {"a": "1.50", "b": ["12", "NaN"], "c": True}


@pytest.mark.parametrize("body", [b'{"a": 1, "a": 2}', b'{"\\ud800": 1}', b"[" * 100_000, b"{", b'{"a": }'])
def test_a_document_that_loses_something_is_refused(body: bytes) -> None:
    with pytest.raises(PayloadError):
        read_json(body)


def test_what_stands_under_keys_is_nothing_where_a_step_leads_nowhere() -> None:
    document = {"a": {"b": {"c": "1"}}, "list": [{"b": "2"}]}
    assert value_at(document, "a", "b", "c") == "1"
    assert value_at(document, "a", "x", "c") is None
    assert value_at(document, "list", "b") is None
    assert object_at(document, "a", "b") == {"c": "1"}
    assert object_at(document, "a", "b", "c") == {}
    assert object_at("no object") == {}


@pytest.mark.parametrize("value", [None, {}, [], ["x"], [{"a": "1"}, {"b": "2"}]])
def test_a_list_of_other_things_than_these_objects_is_refused(value: object) -> None:
    assert objects_of([{"a": "1", "b": ""}], "no runs", "a") == [{"a": "1", "b": ""}]
    with pytest.raises(PayloadError, match="no runs"):
        objects_of(value, "no runs", "a")
