"""Which saved bodies a home still needs: those that may have to be parsed again, and those that nobody can fetch."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from benchhealth.analytics.record.tables.columns import COUNT, INSTANT, TEXT
from benchhealth.ingest.catalog import SOURCES
from benchhealth.ingest.network import raw
from benchhealth.ingest.own_results.imports import KEY as IMPORT
from benchhealth.ingest.run.source_state import saved_versions, timeless
from benchhealth.ingest.source import GithubTree
from benchhealth.warehouse.store import fact_table

RECORDED = pl.Schema({"sha256": TEXT, "source_id": TEXT, "url": TEXT, "at": INSTANT})
_DATED = {
    (source.key, files.board_id)
    for source in SOURCES
    for files in source.files
    if isinstance(files, GithubTree) and "{" not in files.board_id
}
"""Boards whose files are dated: the file of today follows that of yesterday, and they count as one."""


def on_disk(home: Path) -> pl.DataFrame:
    """The bodies that are there: `sha256`, and the `bytes` that each takes."""
    bodies = [(path.stem, path.stat().st_size) for path in (home / raw.FOLDER).glob("*/*.gz")]
    return pl.DataFrame(bodies, schema={"sha256": TEXT, "bytes": COUNT}, orient="row")


def recorded_bodies(home: Path) -> pl.DataFrame:
    """The bodies that the facts or the ledger name, one row each: RECORDED, `at` is when it was fetched last."""
    named = pl.concat([_of_snapshots(home).select(RECORDED.names()), _of_listings(home).select(RECORDED.names())])
    return named.sort("at").unique("sha256", keep="last", maintain_order=True)


def needed_hashes(home: Path) -> set[str]:
    """The hashes of the bodies that must stay.

    They are the newest version of each file whose facts are stored, so that it can be parsed again; what waits: held,
    refused, or fetched by a run that was cut; the newest listing of each tree; and all that was imported, because
    nobody can fetch it again.
    """
    snapshots, listings = _of_snapshots(home), _of_listings(home)
    newest = snapshots.filter(pl.col("observed_at") == pl.col("observed_at").max().over("source_id", "file"))
    imported = snapshots.filter(source_id=IMPORT)
    last = listings.unique("url", keep="last", maintain_order=True)
    return {*newest["sha256"], *imported["sha256"], *last["sha256"], *_hashes_waiting(home)}


def deleted_hashes(home: Path) -> set[str]:
    """The hashes of the bodies that retention deleted and that did not come back."""
    return set(fact_table(home, "ledger").filter(state="pruned")["sha256"]) - set(on_disk(home)["sha256"])


def missing_hashes(home: Path) -> set[str]:
    """The hashes of the bodies that are needed, were fetched or imported here, and are not there.

    What came with the bundle never had a body here.
    """
    fetched = fact_table(home, "ledger").filter(pl.col("state").is_in(["fetched", "listed"]))["sha256"]
    imported = fact_table(home, "snapshot").filter(source_id=IMPORT)["sha256"]
    return needed_hashes(home) & {*fetched, *imported} - set(on_disk(home)["sha256"])


def _of_snapshots(home: Path) -> pl.DataFrame:
    """The stored snapshots: RECORDED, `observed_at`, and `file`, one for all versions of a file or of dated files."""
    stored = fact_table(home, "snapshot").rename({"fetched_at": "at"})
    columns = stored.select("source_id", "board_id", "url", "ref").iter_rows()
    files = [board if (source, board) in _DATED else timeless(url, ref) for source, board, url, ref in columns]
    return stored.with_columns(file=pl.Series(files, dtype=pl.String))


def _of_listings(home: Path) -> pl.DataFrame:
    """The listings of trees that the ledger names, oldest first: RECORDED."""
    ledger = fact_table(home, "ledger").filter(pl.col("sha256") != "").sort("seq")
    listed = ledger.filter(state="listed").select("url").unique()
    return ledger.join(listed, on="url", how="semi", maintain_order="left").select(RECORDED.names())


def _hashes_waiting(home: Path) -> Iterator[str]:
    for entries in fact_table(home, "ledger").sort("seq").partition_by("source_id"):
        yield from (saved.sha256 for saved in saved_versions(entries))
