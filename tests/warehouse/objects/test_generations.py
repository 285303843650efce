"""Generations at an object address: handed over, followed, and whatever fails, the one in service stays."""

import json
import threading
from contextlib import closing
from pathlib import Path

import pytest

from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.objects.access import Access, AddressError
from benchhealth.warehouse.objects.bucket import Answer, Bucket, ObjectsError
from benchhealth.warehouse.objects.generations import POINTER, Follower, Published
from benchhealth.warehouse.publish import KEEP
from benchhealth.warehouse.read import NoGeneration, current_path, generations, open_current
from benchhealth.warehouse.store import Store
from tests.support.facts import NOON, batch, derived, publish, registry, result, sources
from tests.support.lakes.objects import BUCKET
from tests.warehouse.test_readers import CURATED


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

    pointed = json.loads(bucket.get(POINTER).body)  # type: ignore[union-attr]
    broken = pointed | {"generation": first.stem.replace("000001", "000002"), "sha256": "0" * 64}
    bucket.put_if(POINTER, json.dumps(broken).encode(), etag=bucket.get(POINTER).etag)  # type: ignore[union-attr]
    with pytest.raises(ObjectsError, match="another hash"):
        replica.fetch(elsewhere)
    gone = Access("http://127.0.0.1:1", key_id="tests", secret_key="tests")
    Follower(Published(Bucket(bucket.address, gone)), elsewhere).look()
    assert current_path(elsewhere).stem == first.stem
    assert [path.stem for path in generations(elsewhere)] == [first.stem]


@pytest.mark.soak
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


@pytest.mark.soak
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
    follower = Follower(Published(bucket), tmp_path, pause=0.1)
    follower.look()
    with pytest.raises(NoGeneration):
        current_path(tmp_path)


POINTED = {
    "generation": "gen-20261122T031700Z-000009",
    "object": "gen-20261122T031700Z-000009-0123456789ab.duckdb",
    "sha256": "0" * 64,
    "bytes": 1,
}
NO_POINTERS = {
    "a number as name": {**POINTED, "generation": 5},
    "no name": {**POINTED, "generation": None},
    "a name that leads elsewhere": {**POINTED, "generation": "../../x"},
    "a name with NUL": {**POINTED, "generation": "gen\0"},
    "half a letter": {**POINTED, "generation": "\ud800"},
    "a number as object": {**POINTED, "object": 5},
    "an object that leads elsewhere": {**POINTED, "object": "../secret.duckdb"},
    "no hash": {**POINTED, "sha256": "0"},
    "less than no bytes": {**POINTED, "bytes": -1},
    "bytes in words": {**POINTED, "bytes": "one"},
    "true bytes": {**POINTED, "bytes": True},
    "a list": [],
    "a number": 5,
    "another field": {**POINTED, "more": 1},
}


class Scripted(Bucket):
    """An address that answers every question with these bytes."""

    def __init__(self, body: bytes) -> None:
        self.address = "s3://hostile/generations"
        self._body = body

    def get(self, name: str, *, unless: str = "") -> Answer:
        return Answer(self._body, etag="1")


@pytest.mark.parametrize(
    "body",
    [*(json.dumps(pointer).encode() for pointer in NO_POINTERS.values()), b"[" * 200_000, b"\xff", b""],
    ids=[*NO_POINTERS, "deep", "no text", "nothing"],
)
def test_whatever_stands_in_place_of_the_pointer_is_told_and_following_goes_on(body: bytes, tmp_path: Path) -> None:
    with pytest.raises(ObjectsError, match="is no pointer to a generation"):
        Published(Scripted(body)).fetch(tmp_path)
    follower = Follower(Published(Scripted(body)), tmp_path)
    follower.look()
    trouble = follower.trouble()
    assert trouble is not None and "is no pointer" in trouble.why


def test_a_fault_that_nobody_foresaw_ends_neither_the_start_nor_the_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = threading.Semaphore(0)

    def broken(*_: object) -> bool:
        looks.release()
        raise RuntimeError("unforeseen")

    monkeypatch.setattr(Published, "fetch", broken)
    follower = Follower(Published(Scripted(b"")), tmp_path, pause=0.01)
    follower.start()
    try:
        assert all(looks.acquire(timeout=30) for _ in range(3))
    finally:
        follower.stop()
    trouble = follower.trouble()
    assert trouble is not None and trouble.why == "unforeseen"
