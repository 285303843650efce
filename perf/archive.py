"""A repository of very many small files, taken as one archive: what its ingest costs beside decoding its bytes.

`python -m perf.archive` makes an archive of the shape of MTEB's results (folders of a hundred files, most of them some
kilobytes, one of a megabyte), reads and decodes it, ingests it into a home of its own, and prints both times, their
ratio and the most memory that the ingest held. Each is done in a process of its own.
"""

import argparse
import gzip
import io
import json
import shutil
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from random import Random
from typing import BinaryIO, NamedTuple

import polars as pl

from benchhealth.ingest.network.fetch import Fetcher
from benchhealth.ingest.network.github import archive_url
from benchhealth.ingest.network.payload import Head, Limits, Payload, Unchanged
from benchhealth.ingest.run.run import ingest
from benchhealth.ingest.sources import mteb
from benchhealth.pipeline.settings import REPOSITORY
from benchhealth.warehouse.registry import read_registry
from benchhealth.warehouse.store import Store, fact_table
from perf.clock import apart, peak

FOLDERS = 1_000
"""Of 105 files and 1.8 MB each: all of MTEB's results had 104,747 files and 1.8 GB in August 2026."""

MOST_TIMES = 4.0
"""The ingest may take so many times what reading and decoding the same bytes takes."""

MOST_MEMORY = 700.0
"""Megabytes that the ingest may hold."""

COMMIT = "0123456789abcdef0123456789abcdef01234567"
_COMMITTED = "2026-08-20T00:00:00Z"
_NOW = datetime(2026, 8, 21)  # noqa: DTZ001 - naive UTC, as all over
_MAIN = "0.31415926535"


class _Shape(NamedTuple):
    """Files of one kind in a folder: how many, the languages of each, the numbers of each language."""

    files: int
    subsets: int
    numbers: int


SHAPES = (_Shape(30, 1, 8), _Shape(60, 1, 143), _Shape(10, 4, 143), _Shape(3, 40, 20), _Shape(1, 150, 143))
VARIANTS = 40
"""How many different files of each kind there are: so far apart that compression does not find them alike."""


class Cost(NamedTuple):
    """Seconds, the most memory in bytes, and what came of it: files read, or results stored."""

    seconds: float
    peak: int
    number: int


def make(path: Path, folders: int) -> int:
    """Write an archive of so many folders to `path`; how many bytes it unpacks to."""
    random = Random(1)
    kinds = [[_file(random, shape) for _ in range(VARIANTS)] for shape in SHAPES]
    size = 0
    with gzip.open(path, "wb", compresslevel=1) as packed, tarfile.open(fileobj=packed, mode="w|") as tar:
        for name, body in _members(random, kinds, folders):
            info = tarfile.TarInfo(f"results-{COMMIT}/{name}")
            info.size = len(body)
            size += len(body)
            tar.addfile(info, io.BytesIO(body))
    return size


def decode(path: Path) -> Cost:
    """Unpack the archive and read every file of it as JSON."""
    began, files = time.perf_counter(), 0
    with gzip.open(path, "rb") as unpacked, tarfile.open(fileobj=unpacked, mode="r|") as tar:
        while (member := tar.next()) is not None:
            tar.members.clear()  # type: ignore[attr-defined]  # as the program does, for memory's sake
            if (opened := tar.extractfile(member)) is not None:
                json.loads(opened.read())
                files += 1
    return Cost(time.perf_counter() - began, peak(), files)


def take(path: Path, home: Path) -> Cost:
    """Ingest the archive as MTEB's, into a home that holds nothing."""
    registry_folder = REPOSITORY / "data" / "registry"
    registry = read_registry(registry_folder)
    began = time.perf_counter()
    with Store.open(home) as store:
        report = ingest(
            [mteb.SOURCE],
            store,
            registry,
            _FromFile(path),
            history=True,
            home=home,
            registry_folder=registry_folder,
            progress=_Quiet(),
        )
    seconds = time.perf_counter() - began
    (source,) = report.sources
    if source.errors or source.held:
        raise RuntimeError(f"not ingested: {source.summary()}")
    rows = dict(fact_table(home, "snapshot").select(pl.col("^rows_.*$").sum()).row(0, named=True))
    if rows["rows_in"] != rows["rows_kept"] + rows["rows_rejected"]:
        raise RuntimeError("rows are not accounted for")
    return Cost(seconds, peak(), source.results)


