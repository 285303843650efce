"""The one place that knows where the facts of a home lie; the rest of the warehouse asks here."""

from pathlib import Path
from typing import TYPE_CHECKING

from benchhealth.warehouse.places.file import FileFacts

if TYPE_CHECKING:
    from benchhealth.warehouse.places.lake import Lake

DATABASE = "warehouse.duckdb"


_PLACED: dict[Path, "Lake"] = {}
"""Lakes that stand in place of a file: each opens its facts with the same methods."""


def place(home: Path, location: "Lake | None") -> None:
    """Set where the facts of this home are stored from now on; None, the default, is the home's own file.

    Said once a process, by whoever reads the settings.
    """
    if location is None:
        _PLACED.pop(home.resolve(), None)
    else:
        _PLACED[home.resolve()] = location


def location_of(home: Path) -> "FileFacts | Lake":
    """The place where the facts of this home are stored: a file of the home unless another was set."""
    return _PLACED.get(home.resolve()) or FileFacts(home / DATABASE)
