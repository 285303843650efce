"""Homes that tests only read or copy: made once for all processes of a run of the tests."""

import shutil
from collections.abc import Callable
from pathlib import Path

from benchhealth.warehouse.locking import exclusive
from benchhealth.warehouse.places.file import FileFacts
from benchhealth.warehouse.places.location import location_of
from benchhealth.warehouse.read import CURRENT, PUBLISHED_FOLDER, current_path

_FOLDERS: list[Path] = []


def share_homes_in(folder: Path) -> None:
    """Make homes in this folder from now on, which all processes of the run name."""
    _FOLDERS[:] = [folder]


def shared_home(name: str, build: Callable[[Path], object]) -> Path:
    """The home of that name, which one process builds and the others wait for; nobody may write to it."""
    folder = _FOLDERS[0]
    home = folder / name
    with exclusive(folder / f"{name}.lock", wait=True):
        if not (home / PUBLISHED_FOLDER / CURRENT).exists():
            build(home)
    return home


def copy_of_cached_home(build: Callable[[Path], Path], home: Path) -> Path:
    """Fill an empty folder as `build` would, from what it made before; the file of the current generation."""
    if not _FOLDERS:  # outside of tests
        return build(home)
    made = shared_home(build.__module__.rpartition(".")[2], build)
    shutil.copytree(made, home, symlinks=True, dirs_exist_ok=True)
    return current_path(home)


def is_empty_home(home: Path) -> bool:
    """Whether nothing lies there yet, and its facts are to lie in a file of it."""
    is_a_file = isinstance(location_of(home), FileFacts)
    return is_a_file and (not home.exists() or not any(home.iterdir()))
