"""Generations at an object address: handed over, followed, and whatever fails, the one in service stays."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.facts import NOON, batch, derived, publish, registry, result, sources
from tests.support.lakes.objects import BUCKET
from tests.warehouse.test_readers import CURATED
from warehouse.loading.load import load
from warehouse.locking import Locked
from warehouse.objects.access import Access, AddressError
from warehouse.objects.bucket import Bucket, ObjectsError
from warehouse.objects.generations import POINTER, Follower, Published
from warehouse.publish import KEEP
from warehouse.read import NoGeneration, current_path, generations, open_current
from warehouse.store import Store


@pytest.fixture
def bucket(bucket_access: Access, tmp_path: Path) -> Bucket:
    return Bucket(f"s3://{BUCKET}/{tmp_path.name}", bucket_access)


def published(home: Path) -> Path:
    """A generation of this home, in service here."""
    curated = registry([CURATED])
    with Store.open(home) as store:
        store.write_sources(sources("squad"))
        store.write(batch([result()]))
    return publish(home, curated, load(home, curated, NOON), derived(), NOON)


def test_a_reader_elsewhere_follows_and_keeps_what_it_has_when_the_store_fails(
    bucket: Bucket, bucket_access: Access, tmp_path: Path
) -> None:
    writer, replica = Published(bucket), Published(bucket)
    home, elsewhere = tmp_path / "writer", tmp_path / "replica"
    assert not replica.fetch(elsewhere)
    first = published(home)
    writer.hand_over(first)
    assert replica.fetch(elsewhere)
    assert not replica.fetch(elsewhere)
    assert current_path(elsewhere).read_bytes() == first.read_bytes()
    with closing(open_current(elsewhere)) as generation:
        assert generation.name == first.stem

    broken = json.loads(bucket.get(POINTER).body) | {
        "generation": first.stem.replace("000001", "000002"),
        "sha256": "0",
    }  # type: ignore[union-attr]
    bucket.put_if(POINTER, json.dumps(broken).encode(), etag=bucket.get(POINTER).etag)  # type: ignore[union-attr]
    with pytest.raises(ObjectsError, match="another hash"):
        replica.fetch(elsewhere)
    gone = Access("http://127.0.0.1:1", key_id="tests", secret_key="tests")
    Follower(Published(Bucket(bucket.address, gone)), elsewhere).look()
    assert current_path(elsewhere).stem == first.stem
    assert [path.stem for path in generations(elsewhere)] == [first.stem]


def test_of_two_that_publish_one_is_told_and_the_last_three_stay(bucket: Bucket, tmp_path: Path) -> None:
    home = tmp_path / "one"
    writer, late = Published(bucket), Published(bucket)
    path = published(home)
    writer.hand_over(path)
    with pytest.raises(Locked, match="another run published"):
        late.hand_over(path)
    for _ in range(KEEP):
        writer.fetch(home)
        path = published(home)
        writer.hand_over(path)
    objects = [name for name in bucket.names() if name != POINTER]
    assert len(objects) == KEEP
    assert objects[-1].startswith(path.stem)


def test_a_generation_stays_in_service_where_old_ones_cannot_be_let_go(
    bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def forbidden(*_: object) -> None:
        raise ObjectsError("DELETE is not allowed")

    bucket.put_file("notes-x.duckdb", published(tmp_path / "one"))  # somebody else's
    monkeypatch.setattr(bucket, "delete", forbidden)
    writer, home = Published(bucket), tmp_path / "one"
    for _ in range(KEEP + 1):
        writer.fetch(home)
        path = published(home)
        writer.hand_over(path)
    assert "old generations stay" in caplog.text and "DELETE is not allowed" in caplog.text
    assert Published(bucket).fetch(tmp_path / "elsewhere")
    assert current_path(tmp_path / "elsewhere").stem == path.stem
    assert "notes-x.duckdb" in list(bucket.names())


def test_what_is_no_address_is_told(bucket_access: Access) -> None:
    with pytest.raises(AddressError, match="s3://bucket/prefix"):
        Bucket("file:///tmp", bucket_access)


def test_nothing_is_published_where_nothing_is(bucket: Bucket, tmp_path: Path) -> None:
    follower = Follower(Published(bucket), tmp_path, every=0.1)
    follower.look()
    with pytest.raises(NoGeneration):
        current_path(tmp_path)
