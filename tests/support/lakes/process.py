"""Processes that write into a lake: one that stores snapshots without end, one that ingests real sources."""

import sys
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from ingest.catalog import SOURCES
from ingest.network.fetch import Fetcher
from ingest.run.progress import Lines
from ingest.run.run import ingest
from tests.support.facts import NOON, batch, rejection, result
from tests.support.replay import LIKE_A_HOST, REGISTRY
from warehouse.ledger import LedgerEntry
from warehouse.places.lake import Lake
from warehouse.places.location import place
from warehouse.registry import read_registry
from warehouse.store import Store

ROWS = 400
FETCHED_AT = datetime(2026, 9, 1)


def store_on(home: Path) -> None:
    """Each round stores one snapshot of ROWS results with its entry in the ledger, and says its number."""
    while True:
        with Store.open(home) as store:
            number = len(store.snapshot_ids()) + 1
            rows = [result(model_id=f"m{row}", score=number / 1e6) for row in range(ROWS)]
            at = NOON + timedelta(hours=number)
            kept = batch(rows, ref=str(number), observed_at=at, rejections=[rejection()])
            entry = LedgerEntry("squad", f"u/{number}", "p", str(number), "", "", "written", "", at)
            assert store.write_all([kept], [entry]) == {kept.snapshot_id}
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


def ingest_from(home: Path, mirror: str, keys: list[str]) -> None:
    """One run over these sources; says how many results it stored."""
    sources = [source for source in SOURCES if source.key in keys]
    with Store.open(home) as store, closing(Fetcher(mirror, lambda: FETCHED_AT, pace=LIKE_A_HOST)) as fetcher:
        sys.stdout.write("open\n")
        sys.stdout.flush()
        report = ingest(
            sources,
            store,
            read_registry(REGISTRY),
            fetcher,
            history=False,
            home=home,
            registry_folder=REGISTRY,
            progress=Lines(),
        )
    sys.stdout.write(" ".join(done.source_id for done in report.sources) + "\n")


if __name__ == "__main__":
    what, folder, libpq, data, lease, *more = sys.argv[1:]
    place(Path(folder), Lake(libpq, data, lease_seconds=float(lease)) if libpq else None)
    if what == "store":
        store_on(Path(folder))
    else:
        ingest_from(Path(folder), more[0], more[1:])
