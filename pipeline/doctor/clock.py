"""Whether this machine's clock can be right: nothing here may come from the future."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from benchhealth.pipeline.doctor.findings import Finding
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.faults import DatabaseFault
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.migrations import NewerHome
from benchhealth.warehouse.read import NAME, generations
from benchhealth.warehouse.watch import stands
from benchhealth.warehouse.watch.examined import newest

SLACK = timedelta(days=1)
"""Clocks of upstreams and of this machine may be so far apart, and days begin earlier in the east."""

SYNC = "set the clock (`timedatectl`, NTP); until then nights refuse what seems to come from the future"


def check(settings: Settings, at: datetime) -> Iterator[Finding]:
    """Generations, runs and results of the future, by the clock of `at`."""
    for path in generations(settings.home):
        found = NAME.fullmatch(path.stem)
        if found and datetime.strptime(found[1], "%Y%m%dT%H%M%SZ") > at:  # noqa: DTZ007  naive UTC, as everywhere
            yield Finding("clock", f"{path.name} was published later than now, {at:%Y-%m-%d %H:%M} UTC", SYNC)
    left = stands.left(settings.home)
    if left is not None and left.at > at:
        yield Finding("clock", f"a run ended at {left.at:%Y-%m-%d %H:%M} UTC, later than now", SYNC)
    try:
        instants = newest(settings.home)
    except (Locked, FileNotFoundError, DatabaseFault, NewerHome):
        return
    for what, latest in instants.items():
        if latest is not None and latest > at + SLACK:
            yield Finding("clock", f"{what} of {latest:%Y-%m-%d %H:%M} UTC, by this clock it is {at:%Y-%m-%d}", SYNC)
