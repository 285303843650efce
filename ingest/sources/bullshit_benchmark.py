"""BullshitBench: does a model push back against a question that makes no sense? Version 1 and 2, by model and effort.

`green_rate` is the share of questions on which the panel of judge models agrees that the model rejected the false
premise, `red_rate` that of answers that accept it, `avg_score` the mean of 0 to 2. A row is a model at one effort,
which the name carries as `@reasoning=`. `nonsense_count` counts the questions that were judged. The launch date of a
model comes with the address that it was found at; rows are dated by it.
"""

from collections.abc import Iterator, Sequence

from benchhealth.ingest.formats.bodies import Record
from benchhealth.ingest.formats.csv_board import Cells, CsvBoard, Measure, measure_of
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

HOMEPAGE = "https://github.com/petergpt/bullshit-benchmark"
BOARDS = {
    "data/latest/leaderboard_with_launch.csv": ("bullshit-benchmark-v1", "BullshitBench v1", "2026-02"),
    "data/v2/latest/leaderboard_with_launch.csv": ("bullshit-benchmark-v2", "BullshitBench v2", "2026-03"),
}
"""Path to the benchmark, its name and the month in which its table began."""

REQUIRED = ("model", "org", "reasoning", "avg_score", "green_rate", "red_rate", "nonsense_count", "model_base")
_FREE = ":free"
"""What the host calls a model that it serves without a charge: the same model under limits."""

_WEIGHTS = {"open_weights": "true", "open_source": "true", "closed": "false"}


def parse(body: bytes, path: str) -> Parsed:
    """Read one version's board: three rows for every model and effort."""
    about = next((about for name, about in BOARDS.items() if path == name or path.endswith(f"/{name}")), None)
    if about is None:
        raise PayloadError(f"not a file of this source: {path}")
    board = CsvBoard(
        _measures(*about),
        model="model_base",
        required=(*REQUIRED, "launch_date", "launch_evidence_url"),
        kind="a board without models",
        complete=_result,
        models=_models,
    )
    return board.parse(body)


SOURCE = Source(
    key="bullshit-benchmark",
    title="BullshitBench",
    homepage=HOMEPAGE,
    licence="MIT",
    redistributable=True,
    cadence="some times a month",
    files=tuple(
        GithubFile(f"bullshit-benchmark/{board[0]}", "petergpt/bullshit-benchmark", "main", path)
        for path, board in reversed(BOARDS.items())
    ),
    parse=parse,
)


def _result(row: RawRow, cells: Cells) -> RawRow:
    reject = row.reject
    if not reject and cells["model"] != f"{cells['model_base']}@reasoning={cells['reasoning']}":
        reject = "the name does not say the model and the effort that stand beside it"
    return row._replace(
        model=row.model.removesuffix(_FREE),
        n_items=cells["nonsense_count"],
        dated_on=cells["launch_date"],
        date_basis="model_release",
        setting=join_settings((f"effort={cells['reasoning']}", "free tier" if row.model.endswith(_FREE) else "")),
        reject=reject,
    )


def _models(records: Sequence[Record]) -> Iterator[ModelFact]:
    """One fact for each model; the same model at another effort says the same."""
    named: set[str] = set()
    for record in records:
        cells = record.cells
        model = cells["model_base"].removesuffix(_FREE)
        if record.problem or model in named:
            continue
        named.add(model)
        weights = _WEIGHTS.get(cells.get("open_model_status", ""), "")
        where = f"line {record.line}, column launch_date"
        yield ModelFact(where, model, cells["org"], cells["launch_date"], weights)


def _measures(benchmark: str, name: str, released_on: str) -> dict[str, Measure]:
    rejected = BenchmarkFact(
        benchmark=benchmark,
        name=name,
        metric="share of nonsense questions rejected",
        unit="fraction",
        domain="factuality",
        modality="text",
        released_on=released_on,
        paper_url=HOMEPAGE,
    )
    accepted = rejected.part("accepted", "accepted", "share of nonsense questions accepted")
    average = rejected.part("average", "average", "mean score of 0 to 2")
    return {
        "green_rate": measure_of(rejected),
        "red_rate": measure_of(accepted._replace(higher_is_better=False)),
        "avg_score": measure_of(average._replace(unit="points")),
    }
