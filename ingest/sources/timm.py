"""Results of PyTorch Image Models: one table per test set, top-1 and top-5 of every pretrained model.

A result belongs to a model, an input size and a crop; the last two are its setting. The crop's column was misspelt
`cropt_pct` until 2022. Parameter counts such as `1,013.01` and differences such as `+1` are not scores and not read.
"""

from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Record, read_csv
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source


class _Board(NamedTuple):
    benchmark: str
    name: str


BOARDS = {
    "results-imagenet.csv": _Board("imagenet", "ImageNet"),
    "results-imagenetv2-matched-frequency.csv": _Board("imagenetv2-mf", "ImageNetV2 matched frequency"),
    "results-imagenet-real.csv": _Board("imagenet-real", "ImageNet ReaL"),
    "results-imagenet-a.csv": _Board("imagenet-a", "ImageNet-A"),
    "results-imagenet-r.csv": _Board("imagenet-r", "ImageNet-R"),
    "results-sketch.csv": _Board("imagenet-sketch", "ImageNet-Sketch"),
    "results-imagenet-a-clean.csv": _Board("imagenet-a-clean", "ImageNet, the classes of ImageNet-A"),
    "results-imagenet-r-clean.csv": _Board("imagenet-r-clean", "ImageNet, the classes of ImageNet-R"),
}
CROP_COLUMNS = ("crop_pct", "cropt_pct")


def parse(body: bytes, path: str) -> Parsed:
    """Read one test set's table: two rows a line, top-1 and top-5."""
    file_name = path.rsplit("/", 1)[-1]
    if file_name not in BOARDS:
        raise PayloadError(f"not a table of this source: {path}")
    board = BOARDS[file_name]
    records = read_csv(body, ["model", "img_size", "top1", "top5"])
    if not records:
        raise PayloadError("a table without models")
    crop_columns = [column for column in CROP_COLUMNS if column in records[0].cells]
    if len(crop_columns) != 1:
        raise PayloadError(f"expected one column of {', '.join(CROP_COLUMNS)}, found {crop_columns}")
    return Parsed(
        rows=[
            row
            for record in records
            for row in (
                _row(record, board.benchmark, "top1", crop_columns[0]),
                _row(record, f"{board.benchmark}/top5", "top5", crop_columns[0]),
            )
        ],
        benchmarks=[
            _fact(board.benchmark, board.name, "top-1 accuracy"),
            _fact(f"{board.benchmark}/top5", f"{board.name}, top-5", "top-5 accuracy"),
        ],
    )


SOURCE = Source(
    key="timm",
    title="PyTorch Image Models, results",
    homepage="https://github.com/huggingface/pytorch-image-models",
    licence="Apache-2.0",
    redistributable=True,
    kind="board",
    cadence="some times a year",
    files=tuple(
        GithubFile(f"timm/{board.benchmark}", "huggingface/pytorch-image-models", "main", f"results/{name}")
        for name, board in BOARDS.items()
    ),
    parse=parse,
)


def _row(record: Record, benchmark: str, column: str, crop_column: str) -> RawRow:
    cells = record.cells
    return RawRow(
        row=f"line {record.line}, column {column}",
        benchmark=benchmark,
        model=cells["model"],
        score=cells.get(column, ""),
        setting=f"img {cells.get('img_size', '').strip()}, crop {cells.get(crop_column, '').strip()}",
        reject=record.problem,
    )


def _fact(benchmark: str, name: str, metric: str) -> BenchmarkFact:
    return BenchmarkFact(
        row="line 1", benchmark=benchmark, name=name, metric=metric, domain="image-classification", modality="image"
    )
