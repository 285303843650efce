"""What addresses answer with: nothing that may not leave, from files written once for a generation."""

import asyncio
import dataclasses
import json
import shutil
import threading
import tracemalloc
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import polars as pl
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import Params, PublishedTable, View
from benchhealth.dashboard.serving import downloads, server
from benchhealth.dashboard.serving.downloads import WITHHELD, Download, Files
from benchhealth.dashboard.serving.operating.health import readyz
from benchhealth.dashboard.serving.server import TABLES, meta, table_csv
from benchhealth.warehouse.publish import KEEP
from benchhealth.warehouse.read import FILES_FOLDER, PUBLISHED_FOLDER, current_path, files_of, open_current
from benchhealth.warehouse.sharing.csv import neutral_csv, write_csv
from tests.support import asgi_client
from tests.support import mixed_generation as mixed
from tests.support.asgi_client import Answer
from tests.support.mixed_generation import told_of

APP = Starlette(
    routes=[
        Route("/readyz", readyz),
        Route("/meta.json", meta),
        Route("/csv/{name}", table_csv),
        Route("/csv/{source}/{name}", table_csv),
    ]
)


ask, get = partial(asgi_client.ask, APP), partial(asgi_client.get, APP)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("mixed")
    mixed.build(made)
    return made


@pytest.fixture(autouse=True)
def _served(home: Path) -> Iterator[None]:
    generation.use(home)
    downloads.use(home)
    yield
    generation.use(home)


def ways(kind: str) -> list[dict[str, str]]:
    """Parameters that name what a kind of source has, as the pages would."""
    exam, board = f"{kind}-exam", f"{kind}/{kind}-exam"
    model = f"{mixed.WORDS[kind]}-7b"
    return [
        {"benchmark": exam, "rung": "twin", "model": model},
        {"benchmark": "common-exam"},
        {"board": board, "k": "7"},
        {"twin": f"{kind}-twin"},
        {"tasks": board},
        {"source": kind},
    ]


class Noted(Mapping[str, str]):
    """Parameters that note which of them are looked at, and whether the names of all are."""

    def __init__(self, params: Params) -> None:
        self.params, self.looked_at, self.names_seen = params, set[str](), False

    def __getitem__(self, name: str) -> str:
        self.looked_at.add(name)
        return self.params[name]

    def __iter__(self) -> Iterator[str]:
        self.names_seen = True
        return iter(self.params)

    def __len__(self) -> int:
        self.names_seen = True
        return len(self.params)

    def tells_apart(self, params: Params) -> bool:
        """Whether what looked at these could do otherwise with those: it has seen nothing but what is noted."""
        names_differ = self.names_seen and self.params.keys() != params.keys()
        return names_differ or any(self.params.get(name) != params.get(name) for name in self.looked_at)


_ASKED: dict[str, list[tuple[list[Noted], Answer]]] = {}
"""By table its answers, and what was looked at of the parameters for each, in what may leave and in all."""


def answer_to(name: str, params: Params, monkeypatch: pytest.MonkeyPatch) -> Answer:
    """What the table answers: it is asked unless all that an earlier answer was made from is the same.

    The rows are made from parameters by `build`, and those of a table of the contract by `Download`.
    """
    asked = _ASKED.setdefault(name, [])
    for notes, answer in asked:
        if notes and not any(noted.tells_apart(params) for noted in notes):
            return answer
    table, notes = TABLES[name], list[Noted]()

    def noted(params: Params) -> Noted:
        notes.append(Noted(params))
        return notes[-1]

    def download(table: PublishedTable, view: View, params: Params, of: str | None) -> Download:
        return Download(table, view, noted(params), of)

    with monkeypatch.context() as patched:
        if table.published:
            patched.setattr(server, "Download", download)
        built = dataclasses.replace(table, build=lambda view, params: table.build(view, noted(params)))
        patched.setitem(TABLES, name, built)
        asked.append((notes, get(f"/csv/{name}", params)))
    return asked[-1][1]


