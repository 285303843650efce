"""Whether this program and the home are of one age."""

from collections.abc import Iterator
from datetime import datetime

from benchhealth.pipeline import watching
from benchhealth.pipeline.doctor.findings import Finding
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.migrations import MIGRATIONS
from benchhealth.warehouse.read import NoGeneration, current_path
from benchhealth.warehouse.watch import stands
from benchhealth.warehouse.watch.examined import edition, is_of_this_edition


def check(settings: Settings, _at: datetime) -> Iterator[Finding]:
    """Facts of another edition, a generation of an older one, a home that a later program worked in."""
    try:
        found = edition(settings.home)
    except (Locked, FileNotFoundError):
        found = None  # a run has the facts to itself, or there are none: `facts` says so
    ours = len(MIGRATIONS)
    if found is not None and found > ours:
        what = f"the facts are of edition {found}, this program knows {ours}"
        yield Finding("editions", what, "use the later version that wrote them, or `benchhealth restore` a backup")
    elif found is not None and found < ours:
        what = f"the facts are of edition {found}, this program's is {ours}"
        yield Finding("editions", what, "the next command that writes migrates them; back up before", note=True)
    left = stands.left(settings.home)
    if left is not None and _number(left.version) > _number(watching.PROGRAM):
        what = f"version {left.version} worked in this home last, this is {watching.PROGRAM}"
        yield Finding("editions", what, "use that version or a later one")
    yield from _generation(settings)


def _generation(settings: Settings) -> Iterator[Finding]:
    try:
        current = current_path(settings.home)
    except NoGeneration:
        return  # `generations` says so
    if is_of_this_edition(current) is False:
        what = f"{current.stem} is of an earlier edition: what it lacks is shown as empty"
        yield Finding("editions", what, "`benchhealth init` publishes one of this edition", note=True)


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdecimal())
