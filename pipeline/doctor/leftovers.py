"""What a killed run had begun to write and nobody will finish."""

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from benchhealth.pipeline.doctor.findings import Finding
from benchhealth.pipeline.keeping.restore import STAGING
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.locking import is_held
from benchhealth.warehouse.publish import BUILDING
from benchhealth.warehouse.read import CURRENT, PUBLISHED_FOLDER
from benchhealth.warehouse.store import LOCK

PATTERNS = (
    *(f"{PUBLISHED_FOLDER}/{BUILDING}*", f"{PUBLISHED_FOLDER}/.{CURRENT}.*"),
    *("raw/*/.*.part", ".*.json.*.new", STAGING, ".edition-*", "editions/*.part", "editions/bodies/*/*.part"),
)
"""A link that leads nowhere is found only by a pattern with a `*` in its last part."""
OLD_SECONDS = 86_400.0
ROWS = re.compile(r"rows(-\d+)?\.parquet")
"""All that is in a temporary folder of this program (`warehouse.facts.relation`)."""


def check(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Files that no run at work is writing: with one at work nothing is left over yet."""
    lock = settings.home / LOCK
    if lock.is_dir() or is_held(lock):
        return  # of a folder `lock` says so
    begun = [path for pattern in PATTERNS for path in sorted(settings.home.glob(pattern))]
    if begun:
        what = f"a killed run left {_named(begun)}"
        yield Finding("leftovers", what, "--repair removes it", repair=lambda: _removed(begun))
    abandoned = list(_abandoned(Path(tempfile.gettempdir())))
    if abandoned:
        what = f"killed runs left {_named(abandoned)}, older than a day"
        yield Finding("leftovers", what, "--repair removes it", repair=lambda: _removed(abandoned))


def _abandoned(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.glob("benchhealth-*")):
        try:
            found = path.lstat()
            own = found.st_uid == os.geteuid() and path.is_dir() and not path.is_symlink()
            if (
                own
                and time.time() - found.st_mtime > OLD_SECONDS
                and all(ROWS.fullmatch(inside.name) for inside in path.iterdir())
            ):
                yield path
        except OSError:
            continue  # it went meanwhile


def _named(paths: list[Path]) -> str:
    return str(paths[0]) if len(paths) == 1 else f"{len(paths)} files, such as {paths[0]}"


def _removed(paths: list[Path]) -> str:
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    return f"{_named(paths)} removed"
