"""Milestones: results that set a record on a classic benchmark, from the papers that reported them.

Boards began late: ImageNet's in 2019, MMLU's in 2021. `data/registry/milestone.csv` has what came before and between, a
line a result, with the paper that reported it, the place in it, and the address of what was opened to read the number:
the paper's own text, a readme of its authors, or a copy of Papers with Code's history. A line that nobody has checked
says so: it is listed among what was left out, and is no result. Each row comes from elsewhere, so it names its paper
in its own address. Most results were reported by those who made the model.
"""

from datetime import date

from benchhealth.ingest.formats.bodies import Record, read_csv
from benchhealth.ingest.rows import Parsed, PayloadError, RawRow
from benchhealth.ingest.source import BundledFile, Source

COLUMNS = (
    *("benchmark_id", "dated_on", "model", "score", "setting", "reporter", "paper", "paper_url", "place"),
    *("checked", "opened", "note"),
)
REPORTERS = ("self", "third_party")
UNCHECKED = "excluded: not checked, nobody here has opened what it was reported in"
NEWEST = date(2025, 4, 16)
"""The day of the newest result in the file."""


def parse(body: bytes, path: str) -> Parsed:
    """Read the table: a row for every result."""
    records = read_csv(body, COLUMNS)
    if not records:
        raise PayloadError("a table without results")
    return Parsed(rows=[_row(record) for record in records])


SOURCE = Source(
    key="milestones",
    title="Milestones: record results of classic benchmarks, from their papers",
    homepage="https://arxiv.org",
    licence="CC-BY-SA-4.0",
    redistributable=True,
    kind="paper",
    cadence="when a curator adds one",
    files=(BundledFile("milestones/milestones", "data/registry/milestone.csv", "https://arxiv.org", NEWEST),),
    parse=parse,
)


def _row(record: Record) -> RawRow:
    cells = record.cells
    address = cells["paper_url"] or cells["opened"]
    return RawRow(
        row=f"line {record.line}, {address}" if address else f"line {record.line}",
        benchmark=cells["benchmark_id"],
        model=cells["model"],
        score=cells["score"],
        unit="percent",
        dated_on=cells["dated_on"],
        date_basis="paper",
        setting=cells["setting"],
        reporter=cells["reporter"] if cells["reporter"] in REPORTERS else "third_party",
        reject=_problem(record),
    )


def _problem(record: Record) -> str:
    cells = record.cells
    if record.problem:
        return record.problem
    if cells["reporter"] not in REPORTERS:
        return f"reported by neither self nor third_party: {cells['reporter']!r}"
    if cells["checked"] not in ("true", "false"):
        return f"checked must be true or false: {cells['checked']!r}"
    if cells["checked"] == "false":
        return UNCHECKED
    return (
        "" if cells["opened"].startswith(("https://", "http://")) else "checked without the address of what was opened"
    )
