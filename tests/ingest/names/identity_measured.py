"""The judged pairs of names, and how rules and aliases do on them: `python -m tests.ingest.names.identity_measured`."""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from benchhealth.ingest.names.identity import Aliases, identify
from tests.support.curated_facts import curated_aliases

HERE = Path(__file__).parent

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
"""Pairs in each stratum when the 300 were drawn: a judged pair stands for this, divided by how many were judged."""

FRESH_STRATA = {
    "merged boards": 3746,
    "merged fine-tunes": 601,
    "merged papers": 118,
    "near boards": 1564,
    "near fine-tunes": 2478,
    "near papers": 1684,
    "one word boards": 958,
    "one word fine-tunes": 754,
    "one word papers": 116,
    "stripped boards": 1822,
    "stripped fine-tunes": 705,
    "stripped papers": 312,
}
"""The same for the hundred: the rules merge more since they were mended, so the strata have other sizes."""


class Judged(NamedTuple):
    """Two names as two sources print them, and a person's word on whether they are one model, with the reason."""

    name_a: str
    source_a: str
    name_b: str
    source_b: str
    same: str
    reason: str
    stratum: str


class Measured(NamedTuple):
    """Of the pairs that are merged the share that are one model, and of those that are one the share merged."""

    precision: float
    recall: float


def read_pairs(name: str) -> list[Judged]:
    """The judged pairs of a CSV file beside this module."""
    with (HERE / name).open(encoding="utf-8", newline="") as opened:
        return [Judged(**row) for row in csv.DictReader(opened)]


def aliases_of_today() -> Aliases:
    return curated_aliases()


def outcomes(pairs: list[Judged], aliases: Aliases) -> Iterator[tuple[Judged, bool]]:
    """Each pair, and whether rules and aliases take the two names for one model."""
    for pair in pairs:
        left = identify(pair.name_a, pair.source_a, aliases)
        yield pair, left.model_id == identify(pair.name_b, pair.source_b, aliases).model_id


def measure(pairs: list[Judged], aliases: Aliases, strata: Mapping[str, int] | None = None) -> Measured:
    """Precision and recall; with the sizes of `strata` each pair counts for the pairs of its stratum it stands for."""
    drawn = Counter(pair.stratum for pair in pairs)
    both = merged = same = 0.0
    for pair, joined in outcomes(pairs, aliases):
        weight = strata[pair.stratum] / drawn[pair.stratum] if strata else 1.0
        merged += weight * joined
        same += weight * (pair.same == "true")
        both += weight * (joined and pair.same == "true")
    return Measured(both / merged, both / same)


def main() -> None:
    """Print precision and recall of both samples, as drawn and weighted, and every pair that is got wrong."""
    aliases = aliases_of_today()
    for name, strata in (("identity_pairs.csv", STRATA), ("identity_pairs_fresh.csv", FRESH_STRATA)):
        pairs = read_pairs(name)
        plain, weighted = measure(pairs, aliases), measure(pairs, aliases, strata)
        print(f"{name}: {len(pairs)} pairs, {sum(pair.same == 'true' for pair in pairs)} of one model")
        for words, measured in (("as drawn", plain), ("weighted by stratum", weighted)):
            print(f"  {words}: precision {measured.precision:.3f}, recall {measured.recall:.3f}")
        for pair, joined in outcomes(pairs, aliases):
            if joined != (pair.same == "true"):
                fault = "wrongly merged" if joined else "not found"
                print(f"  {fault}: {pair.name_a} ({pair.source_a}), {pair.name_b} ({pair.source_b}): {pair.reason}")


if __name__ == "__main__":
    main()
