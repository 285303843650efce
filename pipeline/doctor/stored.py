"""What is stored: whether facts, bodies and the generation in service are whole, of this edition of the program, and
from no future.
"""

import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

from benchhealth.ingest.network.raw import path_of
from benchhealth.pipeline import watching
from benchhealth.pipeline.doctor.findings import Finding
from benchhealth.pipeline.keeping.bodies import missing_hashes
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.faults import DatabaseError, DatabaseFault
from benchhealth.warehouse.keeping import editions
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.migrations import MIGRATIONS, NewerHome
from benchhealth.warehouse.places.catalogue import ADVICE, LakeError, MissingExtra
from benchhealth.warehouse.places.file import MEND
from benchhealth.warehouse.publish import delete, is_in_service, serve
from benchhealth.warehouse.read import (
    CURRENT,
    PUBLISHED_FOLDER,
    NoGeneration,
    current_path,
    generations,
    published_at,
    remedy,
)
from benchhealth.warehouse.sql import FactError
from benchhealth.warehouse.store import check_facts
from benchhealth.warehouse.watch import home_state
from benchhealth.warehouse.watch.examined import check_tables, damage, edition, is_of_this_edition, newest
from benchhealth.warehouse.watch.home_state import SLACK


def generation_in_service(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Find a link that leads nowhere or to a damaged file, and damaged files beside it."""
    damaged = {path: why for path in generations(settings.home) if (why := damage(path))}
    good = [path for path in generations(settings.home) if path not in damaged]
    link = settings.home / PUBLISHED_FOLDER / CURRENT
    try:
        current = current_path(settings.home)
    except NoGeneration as missing:
        problem = str(missing).partition(";")[0]
        if settings.store and not generations(settings.home) and not os.path.lexists(link):
            yield Finding(
                "generations", problem, f"right for one that only ingests; {remedy(settings.home)}", note=True
            )
        else:
            yield _unserved_generations(settings.home, problem, good)
    else:
        if not current.exists():
            yield _unserved_generations(settings.home, f"{link} names {current.name}, which is not there", good)
        elif current in damaged:
            problem = f"{current} is in service and damaged ({damaged[current].why})"
            yield _unserved_generations(settings.home, problem, good)
        elif good and good[-1] != current:
            problem = f"{current.name} is in service, {good[-1].name} is newer and whole"
            mend = f"`ln -sfn {good[-1].name} {link}`, if nobody went back on purpose"
            yield Finding("generations", problem, mend, note=True)
        damaged.pop(current, None)
    for path, fault in damaged.items():
        problem = f"{path} is damaged ({fault.why}) and not in service"
        if fault.is_certain:
            yield Finding("generations", problem, "--repair deletes it", repair=partial(_delete, settings.home, path))
        else:
            yield Finding("generations", problem, "see why it cannot be read; if nobody can, it may be deleted")


def _unserved_generations(home: Path, problem: str, good: list[Path]) -> Finding:
    if not good:
        return Finding("generations", problem, remedy(home))
    newest = good[-1]
    mend = f"--repair puts {newest.name} in service; {remedy(home)}"
    return Finding("generations", problem, mend, repair=lambda: _put_in_service(home, newest))


def _delete(home: Path, path: Path) -> str:
    delete(home, path)
    return f"{path.name} deleted"


def _put_in_service(home: Path, path: Path) -> str:
    serve(home, path)
    return f"{path.name} is in service"


def program_edition(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Find facts of another edition, a generation of an older one, a home that a later program worked in."""
    try:
        stored = edition(settings.home)
    except (Locked, FileNotFoundError):
        stored = None  # a run has the facts to itself, or there are none: `facts` says so
    known_edition = len(MIGRATIONS)
    if stored is not None and stored > known_edition:
        problem = f"the facts are of edition {stored}, this program knows {known_edition}"
        yield Finding("editions", problem, "use the later version that wrote them, or `benchhealth restore` a backup")
    elif stored is not None and stored < known_edition:
        problem = f"the facts are of edition {stored}, this program's is {known_edition}"
        yield Finding("editions", problem, "the next command that writes migrates them; back up before", note=True)
    left = home_state.state_left(settings.home)
    if left is not None and _number(left.version) > _number(watching.PROGRAM):
        problem = f"version {left.version} worked in this home last, this is {watching.PROGRAM}"
        yield Finding("editions", problem, "use that version or a later one")
    yield from _edition_of_generation(settings)


def _edition_of_generation(settings: Settings) -> Iterator[Finding]:
    try:
        current = current_path(settings.home)
    except NoGeneration:
        return  # `generations` says so
    if is_of_this_edition(current) is False:
        problem = f"{current.stem} is of an earlier edition: what it lacks is shown as empty"
        yield Finding("editions", problem, "`benchhealth init` publishes one of this edition", note=True)


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split(".") if number.isdecimal())


