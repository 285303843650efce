"""Whether what a home holds can be read to its last row, and of which edition it is."""

from contextlib import closing
from pathlib import Path

from benchhealth.warehouse.faults import explain_errors
from benchhealth.warehouse.migrations import edition_of
from benchhealth.warehouse.read import Generation, NoGeneration, current_path, generations, open_current
from benchhealth.warehouse.sql import read_through
from benchhealth.warehouse.store import DATABASE, reading

FACTS_FILES = (DATABASE, f"{DATABASE}.wal")


def edition_of_whole_facts(home: Path) -> int:
    """The edition of the facts, which are read once. Raises what `reading` raises, DamagedError above all."""
    with reading(home) as connection:
        read_through(connection)
        return edition_of(connection)


def whole_generation(home: Path) -> Path | None:
    """The generation in service, which is read once; None where none was ever published.

    Raises NoGeneration where one was and cannot be read.
    """
    try:
        current_path(home)
    except NoGeneration:
        if generations(home):
            raise
        return None
    with closing(open_current(home)) as generation:
        return generation.path


def read_generation(file: Path) -> None:
    """Read a generation of a backup once. Raises DamagedError where it cannot be read."""
    with explain_errors(file, "take another backup"), closing(Generation(file)) as generation:
        generation.read_through()
