"""The first generation of the bundled facts, shipped with them: taken where it is of these facts and these rules."""

import hashlib
import json
import logging
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import polars as pl

import benchhealth
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.ingest.run.progress import shown_on
from benchhealth.pipeline.settings import Settings, now
from benchhealth.pipeline.watching import run_id_of
from benchhealth.warehouse.loading.shipped import OF_THE_HOME, read_shipped, write_shipped
from benchhealth.warehouse.locking import exclusive
from benchhealth.warehouse.publish import publish
from benchhealth.warehouse.read import CURRENT, PUBLISHED_FOLDER, current_path
from benchhealth.warehouse.status import run_table

LOGGER = logging.getLogger(__name__)
FOLDER = "generation"
"""Beside the folder of the bundled facts; a checkout has none, `.ci/wheel` writes it."""
MANIFEST = "made.json"
RULES = ("analytics", "warehouse", "ingest", "dashboard/words", "pipeline")
"""Folders of the program whose code says what the tables of a generation hold."""
GENERATIONS_KEPT = 2
"""Embedded generations that stay in the user's cache: this one, and that of another version."""


def edition(settings: Settings) -> str:
    """A digest of the facts (bundle and registry) and of the code that makes tables of them."""
    package = Path(benchhealth.__file__).parent
    code = (path for room in RULES for path in (package / room).rglob("*.py"))
    facts = (
        (root, (path for path in root.rglob("*") if path.is_file())) for root in (settings.bundle, settings.registry)
    )
    return _digest((package, code), *facts)


def ship(settings: Settings) -> Path:
    """Write the generation in service beside the bundle and return the folder; it must be made of the bundle alone.

    Raises as `write_shipped` does, and NoGeneration where none is in service.
    """
    folder = settings.bundle.with_name(FOLDER)
    write_shipped(current_path(settings.home), settings.bundle, folder)
    manifest = {"facts_and_rules": edition(settings), "tables": _of_tables(folder)}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return folder


def shipped_tables(settings: Settings) -> dict[str, pl.DataFrame] | None:
    """The tables of the shipped generation but OF_THE_HOME; None, and a line that says why, where they are not taken.

    In a checkout, which has none, nothing is said.
    """
    folder = settings.bundle.with_name(FOLDER)
    if not (folder / MANIFEST).exists():
        return None
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    if manifest.get("facts_and_rules") != edition(settings):
        LOGGER.info("the tables shipped with this program are of other facts or rules: they are computed anew")
        return None
    if manifest.get("tables") != _of_tables(folder):
        LOGGER.info("the tables shipped with this program are damaged: they are computed anew")
        return None
    return dict(read_shipped(folder, settings.bundle))


def publish_shipped(settings: Settings, tables: Mapping[str, pl.DataFrame]) -> Path:
    """Publish what came with the program. It is of a past day, so no ledger has an entry of it."""
    with_runs = {**tables, OF_THE_HOME: run_table(settings.home)}
    return publish(settings.home, with_runs, now(), keep=settings.keep.generations)


def embedded_home(settings: Settings) -> Path:
    """A home in the user's cache with the bundled facts as a generation, and nothing else: made where it is missing.

    It is of this very edition; the facts themselves are not stored there. Anybody may delete it.
    """
    home = _cache() / edition(settings)[:16]
    link = home / PUBLISHED_FOLDER / CURRENT
    if not link.exists():
        with exclusive(home.parent / "lock", wait=True):
            if not link.exists():
                _make(replace(settings, home=home, store=None, generations=None, log=None))
                _delete_other_versions(home)
    return home


def _make(settings: Settings) -> None:
    began = now()
    with shown_on(sys.stderr) as bar:
        bar.begin("bundled facts", "table")
        bar.expect(len(PUBLISHED))
        tables = shipped_tables(settings)
        if tables is not None:
            publish(settings.home, {**tables, OF_THE_HOME: _run(tables["source"], began)}, now(), on_table=bar.advance)
        bar.end("ready, the first time only" if tables is not None else "to be assessed, the first time only")
    if tables is None:
        from benchhealth.pipeline.night import init  # noqa: PLC0415 - imports every layer

        init(settings)


def _run(source: pl.DataFrame, began: datetime) -> pl.DataFrame:
    """The table `run` of a home in which nothing ran but this."""
    detail = f"shipped, as last seen on {source.select(pl.col('last_observed_at').max().dt.date()).item()}"
    row = (run_id_of(began), began, now(), "init", "ok", detail)
    return pl.DataFrame([row], schema=PUBLISHED[OF_THE_HOME], orient="row")


def _delete_other_versions(home: Path) -> None:
    """Delete what other versions left, but for the newest; a reader that has one open keeps it until it ends."""
    older = [path for path in home.parent.iterdir() if path.is_dir() and path != home]
    for path in sorted(older, key=lambda folder: folder.stat().st_mtime, reverse=True)[GENERATIONS_KEPT - 1 :]:
        shutil.rmtree(path, ignore_errors=True)


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser().absolute() / "benchhealth"


def _of_tables(folder: Path) -> str:
    return _digest((folder, (path for path in folder.rglob("*.parquet"))))


def _digest(*trees: tuple[Path, Iterable[Path]]) -> str:
    """A digest of files, each with its path from its root, whose own path says nothing."""
    digest = hashlib.sha256()
    for name, path in sorted(_named_files(trees)):
        digest.update(f"{name} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _named_files(trees: Iterable[tuple[Path, Iterable[Path]]]) -> Iterator[tuple[str, Path]]:
    return ((path.relative_to(root.parent).as_posix(), path) for root, paths in trees for path in paths)
