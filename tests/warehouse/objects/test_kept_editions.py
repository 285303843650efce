"""Editions at an object address: each file below its month, whole once its manifest is there, never another one."""

from pathlib import Path

import pytest

from benchhealth.warehouse.keeping.editions import MANIFEST, EditionError, keep
from benchhealth.warehouse.objects.access import Access
from benchhealth.warehouse.objects.bucket import Bucket
from benchhealth.warehouse.objects.editions import push
from tests.support.lakes.objects import BUCKET
from tests.warehouse.test_kept_editions import written


@pytest.fixture
def bucket(bucket_access: Access, tmp_path: Path) -> Bucket:
    return Bucket(f"s3://{BUCKET}/{tmp_path.name}/open", bucket_access)


def test_an_edition_is_sent_once_and_stays(bucket: Bucket, tmp_path: Path) -> None:
    edition = keep(tmp_path / "home", "2026-08", written(tmp_path / "a", card="said", tables__one="rows"))
    assert push(edition, bucket) == 3
    assert push(edition, bucket) == 0
    for name, body in edition.files.items():
        there = bucket.get(f"2026-08/{name}")
        assert there is not None
        assert there.body == body.path.read_bytes()
    other = keep(tmp_path / "other", "2026-08", written(tmp_path / "b", card="said otherwise"))
    with pytest.raises(EditionError, match="another edition"):
        push(other, bucket)
    assert bucket.get("2026-08/card").body == b"said"  # type: ignore[union-attr]


def test_damaged_bytes_are_not_sent(bucket: Bucket, tmp_path: Path) -> None:
    edition = keep(tmp_path / "home", "2026-07", written(tmp_path / "a", card="said"))
    edition.files["card"].path.write_text("said?")
    with pytest.raises(EditionError, match="not what was kept"):
        push(edition, bucket)
    with pytest.raises(FileNotFoundError):
        bucket.get(f"2026-07/{MANIFEST}")
