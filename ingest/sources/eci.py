"""Epoch AI's Capabilities Index, as the table `epoch_capabilities_index.csv`, kept by others version by version.

The index is stitched from many benchmarks, as our own scale is; it stands here to hold ours against. Two models fix it:
Claude 3.5 Sonnet of June 2024 is 130, GPT-5 at high effort 150. All efforts of a model share its score, so of rows that
differ in effort alone one is a result. A model without a score is listed for what is said about it.
"""

from benchhealth.ingest.formats.bodies import Record, read_csv
from benchhealth.ingest.formats.epoch_rows import effort_of
from benchhealth.ingest.formats.numbers import is_nothing
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

INDEX = BenchmarkFact(
    row="line 1, column ECI Score",
    benchmark="epoch-capabilities-index",
    name="Epoch Capabilities Index",
    metric="capability index",
    unit="index",
    domain="mixed",
    modality="text",
    paper_url="https://epoch.ai/benchmarks/eci",
)


def parse(body: bytes, path: str) -> Parsed:
    """Read the table: a row for every model version."""
    records = read_csv(body, ["Model version", "ECI Score", "Release date"])
    if not any(not is_nothing(record.cells["ECI Score"]) for record in records):
        raise PayloadError(f"no model has an index in {path}")
    return Parsed(rows=[_row(record) for record in records], benchmarks=[INDEX])


SOURCE = Source(
    key="eci",
    title="Epoch AI, Capabilities Index",
    homepage="https://epoch.ai/benchmarks/eci",
    licence="CC-BY-4.0",
    redistributable=True,
    kind="crawl",
    cadence="some times a month",
    files=(
        GithubFile(
            board_id="eci/epoch-capabilities-index",
            repo="peterhurford/metr_graph",
            branch="master",
            path="epoch_capabilities_index.csv",
        ),
    ),
    parse=parse,
)


def _row(record: Record) -> RawRow:
    cells = record.cells
    return RawRow(
        row=f"line {record.line}, column ECI Score",
        benchmark=INDEX.benchmark,
        model=effort_of(cells["Model version"])[0],
        score=cells["ECI Score"],
        unit="index",
        reject=record.problem,
    )
