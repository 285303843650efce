"""`benchhealth doctor`: every check of the home, a line for each finding, and the safe repairs where asked for."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime

from benchhealth.pipeline.doctor.files import leftovers, permissions, room
from benchhealth.pipeline.doctor.findings import Finding
from benchhealth.pipeline.doctor.lock import lock
from benchhealth.pipeline.doctor.stored import bodies, clock, facts, generation_in_service, program_edition
from benchhealth.pipeline.errors import line
from benchhealth.pipeline.settings import Settings, now
from benchhealth.warehouse.faults import DatabaseError
from benchhealth.warehouse.locking import Locked, exclusive
from benchhealth.warehouse.store import LOCK

Check = Callable[[Settings, datetime], Iterator[Finding]]
CHECKS: Mapping[str, Check] = {
    "room": room,
    "permissions": permissions,
    "lock": lock,
    "leftovers": leftovers,
    "editions": program_edition,
    "clock": clock,
    "facts": facts,
    "generations": generation_in_service,
    "bodies": bodies,
}
WELL, WRONG = 0, 3

Outcome = tuple[Finding, str | None]
"""A finding, and what was done about it if anything was."""


def doctor(settings: Settings, *, repair: bool, as_json: bool) -> int:
    """Print what is wrong with the home and how to mend it; 0 where nothing is (any more), 3 where anything is.

    With `repair` what is safe is done, under the lock of runs, and said. A read-only look changes nothing.
    """
    outcomes = _repaired(settings) if repair and settings.home.is_dir() else _undone(examined(settings, now()))
    left = [finding for finding, done in outcomes if not finding.note and done is None]
    if as_json:
        report = {"well": not left, "findings": [_plain(finding, done) for finding, done in outcomes]}
        print(json.dumps(report, indent=2))
    else:
        for finding, done in outcomes:
            print(finding.text() if done is None else f"repaired: {finding.check}: {done}")
        print("well" if not left else f"{len(left)} wrong{_hint(left, repair=repair)}")
    return WRONG if left else WELL


def examined(settings: Settings, instant: datetime) -> list[Finding]:
    """What every check finds; one that cannot be carried out is a finding itself."""
    if not settings.home.is_dir():
        what = f"there is no folder {settings.home}"
        return [Finding("home", what, "set BENCHHEALTH_HOME, or `benchhealth init` makes it")]
    findings: list[Finding] = []
    for name, check in CHECKS.items():
        try:
            findings.extend(check(settings, instant))
        except (OSError, ValueError, DatabaseError) as problem:
            findings.append(
                Finding(name, f"could not be checked ({line(problem)})", "mend what it names and ask again")
            )
    return findings


def _repaired(settings: Settings) -> list[Outcome]:
    """What was found and what was done; all is looked at again after what is first, which may have hidden it."""
    findings = examined(settings, now())
    tried = [(finding, _mended(finding)) for finding in findings if finding.first]
    opened = [(finding, done) for finding, done in tried if done is not None]
    if opened:
        findings = examined(settings, now())
    try:
        with exclusive(settings.home / LOCK, wait=False):
            return [*opened, *((finding, None if finding.first else _mended(finding)) for finding in findings)]
    except Locked as locked:
        print(f"nothing repaired: {locked}; ask again when it has ended", file=sys.stderr)
    except OSError as problem:
        print(f"not repaired what needs the lock: {line(problem)}", file=sys.stderr)
    return [*opened, *_undone(findings)]


def _undone(findings: Sequence[Finding]) -> list[Outcome]:
    return [(finding, None) for finding in findings]


def _mended(finding: Finding) -> str | None:
    """Repair one finding and return what was done; None where nothing could be."""
    if finding.repair is None:
        return None
    try:
        return finding.repair()
    except OSError as problem:
        print(f"not repaired: {finding.check}: {line(problem)}", file=sys.stderr)
        return None


def _hint(remaining: Sequence[Finding], *, repair: bool) -> str:
    safe = sum(finding.repair is not None for finding in remaining)
    return f"; --repair does what is safe ({safe} of it)" if safe and not repair else ""


def _plain(finding: Finding, repair_text: str | None) -> dict[str, object]:
    return {
        "check": finding.check,
        "kind": "note" if finding.note else "wrong",
        "what": finding.what,
        "mend": finding.mend,
        "repairable": finding.repair is not None,
        "repaired": repair_text,
    }
