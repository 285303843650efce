"""ImageNet beside the three samplings of ImageNetV2: 65 models of Recht et al. 2019, top-1 and top-5.

Accuracies follow from the predictions that the authors published (github.com/modestyachts/ImageNetV2, MIT): matched
frequency (b33), threshold 0.7 (a44), top images (c12). The table is kept in data/registry.
"""

from datetime import date

from benchhealth.ingest.formats.csv_board import CsvBoard, Measure
from benchhealth.ingest.rows import BenchmarkFact
from benchhealth.ingest.source import BundledFile, Source

PAPER = "https://arxiv.org/abs/1902.10811"
TEST_SETS = {
    "imagenet": ("ImageNet", "50000"),
    "imagenetv2-mf": ("ImageNetV2 matched frequency", "10000"),
    "imagenetv2-threshold-0.7": ("ImageNetV2 threshold 0.7", "10000"),
    "imagenetv2-top-images": ("ImageNetV2 top images", "10000"),
}


def top5(benchmark: str) -> str:
    """The part of the benchmark that holds top-5 accuracy, as the column and the benchmark_id name it."""
    return f"{benchmark}/top5"


def _measures(benchmark: str, name: str, n_items: str) -> dict[str, Measure]:
    """Accuracies as fractions, measured by the paper's authors; the registry knows the top-1 of each test set."""
    top5_fact = BenchmarkFact(
        benchmark=top5(benchmark),
        name=f"{name}, top-5",
        metric="top-5 accuracy",
        domain="image-classification",
        modality="image",
        n_items=n_items,
        paper_url=PAPER,
    )
    return {
        benchmark: Measure(benchmark, "fraction", n_items),
        top5_fact.benchmark: Measure(top5_fact.benchmark, "fraction", n_items, top5_fact),
    }


BOARD = CsvBoard(
    {
        column: measure
        for benchmark, about in TEST_SETS.items()
        for column, measure in _measures(benchmark, *about).items()
    }
)
parse = BOARD.parse

SOURCE = Source(
    key="imagenet-v2-recht",
    title="ImageNet and ImageNetV2 side by side (Recht et al. 2019)",
    homepage="https://github.com/modestyachts/ImageNetV2",
    licence="MIT",
    redistributable=True,
    kind="paper",
    cadence="once",
    files=(
        # The month of the paper's number.
        BundledFile(
            "imagenet-v2-recht/imagenetv2-mf",
            "data/registry/paper_imagenet_v2.csv",
            PAPER,
            date(2019, 2, 1),
        ),
    ),
    parse=parse,
)
