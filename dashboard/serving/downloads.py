"""Downloads: what may leave of a table, written once for a generation while the server goes on answering."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

import polars as pl
from pyarrow.parquet import ParquetWriter
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.status import HTTP_400_BAD_REQUEST
from starlette.types import Message, Receive, Scope, Send

from benchhealth.analytics.record.tables import TABLES
from benchhealth.dashboard.published.generation import ParameterError, Params, PublishedTable, View
from benchhealth.dashboard.serving.responses import WITHHELD
from benchhealth.warehouse.read import FILES_FOLDER, PUBLISHED_FOLDER, files_of
from benchhealth.warehouse.sharing.csv import send_csv, write_csv
from benchhealth.warehouse.sharing.generation import LackingTable


def write_parquet(pieces: Iterable[pl.DataFrame], file: Path) -> None:
    """Write frames of the same columns as one Parquet file; no more than one of them is held at a time."""
    writer: ParquetWriter | None = None
    try:
        for piece in pieces:
            rows = piece.to_arrow(compat_level=pl.CompatLevel.oldest())
            writer = writer or ParquetWriter(file, rows.schema, compression="zstd")
            writer.write_table(rows)
    finally:
        if writer is not None:
            writer.close()


CSV = "text/csv; charset=utf-8"
FORMS = {"csv": CSV, "parquet": "application/vnd.apache.parquet"}
_AT_A_TIME = 2
"""Parts of tables that are built in memory at once; the others wait."""
_ROWS = 20_000
"""How many rows of a file are written at a time."""

WHOLE = (
    "this table is sent whole, its rows are not chosen by parameters; chosen rows are an answer to SQL: "
    "/query.csv?sql=SELECT * FROM {name} WHERE {key} = '...'"
)
"""What is said where the address of a table of the contract has parameters that name columns of it."""

WrittenFile = tuple[Path, Mapping[str, str]]
"""The path of a file that was written, and the headers that it is sent with."""


_PIECE = 256 * 1024


class _File(FileResponse):
    """A file of which parts can be asked for: by GET and in bytes; what asks otherwise gets the whole (RFC 9110, 14.2).

    Where a part is refused, pages of others learn why, as they do of the file itself.
    """

    chunk_size = _PIECE
    max_ranges = 16

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file, the parts of it, or that there is no such part."""
        byte_range = Headers(scope=scope).get("range", "")
        if byte_range and (scope["method"] != "GET" or not byte_range.lower().startswith("bytes=")):
            scope = {**scope, "headers": [pair for pair in scope["headers"] if pair[0].lower() != b"range"]}

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] >= HTTP_400_BAD_REQUEST:
                headers = MutableHeaders(scope=message)
                for name in ("etag", "accept-ranges", "access-control-allow-origin", "access-control-expose-headers"):
                    if name in self.headers:
                        headers[name] = self.headers[name]
            await send(message)

        await super().__call__(scope, receive, with_headers)


async def pieces(file: BinaryIO) -> AsyncIterator[bytes]:
    """What is in the file, without more than a piece of it in memory; closed at the end."""
    with file:
        while piece := await run_in_threadpool(file.read, _PIECE):
            yield piece


class Files:
    """The files written for the generations of a home, by one thread, one after the other.

    Requests for a file that is being written wait without a thread, so any number may wait.
    """

    def __init__(self, home: Path) -> None:
        """What another process left is never handed out: an older program may have let other rows leave.

        It is not removed either, as another replica may be at work on it; it goes with its generation.
        """
        self._folder = home / PUBLISHED_FOLDER / FILES_FOLDER
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="downloads")
        self._being_written: dict[Path, asyncio.Future[WrittenFile]] = {}
        self._written_files: dict[Path, WrittenFile] = {}
        self.building = asyncio.Semaphore(_AT_A_TIME)

    async def file(self, generation: Path, name: str, write: Callable[[Path], Mapping[str, str]]) -> WrittenFile:
        """The file of that name for the generation at this path; `write` fills it where it is not there yet.

        Raises what `write` raises, and OSError where the home cannot be written to.
        """
        path = files_of(generation) / name
        if path in self._written_files and path.exists():
            return self._written_files[path]
        if path not in self._being_written:
            writing = asyncio.get_running_loop().run_in_executor(self._writer, self._write_file, path, write)
            self._being_written[path] = writing
            writing.add_done_callback(lambda _done: self._being_written.pop(path))
        return await asyncio.shield(self._being_written[path])

    def _write_file(self, path: Path, write: Callable[[Path], Mapping[str, str]]) -> WrittenFile:
        self._tidy()
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            headers = write(partial)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
        self._written_files[path] = path, headers
        return self._written_files[path]

    def room(self) -> Path:
        """Where a file without a name may be written: where there is room for files of generations."""
        self._folder.mkdir(parents=True, exist_ok=True)
        return self._folder

    def _tidy(self) -> None:
        """Remove the files of generations that are gone."""
        self._written_files = {path: written for path, written in self._written_files.items() if path.exists()}
        for folder in self._folder.glob("*"):
            if not (self._folder.parent / f"{folder.name}.duckdb").exists():
                shutil.rmtree(folder, ignore_errors=True)


