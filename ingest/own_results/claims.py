"""What lines of somebody's own results say beside the scores: twins, labels, and when models were released."""

from collections.abc import Sequence
from typing import NamedTuple

from ingest.formats.bodies import Record
from ingest.rows import ModelFact, OwnClaim
from warehouse.registry import LABELS, TWIN_KINDS


class Claims(NamedTuple):
    """What is said of benchmarks, each thing once, and what is wrong with each line (or empty)."""

    claims: list[OwnClaim]
    problems: list[str]


def claims(records: Sequence[Record]) -> Claims:
    """The twins and labels that the lines of a table tell; what one line says and another denies is a problem."""
    kinds: dict[tuple[str, str], str] = {}
    labels: dict[str, str] = {}
    found: dict[OwnClaim, OwnClaim] = {}
    problems = []
    for record in records:
        claim = OwnClaim(
            row="",
            benchmark=cell(record, "benchmark_id"),
            labels=cell(record, "labels"),
            twin_of=cell(record, "twin_of"),
            twin_kind=cell(record, "twin_kind"),
        )
        problem = _wrong(claim)
        if not problem and claim.twin_of:
            first = kinds.setdefault((claim.benchmark, claim.twin_of), claim.twin_kind)
            problem = "" if first == claim.twin_kind else f"another line says that this twin is a {first}"
        if not problem and claim.labels:
            first = labels.setdefault(claim.benchmark, claim.labels)
            problem = "" if first == claim.labels else f"another line says that the labels are {first}"
        problems.append(problem)
        if not problem and (claim.labels or claim.twin_of):
            found.setdefault(claim, claim._replace(row=f"line {record.line}"))
    return Claims(list(found.values()), problems)


def _wrong(claim: OwnClaim) -> str:
    if claim.labels and claim.labels not in LABELS:
        return f"labels {claim.labels!r} are not one of {', '.join(LABELS)}"
    if claim.twin_of and not claim.twin_kind:
        return f"twin_of without a twin_kind, which is one of {', '.join(TWIN_KINDS)}"
    if claim.twin_kind and not claim.twin_of:
        return "twin_kind without the benchmark_id of the original in twin_of"
    if claim.twin_kind and claim.twin_kind not in TWIN_KINDS:
        return f"twin_kind {claim.twin_kind!r} is not one of {', '.join(TWIN_KINDS)}"
    return "a benchmark is no twin of itself" if claim.twin_of and claim.twin_of == claim.benchmark else ""


def dates(records: Sequence[Record]) -> list[ModelFact]:
    """When each model was released and its training data ended, by the first line that says so.

    Another day is another row, which contradicts it.
    """
    found: dict[tuple[str, ...], ModelFact] = {}
    for record in records:
        model, released, ended = (cell(record, name) for name in ("model", "released_on", "trained_until"))
        if model and (released or ended):
            fact = ModelFact(row=f"line {record.line}", model=model, released_on=released, knowledge_cutoff=ended)
            found.setdefault((model, released, ended), fact)
    return list(found.values())


def cell(record: Record, column: str) -> str:
    """What stands in a column, empty where there is none of that name."""
    return record.cells.get(column, "").strip()
