"""The one place that knows where the facts of a home lie; the rest of the warehouse asks here."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import duckdb

from benchhealth.warehouse.places.claims import Opened
from benchhealth.warehouse.places.file import FileFacts

DATABASE = "warehouse.duckdb"


class Location(Protocol):
    """A place where facts are stored, and how it is opened."""

    @property
    def anew(self) -> str:
        """How a generation is made of the facts, for a home that has none."""
        ...

    def writing(self, *, anew: bool = False) -> AbstractContextManager[Opened]:
        """The facts open for writing, made if missing, migrated if older; `anew`: also where they were lost."""
        ...

    def reading(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """A connection to read; all that is read by it is of one state of the facts."""
        ...

    def running(self, newest: str, *, is_locked: bool) -> set[str]:
        """The runs that go on now; `newest` is the one that was started last, `is_locked` says of the home."""
        ...


_PLACED: dict[Path, Location] = {}


def place(home: Path, location: Location | None) -> None:
    """Set where the facts of this home are stored from now on; None, the default, is the home's own file.

    Said once a process, by whoever reads the settings.
    """
    if location is None:
        _PLACED.pop(home.resolve(), None)
    else:
        _PLACED[home.resolve()] = location


def location_of(home: Path) -> Location:
    """The place where the facts of this home are stored: a file of the home unless another was set."""
    return _PLACED.get(home.resolve()) or FileFacts(home / DATABASE)
