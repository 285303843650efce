"""Which images of CIFAR-10.1 each model got right, against the authors' own predictions and accuracies."""

import csv
import json
from collections import defaultdict

import numpy as np
import pytest

from benchhealth.ingest.sources.cifar import BLOCKS, CLASSES, outcomes_column, parse
from tests.ingest.sources.payload_rows import ROOT, resolved
from tests.support.upstream import SHARED, needs_upstream, versions

TABLE = ROOT / "data/registry/paper_cifar.csv"
FOLDER = {"cifar-10.1": "v6_predictions", "cifar-10.1-v4": "v4_predictions"}
PRINTED = {"cifar-10.1": "cifar10.1_v6_acc", "cifar-10.1-v4": "cifar10.1_v4_acc"}


def labels(edition: str) -> np.ndarray:
    return np.array([place for place, images in BLOCKS[edition] for _ in range(images)])


def test_every_list_of_the_table_adds_up_to_its_accuracy() -> None:
    facts = resolved("cifar", "data/registry/paper_cifar.csv", TABLE.read_bytes())
    assert (facts.results.height, facts.items.height, facts.rejections.height) == (90, 60, 0)


def test_bits_are_read_from_the_first_image_on_with_the_class_of_each() -> None:
    bits = "a0" + "00" * 249
    lines = ["model,cifar-10,cifar-10.1,cifar-10.1-v4,cifar-10.1/outcomes", f"alder,0.9,0.001,0.5,{bits}"]
    (items,) = parse("\n".join(lines).encode(), "table.csv").items
    assert items.outcomes[:4] == (1.0, 0.0, 1.0, 0.0)
    assert (len(items.items), items.clusters[199:201]) == (2_000, ("airplane", "automobile"))
    for odd in ("a0", "zz" * 250, bits + "00", "é" * 500):
        (items,) = parse("\n".join([lines[0], f"alder,0.9,0.001,0.5,{odd}"]).encode(), "table.csv").items
        assert items.reject == "not 2000 bits in hexadecimal"


def test_both_editions_hold_as_many_images_as_they_are_said_to() -> None:
    assert {edition: len(labels(edition)) for edition in BLOCKS} == {"cifar-10.1": 2_000, "cifar-10.1-v4": 2_021}
    assert all(sorted(place for place, _ in blocks) == list(range(len(CLASSES))) for blocks in BLOCKS.values())


@needs_upstream
@pytest.mark.parametrize("edition", list(BLOCKS))
def test_the_blocks_give_all_thirty_printed_accuracies_and_the_bits_of_the_table(edition: str) -> None:
    with (SHARED / "reference" / "cifar10_vs_10.1.csv").open(newline="") as lines:
        printed = {row["model"]: float(row[PRINTED[edition]]) for row in csv.DictReader(lines)}
    read = {items.row: items for items in parse(TABLE.read_bytes(), "table.csv").items}
    with TABLE.open(newline="") as lines:
        line_of = {row["model"]: number for number, row in enumerate(csv.DictReader(lines), start=2)}
    apart: dict[str, float] = defaultdict(float)
    for model, accuracy in printed.items():
        path = f"model_predictions/{FOLDER[edition]}/{model}_predictions.json"
        (version,) = versions("modestyachts/CIFAR-10.1", path)
        right = np.array(json.loads(version.body)) == labels(edition)
        apart[model] = abs(float(right.mean()) - accuracy)
        assert read[f"line {line_of[model]}, column {edition}"].outcomes == tuple(right.astype(float))
    assert len(apart) == 30
    assert max(apart.values()) < 1e-6
    assert outcomes_column(edition) in TABLE.read_text().partition("\n")[0]
