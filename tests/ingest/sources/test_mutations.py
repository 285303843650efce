"""Whatever happens to a payload's bytes, a source refuses it or accounts for every row: nothing else comes out.

`make soak` draws ten thousand payloads for every parser, out of the tests' payloads and of small real files where these
are at hand; the suite always the same few. What fails names the seed and the number of the payload.
"""

import random
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import pytest

from benchhealth.ingest.rows import PayloadError
from tests.ingest.sources.payload_rows import BY_KEY, accounted, expectations, payload, resolved
from tests.ingest.sources.test_versions import UPSTREAM, versions
from tests.support.mutations import mutated
from tests.support.soaking import Soak
from tests.support.work_limits import at_most, most_memory, used

PER_PARSER = 10_000
SOME = 60
"""Payloads for each parser in the suite."""

SECONDS = 2.5
"""Processor time that a payload of some kilobytes may cost."""

MEGABYTES = 200.0
"""How much more memory the process may hold after ten thousand of them."""

LARGEST = 6_000
"""Bytes of a real file: what is longer is cut at the end of a line."""

REAL = 3
"""Real files beside the tests' payloads; a payload in five is made of one."""


class Whole(NamedTuple):
    """A payload as it should be."""

    path: str
    body: bytes


@cache
def written(key: str) -> Sequence[Whole]:
    """The payloads that were written for the tests of a source."""
    return [Whole(path, payload(key, name)) for of, name, path, _ in expectations() if of == key]


@cache
def real(key: str) -> Sequence[Whole]:
    """Some files of the upstream, where they are beside this checkout: the newest of short ones."""
    if not UPSTREAM.is_dir():
        return []
    newest = sorted(versions(key), key=lambda version: version.committed_on, reverse=True)[: 10 * REAL]
    bodies = sorted((Whole(version.path, version.body()) for version in newest), key=lambda body: len(body.body))
    return [Whole(body.path, shortened(body.body)) for body in bodies[:REAL]]


def shortened(body: bytes) -> bytes:
    return body if len(body) <= LARGEST else body[: body.rfind(b"\n", 0, LARGEST) + 1] or body[:LARGEST]


def drawn(key: str, seed: str, number: int) -> Whole:
    """The payload with this number: one of the source's, mutated; now and then of another of its paths."""
    chance = random.Random(f"{seed} {key} {number}")
    of_tests, of_upstream = written(key), real(key)
    body = chance.choice(of_upstream if of_upstream and chance.random() < 0.2 else of_tests)
    path = body.path if chance.random() < 0.95 else chance.choice(of_tests).path
    return Whole(path, mutated(body.body, chance))


def is_accounted_for(key: str, body: Whole) -> bool:
    """Whether the payload was read; False where it was refused. Every row of one that was read is accounted for."""
    try:
        facts = resolved(key, body.path, body.body)
    except PayloadError:
        return False
    assert facts.rows_in == accounted(facts), (facts.rows_in, accounted(facts))
    assert facts.results["score"].is_finite().all()
    return True


def fuzz(key: str, seed: str, numbers: range) -> tuple[int, float]:
    """How many of the payloads were read, and the processor time in seconds that the slowest took."""
    read, slowest = 0, 0.0
    for number in numbers:
        body, began = drawn(key, seed, number), used()
        try:
            with at_most(SECONDS):
                read += is_accounted_for(key, body)
        except Exception as error:
            error.add_note(f"drawn({key!r}, {seed!r}, {number}): {body.path} {body.body[:3000]!r}")
            raise
        slowest = max(slowest, used() - began)
    return read, slowest


@pytest.mark.parametrize("key", sorted(BY_KEY))
def test_mutated_payloads_are_refused_or_accounted_for(key: str) -> None:
    read, _ = fuzz(key, "suite", range(SOME))
    assert 0 < read < SOME


FOUND = [
    (
        "euroeval",
        "leaderboards/european_all.csv",
        b"Task Type,,,,,,\nModel,Type,Rank,European Values,Open,,\nAlder,base,1,50,yes,1,2\n",
    ),
    ("lmarena-early", "lmarena_text_leaderboard.csv", b"Rank,Model,Score,Votes,License\n1,Alder,1500,10,MIT\n"),
    (
        "nlp-progress",
        "english/question_answering.md",
        b"# Quiz\n\n| Model | F1 | Paper |\n| --- | --- | --- |\n| Alder | 50 | " + b"<a " * 3000 + b"|\n",
    ),
    (
        "nlp-progress",
        "english/question_answering.md",
        b"# Quiz" + b"\t" * 50_000 + b"x\n\n|a|\n" + b"\t" * 50_000 + b"|x\n",
    ),
    (
        "saturation-annotations",
        "annotations.csv",
        b"Name,Released Date,top5_models_extracted,top model 1,top model 2,top model 3,top model 4,top model 5,"
        b"Quantity of test samples,Metric\nQuiz,1/2/2024," + b"| " * 20_000 + b",1,2,3,4,5,100,Accuracy\n",
    ),
    (
        "openhands-index",
        "results/Alder-4/scores.json",
        b'[{"benchmark": "swe-bench-multimodal", "score": 1, "metric": "solveable_accuracy",'
        b' "component_scores": {"combined_accuracy": 1e308}}]',
    ),
]
"""Payloads, made short, on which a parser once failed otherwise than by a refusal, or took seconds over kilobytes."""


@pytest.mark.parametrize(("key", "path", "body"), FOUND, ids=[key for key, _, _ in FOUND])
def test_what_fuzzing_found_is_refused_or_accounted_for(key: str, path: str, body: bytes) -> None:
    with at_most(SECONDS / 2):
        is_accounted_for(key, Whole(path, body))


@pytest.mark.soak
@pytest.mark.parametrize("key", sorted(BY_KEY))
def test_ten_thousand_payloads_are_refused_or_accounted_for(key: str, soak: Soak) -> None:
    before = most_memory()
    read, slowest = fuzz(key, soak.seed, range(PER_PARSER))
    grown = most_memory() - before
    soak.say(
        f"{PER_PARSER} payloads: {read} read, {PER_PARSER - read} refused, "
        f"slowest {slowest * 1e3:.0f} ms, memory +{grown:.0f} MB"
    )
    assert grown < MEGABYTES


def test_every_parser_is_fuzzed() -> None:
    assert {key for key, _, _, _ in expectations()} == set(BY_KEY)
