"""Whether this machine's clock can be right: nothing here may come from the future."""

from collections.abc import Iterator
from datetime import datetime

from benchhealth.pipeline.doctor.findings import Finding
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.faults import DatabaseFault
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.migrations import NewerHome
from benchhealth.warehouse.publish import is_in_service
from benchhealth.warehouse.read import generations, published_at
from benchhealth.warehouse.watch import stands
from benchhealth.warehouse.watch.examined import newest
from benchhealth.warehouse.watch.stands import SLACK

SYNC = "set the clock (`timedatectl`, NTP); until then nights refuse what seems to come from the future"
WAS_AHEAD = (
    f"{SYNC}; where it is right and was ahead then, this counts for nothing until its day comes, and "
    "`benchhealth restore --replace` of a backup of before takes it away"
)


def check(settings: Settings, at: datetime) -> Iterator[Finding]:
    """Generations, runs and results of the future, by the clock of `at`."""
    for path in generations(settings.home):
        if published_at(path) > at:
            what = f"{path.name} was published later than now, {at:%Y-%m-%d %H:%M} UTC"
            mend = f"{SYNC}; where it is right and was ahead then, `benchhealth assess` publishes one of today"
            yield Finding("clock", what, mend, note=not is_in_service(settings.home, path.stem))
    left = stands.left(settings.home)
    if left is not None and left.at > at:
        yield Finding("clock", f"a run ended at {left.at:%Y-%m-%d %H:%M} UTC, later than now", SYNC)
    try:
        instants = newest(settings.home)
    except (Locked, FileNotFoundError, DatabaseFault, NewerHome):
        return
    for what, latest in instants.items():
        if latest is not None and latest > at + SLACK:
            yield Finding(
                "clock", f"{what} of {latest:%Y-%m-%d %H:%M} UTC, by this clock it is {at:%Y-%m-%d}", WAS_AHEAD
            )
