"""Descriptions of an edition, read by the programs that others read them with: mlcroissant and frictionless."""

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

from benchhealth.analytics.record.tables import TABLES

with warnings.catch_warnings():  # what they warn of themselves is not ours
    warnings.simplefilter("ignore")
    from frictionless import Package, Resource, Schema
    from mlcroissant import Dataset

OF_CITATIONS = {"cff-version", "message", "type", "title", "version", "date-released", "authors", "keywords", "url"}
"""The fields that are written, all of them of version 1.2.0 of the format."""


@pytest.fixture(autouse=True)
def _their_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def plain(value: object) -> object:
    """A value as polars has it: bytes are text, what is missing in any way is null."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list):
        return [plain(one) for one in value]
    return None if value is None or value != value else value  # noqa: PLR0124 - not a number


@pytest.mark.soak
def test_mlcroissant_takes_the_description_and_reads_the_rows(edition: Path) -> None:
    dataset = Dataset(jsonld=str(edition / "croissant.json"))
    issues = dataset.metadata.ctx.issues
    assert (list(issues.errors), list(issues.warnings)) == ([], [])
    assert {one.name for one in dataset.metadata.record_sets} == set(TABLES)
    for name in ("answer", "source", "verdict"):
        rows = pl.read_parquet(edition / "tables" / f"{name}.parquet")
        texts = [column for column, kind in rows.schema.items() if kind == pl.String()]
        read = [{column: plain(one[f"{name}/{column}"]) for column in texts} for one in dataset.records(name)]
        assert read == rows.select(texts).to_dicts()
        assert rows.height


@pytest.mark.soak
def test_mlcroissant_refuses_a_description_that_names_no_file(edition: Path) -> None:
    document = json.loads((edition / "croissant.json").read_text())
    document["recordSet"][0]["field"][0]["source"]["fileObject"]["@id"] = "tables/none.parquet"
    with pytest.raises(Exception, match=r"none\.parquet"):
        Dataset(jsonld=document)


@pytest.mark.soak
def test_frictionless_takes_the_package_and_all_of_its_rows(edition: Path) -> None:
    """Rows are handed over: read by itself, Parquet goes through pandas, where a null of whole numbers is NaN."""
    document = json.loads((edition / "datapackage.json").read_text())
    assert list(Package.metadata_validate(document)) == []
    assert {one["title"] for one in document["resources"]} == set(TABLES)
    for one in document["resources"]:
        report = checked(one, pl.read_parquet(edition / one["path"]))
        assert report.valid, (one["name"], report.flatten(["title", "message"])[:3])


def checked(resource: dict[str, Any], rows: pl.DataFrame) -> Any:  # noqa: ANN401 - its own report
    data = [rows.columns, *(list(row) for row in rows.iter_rows())]
    return Resource(data=data, schema=Schema.from_descriptor(resource["schema"])).validate()


def test_frictionless_finds_a_cell_of_another_type_and_two_rows_alike(edition: Path) -> None:
    document = json.loads((edition / "datapackage.json").read_text())
    (source,) = (one for one in document["resources"] if one["name"] == "source")
    rows = pl.read_parquet(edition / source["path"])
    assert not checked(source, pl.concat([rows, rows])).valid
    assert not checked(source, rows.with_columns(redistributable=pl.lit("perhaps"))).valid


def test_the_card_names_every_table_that_has_rows_as_a_configuration(edition: Path) -> None:
    head = yaml.safe_load((edition / "README.md").read_text().split("---")[1])
    named = {one["config_name"]: one["data_files"] for one in head["configs"]}
    assert named == {
        name: f"tables/{name}.parquet"
        for name in sorted(TABLES)
        if pl.read_parquet(edition / "tables" / f"{name}.parquet").height
    }
    assert head["license"] == "other"


def test_what_a_deposit_and_a_citation_ask_for_is_there(edition: Path) -> None:
    deposit = json.loads((edition / ".zenodo.json").read_text())
    assert {"title", "upload_type", "description", "creators", "access_right", "license"} <= set(deposit)
    assert deposit["publication_date"] == "2026-08-31"
    citation = yaml.safe_load((edition / "CITATION.cff").read_text())
    assert set(citation) <= OF_CITATIONS
    assert (citation["cff-version"], citation["type"]) == ("1.2.0", "dataset")
