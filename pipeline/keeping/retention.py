"""Removes raw bodies that nothing needs any more, within the limits that are set; a night does it at its end."""

import logging
from datetime import datetime, timedelta
from pathlib import Path

import polars as pl

from benchhealth.ingest.network import raw
from benchhealth.pipeline.keeping.bodies import needed_hashes, on_disk, recorded_bodies
from benchhealth.pipeline.settings import MB, Keep
from benchhealth.warehouse.ledger import LedgerEntry
from benchhealth.warehouse.store import Store

LOGGER = logging.getLogger(__name__)
LEDGER_SOURCE = "raw"
"""The source under which the ledger notes a body that was removed; no upstream is called so."""


def prune(home: Path, store: Store, keep: Keep, instant: datetime) -> int:
    """Remove the bodies that nothing needs and that are too old, or too large together; returns how many.

    The ledger notes them first, in one transaction, and then they are removed: a run that is killed in between has
    lost nothing, and the next one removes the others. A body that neither facts nor ledger name stays: it may be all
    that is left of an import.
    """
    removable = _to_remove(home, keep, instant)
    if removable.is_empty():
        return 0
    store.ledger.record(*(_entry(row, instant) for row in removable.iter_rows(named=True)))
    for sha256 in removable["sha256"]:
        raw.path_of(home, sha256).unlink(missing_ok=True)
    LOGGER.info("retention: %d raw bodies of %.1f MB let go", removable.height, removable["bytes"].sum() / MB)
    return removable.height


def _to_remove(home: Path, keep: Keep, instant: datetime) -> pl.DataFrame:
    """The bodies to remove, with what the facts and the ledger say of each (`recorded_bodies`) and its `bytes`."""
    bodies = on_disk(home)
    is_needed = pl.col("sha256").is_in(list(needed_hashes(home)))
    unneeded = bodies.join(recorded_bodies(home), on="sha256").filter(~is_needed).sort("at", "sha256")
    is_old = pl.col("at") < instant - timedelta(days=keep.raw_days)
    needed_bytes = int(bodies["bytes"].sum()) - int(unneeded["bytes"].sum())
    if needed_bytes > keep.raw_mb * MB:
        LOGGER.warning(
            "retention: raw bodies that are needed take %.0f MB, BENCHHEALTH_KEEP_RAW_MB is %d",
            needed_bytes / MB,
            keep.raw_mb,
        )
    # the newest stay as far as there is room
    room = keep.raw_mb * MB - needed_bytes
    return unneeded.filter(is_old | (pl.col("bytes").cum_sum(reverse=True) > room))


def _entry(row: dict[str, object], instant: datetime) -> LedgerEntry:
    sha256 = str(row["sha256"])
    return LedgerEntry(
        source_id=LEDGER_SOURCE,
        url=f"{LEDGER_SOURCE}:{sha256}",
        path=f"{sha256[:2]}/{sha256}.gz",
        ref="",
        etag="",
        sha256=sha256,
        state="pruned",
        detail=f"{row['bytes']} bytes of {row['source_id']}, {row['url']}: a later version is in service",
        at=instant,
    )