SYNC = "set the clock (`timedatectl`, NTP); until then nights refuse what seems to come from the future"
WAS_AHEAD = (
    f"{SYNC}; where it is right and was ahead then, this counts for nothing until its day comes, and "
    "`benchhealth restore --replace` of a backup of before takes it away"
)


def clock(settings: Settings, instant: datetime) -> Iterator[Finding]:
    """Find generations, runs and results that are dated after `instant`, the time by this machine."""
    for path in generations(settings.home):
        if published_at(path) > instant:
            problem = f"{path.name} was published later than now, {instant:%Y-%m-%d %H:%M} UTC"
            mend = f"{SYNC}; where it is right and was ahead then, `benchhealth assess` publishes one of today"
            yield Finding("clock", problem, mend, note=not is_in_service(settings.home, path.stem))
    left = home_state.state_left(settings.home)
    if left is not None and left.at > instant:
        yield Finding("clock", f"a run ended at {left.at:%Y-%m-%d %H:%M} UTC, later than now", SYNC)
    try:
        instants = newest(settings.home)
    except (Locked, FileNotFoundError, DatabaseFault, NewerHome):
        return
    for problem, latest in instants.items():
        if latest is not None and latest > instant + SLACK:
            yield Finding(
                "clock", f"{problem} of {latest:%Y-%m-%d %H:%M} UTC, by this clock it is {instant:%Y-%m-%d}", WAS_AHEAD
            )


REACH_ADVICE = (
    "see that PostgreSQL, its password and the lake's files can be reached from here; what is published is served"
)
PUT_BACK = "put the lake's catalogue and files back (OPERATIONS.md, *Back up a lake*); what is published is served"


def facts(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Find damage anywhere in the database, a missing table, or a missing database."""
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
        yield Finding("facts", str(problem).removesuffix(f"; {ADVICE}"), REACH_ADVICE)
    except MissingExtra as problem:
        yield Finding("facts", str(problem), "")
    except (DatabaseFault, FactError) as problem:
        if settings.store:
            yield Finding("facts", str(problem), PUT_BACK)
            return
        problem_text, _, mend = str(problem).partition("; ")
        yield Finding("facts", problem_text, mend or MEND)


PIECE = 2**20


def bodies(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Find bodies that are cut or changed, and as a note those that are gone: facts read from them stay."""
    bad = [path for path in sorted((settings.home / "raw").glob("*/*.gz")) if not _is_whole(path)]
    if bad:
        several = f"{len(bad)} saved bodies are not what their names say, such as {bad[0]}"
        problem = several if len(bad) > 1 else f"{bad[0]} is not the body that its name says"
        mend = (
            "delete it: facts that were read from it stay, and what was not read yet is fetched again by the next night"
        )
        yield Finding("bodies", problem, mend)
    yield from _of_editions(settings)
    try:
        missing_bodies = sorted(missing_hashes(settings.home))
    except (Locked, FileNotFoundError, DatabaseError, FactError, NewerHome):
        return  # `facts` or `editions` says so
    if missing_bodies:
        path = path_of(settings.home, missing_bodies[0])
        problem = (
            f"{len(missing_bodies)} saved bodies are gone, such as {path}"
            if len(missing_bodies) > 1
            else f"{path} is gone"
        )
        mend = "what was read from it stays; to read it again, `benchhealth restore` has it from a backup"
        yield Finding("bodies", problem, mend, note=True)


def _of_editions(settings: Settings) -> Iterator[Finding]:
    """Files of editions that are cut, changed or gone: they are cited, and are not sent until they are put back."""
    for month in editions.months(settings.home):
        try:
            edition = editions.kept_edition(settings.home, month)
            for body in edition.files.values() if edition else ():
                editions.check(body)
        except editions.EditionError as wrong:
            problem, _, mend = str(wrong).partition("; ")
            yield Finding("bodies", f"edition {month}: {problem}", mend or "put it back from a backup")


def _is_whole(path: Path) -> bool:
    """Piece by piece: an archive may unpack to more than fits into memory beside all else."""
    digest = hashlib.sha256()
    try:
        with gzip.open(path) as body:
            while piece := body.read(PIECE):
                digest.update(piece)
    except (OSError, EOFError, zlib.error):
        return False
    return digest.hexdigest() == path.name.removesuffix(".gz")
