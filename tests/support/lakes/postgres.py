"""A throw-away PostgreSQL in a folder of its own, reached by a socket in it and by nothing else."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from benchhealth.warehouse.places.catalogue import catalogue
from benchhealth.warehouse.places.lake import Lake

UNPRIVILEGED = "postgres"
NOT_DURABLE = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=300"
TEMPLATE = "made"
_serial = count(1)


def binaries() -> Path:
    """Where Debian puts initdb and pg_ctl. Skips the test where they are not installed."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not installed:
        pytest.skip("PostgreSQL is not installed (Debian's package `postgresql`)")
    return installed[-1].parent


def _as_owner(command: Sequence[str | Path]) -> None:
    """PostgreSQL refuses to run as root."""
    lower = ["runuser", "-u", UNPRIVILEGED, "--"] if os.geteuid() == 0 else []
    subprocess.run([*lower, *command], check=True, stdout=subprocess.DEVNULL, cwd="/")


@dataclass(frozen=True)
class Cluster:
    """A running PostgreSQL."""

    binaries: Path
    folder: Path

    def libpq(self, database: str) -> str:
        owner = UNPRIVILEGED if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        return f"dbname={database} host={self.folder} user={owner}"

    def sql(self, statement: str, database: str = "postgres") -> str:
        command = [self.binaries / "psql", "-qAt", "-d", self.libpq(database), "-c", statement]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def database(self) -> str:
        """A new and empty database; its connection string."""
        name = f"empty_{next(_serial)}"
        self.sql(f"CREATE DATABASE {name}")
        return self.libpq(name)

    def lake(self, folder: Path) -> Lake:
        """A new lake with all tables, its files below `folder`."""
        name = f"lake_{os.getpid()}_{next(_serial)}"
        self._template()
        self.sql(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
        self.sql(f"UPDATE ducklake_metadata SET value = '{folder}/' WHERE key = 'data_path'", name)
        return Lake(self.libpq(name), str(folder))

    def copied(self, lake: Lake, folder: Path) -> Lake:
        """A lake with the same facts and its own files below `folder`, made as OPERATIONS.md says."""
        libpq = self.database()
        dumped = subprocess.run(
            [self.binaries / "pg_dump", "--no-owner", "-d", lake.libpq], check=True, capture_output=True, text=True
        )
        command = [self.binaries / "psql", "-qAt", "-v", "ON_ERROR_STOP=1", "-d", libpq]
        subprocess.run(command, input=dumped.stdout, check=True, stdout=subprocess.DEVNULL, text=True)
        shutil.copytree(str(lake.data), folder, dirs_exist_ok=True)
        database = libpq.split()[0].removeprefix("dbname=")
        self.sql(f"UPDATE ducklake_metadata SET value = '{folder}/' WHERE key = 'data_path'", database)
        return Lake(libpq, str(folder))

    def _template(self) -> None:
        if self.sql(f"SELECT count(*) FROM pg_database WHERE datname = '{TEMPLATE}'") != "0":
            return
        self.sql(f"CREATE DATABASE {TEMPLATE}")
        libpq = self.libpq(TEMPLATE)
        with Lake(libpq, str(self.folder / "template")).writing():
            pass
        catalogue(libpq).close()  # nobody may be connected to a template

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """The database is gone for as long as the context lasts."""
        self._control("stop", "-m", "immediate")
        try:
            yield
        finally:
            self.start()

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} {NOT_DURABLE}"
        self._control("-l", str(self.folder / "log"), "-o", options, "start")

    def _control(self, *arguments: str) -> None:
        _as_owner([self.binaries / "pg_ctl", "-D", self.folder / "data", "-w", *arguments])


@contextmanager
def running() -> Iterator[Cluster]:
    """A cluster for as long as the context lasts."""
    programs = binaries()
    folder = Path(tempfile.mkdtemp(prefix="benchhealth-postgres-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, UNPRIVILEGED)
        _as_owner([programs / "initdb", "-D", folder / "data", "-A", "trust", "--no-sync"])
        cluster = Cluster(programs, folder)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster._control("stop", "-m", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
