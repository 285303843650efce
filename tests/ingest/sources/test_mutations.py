"""Whatever happens to a payload's bytes, a source refuses it or accounts for every row: nothing else comes out."""

import contextlib
import random
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.rows import PayloadError
from tests.ingest.sources.payload_rows import BY_KEY, accounted, expectations, payload, resolved

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

PLACE = st.floats(0, 1)
BYTES = st.tuples(PLACE, st.integers(0, 6), st.one_of(st.sampled_from(SNIPPETS), st.binary(max_size=4)))
PIECES = st.tuples(PLACE, PLACE, st.sampled_from(["drop", "double", "swap", "cut"]))
"""Pieces between the marks of a format: cells, keys, values, lines."""

EDITS = st.lists(st.one_of(BYTES, PIECES), min_size=1, max_size=4)
Edits = list[tuple[float, int, bytes] | tuple[float, float, str]]

MARKS = re.compile(rb"([\n,:|{}\[\]\t])")
PER_PARSER = 10_000
SHARES = Counter(key for key, _, _, _ in EXPECTED)


def edited(body: bytes, edits: Edits) -> bytes:
    for where, extent, what in edits:
        if isinstance(what, bytes):
            place = int(where * len(body))
            body = body[:place] + what + body[place + int(extent) :]
        else:
            body = rearranged(MARKS.split(body), where, extent, what)
    return body


def rearranged(pieces: list[bytes], where: float, elsewhere: float, what: str) -> bytes:
    one, other = (int(place * (len(pieces) - 1)) for place in (where, elsewhere))
    if what == "drop":
        del pieces[one]
    elif what == "double":
        pieces.insert(other, pieces[one])
    elif what == "swap":
        pieces[one], pieces[other] = pieces[other], pieces[one]
    else:
        del pieces[one:]
    return b"".join(pieces)


def drawn(seed: int) -> Edits:
    """Edits like those of EDITS, for a tenth of the time that a strategy takes to draw them."""
    chance = random.Random(seed)
    edits: Edits = []
    for _ in range(chance.randint(1, 4)):
        if chance.random() < 0.5:
            what = chance.choice(SNIPPETS) if chance.random() < 0.5 else chance.randbytes(chance.randint(0, 4))
            edits.append((chance.random(), chance.randint(0, 6), what))
        else:
            edits.append((chance.random(), chance.random(), chance.choice(["drop", "double", "swap", "cut"])))
    return edits


def check(key: str, name: str, path: str, edits: Edits) -> None:
    body = edited(payload(key, name), edits)
    with contextlib.suppress(PayloadError):
        facts = resolved(key, path, body)
        assert facts.rows_in == accounted(facts)
        assert facts.results["score"].is_finite().all()


@pytest.mark.parametrize(("key", "name", "path", "expected"), EXPECTED, ids=NAMES)
@given(edits=EDITS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
def test_edited_bytes_are_refused_or_accounted_for(
    key: str, name: str, path: str, expected: dict[str, Any], edits: Edits
) -> None:
    check(key, name, path, edits)


@pytest.mark.soak
@pytest.mark.parametrize(("key", "name", "path", "expected"), EXPECTED, ids=NAMES)
def test_edited_bytes_at_length(key: str, name: str, path: str, expected: dict[str, Any]) -> None:
    """Ten thousand for each parser, shared by its payloads; what fails is named by the seed of its edits."""

    @given(seed=st.integers(0, 2**64))
    @settings(max_examples=-(-PER_PARSER // SHARES[key]), deadline=None, suppress_health_check=[HealthCheck.too_slow])
    def fuzz(seed: int) -> None:
        check(key, name, path, drawn(seed))

    fuzz()


def test_every_parser_is_fuzzed() -> None:
    assert set(SHARES) == set(BY_KEY)