class _Process:
    """Holds the files that this process writes for downloads."""

    files: Files


def use(home: Path) -> None:
    """Write below this home from now on."""
    _Process.files = Files(home)


def room() -> Path:
    """Where this process may write a file without a name. Raises OSError where the home cannot be written to."""
    return _Process.files.room()


@dataclass(frozen=True)
class Download:
    """A request for a table: the rows that may be passed on, or those of the source `of` under its terms."""

    table: PublishedTable
    view: View
    params: Params
    of: str | None
    form: str = "csv"
    """`csv`, or `parquet` for a table of the contract."""

    async def answer(self, headers: Mapping[str, str]) -> Response:
        """The table as a file that is sent piece by piece.

        Without parameters that choose rows the file is kept with the generation; else it is temporary.

        Raises as the table, `View.shared` and `Files` do, and ParameterError for parameters that
        would choose rows of a table of the contract.
        """
        if self.table.published:
            _check_whole(self.table.published, self.params)
        stem = "-".join(filter(None, ("benchhealth", self.of, self.table.name)))
        named = {**headers, "Content-Disposition": f'attachment; filename="{stem}.{self.form}"'}
        files = _Process.files
        if self.table.published or not self.params:
            path, counted = await files.file(self.view.published.path, f"{stem}.{self.form}", self._write)
            return _File(path, media_type=FORMS[self.form], headers={**named, **counted})
        file = TemporaryFile(dir=room())  # noqa: SIM115 - closed when it has been read
        try:
            async with files.building:
                size, counted = await run_in_threadpool(self._built, file)
        except BaseException:  # also where the reader left meanwhile
            file.close()
            raise
        sized = {"Content-Length": str(size)}
        return StreamingResponse(pieces(file), media_type=CSV, headers={**named, **counted, **sized})

    def _write(self, path: Path) -> Mapping[str, str]:
        shared = self.view.shared(self.of)
        if not self.table.published:
            rows = self.table.build(shared, {})
            write_csv([rows], path)
            return self._counted(rows.height)
        if self.table.published in shared.lacking:
            raise LackingTable(self.table.published)
        write = write_parquet if self.form == "parquet" else write_csv
        write(shared.published.pieces(self.table.published), path)
        return {} if self.of else {WITHHELD: str(shared.withheld(self.table.published))}

    def _built(self, file: BinaryIO) -> tuple[int, Mapping[str, str]]:
        """Write the rows; their bytes, and the header."""
        rows = self.table.build(self.view.shared(self.of), self.params)
        send_csv(rows.iter_slices(_ROWS) if rows.height else [rows], file)
        size = file.tell()
        file.seek(0)
        return size, self._counted(rows.height)

    def _counted(self, rows: int) -> Mapping[str, str]:
        """The header: how many rows the page shows that are not among these."""
        return {} if self.of else {WITHHELD: str(max(0, self.table.build(self.view, self.params).height - rows))}


def _check_whole(name: str, params: Params) -> None:
    """Raise ParameterError where a parameter names a column of this table, as `benchmark` does `benchmark_id`."""
    table = TABLES[name]
    if any(param in table.by_name or f"{param}_id" in table.by_name for param in params):
        raise ParameterError(WHOLE.format(name=name, key=table.key[0]))
