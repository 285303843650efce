"""Homes that tests only read or copy: made once in a process."""

import atexit
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from benchhealth.warehouse.places.file import FileFacts
from benchhealth.warehouse.places.location import location_of
from benchhealth.warehouse.read import current_path


@cache
def cached_home(build: Callable[[Path], Path]) -> Path:
    """The folder that `build` filled, made once in this process and removed at its end; nobody may write to it."""
    folder = Path(tempfile.mkdtemp(prefix="benchhealth-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    build(folder)
    return folder


def copy_of_cached_home(build: Callable[[Path], Path], home: Path) -> Path:
    """Fill an empty folder as `build` would, from what it made before; the file of the current generation."""
    shutil.copytree(cached_home(build), home, symlinks=True, dirs_exist_ok=True)
    return current_path(home)


def is_empty_home(home: Path) -> bool:
    """Whether nothing lies there yet, and its facts are to lie in a file of it."""
    is_a_file = isinstance(location_of(home), FileFacts)
    return is_a_file and (not home.exists() or not any(home.iterdir()))
