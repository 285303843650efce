"""`benchhealth doctor`: every check of the home, a line for each finding, and the safe repairs where asked for."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from pipeline.doctor import bodies, clock, editions, facts, generations, leftovers, lock, permissions, room
from pipeline.doctor.findings import Finding
from pipeline.errors import line
from pipeline.settings import Settings, now
from warehouse.faults import DatabaseError
from warehouse.locking import Locked, exclusive
from warehouse.store import LOCK

Check = Callable[[Settings, datetime], Iterator[Finding]]
CHECKS: tuple[Check, ...] = (
    room.check,
    permissions.check,
    lock.check,
    leftovers.check,
    editions.check,
    clock.check,
    facts.check,
    generations.check,
    bodies.check,
)
WELL, WRONG = 0, 3


def doctor(settings: Settings, *, repair: bool, as_json: bool) -> int:
    """Print what is wrong with the home and how to mend it; 0 where nothing is (any more), 3 where anything is.

    With `repair` what is safe is done, under the lock of runs, and said. A read-only look changes nothing.
    """
    found = examined(settings, now())
    done = _repaired(settings, found) if repair else {}
    left = [finding for place, finding in enumerate(found) if not finding.note and place not in done]
    if as_json:
        said = {
            "well": not left,
            "findings": [_plain(finding, done.get(place)) for place, finding in enumerate(found)],
        }
        print(json.dumps(said, indent=2))
    else:
        for place, finding in enumerate(found):
            print(f"repaired: {finding.check}: {done[place]}" if place in done else finding.text())
        print("well" if not left else f"{len(left)} wrong{_hint(left, repair=repair)}")
    return WRONG if left else WELL


def examined(settings: Settings, at: datetime) -> list[Finding]:
    """What every check finds; one that cannot be carried out is a finding itself."""
    if not settings.home.is_dir():
        what = f"there is no folder {settings.home}"
        return [Finding("home", what, "set BENCHHEALTH_HOME, or `benchhealth init` makes it")]
    found: list[Finding] = []
    for check in CHECKS:
        try:
            found.extend(check(settings, at))
        except (OSError, ValueError, DatabaseError) as problem:
            name = check.__module__.rpartition(".")[2]
            found.append(Finding(name, f"could not be checked ({line(problem)})", "mend what it names and ask again"))
    return found


def _repaired(settings: Settings, found: Sequence[Finding]) -> dict[int, str]:
    done: dict[int, str] = {}
    try:
        with exclusive(settings.home / LOCK, wait=False):
            for place, finding in enumerate(found):
                if finding.repair is None:
                    continue
                try:
                    done[place] = finding.repair()
                except OSError as problem:
                    print(f"not repaired: {finding.check}: {problem}", file=sys.stderr)
    except Locked as locked:
        print(f"nothing repaired: {locked}; ask again when it has ended", file=sys.stderr)
    return done


def _hint(left: Sequence[Finding], *, repair: bool) -> str:
    safe = sum(finding.repair is not None for finding in left)
    return f"; --repair does what is safe ({safe} of it)" if safe and not repair else ""


def _plain(finding: Finding, done: str | None) -> dict[str, object]:
    return {
        "check": finding.check,
        "kind": "note" if finding.note else "wrong",
        "what": finding.what,
        "mend": finding.mend,
        "repairable": finding.repair is not None,
        "repaired": done,
    }
