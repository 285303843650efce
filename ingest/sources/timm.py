"""Results of PyTorch Image Models: one table per test set, top-1 and top-5 of every pretrained model.

A result belongs to a model, an input size and a crop; the last two are its setting. The crop's column was misspelt
`cropt_pct` until 2022. Parameter counts such as `1,013.01` and differences such as `+1` are not scores and not read.
"""

from benchhealth.ingest.formats.bodies import declared_file
from benchhealth.ingest.formats.csv_board import Cells, CsvBoard, measure_of
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

BOARDS = {
    "results-imagenet.csv": ("imagenet", "ImageNet"),
    "results-imagenetv2-matched-frequency.csv": ("imagenetv2-mf", "ImageNetV2 matched frequency"),
    "results-imagenet-real.csv": ("imagenet-real", "ImageNet ReaL"),
    "results-imagenet-a.csv": ("imagenet-a", "ImageNet-A"),
    "results-imagenet-r.csv": ("imagenet-r", "ImageNet-R"),
    "results-sketch.csv": ("imagenet-sketch", "ImageNet-Sketch"),
    "results-imagenet-a-clean.csv": ("imagenet-a-clean", "ImageNet, the classes of ImageNet-A"),
    "results-imagenet-r-clean.csv": ("imagenet-r-clean", "ImageNet, the classes of ImageNet-R"),
}
"""File name to the benchmark that it holds and its name."""

CROP_COLUMNS = ("crop_pct", "cropt_pct")


def parse(body: bytes, path: str) -> Parsed:
    """Read one test set's table: two rows a line, top-1 and top-5."""
    benchmark, name = declared_file(BOARDS, path)
    measures = {
        "top1": measure_of(_fact(benchmark, name, "top-1 accuracy")),
        "top5": measure_of(_fact(f"{benchmark}/top5", f"{name}, top-5", "top-5 accuracy")),
    }
    board = CsvBoard(measures, required=("img_size",), complete=_with_setting)
    records = board.records(body)
    crop_columns = [column for column in CROP_COLUMNS if column in records[0].cells]
    if len(crop_columns) != 1:
        raise PayloadError(f"expected one column of {', '.join(CROP_COLUMNS)}, found {crop_columns}")
    return board.parsed(records)


def _with_setting(row: RawRow, cells: Cells) -> RawRow:
    crop = next(cells[column] for column in CROP_COLUMNS if column in cells)
    return row._replace(setting=f"img {cells['img_size'].strip()}, crop {crop.strip()}")


SOURCE = Source(
    key="timm",
    title="PyTorch Image Models, results",
    homepage="https://github.com/huggingface/pytorch-image-models",
    licence="Apache-2.0",
    redistributable=True,
    cadence="some times a year",
    files=tuple(
        GithubFile(f"timm/{benchmark}", "huggingface/pytorch-image-models", "main", f"results/{name}")
        for name, (benchmark, _) in BOARDS.items()
    ),
    parse=parse,
)


def _fact(benchmark: str, name: str, metric: str) -> BenchmarkFact:
    return BenchmarkFact(benchmark=benchmark, name=name, metric=metric, domain="image-classification", modality="image")
