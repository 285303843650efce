"""The ImageNet testbed of Taori et al. 2020: 338 models under 213 settings, top-1 accuracy in percent.

A setting is a test set (natural or synthetic shift, adversarial attack), so each column is a benchmark. Columns that
measure what the registry knows carry its ids: models that timm has too score the same there, ImageNet-A and ImageNet-R
within 200 classes. `-format-val` and `in-memory` are other encodings of the same images. Empty cells were not run; an
exact zero is a score: ImageNet-A holds what a ResNet-50 gets wrong, and attacks can leave nothing right.
"""

from collections.abc import Sequence

from benchhealth.ingest.formats.bodies import slug
from benchhealth.ingest.formats.csv_board import CsvBoard, Measure, measure_of
from benchhealth.ingest.rows import BenchmarkFact, PayloadError
from benchhealth.ingest.source import GithubFile, Source

PAPER = "https://arxiv.org/abs/2007.00644"
REGISTRY_IDS = {
    "val": "imagenet",
    "imagenetv2-matched-frequency": "imagenetv2-mf",
    "imagenetv2-threshold0.7": "imagenetv2-threshold-0.7",
    "imagenetv2-topimages": "imagenetv2-top-images",
    "imagenet-a": "imagenet-a",
    "imagenet-r": "imagenet-r",
    "imagenet-sketch": "imagenet-sketch",
    "val-on-imagenet-a-classes": "imagenet-a-clean",
    "val-on-imagenet-r-classes": "imagenet-r-clean",
}


def benchmark_of(column: str) -> str:
    """The `benchmark_id` of the test set in this column."""
    return REGISTRY_IDS.get(column) or f"imagenet-testbed-{slug(column)}"


def _measures(header: Sequence[str]) -> dict[str, Measure]:
    """Every column except the one of models. Raises PayloadError where two are one benchmark, or one has no name."""
    measures = {column: measure_of(_fact(column)) for column in header if column != "model"}
    ids = {measure.benchmark for measure in measures.values()}
    if "imagenet-testbed-" in ids or len(ids) < len(measures):
        raise PayloadError("columns without a name of their own")
    return measures


def _fact(column: str) -> BenchmarkFact:
    return BenchmarkFact(
        benchmark=benchmark_of(column),
        name=f"ImageNet testbed: {column}",
        metric="top-1 accuracy",
        domain="image-classification",
        modality="image",
        paper_url=PAPER,
    )


BOARD = CsvBoard(_measures, required=tuple(REGISTRY_IDS))
parse = BOARD.parse

SOURCE = Source(
    key="imagenet-testbed",
    title="ImageNet testbed: natural and synthetic shifts, adversarial attacks (Taori et al. 2020)",
    homepage="https://github.com/modestyachts/imagenet-testbed",
    licence="MIT",
    redistributable=True,
    kind="paper",
    cadence="closed since 2021-09",
    files=(GithubFile("imagenet-testbed/imagenet", "modestyachts/imagenet-testbed", "master", "robustness_top1s.csv"),),
    parse=parse,
)
