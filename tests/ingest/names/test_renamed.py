"""Former names of timm's models: each stands for one model of today, by the library's table or by its scores."""

import csv

from benchhealth.ingest.names.identity import identify, normalise
from tests.ingest.names.renamings import FILE, bundled, registry_rows
from tests.support.curated_facts import curated

ROWS = list(csv.DictReader(FILE.read_text().splitlines()))
OF_TIMM = {row["published_name"]: row for row in ROWS if row["source_id"] == "timm"}


def test_the_file_holds_what_the_rule_finds_in_the_bundled_rows() -> None:
    """The library's table is taken from the file, as the library is not installed."""
    by_id = {normalise(name)[0]: name for name in bundled()["published_name"].unique().sort(descending=True)}
    renamed_to = {name: (by_id[row["model_id"]], row["basis"]) for name, row in OF_TIMM.items()}
    table = {name: new if basis == "table" else new.split(".")[0] for name, (new, basis) in renamed_to.items()}
    assert [list(map(str, row)) for row in registry_rows(table)] == [list(row.values()) for row in ROWS]


def test_former_names_are_known_by_table_or_scores_and_replaced_weights_are_not() -> None:
    aliases = curated().aliases()

    def model(name: str, source_id: str = "timm") -> str:
        return identify(name, source_id, aliases).model_id

    assert model("resnet18") == "resnet18.tv-in1k" == model("resnet18", "imagenet-testbed")
    assert model("convnext_base_in22ft1k") == model("convnext_base.fb_in22k_ft_in1k")
    assert model("ig_resnext101_32x16d") == "resnext101-32x16d.fb-wsl-ig1b-ft-in1k", "where the table is mistaken"
    assert model("resnet50") == "timm-resnet50", "three weights came under this name"
    assert model("xception", "another") == "xception"


def test_no_former_name_is_a_name_of_today() -> None:
    ids = {row["model_id"] for row in ROWS}
    assert not ids & {normalise(name)[0] for name in OF_TIMM}
