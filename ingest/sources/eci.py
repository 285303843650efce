"""Epoch AI's Capabilities Index, as the table `epoch_capabilities_index.csv`, kept by others version by version.

The index is stitched from many benchmarks, as our own scale is; it stands here to hold ours against. Two models fix it:
Claude 3.5 Sonnet of June 2024 is 130, GPT-5 at high effort 150. All efforts of a model share its score, so of rows that
differ in effort alone one is a result. A model without a score is listed for what is said about it.
"""

from benchhealth.ingest.formats.csv_board import CsvBoard, measure_of
from benchhealth.ingest.formats.epoch_rows import effort_of
from benchhealth.ingest.formats.numbers import is_nothing
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError
from benchhealth.ingest.source import GithubFile, Source

SCORE = "ECI Score"
INDEX = BenchmarkFact(
    benchmark="epoch-capabilities-index",
    name="Epoch Capabilities Index",
    metric="capability index",
    unit="index",
    domain="mixed",
    modality="text",
    paper_url="https://epoch.ai/benchmarks/eci",
)


BOARD = CsvBoard(
    {SCORE: measure_of(INDEX)},
    model="Model version",
    required=("Release date",),
    complete=lambda row, _: row._replace(model=effort_of(row.model)[0]),
)


def parse(body: bytes, path: str) -> Parsed:
    """Read the table: a row for every model version. Raises PayloadError where no model has an index."""
    parsed = BOARD.parse(body)
    if all(is_nothing(row.score) for row in parsed.rows):
        raise PayloadError(f"no model has an index in {path}")
    return parsed


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
