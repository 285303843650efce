import io
import zipfile

import pytest

from benchhealth.ingest.network import zipped
from benchhealth.ingest.network.payload import TooLarge, Truncated, UnexpectedAnswer
from benchhealth.ingest.network.zipped import members

URL = "https://example.org/data.zip"


def packed(*files: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, body in files:
            archive.writestr(name, body)
    return out.getvalue()


def test_matching_files_come_in_the_order_of_the_directory() -> None:
    body = packed(("b.csv", b"1"), ("folder/", b""), ("a.csv", b"2"), ("README.md", b"3"), ("deep/c.csv", b"4"))
    files = [(member.path, member.match[1], member.body) for member in members(URL, body, r"(\w+)\.csv")]
    assert files == [("b.csv", "b", b"1"), ("a.csv", "a", b"2")]


@pytest.mark.parametrize("keep", [0.0, 0.3, 0.9])
def test_a_zip_cut_short_is_an_error(keep: float) -> None:
    archive_bytes = packed(("a.csv", bytes(range(256)) * 200), ("b.csv", b"x" * 5000))
    with pytest.raises(Truncated):
        list(members(URL, archive_bytes[: int(len(archive_bytes) * keep)], r".*"))


def test_what_is_no_zip_is_an_error() -> None:
    for body in (b"<html>", b"PK\x05\x06", b""):
        with pytest.raises(Truncated):
            list(members(URL, body, r".*"))


def test_a_damaged_member_is_an_error() -> None:
    archive_bytes = bytearray(packed(("a.csv", b"model,score\nx,1\n" * 50), method=zipfile.ZIP_STORED))
    archive_bytes[60] ^= 0xFF
    with pytest.raises(Truncated, match="CRC"):
        list(members(URL, bytes(archive_bytes), r".*"))


def test_a_bomb_is_seen_while_it_unpacks_whatever_its_header_says() -> None:
    body = packed(("a.csv", b"\0" * 3_000_000))
    assert len(body) < 10_000
    with pytest.raises(TooLarge):
        list(members(URL, body, r".*", member_bytes=1_000_000))
    lying = body.replace((3_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert lying != body
    with pytest.raises((TooLarge, Truncated)):
        list(members(URL, lying, r".*", member_bytes=1_000_000))


def test_many_members_together_have_a_cap_and_only_those_that_are_read_count() -> None:
    files = [(f"{number}.csv", b"\0" * 400_000) for number in range(5)]
    assert len(list(members(URL, packed(*files, ("x.bin", b"\0" * 9_000_000)), r"\d\.csv"))) == 5
    with pytest.raises(TooLarge):
        list(members(URL, packed(*files), r".*", unpacked_bytes=1_500_000))


def test_a_directory_of_very_many_members_is_not_even_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipped, "MOST_MEMBERS", 3)
    with pytest.raises(TooLarge):
        list(members(URL, packed(*((f"{number}.csv", b"1") for number in range(4))), r".*"))


def test_odd_members_are_refused() -> None:
    with pytest.raises(UnexpectedAnswer, match="no text"):
        list(members(URL, packed(("a\x07.csv", b"1")), r"(?s).*"))
    with pytest.raises(UnexpectedAnswer, match="packed in a way"):
        list(members(URL, packed(("a.csv", b"1"), method=zipfile.ZIP_LZMA), r".*"))
    with pytest.warns(UserWarning, match="Duplicate name"):
        twice = packed(("a.csv", b"1"), ("a.csv", b"2"))
    with pytest.raises(UnexpectedAnswer, match="twice"):
        list(members(URL, twice, r".*"))
    encrypted = bytearray(packed(("a.csv", b"1")))
    encrypted[encrypted.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(UnexpectedAnswer, match="encrypted"):
        list(members(URL, bytes(encrypted), r".*"))
