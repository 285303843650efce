"""Real histories of five sources: what their ingest costs beside decoding the same files.

`python -m perf.histories` asks the replay server of ../shared/upstream, ingests every version of the sources into a
home of its own, then decodes the bodies that were saved: JSON and CSV by the standard library, nothing more. Waiting
for the server counts by the clock alone, so the ratio is of processor seconds.
"""

import csv
import io
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from benchhealth.ingest.network import raw
from benchhealth.pipeline import night
from benchhealth.pipeline.settings import REPOSITORY, Settings
from benchhealth.warehouse.store import fact_table
from perf.clock import Clock, Took, apart

SERVE = REPOSITORY.parent / "shared" / "upstream" / "serve"
SOURCES = ("evalplus", "livebench", "lmarena", "squad", "timm")


def measure() -> list[str]:
    """Ingest, decode; the lines to print."""
    if not SERVE.exists():
        return [f"not measured: no replay server beside the checkout ({SERVE.parent.name})"]
    with tempfile.TemporaryDirectory(prefix="benchhealth-perf-") as folder, _replay() as mirror:
        home = Path(folder)
        ingest = apart(ingested, home, mirror)
        versions = fact_table(home, "snapshot")
        bare = apart(decoded, home, versions["sha256"].to_list())
    results = int(versions["rows_kept"].sum())
    return [
        f"{versions.height:,} versions of {len(SOURCES)} sources, {bare.rows or 0:,} bytes, {results:,} results",
        f"{'':<40}{'seconds':>9}{'processor':>11}{'MB held':>9}",
        f"{'decode':<40}{bare.wall:>9.1f}{bare.processor:>11.1f}{bare.peak / 1e6:>9,.0f}",
        f"{'ingest':<40}{ingest.wall:>9.1f}{ingest.processor:>11.1f}{ingest.peak / 1e6:>9,.0f}",
        f"{'ratio':<40}{'':>9}{ingest.processor / bare.processor:>11.1f}",
        f"{'results stored in a processor second':<40}{'':>9}{results / ingest.processor:>11,.0f}",
    ]


def ingested(home: Path, mirror: str) -> Took:
    """Every version of the sources, into a home that holds nothing."""
    clock = Clock()
    with clock.part("ingest"):
        settings = replace(Settings.from_environment(), home=home)
        code = night.ingest(settings, keys=SOURCES, history=True, mirror=mirror)
    if code:
        raise RuntimeError(f"the ingest ended with {code}")
    return clock.parts["ingest"]


def decoded(home: Path, hashes: Sequence[str]) -> Took:
    """The saved bodies as Python's own objects; `rows` are their bytes."""
    clock, size = Clock(), 0
    with clock.part("decode"):
        for each in hashes:
            body = raw.load(home, each)
            size += len(body)
            if body.lstrip()[:1] in (b"{", b"["):
                json.loads(body)
            else:
                list(csv.reader(io.StringIO(body.decode("utf-8-sig"), newline="")))
    return replace(clock.parts["decode"], rows=size)


@contextmanager
def _replay() -> Iterator[str]:
    """The address of a server of the upstream files."""
    command = [sys.executable, str(SERVE), "--port", "0", "--api-limit", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        if server.stdout is None:
            raise RuntimeError("the replay server says no address")
        try:
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()


if __name__ == "__main__":
    print("\n".join(measure()))
