"""What lines of somebody's own results say beside the scores: twins, labels, and when models were released."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Record
from benchhealth.ingest.rows import ModelFact, OwnClaim
from benchhealth.ingest.run.records import BOUNDED
from benchhealth.warehouse.registry import LABELS, TWIN_KINDS

OWN_PREFIX = "import-"
"""The prefix of ids of benchmarks that only somebody's own results have."""


class Claims(NamedTuple):
    """The claims of a table about benchmarks, each once, and for each line of it what is wrong with it (or empty)."""

    claims: list[OwnClaim]
    problems: list[str]


def claims(records: Sequence[Record]) -> Claims:
    """The twins and labels that the lines of a table tell; what one line says and another denies is a problem."""
    kinds: dict[tuple[str, str], str] = {}
    labels: dict[str, str] = {}
    first_rows: dict[OwnClaim, OwnClaim] = {}
    problems = []
    for record in records:
        claim = OwnClaim(
            row="",
            benchmark=cell(record, "benchmark_id"),
            labels=cell(record, "labels"),
            twin_of=cell(record, "twin_of"),
            twin_kind=cell(record, "twin_kind"),
        )
        problem = _problem_of(claim)
        if not problem and claim.twin_of:
            first = kinds.setdefault((claim.benchmark, claim.twin_of), claim.twin_kind)
            problem = "" if first == claim.twin_kind else f"another line says that this twin is a {first}"
        if not problem and claim.labels:
            first = labels.setdefault(claim.benchmark, claim.labels)
            problem = "" if first == claim.labels else f"another line says that the labels are {first}"
        problems.append(problem)
        if not problem and (claim.labels or claim.twin_of):
            first_rows.setdefault(claim, claim._replace(row=f"line {record.line}"))
    return Claims(list(first_rows.values()), problems)


def _problem_of(claim: OwnClaim) -> str:
    """The problem with the cells of a claim; empty where there is none."""
    if claim.labels and claim.labels not in LABELS:
        return f"labels {claim.labels!r} are not one of {', '.join(LABELS)}"
    if claim.twin_of and not claim.twin_kind:
        return f"twin_of without a twin_kind, which is one of {', '.join(TWIN_KINDS)}"
    if claim.twin_kind and not claim.twin_of:
        return "twin_kind without the benchmark_id of the original in twin_of"
    if claim.twin_kind and claim.twin_kind not in TWIN_KINDS:
        return f"twin_kind {claim.twin_kind!r} is not one of {', '.join(TWIN_KINDS)}"
    return "a benchmark is no twin of itself" if claim.twin_of and claim.twin_of == claim.benchmark else ""


class RecordedBenchmarks(NamedTuple):
    """What is on record of benchmarks, by id: their units, whether higher is better, and who has their labels."""

    units: Mapping[str, str]
    higher: Mapping[str, bool | None]
    labels: Mapping[str, str | None]


def contradictions(new: Sequence[OwnClaim], stored: Sequence[OwnClaim], benchmarks: RecordedBenchmarks) -> list[str]:
    """For each new claim how it contradicts the others, those `stored` or the benchmarks on record; empty if not."""
    kinds = {(claim.benchmark, claim.twin_of): claim.twin_kind for claim in stored if claim.twin_of}
    labels = {claim.benchmark: claim.labels for claim in stored if claim.labels}
    problems = []
    for claim in new:
        problem = _problem_of_labels(claim, labels, benchmarks)
        if not problem and claim.twin_of:
            problem = _problem_of_twin(claim, benchmarks)
            first = kinds.setdefault((claim.benchmark, claim.twin_of), claim.twin_kind)
            if not problem and first != claim.twin_kind:
                problem = f"another file says that this twin is a {first}"
        problems.append(problem)
    return problems


def _problem_of_labels(claim: OwnClaim, first_labels: dict[str, str], benchmarks: RecordedBenchmarks) -> str:
    """Why a claim about labels is refused, as they may be stated of new benchmarks alone; empty where it is not."""
    if not claim.labels:
        return ""
    if not claim.benchmark.startswith(OWN_PREFIX):
        stated = benchmarks.labels.get(claim.benchmark)
        return "" if stated == claim.labels else f"the labels of {claim.benchmark} are {stated or 'not known'} here"
    first = first_labels.setdefault(claim.benchmark, claim.labels)
    return "" if first == claim.labels else f"another file says that the labels are {first}"


def _problem_of_twin(claim: OwnClaim, benchmarks: RecordedBenchmarks) -> str:
    """Why a claim that two benchmarks are twins is refused; empty where it is not."""
    pair = (claim.benchmark, claim.twin_of)
    if claim.twin_of not in benchmarks.units:
        return f"unknown benchmark in twin_of: {claim.twin_of!r}"
    units = [benchmarks.units.get(side, "") for side in pair]
    if units[0] != units[1] and not all(unit in BOUNDED for unit in units):
        return f"a twin in {units[0]} of an original in {units[1]}"
    if benchmarks.higher.get(pair[0]) is not benchmarks.higher.get(pair[1]):
        return "of one side of the twin higher scores are better, of the other lower"
    return ""


def dates(records: Sequence[Record]) -> list[ModelFact]:
    """When each model was released and its training data ended, by the first line that says so.

    Another day is another row, which contradicts it.
    """
    facts: dict[tuple[str, ...], ModelFact] = {}
    for record in records:
        model, released, ended = (cell(record, name) for name in ("model", "released_on", "trained_until"))
        if model and (released or ended):
            fact = ModelFact(row=f"line {record.line}", model=model, released_on=released, knowledge_cutoff=ended)
            facts.setdefault((model, released, ended), fact)
    return list(facts.values())


def cell(record: Record, column: str) -> str:
    """What stands in a column, empty where there is none of that name."""
    return record.cells.get(column, "").strip()
