"""CIFAR-10 beside both editions of CIFAR-10.1: 30 models that Recht et al. trained before the new test sets were drawn.

Accuracies follow from the predictions that the authors published (github.com/modestyachts/CIFAR-10.1, MIT) and the
labels of the three test sets; the table is kept in data/registry. It also holds, for both editions of CIFAR-10.1, which
images each model got right, a bit an image in hexadecimal, first image first. The labels are not with the predictions,
but the images are ordered by class, in blocks that the predictions show: labels that follow from the blocks where most
predictions agree with them give all 30 printed accuracies of each edition exactly (`test_cifar_items.py`). The images
of CIFAR-10 itself have no such order, so nothing is known of them one by one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date

from benchhealth.ingest.formats.bodies import Record
from benchhealth.ingest.formats.csv_board import CsvBoard, Measure
from benchhealth.ingest.rows import ItemOutcomes, Parsed
from benchhealth.ingest.source import BundledFile, Source

PREDICTIONS = "https://github.com/modestyachts/CIFAR-10.1"
ITEMS = {"cifar-10": "10000", "cifar-10.1": "2000", "cifar-10.1-v4": "2021"}
CLASSES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")
BLOCKS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "cifar-10.1": tuple((place, 200) for place in range(10)),
    "cifar-10.1-v4": (
        *((6, 192), (9, 202), (4, 204), (1, 212), (2, 202)),
        *((7, 210), (8, 161), (3, 212), (5, 218), (0, 208)),
    ),
}
"""Edition to its blocks in the order of its images: (class, number of images)."""


def outcomes_column(edition: str) -> str:
    """The column that says which images of an edition are right."""
    return f"{edition}/outcomes"


BOARD = CsvBoard({benchmark: Measure(benchmark, "fraction", n_items) for benchmark, n_items in ITEMS.items()})


def parse(body: bytes, path: str) -> Parsed:
    """Read the table: three rows a model, accuracies as fractions, all measured by the authors of CIFAR-10.1."""
    records = BOARD.records(body)
    return replace(BOARD.parsed(records), items=[items for record in records for items in _items(record)])


SOURCE = Source(
    key="cifar",
    title="CIFAR-10 and CIFAR-10.1 side by side (Recht et al. 2018)",
    homepage=PREDICTIONS,
    licence="MIT",
    redistributable=True,
    kind="paper",
    cadence="once",
    files=(
        # The day on which the authors committed the predictions that the accuracies follow from.
        BundledFile("cifar/cifar-10.1", "data/registry/paper_cifar.csv", PREDICTIONS, date(2018, 6, 25)),
    ),
    parse=parse,
)


def _items(record: Record) -> Iterator[ItemOutcomes]:
    for edition, blocks in BLOCKS.items():
        hexadecimal = record.cells.get(outcomes_column(edition), "")
        if not hexadecimal:
            continue
        clusters = tuple(CLASSES[label] for label, images in blocks for _ in range(images))
        outcomes = _bits(hexadecimal, len(clusters))
        yield ItemOutcomes(
            row=f"line {record.line}, column {edition}",
            items=tuple(map(str, range(len(clusters)))) if outcomes else (),
            outcomes=outcomes,
            clusters=clusters if outcomes else (),
            reject=record.problem or ("" if outcomes else f"not {len(clusters)} bits in hexadecimal"),
        )


def _bits(hexadecimal: str, number: int) -> tuple[float, ...]:
    """The first bits of a hexadecimal text, the highest of each digit first; empty where there are not so many."""
    try:
        octets = bytes.fromhex(hexadecimal)
    except ValueError:
        return ()
    if len(octets) != -(-number // 8):
        return ()
    return tuple(float(octets[bit // 8] >> (7 - bit % 8) & 1) for bit in range(number))
