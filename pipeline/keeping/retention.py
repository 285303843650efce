"""What a night lets go: raw bodies that nothing needs any more, within limits that are set."""

import logging
from datetime import datetime, timedelta
from pathlib import Path

import polars as pl

from benchhealth.ingest.network import raw
from benchhealth.pipeline.keeping.bodies import needed, on_disk, recorded
from benchhealth.pipeline.settings import MB, Keep
from benchhealth.warehouse.ledger import LedgerEntry
from benchhealth.warehouse.store import Store

LOGGER = logging.getLogger(__name__)
LEDGER_SOURCE = "raw"
"""Under which the ledger notes a body that was let go; no upstream is called so."""


def prune(home: Path, store: Store, keep: Keep, instant: datetime) -> int:
    """Let go of the bodies that nothing needs and that are too old, or too much together; returns how many.

    The ledger notes them first, in one transaction, and then they are removed: a run that is killed in between has
    lost nothing, and the next one removes what is left. A body that neither facts nor ledger name stays: it may be all
    that is left of an import.
    """
    going = _going(home, keep, instant)
    if going.is_empty():
        return 0
    store.ledger.record(*(_entry(row, instant) for row in going.iter_rows(named=True)))
    for sha256 in going["sha256"]:
        raw.path_of(home, sha256).unlink(missing_ok=True)
    LOGGER.info("retention: %d raw bodies of %.1f MB let go", going.height, going["bytes"].sum() / MB)
    return going.height


def _going(home: Path, keep: Keep, instant: datetime) -> pl.DataFrame:
    """The bodies to let go: RECORDED and `bytes`."""
    there = on_disk(home)
    free = (
        there.join(recorded(home), on="sha256").filter(~pl.col("sha256").is_in(list(needed(home)))).sort("at", "sha256")
    )
    old = pl.col("at") < instant - timedelta(days=keep.raw_days)
    stays = int(there["bytes"].sum()) - int(free["bytes"].sum())
    if stays > keep.raw_mb * MB:
        LOGGER.warning(
            "retention: raw bodies that are needed take %.0f MB, BENCHHEALTH_KEEP_RAW_MB is %d", stays / MB, keep.raw_mb
        )
    # the newest stay for as long as there is room
    room = keep.raw_mb * MB - stays
    return free.filter(old | (pl.col("bytes").cum_sum(reverse=True) > room))


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
