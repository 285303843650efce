"""Milestones: results that set a record on a classic benchmark, from the papers that reported them.

Boards began late: ImageNet's in 2019, MMLU's in 2021. `data/registry/milestone.csv` has what came before and between, a
line a result, with the paper that reported it, the place in it, and the address of what was opened to read the number:
the paper's own text, a readme of its authors, or a copy of Papers with Code's history. A line that nobody has checked
says so: it is listed among what was left out, and is no result. Each row comes from elsewhere, so it names its paper
in its own address. Most results were reported by those who made the model.
"""

from datetime import date

from benchhealth.ingest.formats.csv_board import Cells, CsvBoard, Measure
from benchhealth.ingest.rows import RawRow
from benchhealth.ingest.source import BundledFile, Source

COLUMNS = (
    *("benchmark_id", "dated_on", "model", "score", "setting", "reporter", "paper", "paper_url", "place"),
    *("checked", "opened", "note"),
)
REPORTERS = ("self", "third_party")
UNCHECKED = "excluded: not checked, nobody here has opened what it was reported in"
NEWEST = date(2025, 4, 16)
"""The day of the newest result in the file."""


def _result(row: RawRow, cells: Cells) -> RawRow:
    address = cells["paper_url"] or cells["opened"]
    line = row.row.partition(",")[0]
    return row._replace(
        row=f"{line}, {address}" if address else line,
        benchmark=cells["benchmark_id"],
        dated_on=cells["dated_on"],
        date_basis="paper",
        setting=cells["setting"],
        reporter=cells["reporter"] if cells["reporter"] in REPORTERS else "third_party",
        reject=row.reject or _problem(cells),
    )


def _problem(cells: Cells) -> str:
    if cells["reporter"] not in REPORTERS:
        return f"reported by neither self nor third_party: {cells['reporter']!r}"
    if cells["checked"] not in ("true", "false"):
        return f"checked must be true or false: {cells['checked']!r}"
    if cells["checked"] == "false":
        return UNCHECKED
    return (
        "" if cells["opened"].startswith(("https://", "http://")) else "checked without the address of what was opened"
    )


BOARD = CsvBoard(
    # Each line names its own benchmark.
    {"score": Measure("")},
    required=COLUMNS,
    kind="a table without results",
    complete=_result,
    is_one_score=True,
)
parse = BOARD.parse

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
