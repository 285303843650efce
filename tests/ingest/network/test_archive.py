import io
import tarfile
import tracemalloc

import pytest

from benchhealth.ingest.formats.folders import split_files
from benchhealth.ingest.network.archive import folders, members
from benchhealth.ingest.network.payload import TooLarge, Truncated, UnexpectedAnswer

URL = "https://codeload.github.com/owner/repo/tar.gz/abc"


def packed(*files: tuple[str, bytes], mode: str = "w:gz") -> io.BytesIO:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as tar:  # type: ignore[call-overload]
        folder = tarfile.TarInfo("repo-abc/data")
        folder.type = tarfile.DIRTYPE
        tar.addfile(folder)
        for name, body in files:
            info = tarfile.TarInfo(f"repo-abc/{name}")
            info.size = len(body)
            tar.addfile(info, io.BytesIO(body))
        link = tarfile.TarInfo("repo-abc/data/link.csv")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    out.seek(0)
    return out


def test_matching_files_come_in_the_order_of_the_archive() -> None:
    archive = packed(("data/b.csv", b"1"), ("data/a.csv", b"2"), ("data/deep/c.csv", b"3"), ("x/data/d.csv", b"4"))
    files = list(members(URL, archive, r"data/(\w+)\.csv"))
    assert [(member.path, member.match[1], member.body) for member in files] == [
        ("data/b.csv", "b", b"1"),
        ("data/a.csv", "a", b"2"),
    ]


def test_memory_holds_one_member_of_many() -> None:
    archive = packed(*((f"data/{number}.csv", b"\0" * 1_000_000) for number in range(40)))
    tracemalloc.start()
    try:
        assert sum(len(member.body) for member in members(URL, archive, r"data/.*")) == 40_000_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8_000_000


def test_a_long_archive_leaves_no_trace_of_its_members() -> None:
    archive = packed(*((f"data/{number}.csv", b"") for number in range(3000)))
    tracemalloc.start()
    try:
        assert sum(1 for _ in members(URL, archive, r"data/.*")) == 3000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


@pytest.mark.parametrize("keep", [0.0, 0.3, 0.9])
def test_an_archive_cut_short_is_an_error(keep: float) -> None:
    archive_bytes = packed(("data/a.csv", bytes(range(256)) * 200), ("data/b.csv", b"x" * 5000)).getvalue()
    with pytest.raises(Truncated):
        list(members(URL, io.BytesIO(archive_bytes[: int(len(archive_bytes) * keep)]), r"data/.*"))


def test_what_is_no_archive_is_an_error() -> None:
    for body in (b"<html>", packed(("data/a.csv", b"1"), mode="w").getvalue()):
        with pytest.raises(Truncated):
            list(members(URL, io.BytesIO(body), r"data/.*"))


def test_a_bomb_is_seen_by_its_size_unpacked() -> None:
    archive = packed(("ignored.bin", b"\0" * 3_000_000), ("data/a.csv", b"1"))
    with pytest.raises(TooLarge):
        list(members(URL, archive, r"data/.*", unpacked_bytes=1_000_000))


def test_one_member_past_its_cap_is_an_error() -> None:
    with pytest.raises(TooLarge):
        list(members(URL, packed(("data/a.csv", b"\0" * 2000)), r"data/.*", member_bytes=1000))


def test_the_files_of_a_folder_come_as_one_in_the_order_of_the_archive() -> None:
    archive = packed(
        ("data/a/1/x.json", b'{"x": 1}\n'),
        ("data/a/1/y.json", b'{\n  "y": 2\n}'),
        ("data/a/1/y.txt", b"ignored"),
        ("data/b/2/x.json", b"[]"),
        ("data/odd.json", b"[]"),
    )
    files = list(folders(URL, members(URL, archive, r"data/.*\.json"), r"data/(\w)/(\d)"))
    assert [(folder.path, folder.match.groups()) for folder in files] == [
        ("data/a/1", ("a", "1")),
        ("data/b/2", ("b", "2")),
    ]
    assert split_files(files[0].body) == [("x.json", b'{"x": 1}'), ("y.json", b'{\n  "y": 2\n}')]


def test_memory_holds_one_folder_of_many() -> None:
    archive = packed(*((f"data/{number // 10}/{number % 10}.json", b"\0" * 100_000) for number in range(400)))
    tracemalloc.start()
    try:
        assert sum(1 for _ in folders(URL, members(URL, archive, r"data/.*"), r"data/\d+")) == 40
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 6_000_000


def test_a_folder_in_two_places_or_past_its_cap_is_an_error() -> None:
    torn = packed(("data/a/x.json", b"1"), ("data/b/x.json", b"2"), ("data/a/y.json", b"3"))
    with pytest.raises(UnexpectedAnswer, match="data/a is not at one place"):
        list(folders(URL, members(URL, torn, r"data/.*"), r"data/\w"))
    large = packed(("data/a/x.json", b"1" * 60), ("data/a/y.json", b"2" * 60))
    with pytest.raises(TooLarge, match="data/a has more"):
        list(folders(URL, members(URL, large, r"data/.*"), r"data/\w", folder_bytes=100))
