"""Whether every table of the facts is there, and every row of them can be read."""

from collections.abc import Iterator
from datetime import datetime

from benchhealth.pipeline.doctor.findings import Finding
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.facts import FactError
from benchhealth.warehouse.faults import DatabaseFault
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.migrations import NewerHome
from benchhealth.warehouse.places.catalogue import ADVICE, LakeError, MissingExtra
from benchhealth.warehouse.places.file import MEND
from benchhealth.warehouse.store import check_facts
from benchhealth.warehouse.watch.examined import check_tables

REACH = "see that PostgreSQL, its password and the lake's files can be reached from here; what is published is served"
PUT_BACK = "put the lake's catalogue and files back (OPERATIONS.md, *Back up a lake*); what is published is served"


def check(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Damage anywhere in the database, a table too few, or no database."""
    try:
        check_facts(settings.home)
        check_tables(settings.home)
    except Locked as locked:
        yield Finding("facts", f"not looked at: {locked}", "", note=True)
    except NewerHome:
        return  # `editions` says so
    except FileNotFoundError as missing:
        yield Finding("facts", str(missing), "")
    except LakeError as problem:
        yield Finding("facts", str(problem).removesuffix(f"; {ADVICE}"), REACH)
    except MissingExtra as problem:
        yield Finding("facts", str(problem), "")
    except (DatabaseFault, FactError) as problem:
        if settings.store:
            yield Finding("facts", str(problem), PUT_BACK)
            return
        said, _, mend = str(problem).partition("; ")
        yield Finding("facts", said, mend or MEND)
