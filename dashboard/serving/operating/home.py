"""The home that is watched and the clock that it is watched by: one of each in a process."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from benchhealth.warehouse.objects.generations import Follower, Trouble
from benchhealth.warehouse.watch import running, stands
from benchhealth.warehouse.watch.home import alarms
from benchhealth.warehouse.watch.reasons import Reason
from benchhealth.warehouse.watch.running import Running
from benchhealth.warehouse.watch.stands import Stands

Clock = Callable[[], datetime]
"""The present instant, naive UTC; who composes the program hands it in."""


class Seen(NamedTuple):
    """What the small files of the home say at an instant; without a clock there is none, and nothing has an age.

    `trouble` is why new generations cannot be seen at the address that is followed, `alarms` why a hand is needed; none
    where no run was ever at work here, or without a clock.
    """

    now: datetime | None
    stands: Stands | None
    at_work: Running | None
    trouble: Trouble | None = None
    alarms: tuple[Reason, ...] = ()


class _Watched:
    home: Path | None = None
    clock: Clock | None = None
    follower: Follower | None = None


def use(home: Path, clock: Clock | None, follower: Follower | None = None) -> None:
    """Watch this home from now on, and what keeps it in step with an address, if anything does."""
    _Watched.home, _Watched.clock, _Watched.follower = home, clock, follower


def home_state() -> Seen:
    """How the home stands now: what the last run left of it, and the run at work. Opens no database."""
    now = _Watched.clock() if _Watched.clock else None
    if _Watched.home is None:
        return Seen(now, None, None)
    trouble = _Watched.follower.trouble() if _Watched.follower else None
    left = stands.state_left(_Watched.home)
    needing = alarms(_Watched.home, left, now, trying=False) if left and now else ()
    return Seen(now, left, running.at_work(_Watched.home), trouble, needing)