def measure(folders: int = FOLDERS) -> list[str]:
    """Make, decode, ingest; the lines to print, with a mark where a limit is passed."""
    folder = Path(tempfile.mkdtemp(prefix="benchhealth-perf-"))
    try:
        path = folder / "archive.tar.gz"
        size = make(path, folders)
        bare = apart(decode, path)
        taken = apart(take, path, folder / "home")
        ratio, held = taken.seconds / bare.seconds, taken.peak / 1e6
        return [
            f"{bare.number:,} files in {folders:,} folders, {size / 1e6:,.0f} MB unpacked, {taken.number:,} results",
            f"{'read and decode (s)':<40}{bare.seconds:>9.1f}",
            f"{'ingest (s)':<40}{taken.seconds:>9.1f}",
            f"{'ratio':<40}{ratio:>9.1f}{' !' if ratio > MOST_TIMES else ''}",
            f"{'most memory held (MB)':<40}{held:>9,.0f}{' !' if held > MOST_MEMORY else ''}",
        ]
    finally:
        shutil.rmtree(folder)


def main() -> None:
    """Measure at the size of MTEB, or of so many folders."""
    parser = argparse.ArgumentParser(prog="python -m perf.archive", description=__doc__)
    parser.add_argument("--folders", type=int, default=FOLDERS)
    print("\n".join(measure(parser.parse_args().folders)))


class _FromFile(Fetcher):
    """Answers what the ingest asks about the repository from one file."""

    def __init__(self, path: Path) -> None:
        super().__init__(None, clock=lambda: _NOW)
        self._path = path

    def head(self, url: str, *, media_types: Sequence[str], etag: str = "") -> Head | Unchanged:
        del url, media_types, etag
        return Head('"1"', _NOW, _NOW)

    def get(
        self, url: str, *, media_types: Sequence[str], ref: str = "", etag: str = "", limits: Limits | None = None
    ) -> Payload | Unchanged:
        del media_types, etag, limits
        listed = json.dumps([{"sha": COMMIT, "commit": {"committer": {"date": _COMMITTED}}}]).encode()
        return Payload(url, ref, _NOW, "", "application/json", listed)

    def spool(self, url: str, into: BinaryIO, *, media_types: Sequence[str], limits: Limits) -> None:
        del media_types, limits
        if url != archive_url("embeddings-benchmark/results", COMMIT):
            raise RuntimeError(f"not in this file: {url}")
        with self._path.open("rb") as packed:
            shutil.copyfileobj(packed, into)


class _Quiet:
    """Tells nobody how far the ingest is."""

    def begin(self, title: str, unit: str = "file") -> None: ...

    def expect(self, files: int) -> None: ...

    def advance(self, what: str) -> None: ...

    def end(self, outcome: str) -> None: ...


def _members(random: Random, kinds: list[list[bytes]], folders: int) -> Iterator[tuple[str, bytes]]:
    for place in range(folders):
        folder = f"results/lab__model-{place}/{random.getrandbits(160):040x}"
        card = {"name": f"lab/model-{place}", "release_date": "2026-01-01", "open_weights": True}
        yield f"{folder}/model_meta.json", json.dumps(card | {"training_datasets": {"Task0": ["train"]}}).encode()
        task = 0
        for shape, bodies in zip(SHAPES, kinds, strict=True):
            for _ in range(shape.files):
                body = random.choice(bodies).replace(_MAIN.encode(), b"%.11f" % random.random())
                yield f"{folder}/Task{task}.json", body.replace(b"@task", b"Task%d" % task)
                task += 1


def _file(random: Random, shape: _Shape) -> bytes:
    """A task's results: as many numbers of sixteen digits for each language as there are metrics and cuts."""
    subsets = [
        {f"ndcg_at_{number}": random.random() for number in range(shape.numbers)}
        | {"hf_subset": f"language-{subset}" if shape.subsets > 1 else "default", "main_score": float(_MAIN)}
        for subset in range(shape.subsets)
    ]
    results = {"mteb_version": "1.18.0", "evaluation_time": random.random(), "scores": {"test": subsets}}
    return json.dumps(results | {"task_name": "@task"}, indent=2).encode()


if __name__ == "__main__":
    main()
