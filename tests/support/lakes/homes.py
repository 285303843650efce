"""Homes over either store: made, copied and handed to commands the same way."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from benchhealth.warehouse.places.lake import Lake
from benchhealth.warehouse.places.location import place
from tests.support.lakes.postgres import Cluster

SECONDS = 2
"""How long a lease lasts: as short as it may be, because who follows a killed run waits for its end."""


def environment(lake: Lake) -> Mapping[str, str]:
    """The settings by which a run works on the lake."""
    return {
        "BENCHHEALTH_STORE": f"ducklake:postgres:{lake.libpq}",
        "BENCHHEALTH_STORE_DATA": str(lake.data),
        "BENCHHEALTH_LEASE_SECONDS": str(SECONDS),
    }


class Homes(Protocol):
    """Where the facts of some homes lie."""

    def new(self, home: Path) -> None:
        """Nothing is there, neither home nor facts."""
        ...

    def copy(self, home: Path, to: Path) -> None:
        """A home in place of what was there, with facts of its own."""
        ...

    def environment_of(self, home: Path) -> Mapping[str, str]:
        """The settings by which a command works in this home."""
        ...


class Files:
    """Facts in the homes themselves."""

    def new(self, home: Path) -> None:
        shutil.rmtree(home, ignore_errors=True)

    def copy(self, home: Path, to: Path) -> None:
        self.new(to)
        shutil.copytree(home, to, symlinks=True)

    def environment_of(self, _home: Path) -> Mapping[str, str]:
        return {}


class Lakes:
    """Facts in lakes of one PostgreSQL, one a home; this process reads them where they lie."""

    def __init__(self, cluster: Cluster, folder: Path) -> None:
        self._cluster = cluster
        self._folder = folder
        self._made = 0
        self._of: dict[Path, Lake] = {}

    def new(self, home: Path) -> None:
        shutil.rmtree(home, ignore_errors=True)
        self._put(home, Lake(self._cluster.database(), str(self._next())))

    def copy(self, home: Path, to: Path) -> None:
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(home, to, symlinks=True)
        self._put(to, self._cluster.copied(self._of[home], self._next()))

    def environment_of(self, home: Path) -> Mapping[str, str]:
        return environment(self._of[home])

    def forget(self) -> None:
        """This process looks for the facts of these homes in the homes again."""
        for home in self._of:
            place(home, None)

    def _next(self) -> Path:
        self._made += 1
        return self._folder / f"lake-{self._made}"

    def _put(self, home: Path, lake: Lake) -> None:
        self._of[home] = lake
        place(home, lake)
