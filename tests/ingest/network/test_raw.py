import gzip
import hashlib
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchhealth.ingest.network import raw
from benchhealth.ingest.network.payload import Payload


def payload(body: bytes) -> Payload:
    return Payload(
        "https://example.org/x", "", datetime(2025, 1, 1), hashlib.sha256(body).hexdigest(), "text/csv", body
    )


@given(st.binary(max_size=2000))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
def test_what_is_saved_is_what_is_loaded(tmp_path: Path, body: bytes) -> None:
    saved = payload(body)
    target = raw.save(tmp_path, saved)
    assert target == tmp_path / "raw" / saved.sha256[:2] / f"{saved.sha256}.gz"
    assert raw.load(tmp_path, saved.sha256) == body
    assert raw.is_whole(tmp_path, saved.sha256)


def test_the_same_body_gives_the_same_file_written_once(tmp_path: Path) -> None:
    first = raw.save(tmp_path / "a", payload(b"a,b\n"))
    written = first.stat().st_mtime_ns
    assert raw.save(tmp_path / "a", payload(b"a,b\n")).stat().st_mtime_ns == written
    assert raw.save(tmp_path / "b", payload(b"a,b\n")).read_bytes() == first.read_bytes()


def test_what_a_killed_run_had_begun_is_swept_and_nothing_else(tmp_path: Path) -> None:
    begun = datetime(2024, 6, 1, 12)
    later = begun + 2 * raw.ABANDONED
    assert raw.sweep(tmp_path, later) == 0
    saved = raw.save(tmp_path, payload(b"a,b\n"))
    for name, written_at in ((".one.part", begun), (".two.part", begun), (".saved-right-now.part", later)):
        (saved.parent / name).write_bytes(b"half")
        os.utime(saved.parent / name, (written_at.replace(tzinfo=UTC).timestamp(),) * 2)
    assert raw.sweep(tmp_path, later) == 2
    assert {path.name for path in saved.parent.iterdir()} == {saved.name, ".saved-right-now.part"}


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        raw.save(tmp_path, payload(b"a,b\n"))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    "damage",
    [b"", b"not gzip", gzip.compress(b"another body", mtime=0), gzip.compress(b"a,b\n", mtime=0)[:-6]],
    ids=["empty", "not gzip", "another body", "cut short"],
)
def test_a_damaged_body_is_never_returned(tmp_path: Path, damage: bytes) -> None:
    saved = payload(b"a,b\n")
    raw.save(tmp_path, saved).write_bytes(damage)
    with pytest.raises(raw.RawError):
        raw.load(tmp_path, saved.sha256)


def test_a_missing_body_and_a_false_hash_are_errors(tmp_path: Path) -> None:
    with pytest.raises(raw.RawError):
        raw.load(tmp_path, "0" * 64)
    with pytest.raises(raw.RawError):
        raw.save(tmp_path, Payload("u", "", datetime(2025, 1, 1), "0" * 64, "text/csv", b"x"))
