"""Every source reads its payloads into exactly the rows that are expected of them."""

from datetime import date
from typing import Any

import pytest

from benchhealth.ingest.rows import PayloadError
from tests.ingest.sources.payload_rows import (
    BY_KEY,
    PAYLOADS,
    accounted,
    as_lines,
    expectations,
    payload,
    readable,
    resolved,
)

EXPECTED = list(expectations())
NAMES = [f"{key}-{name}" for key, name, _, _ in EXPECTED]

NOT_A_PAYLOAD = {
    "nothing": b"",
    "only blanks": b" \n\n",
    "a web page": b"<!DOCTYPE html><html><body>Rate limit</body></html>",
    "not UTF-8": b"model,score\n\xff\xfe,1\n",
    "another table": b"colour,weight\nred,1\n",
    "a header alone": b"model\n",
    "other JSON": b'{"message": "Not Found"}',
    "a list": b"[1, 2, 3]",
    "half a document": b'{"leaderboard": [',
    "an open quote": b'model,"score\n1,2\n',
}


@pytest.mark.parametrize(("key", "name", "path", "expected"), EXPECTED, ids=NAMES)
def test_a_payload_gives_its_expected_rows(key: str, name: str, path: str, expected: dict[str, Any]) -> None:
    facts = resolved(key, path, payload(key, name))
    rows = readable(facts)
    assert rows["rejections"] == expected["rejections"], as_lines(rows)  # first: they say why a result is missing
    assert rows == expected, as_lines(rows)
    assert facts.rows_in == accounted(facts)
    assert facts.rejections["reason"].str.len_chars().min() != 0


@pytest.mark.parametrize(("key", "name", "path", "expected"), EXPECTED, ids=NAMES)
def test_a_body_of_another_kind_is_refused_as_a_whole(key: str, name: str, path: str, expected: dict[str, Any]) -> None:
    for body in NOT_A_PAYLOAD.values():
        with pytest.raises(PayloadError):
            BY_KEY[key].parse(body, path)


@pytest.mark.parametrize("key", ["timm", "livebench", "squad", "evalplus", "epoch"])
def test_a_file_that_is_not_the_sources_is_refused(key: str) -> None:
    with pytest.raises(PayloadError, match="not "):
        BY_KEY[key].parse(b"model,top1\na,1\n", "data/external_benchmark_unheard_of.csv")


def test_a_row_dated_after_its_file_is_rejected() -> None:
    body = (PAYLOADS / "squad" / "out-v2.0.json").read_bytes()
    facts = resolved("squad", "out-v2.0.json", body, observed_on=date(2018, 12, 1))
    assert facts.results["dated_on"].max() == date(2018, 10, 20)
    assert "dated 2019-01-01, after the file itself (2018-12-01)" in facts.rejections["reason"].to_list()


def test_carriage_returns_and_a_byte_order_mark_change_nothing() -> None:
    for key, name, path, expected in expectations():
        if name.endswith(".csv"):
            body = payload(key, name).replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf")
            rewritten = b"\xef\xbb\xbf" + body.replace(b"\n", b"\r\n")
            assert readable(resolved(key, path, rewritten)) == expected
