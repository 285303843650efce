"""Draws pairs of published names for people to judge: `python -m tests.ingest.names.identity_sample HOME SEED N`.

Strata are made by likeness of the names alone (and by whether the rules merge the pair), so that a sample has pairs
that are merged, pairs that could have been, and pairs that must not be. Within a stratum every pair is equally
likely; pairs of names that differ in case only are left out, because no resolver gets them wrong.
"""

import csv
import random
import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import ceil
from pathlib import Path
from typing import NamedTuple

from benchhealth.ingest.names.identity import identify
from benchhealth.warehouse.read import Generation, current_path
from tests.support.curated_facts import curated_aliases

NEAR = 0.6
"""Jaccard likeness of the words of two names from which on a pair can be mistaken for one model."""

PAPERS = frozenset(
    {"cifar", "imagenet-testbed", "imagenet-v2-recht", "ito", "nlp-progress", "sota-extractor", "squad", "timm"}
)
SHARE = {
    ("merged", "boards"): 20,
    ("merged", "fine-tunes"): 4,
    ("merged", "papers"): 2,
    ("stripped", "boards"): 28,
    ("stripped", "fine-tunes"): 7,
    ("stripped", "papers"): 5,
    ("near", "boards"): 10,
    ("near", "fine-tunes"): 5,
    ("near", "papers"): 4,
    ("one word", "boards"): 9,
    ("one word", "fine-tunes"): 3,
    ("one word", "papers"): 3,
}
"""Of a hundred pairs, how many come from each stratum."""

_OFTEN = 6_000
_OPTIONAL = frozenset(
    [
        "instruct",
        "instruction",
        "chat",
        "it",
        "base",
        "hf",
        "preview",
        "latest",
        "exp",
        "experimental",
        "beta",
        "api",
        "fc",
        "prompt",
        "thinking",
        "think",
        "nothinking",
        "low",
        "medium",
        "high",
        "xhigh",
        "minimal",
        "effort",
        "reasoning",
        "shot",
        "shots",
        "turbo",
        "awq",
        "gptq",
        "gguf",
        "fp",
        "bf",
        "int",
        "nvfp",
        "bit",
        "single",
        "model",
        "ensemble",
        "diff",
        "whole",
        "udiff",
        "online",
        "default",
        "no",
        "non",
        "with",
        "openai",
        "anthropic",
        "google",
        "meta",
        "microsoft",
        "mistralai",
        "cohere",
        "amazon",
        "ibm",
        "nvidia",
        "databricks",
        "tiiuae",
        "xai",
        "zhipuai",
        "zhipu",
        "moonshotai",
        "moonshot",
        "chutes",
        "openrouter",
        "fireworks",
        "together",
        "allenai",
        "alibaba",
    ]
)
_SIZES = frozenset(
    [
        "mini",
        "nano",
        "micro",
        "small",
        "medium",
        "large",
        "xl",
        "tiny",
        "lite",
        "pro",
        "max",
        "plus",
        "flash",
        "ultra",
        "opus",
        "sonnet",
        "haiku",
    ]
)
_WORD = re.compile(r"[a-z]+|\d+(?:\.\d+)?|[^\W\d_]+|\+")
_DATE = re.compile(r"(?<!\d)(20\d\d[-.]?\d\d[-.]?\d\d|\d\d-20\d\d|[01]\d-[0-3]\d|20\d\d|[01]\d[0-3]\d)(?![\d.kb])")


class Name(NamedTuple):
    source_id: str
    published_name: str
    model_id: str


class Pair(NamedTuple):
    name_a: str
    source_a: str
    name_b: str
    source_b: str
    stratum: str


