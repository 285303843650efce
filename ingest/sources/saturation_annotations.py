"""Benchmark saturation study: the five best scores of 60 benchmarks as annotated by hand, with n and release date.

Names are in one cell, the list (`o3: 99.2; Grok-4: 99.0; ...`, some without colon or semicolon), scores in five
columns. The scores are read from the columns, of which the study's index is computed, the names from the list. A score
that the list does not have in its place has no name and is rejected; of a list of four the study repeats the last as
the fifth. A name that is in a list twice has its place as the setting. The lists mix settings and editions, and n is
often not that of the scores, so every benchmark has an id of the study's own. Dates are month first except one
(DAY_FIRST), as the paper of that benchmark shows (arXiv 2411.04872). Lines without a name are blank forms.
"""

import re
from collections.abc import Iterator
from datetime import date

from benchhealth.ingest.formats.bodies import Record, read_csv, slug
from benchhealth.ingest.formats.numbers import number_or_none, read_count, readable
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

HOMEPAGE = "https://github.com/evaleval/benchmark-saturation"
PLACES = tuple(f"top model {place}" for place in range(1, 6))
DAY_FIRST = frozenset({"FrontierMath"})

_NAMED = re.compile(r"\s*(?P<name>\S.*?):?\s+(?P<score>\d+(?:\.\d+)?)\s*(?:;|\s{2,}|$)")
_BLANKS = re.compile(r"\s{2,}")
_LONGEST_LIST = 2_000
"""The most characters that a list of five names and scores may have: ten times the longest. Others are not searched."""

_DATE = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
_LARGEST_ROUNDING = 0.051
"""How far a column may be from the list: it is rounded to one decimal where the list has three."""


def parse(body: bytes, path: str) -> Parsed:
    """Read the table: five rows a benchmark."""
    records = read_csv(
        body, ["Name", "Released Date", "top5_models_extracted", *PLACES, "Quantity of test samples", "Metric"]
    )
    named = [record for record in records if record.cells["Name"].strip()]
    ids = [_benchmark_of(record) for record in named]
    if not named or len(set(ids)) < len(ids):
        raise PayloadError("no benchmark, or two of one name")
    rows = [row for record in named for row in _rows(record)]
    rows += [
        RawRow(row=f"line {record.line}", benchmark="", model="", score="", reject="excluded: a blank form")
        for record in records
        if not record.cells["Name"].strip()
    ]
    return Parsed(rows=rows, benchmarks=[_fact(record) for record in named])


SOURCE = Source(
    key="saturation-annotations",
    title="Benchmark saturation study: top five of 60 benchmarks, annotated by hand",
    homepage=HOMEPAGE,
    licence="MIT",
    redistributable=True,
    kind="paper",
    cadence="once",
    files=(
        GithubFile(
            "saturation-annotations/annotations",
            "evaleval/benchmark-saturation",
            "main",
            "data/manual_annotation_data.csv",
        ),
    ),
    parse=parse,
)


def _name(record: Record) -> str:
    return " ".join(record.cells["Name"].split())


def _benchmark_of(record: Record) -> str:
    title = _name(record).partition(":")[0].replace("τ", "tau")
    return f"saturation-annotations-{slug(title) or 'unnamed'}"


def _rows(record: Record) -> Iterator[RawRow]:
    scores = [record.cells[rank].strip() for rank in PLACES]
    names = _names(record.cells["top5_models_extracted"], scores)
    for rank, (column, score, name) in enumerate(zip(PLACES, scores, names, strict=True), 1):
        yield RawRow(
            row=f"line {record.line}, column {column}",
            benchmark=_benchmark_of(record),
            model=name,
            score=score,
            n_items=record.cells["Quantity of test samples"],
            setting=f"place {rank}" if names.count(name) > 1 else "",
            reject=record.problem or ("" if name else "no name in the list has this score"),
        )


def _names(listed: str, scores: list[str]) -> list[str]:
    """The name of each score, in order; empty where the list has another score at that position, or no score."""
    # Long runs of blanks, over which the pattern would go back and forth, are cut to two, which end an entry as well.
    matches = _NAMED.finditer(_BLANKS.sub("  ", listed)) if len(listed) <= _LONGEST_LIST else ()
    pairs = [(match["name"].strip(), float(match["score"])) for match in matches]
    if len(pairs) == len(scores) - 1:
        pairs.append(pairs[-1])
    pairs += [("", -1.0)] * (len(scores) - len(pairs))
    return [name if _near(score, stated) else "" for score, (name, stated) in zip(scores, pairs, strict=False)]


def _near(score: str, stated: float) -> bool:
    number = number_or_none(score)
    return number is not None and abs(number - stated) <= _LARGEST_ROUNDING


def _fact(record: Record) -> BenchmarkFact:
    return BenchmarkFact(
        benchmark=_benchmark_of(record),
        name=f"{_name(record)} (top five of the saturation study)",
        metric=" ".join(record.cells["Metric"].split()) or "score",
        n_items=readable(record.cells["Quantity of test samples"], read_count),
        released_on=_released_on(record),
        paper_url=HOMEPAGE,
    )


def _released_on(record: Record) -> str:
    match = _DATE.fullmatch(record.cells["Released Date"].strip())
    if match is None:
        return ""
    first, second, year = (int(number) for number in match.groups())
    month, day = (second, first) if _name(record) in DAY_FIRST else (first, second)
    try:
        return date(year, month, day).isoformat() if 1950 <= year <= 2100 else ""
    except ValueError:
        return ""