@pytest.mark.parametrize("kind", ["alike", "shut", "import"])
def test_no_address_tells_what_may_not_leave(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answered = 0
    for name in TABLES:
        for params in ({}, *ways(kind)):
            answer = answer_to(name, params, monkeypatch)
            assert answer.status in {200, 400}, (name, params, answer.body)
            answered += answer.status == 200
            body = answer.body if answer.status == 200 else ""
            assert not told_of(kind, body), (name, params)
    assert answered > len(TABLES)
    assert not told_of(kind, get("/meta.json").body)


def test_what_is_open_is_answered(home: Path) -> None:
    for params in ways("open"):
        assert any("alder" in get(f"/csv/{name}", params).body.lower() for name in TABLES), params
    opened = open_current(home)
    for name in PUBLISHED:
        answer = get(f"/csv/published-{name}")
        assert len(answer.body.splitlines()) - 1 + int(answer.headers[WITHHELD.lower()]) == opened.table(name).height


def test_a_part_of_a_table_counts_what_is_withheld_too() -> None:
    answer = get("/csv/results", {"benchmark": "common-exam"})
    assert len(answer.body.splitlines()) == 1 + 1
    assert answer.headers[WITHHELD.lower()] == "2"


@pytest.mark.parametrize("name", ["result", "model", "frontier", "rank", "benchmark"])
def test_a_share_alike_source_has_addresses_of_its_own(name: str) -> None:
    answer = get(f"/csv/alike/published-{name}")
    assert answer.status == 200
    assert "birch" in answer.body.lower()
    assert not told_of("shut", answer.body)
    assert not told_of("import", answer.body)
    assert f"csv/alike/published-{name}" in json.loads(get("/meta.json").body)["csv_under_own_terms"]


@pytest.mark.parametrize("path", ["open/published-result", "shut/published-result", "import/published-result"])
def test_no_other_source_has(path: str) -> None:
    assert get(f"/csv/{path}").status == 404


def test_page_tables_have_none_by_source() -> None:
    assert get("/csv/alike/results").status == 404


def test_pages_say_that_a_download_holds_less_than_they_show(small_home: Path) -> None:
    assert not generation.current().all_open()
    generation.use(small_home)
    assert generation.current().all_open()


def test_meta_counts_what_is_withheld() -> None:
    described = json.loads(get("/meta.json").body)["tables"]["result"]
    assert (described["rows"], described["withheld"]) == (4, 11)


def test_a_file_is_written_once_however_many_ask_and_nobody_else_waits(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More ask at once than there are threads to answer; the one who writes waits until /readyz was answered."""
    ready, written = threading.Event(), []

    def slow(pieces: Iterator[pl.DataFrame], file: Path) -> None:
        written.append(file)
        assert ready.wait(20), "/readyz was not answered meanwhile"
        write_csv(pieces, file)

    monkeypatch.setattr(downloads, "write_csv", slow)

    async def crowd() -> list[Answer]:
        asked = [asyncio.create_task(ask("/csv/published-result")) for _ in range(100)]
        await asyncio.sleep(0.1)
        assert (await ask("/readyz")).status == 200
        ready.set()
        return await asyncio.gather(*asked)

    answers = asgi_client.finished(crowd())
    assert len(written) == 1
    assert {answer.status for answer in answers} == {200}
    assert len({answer.body for answer in answers}) == 1


def test_a_file_is_sent_in_pieces_and_again_without_being_written(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = get("/csv/published-result")
    monkeypatch.setattr(downloads, "write_csv", None)
    assert get("/csv/published-result") == first
    assert (files_of(current_path(home)) / "benchhealth-published-result.csv").read_text() == first.body
    assert get("/csv/published-result", If_None_Match=first.headers["etag"]).status == 304


def test_a_parameter_makes_no_table_of_the_contract_anew(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is asked with it: it would be built whole in memory, and kept."""
    first = get("/csv/published-result")
    monkeypatch.setattr(downloads, "write_csv", None)
    monkeypatch.setattr(downloads, "send_csv", None)
    assert get("/csv/published-result", {"any": "1"}).body == first.body
    assert get("/csv/published-result", {"benchmark": "x", "any": "1"}).status == 400


def test_a_part_of_a_table_is_read_from_a_file_that_is_gone_afterwards(home: Path) -> None:
    before = set((home / PUBLISHED_FOLDER).rglob("*"))
    answer = get("/csv/results", {"benchmark": "common-exam"})
    assert int(answer.headers["content-length"]) == len(answer.body.encode())
    folder = home / PUBLISHED_FOLDER / FILES_FOLDER
    assert set((home / PUBLISHED_FOLDER).rglob("*")) - before <= {folder}


def test_a_long_table_is_never_held_whole(tmp_path: Path) -> None:
    """Python and polars count apart: what is held is seen by how much is asked of the generation at a time."""
    held = []

    def pieces() -> Iterator[pl.DataFrame]:
        for start in range(0, 200_000, 20_000):
            piece = pl.DataFrame({"name": [f"model {number}" for number in range(start, start + 20_000)]})
            held.append(piece.height)
            yield piece

    tracemalloc.start()
    write_csv(pieces(), tmp_path / "long.csv")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    table = pl.DataFrame({"name": [f"model {number}" for number in range(200_000)]})
    assert (tmp_path / "long.csv").read_bytes() == neutral_csv(table)
    assert most < 4_000_000
    assert max(held) == 20_000


def test_pieces_of_a_table_are_the_table(home: Path) -> None:
    opened = open_current(home)
    for name in PUBLISHED:
        pieces = list(opened.pieces(name, rows=1))
        assert max(piece.height for piece in pieces) <= 2048  # DuckDB's own smallest unit
        assert pl.concat(pieces).equals(opened.table(name)), name


@pytest.mark.soak
def test_files_go_with_their_generation(home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "home"
    shutil.copytree(home, copy, symlinks=True)
    generation.use(copy)
    downloads.use(copy)
    assert get("/csv/published-verdict").status == 200
    old = files_of(current_path(copy))
    assert old.exists()
    for _ in range(KEEP):
        mixed.build_again(copy)
    assert not old.exists()
    assert get("/csv/published-verdict").status == 200
    assert [path.name for path in (copy / PUBLISHED_FOLDER / FILES_FOLDER).iterdir()] == [current_path(copy).stem]


def test_files_of_another_process_are_not_trusted(home: Path) -> None:
    left = files_of(current_path(home)) / "benchhealth-published-verdict.csv"
    left.parent.mkdir(parents=True, exist_ok=True)
    left.write_text("what an older program wrote")
    downloads.use(home)
    assert get("/csv/published-verdict").body.startswith("benchmark_id,")


def test_a_home_that_cannot_be_written_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", full)
    answer = get("/csv/published-verdict")
    assert (answer.status, answer.body) == (503, "the file cannot be written: No space left on device\n")
    monkeypatch.undo()
    assert get("/csv/published-verdict").status == 200


def test_a_part_that_cannot_be_written_leaves_no_file_open(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[IO[bytes]] = []

    def temporary(dir: Path) -> IO[bytes]:
        opened.append(TemporaryFile(dir=dir))  # noqa: SIM115 - the program closes it
        return opened[-1]

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(downloads, "TemporaryFile", temporary)
    monkeypatch.setattr(downloads, "send_csv", full)
    assert get("/csv/results", {"benchmark": "common-exam"}).status == 503
    assert [file.closed for file in opened] == [True]


def test_a_failed_file_leaves_nothing_behind(home: Path) -> None:
    files = Files(home)

    def broken(part: Path) -> Mapping[str, str]:
        part.write_text("half")
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        asgi_client.finished(files.file(current_path(home), "half.csv", broken))
    assert not list(files_of(current_path(home)).glob("*half.csv*"))


def test_a_replica_that_starts_removes_nothing_that_another_writes_or_hands_out(home: Path) -> None:
    files = Files(home)

    def write(part: Path) -> Mapping[str, str]:
        part.write_text("whole")
        Files(home)
        return {}

    path, _ = asgi_client.finished(files.file(current_path(home), "whole.csv", write))
    Files(home)
    assert path.read_text() == "whole"
