"""The ImageNet testbed of Taori et al. 2020: 338 models under 213 settings, top-1 accuracy in percent.

A setting is a test set (natural or synthetic shift, adversarial attack), so each column is a benchmark. Columns that
measure what the registry knows carry its ids: models that timm has too score the same there, ImageNet-A and ImageNet-R
within 200 classes. `-format-val` and `in-memory` are other encodings of the same images. Empty cells were not run; an
exact zero is a score: ImageNet-A holds what a ResNet-50 gets wrong, and attacks can leave nothing right.
"""

from benchhealth.ingest.formats.addresses import slug
from benchhealth.ingest.formats.bodies import read_csv
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
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


def parse(body: bytes, path: str) -> Parsed:
    """Read the table: a row for every model and setting."""
    records = read_csv(body, ["model", *REGISTRY_IDS])
    if not records:
        raise PayloadError("a table without models")
    columns = [column for column in records[0].cells if column != "model"]
    ids = {column: benchmark_of(column) for column in columns}
    if "imagenet-testbed-" in ids.values() or len(set(ids.values())) < len(columns):
        raise PayloadError("columns without a name of their own")
    rows = [
        RawRow(
            row=f"line {record.line}, column {column}",
            benchmark=ids[column],
            model=record.cells["model"],
            score=record.cells[column],
            reject=record.problem,
        )
        for record in records
        for column in columns
    ]
    return Parsed(rows=rows, benchmarks=[_fact(column, ids[column]) for column in columns])


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


def benchmark_of(column: str) -> str:
    """The benchmark_id of a column."""
    return REGISTRY_IDS.get(column) or f"imagenet-testbed-{slug(column)}"


def _fact(column: str, benchmark: str) -> BenchmarkFact:
    return BenchmarkFact(
        row="line 1",
        benchmark=benchmark,
        name=f"ImageNet testbed: {column}",
        metric="top-1 accuracy",
        domain="image-classification",
        modality="image",
        paper_url=PAPER,
    )
