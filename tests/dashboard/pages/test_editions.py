"""The corner of *Data* that lists editions: none yet, or each with its size, its hash and a line to cite."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchhealth.dashboard.pages.data import page as data
from benchhealth.dashboard.published.files import editions as kept_editions
from benchhealth.dashboard.words.terms.citing import of_edition
from benchhealth.warehouse.keeping.editions import keep, note_doi
from tests.support.rendered_page import rendered, text
from tests.warehouse.test_kept_editions import written


@pytest.fixture(autouse=True)
def home(tmp_path: Path) -> Iterator[Path]:
    kept_editions.use(tmp_path)
    yield tmp_path
    kept_editions.use(tmp_path / "none")


def test_where_none_is_kept_it_says_so(small_home: Path) -> None:
    assert "None is kept here yet" in text(rendered(data, small_home, tab="Downloads"))


def test_each_has_a_line_to_cite(small_home: Path, home: Path, tmp_path: Path) -> None:
    keep(home, "2026-07", written(tmp_path / "a", card="July"))
    august = keep(home, "2026-08", written(tmp_path / "b", card="August"))
    note_doi(home, "2026-08", "10.5281/zenodo.1")
    listed = rendered(data, small_home, tab="Downloads").dataframe[-1].value
    assert [one.rpartition("#")[2] for one in listed["edition"]] == ["2026-08", "2026-07"]
    assert listed["hash"][0] == august.sha256
    assert listed["cite as"][0].endswith("benchhealth, edition of August 2026. https://doi.org/10.5281/zenodo.1")
    assert listed["cite as"][1].endswith("/edition/2026-07/")


def test_a_damaged_manifest_is_said(small_home: Path, home: Path, tmp_path: Path) -> None:
    keep(home, "2026-08", written(tmp_path / "b", card="August"))
    (home / "editions" / "2026-08.sha256").write_text("nonsense")
    assert "is damaged" in text(rendered(data, small_home, tab="Downloads"))


def test_a_reference_leads_to_the_doi_where_there_is_one() -> None:
    assert of_edition("2026-08", "https://x/edition/2026-08/", "").endswith("August 2026. https://x/edition/2026-08/")
