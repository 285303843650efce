"""Whether there is room for another night: bytes and inodes, in the home and where temporary files go."""

import os
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from benchhealth.pipeline.doctor.findings import Finding
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.read import generations
from benchhealth.warehouse.store import DATABASE

LEAST = 256 * 2**20
"""Bytes for what a night brings: bodies, rows, what DuckDB writes beside them."""

INODES = 2_000
"""Files that a night may add; a first backfill of all sources makes some thousands of bodies."""


def check(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Too little room, or a file system that takes nothing."""
    for folder, need in ((settings.home, _needed(settings.home)), (Path(tempfile.gettempdir()), LEAST)):
        there = os.statvfs(folder)
        if there.f_flag & os.ST_RDONLY:
            yield Finding("room", f"{folder} is on a file system that is mounted read-only", "mount it for writing")
            continue
        free = there.f_bavail * there.f_frsize
        if free < need:
            what = f"{free / 2**20:,.0f} MB are free for {folder}, a night may need {need / 2**20:,.0f}"
            yield Finding("room", what, "make room; the last generation stays in service meanwhile")
        if there.f_files and there.f_favail < INODES:
            what = f"{there.f_favail:,} files may still be made on the file system of {folder}, a night may need more"
            yield Finding("room", what, "remove files that are not needed, or use a file system with more inodes")


def _needed(home: Path) -> int:
    """A new generation beside the old ones, the facts written anew where DuckDB compacts them, and the least."""
    newest = max((path.stat().st_size for path in generations(home)), default=0)
    facts = home / DATABASE
    return newest + (facts.stat().st_size if facts.exists() else 0) + LEAST
