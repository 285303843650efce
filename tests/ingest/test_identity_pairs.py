"""Names measured: 300 pairs that people judged, drawn so that a resolver can fail on every side (data/README.md)."""

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ingest.identity import Aliases, identify, with_normalised
from warehouse.registry import read_registry

HERE = Path(__file__).parent
REGISTRY = HERE.parents[1] / "data" / "registry"
STRATA = {
    "merged boards": 920,
    "merged fine-tunes": 283,
    "merged papers": 28,
    "near boards": 1937,
    "near fine-tunes": 2489,
    "near papers": 1695,
    "one word boards": 985,
    "one word fine-tunes": 760,
    "one word papers": 118,
    "stripped boards": 3271,
    "stripped fine-tunes": 949,
    "stripped papers": 388,
}
"""Pairs in each stratum when the sample was drawn: what a judged pair stands for is this, divided by how many were."""


class Judged(NamedTuple):
    name_a: str
    source_a: str
    name_b: str
    source_b: str
    same: str
    reason: str
    stratum: str


def read_pairs(name: str) -> list[Judged]:
    with (HERE / name).open(encoding="utf-8", newline="") as opened:
        return [Judged(**row) for row in csv.DictReader(opened)]


PAIRS = read_pairs("identity_pairs.csv")
FRESH = read_pairs("identity_pairs_fresh.csv")


@pytest.fixture(scope="module")
def aliases() -> Aliases:
    return with_normalised(read_registry(REGISTRY).aliases())


def outcomes(pairs: list[Judged], aliases: Aliases) -> Iterator[tuple[Judged, bool]]:
    for pair in pairs:
        left = identify(pair.name_a, pair.source_a, aliases)
        yield pair, left.model_id == identify(pair.name_b, pair.source_b, aliases).model_id


def measure(pairs: list[Judged], aliases: Aliases, weights: dict[str, float]) -> tuple[float, float]:
    """(precision, recall), each pair counted by the weight of its stratum."""
    both = merged = same = 0.0
    for pair, joined in outcomes(pairs, aliases):
        weight = weights[pair.stratum]
        merged += weight * joined
        same += weight * (pair.same == "true")
        both += weight * (joined and pair.same == "true")
    return both / merged, both / same


def test_the_sample_is_what_it_says() -> None:
    assert len(PAIRS) == 300
    assert len({pair[:4] for pair in PAIRS}) == 300
    assert not {pair[:4] for pair in PAIRS} & {pair[:4] for pair in FRESH}
    for pair in (*PAIRS, *FRESH):
        assert pair.same in ("true", "false")
        assert pair.source_a != pair.source_b
        assert len(pair.reason) > 8, pair
        assert pair.stratum in STRATA
    assert len({source for pair in PAIRS for source in (pair.source_a, pair.source_b)}) >= 24
    assert 100 <= sum(pair.same == "true" for pair in PAIRS) <= 200


def test_hardly_ever_are_two_models_taken_for_one(aliases: Aliases) -> None:
    wrong = [pair for pair, joined in outcomes([*PAIRS, *FRESH], aliases) if joined and pair.same == "false"]
    precision, _ = measure(PAIRS, aliases, dict.fromkeys(STRATA, 1.0))
    assert precision >= 0.99, wrong


def test_one_model_under_two_names_is_mostly_found(aliases: Aliases) -> None:
    missed = [pair for pair, joined in outcomes(PAIRS, aliases) if not joined and pair.same == "true"]
    _, recall = measure(PAIRS, aliases, dict.fromkeys(STRATA, 1.0))
    assert recall >= 0.85, missed


def test_the_same_holds_of_all_pairs_that_the_sample_stands_for(aliases: Aliases) -> None:
    drawn = Counter(pair.stratum for pair in PAIRS)
    precision, recall = measure(PAIRS, aliases, {stratum: STRATA[stratum] / drawn[stratum] for stratum in drawn})
    assert precision >= 0.99
    assert recall >= 0.85
