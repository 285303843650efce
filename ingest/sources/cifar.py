"""CIFAR-10 beside both editions of CIFAR-10.1: 30 models that Recht et al. trained before the new test sets were drawn.

Accuracies follow from the predictions that the authors published (github.com/modestyachts/CIFAR-10.1, MIT) and the
labels of the three test sets; the table is kept in data/registry.
"""

from datetime import date

from benchhealth.ingest.formats.bodies import read_csv
from benchhealth.ingest.rows import Parsed, PayloadError, RawRow
from benchhealth.ingest.source import BundledFile, Source

PREDICTIONS = "https://github.com/modestyachts/CIFAR-10.1"
ITEMS = {"cifar-10": "10000", "cifar-10.1": "2000", "cifar-10.1-v4": "2021"}


def parse(body: bytes, path: str) -> Parsed:
    """Read the table: three rows a model, accuracies as fractions, all measured by the authors of CIFAR-10.1."""
    records = read_csv(body, ["model", *ITEMS])
    if not records:
        raise PayloadError("a table without models")
    return Parsed(
        rows=[
            RawRow(
                row=f"line {record.line}, column {benchmark}",
                benchmark=benchmark,
                model=record.cells["model"],
                score=record.cells[benchmark],
                unit="fraction",
                n_items=n_items,
                reject=record.problem,
            )
            for record in records
            for benchmark, n_items in ITEMS.items()
        ]
    )


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
