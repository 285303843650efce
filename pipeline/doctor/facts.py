"""Whether every row of the facts can be read."""

from collections.abc import Iterator
from datetime import datetime

from pipeline.doctor.findings import Finding
from pipeline.settings import Settings
from warehouse.facts import FactError
from warehouse.faults import DatabaseFault
from warehouse.locking import Locked
from warehouse.migrations import NewerHome
from warehouse.places.file import MEND
from warehouse.store import check_facts


def check(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Damage anywhere in the database, or no database."""
    try:
        check_facts(settings.home)
    except Locked as locked:
        yield Finding("facts", f"not looked at: {locked}", "", note=True)
    except NewerHome:
        return  # `editions` says so
    except FileNotFoundError as missing:
        yield Finding("facts", str(missing), "")
    except (DatabaseFault, FactError) as problem:
        said, _, mend = str(problem).partition("; ")
        yield Finding("facts", said, mend or MEND)