def words(name: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", name).casefold().replace("_", "-"))


def stripped(name: str) -> tuple[str, ...]:
    """A name without what may be left out of it: maker, dates, effort, training, format; sorted."""
    undated = _DATE.sub(" ", re.sub(r"^[\w.-]+/", "", name.casefold()))
    bare = [word for word in words(undated) if word not in _OPTIONAL]
    return tuple(sorted(part for word in bare for part in word.split(".")))


def strata(names: Sequence[Name]) -> dict[tuple[str, str], list[Pair]]:
    """Every pair of names of two sources that is merged or near, by stratum; each pair of texts once."""
    pairs_of: dict[tuple[str, str], dict[frozenset[str], Pair]] = defaultdict(dict)
    for kind, left, right in _pairs(names):
        texts = frozenset((left.published_name.casefold(), right.published_name.casefold()))
        if len(texts) == 2:
            key = (kind, _group(left.source_id, right.source_id))
            pair = Pair(left.published_name, left.source_id, right.published_name, right.source_id, " ".join(key))
            pairs_of[key].setdefault(texts, pair)
    return {key: [pairs[texts] for texts in sorted(pairs, key=sorted)] for key, pairs in sorted(pairs_of.items())}


def draw(names: Sequence[Name], seed: int, size: int, but: Iterable[frozenset[str]] = ()) -> list[Pair]:
    """`size` pairs by SHARE, without those whose two texts are in `but`; the same for the same names and seed."""
    picked: list[Pair] = []
    known_pairs = set(but)
    for key, pairs in strata(names).items():
        fresh = [pair for pair in pairs if frozenset((pair.name_a, pair.name_b)) not in known_pairs]
        wanted = min(round(SHARE[key] * size / 100), len(fresh))
        picked += random.Random(f"{seed} {key}").sample(fresh, wanted)
    return picked


def published(home: Path) -> list[Name]:
    """Every name that a source prints, with the model that today's rules and aliases make of it, in order."""
    aliases = curated_aliases()
    rows = Generation(current_path(home)).table("alias").drop_nulls("source_id").select("source_id", "published_name")
    return sorted(Name(source, name, identify(name, source, aliases).model_id) for source, name in rows.unique().rows())


def _pairs(names: Sequence[Name]) -> Iterator[tuple[str, Name, Name]]:
    parts = [frozenset(words(name.published_name)) for name in names]
    merged = _grouped(names, [name.model_id for name in names])
    bare = _grouped(names, [stripped(name.published_name) for name in names])
    near = _near(names, parts)
    for left, right in sorted(merged | bare | near):
        first, second = names[left], names[right]
        if first.model_id == second.model_id:
            kind = "merged"
        elif (left, right) in bare:
            kind = "stripped"
        else:
            kind = "one word" if _one_word(parts[left], parts[right]) else "near"
        yield kind, first, second


def _grouped(names: Sequence[Name], keys: Sequence[object]) -> set[tuple[int, int]]:
    groups: dict[object, list[int]] = defaultdict(list)
    for place, key in enumerate(keys):
        if key:
            groups[key].append(place)
    return {
        (left, right)
        for group in groups.values()
        for left, right in combinations(group, 2)
        if names[left].source_id != names[right].source_id
    }


def _near(names: Sequence[Name], parts: Sequence[frozenset[str]]) -> set[tuple[int, int]]:
    """Pairs of two sources whose words are alike, found by the rarest words of each name (prefix filter)."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, part in enumerate(parts):
        for word in part:
            places[word].append(place)
    likely = set()
    for place, part in enumerate(parts):
        rarest = sorted(part, key=lambda word: (len(places[word]), word))[: len(part) - ceil(NEAR * len(part)) + 1]
        for word in rarest:
            for other in places[word] if len(places[word]) <= _OFTEN else ():
                if other > place and names[other].source_id != names[place].source_id:
                    shared = len(part & parts[other])
                    if shared >= NEAR * (len(part) + len(parts[other]) - shared):
                        likely.add((place, other))
    return likely


def _one_word(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether the names differ by one number or word of size on either side: another size, version or variant."""
    odd = left ^ right
    return len(left - right) <= 1 and len(right - left) <= 1 and all(w in _SIZES or w[0].isdigit() for w in odd)


def _group(*source_ids: str) -> str:
    if PAPERS.intersection(source_ids):
        return "papers"
    return "fine-tunes" if "open-llm" in source_ids else "boards"


def main(home: str, seed: str, size: str, *judged: str) -> None:
    """Print the drawn pairs as CSV, and the sizes of the strata to stderr."""
    names = published(Path(home))
    but: list[frozenset[str]] = []
    for path in judged:
        with Path(path).open(encoding="utf-8", newline="") as opened:
            but += [frozenset((row["name_a"], row["name_b"])) for row in csv.DictReader(opened)]
    for key, pairs in strata(names).items():
        print(" ".join(key), len(pairs), file=sys.stderr)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(Pair._fields)
    writer.writerows(draw(names, int(seed), int(size), but))


if __name__ == "__main__":
    main(*sys.argv[1:])
