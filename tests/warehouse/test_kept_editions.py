"""Editions in a home: kept once, for ever, whole or not at all, and what two share is stored once."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.warehouse.keeping import editions
from benchhealth.warehouse.keeping.editions import EditionError, check, copy, keep, kept_edition, months, note_doi


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_an_edition_is_kept_with_the_hash_of_each_file(tmp_path: Path) -> None:
    home = tmp_path / "home"
    keep(home, "2026-08", written(tmp_path / "a", card="said", tables__one="rows"))
    edition = kept_edition(home, "2026-08")
    assert edition is not None
    assert set(edition.files) == {"card", "tables/one", editions.MANIFEST}
    assert edition.files["card"].sha256 == hashlib.sha256(b"said").hexdigest()
    assert edition.files["tables/one"].path.read_text() == "rows"
    assert edition.size == sum(body.path.stat().st_size for body in edition.files.values())
    copy(edition, tmp_path / "copy")
    assert (tmp_path / "copy" / "tables" / "one").read_text() == "rows"
    assert hashlib.sha256((tmp_path / "copy" / editions.MANIFEST).read_bytes()).hexdigest() == edition.sha256


def test_another_edition_of_that_month_is_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    first = keep(home, "2026-08", written(tmp_path / "a", card="said"))
    assert keep(home, "2026-08", tmp_path / "a") == first
    with pytest.raises(EditionError, match="may be cited"):
        keep(home, "2026-08", written(tmp_path / "b", card="said otherwise"))
    assert kept_edition(home, "2026-08") == first


def test_what_two_months_share_is_stored_once(tmp_path: Path) -> None:
    home = tmp_path / "home"
    keep(home, "2026-07", written(tmp_path / "a", card="July", same="rows"))
    keep(home, "2026-08", written(tmp_path / "b", card="August", same="rows"))
    assert months(home) == ["2026-08", "2026-07"]
    assert len(list((home / editions.FOLDER / editions.BODIES).glob("??/*"))) == 3


def test_what_a_killed_run_left_is_no_edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, folder = tmp_path / "home", written(tmp_path / "a", card="said", other="rows")
    put = editions.put_on_disk
    done: list[Path] = []

    def killed(path: Path) -> None:
        if len(done) == 1:
            raise KeyboardInterrupt
        done.append(path)
        put(path)

    monkeypatch.setattr(editions, "put_on_disk", killed)
    with pytest.raises(KeyboardInterrupt):
        keep(home, "2026-08", folder)
    assert kept_edition(home, "2026-08") is None
    assert months(home) == []
    monkeypatch.setattr(editions, "put_on_disk", put)
    for body in keep(home, "2026-08", folder).files.values():
        check(body)


def test_damage_is_found(tmp_path: Path) -> None:
    home = tmp_path / "home"
    body = keep(home, "2026-08", written(tmp_path / "a", card="said")).files["card"]
    body.path.write_text("said?")
    with pytest.raises(EditionError, match="not what was kept"):
        check(body)
    (home / editions.FOLDER / "2026-08.sha256").write_text("nonsense\n")
    with pytest.raises(EditionError, match="no manifest"):
        kept_edition(home, "2026-08")


@pytest.mark.parametrize("doi", ["zenodo.1", "10.5281/", "https://doi.org/10.5281/zenodo.1", "10.5281/zen odo"])
def test_what_is_no_doi_is_refused(tmp_path: Path, doi: str) -> None:
    keep(tmp_path / "home", "2026-08", written(tmp_path / "a", card="said"))
    with pytest.raises(EditionError, match="no DOI"):
        note_doi(tmp_path / "home", "2026-08", doi)
    note_doi(tmp_path / "home", "2026-08", "10.5281/zenodo.1")
    with pytest.raises(EditionError, match="no edition"):
        note_doi(tmp_path / "home", "2026-07", "10.5281/zenodo.1")


@given(month=st.text(max_size=12))
def test_no_other_name_is_a_month(month: str) -> None:
    assert kept_edition(Path("/nowhere"), month) is None
