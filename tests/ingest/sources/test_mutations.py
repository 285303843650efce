"""Whatever happens to a payload's bytes, a source refuses it or accounts for every row: nothing else comes out."""

import contextlib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.rows import PayloadError
from tests.ingest.sources.payload_rows import PAYLOADS, accounted, expectations, resolved

EXPECTED = list(expectations())
NAMES = [f"{key}-{name}" for key, name, _, _ in EXPECTED]
SNIPPETS = [
    b"",
    b"\x00",
    b"\xff",
    b'"',
    b",",
    b"\n",
    b"\r",
    b"{",
    b"]",
    b"NaN",
    b"-1e999",
    b"\\ud800",
    b"99999999999999999999",
]
SNIPPETS += ["±".encode(), "\u202e".encode(), "٣".encode(), b"null", b"[[[[", b"true"]

EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 6), st.one_of(st.sampled_from(SNIPPETS), st.binary(max_size=4))),
    min_size=1,
    max_size=4,
)


def edited(body: bytes, edits: list[tuple[float, int, bytes]]) -> bytes:
    for where, dropped, inserted in edits:
        place = int(where * len(body))
        body = body[:place] + inserted + body[place + dropped :]
    return body


def check(key: str, name: str, path: str, edits: list[tuple[float, int, bytes]]) -> None:
    body = edited((PAYLOADS / key / name).read_bytes(), edits)
    with contextlib.suppress(PayloadError):
        facts = resolved(key, path, body)
        assert facts.rows_in == accounted(facts)
        assert facts.results["score"].is_finite().all()


@pytest.mark.parametrize(("key", "name", "path", "expected"), EXPECTED, ids=NAMES)
@given(edits=EDITS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
def test_edited_bytes_are_refused_or_accounted_for(
    key: str, name: str, path: str, expected: dict[str, Any], edits: list[tuple[float, int, bytes]]
) -> None:
    check(key, name, path, edits)


@pytest.mark.soak
@pytest.mark.parametrize(("key", "name", "path", "expected"), EXPECTED, ids=NAMES)
@given(edits=EDITS)
@settings(max_examples=3000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_edited_bytes_at_length(
    key: str, name: str, path: str, expected: dict[str, Any], edits: list[tuple[float, int, bytes]]
) -> None:
    check(key, name, path, edits)
