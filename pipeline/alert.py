"""Telling the operator: after a night that needs a hand or that recovered, once for each reason and then weekly."""

import json
import logging
import socket
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from benchhealth.ingest.network.webhook import WebhookError, post
from benchhealth.pipeline import watching
from benchhealth.pipeline.errors import line
from benchhealth.pipeline.settings import Settings, now
from benchhealth.warehouse.faults import DatabaseFault
from benchhealth.warehouse.watch import notes, stands
from benchhealth.warehouse.watch.reasons import Reason, reasons

LOGGER = logging.getLogger(__name__)
FILE = "alert.json"
OF_RUNS = ("night-failed", "publish-failed", "retention-failed", "edition-failed")
SIZE = 2048
"""Bytes of the file, for a dozen reasons and more."""
REMIND = timedelta(days=7)
"""A reason that stays is told again so seldom: an alarm that rings every night is switched off."""


@dataclass(frozen=True)
class Told:
    """What the operator was told last: the reasons (kind and what it is about), and when."""

    reasons: tuple[str, ...]
    at: datetime


def after_night(settings: Settings, failure: Exception | None = None) -> None:
    """Say in the log what needs a hand and tell the webhook what is new; never raises: the night is what it was.

    A `failure` that the ledger does not know is kept for `status` and `/metrics`, until another run is entered there.
    """
    try:
        known, _ = _known(settings)
        if failure is not None and not (known and _failed_runs(reasons(known, now()))):
            what, _, _mend = line(failure).partition("; ")
            watching.mark_failed(settings, "nightly", what)
        found = _found(settings, failure)
        for reason in found:
            LOGGER.warning("a hand is needed: %s", reason.text())
        tell(settings, found)
    except Exception as problem:
        LOGGER.warning("alert: %s", line(problem))


def alert(settings: Settings, *, test: bool, unit: str | None = None) -> int:
    """Tell the webhook what is new, as a night does; 0 where there was nothing to tell or it was taken, else 1.

    With `test` a message is sent in any case, and nothing is remembered of it. Nor is it with a `unit` that failed: who
    runs the night says so each time, also where the program could not say anything itself.
    """
    found = (*([_failed(unit)] if unit else []), *_found(settings, None))
    for reason in found:
        LOGGER.warning("a hand is needed: %s", reason.text())
    try:
        if test:
            _send(settings, "test", found)
        elif unit:
            _send(settings, "hand-needed", found)
        else:
            tell(settings, found)
    except WebhookError as problem:
        LOGGER.error("alert: %s", problem)
        return 1
    return 0


def _failed(unit: str) -> Reason:
    return Reason(
        "unit-failed", unit, now(), f"{unit} failed", "its log says why; `benchhealth status` says what stands"
    )


def tell(settings: Settings, found: tuple[Reason, ...]) -> None:
    """Send what is new since the last message, if anything is. Raises WebhookError where it was not taken."""
    if not settings.webhook:
        return
    path = settings.home / FILE
    told = _told(path)
    event = event_of(found, told, now())
    keys = tuple(sorted(set(map(_key, found))))
    if event is None:
        LOGGER.info("alert: nothing new to tell")
        if told is None or keys != told.reasons:  # what went is new when it comes again
            _remember(path, Told(keys, told.at if told else now()))
        return
    _send(settings, event, found)
    _remember(path, Told(keys, now()))


def _remember(path: Path, told: Told) -> None:
    """Where it lies, as the disk may be full. If even that is refused it is told again: it was told all the same."""
    try:
        notes.write_over(path, told, SIZE)
    except OSError as problem:
        LOGGER.warning("alert: what was told could not be noted (%s), and will be told again", problem)


def event_of(found: tuple[Reason, ...], told: Told | None, at: datetime) -> str | None:
    """What the message is: `hand-needed` for a new reason, `hand-still-needed` after a week, `recovered`, or none."""
    before = set(told.reasons) if told else set()
    if {_key(reason) for reason in found} - before:
        return "hand-needed"
    if found and told and at - told.at >= REMIND:
        return "hand-still-needed"
    return "recovered" if before and not found else None


def message(settings: Settings, event: str, found: tuple[Reason, ...], at: datetime) -> dict[str, Any]:
    """The payload: `text` is one line for people (chat programs show it), the rest is for programs."""
    left = stands.left(settings.home)
    run = left.runs[-1] if left and left.runs else None
    host = socket.gethostname()
    said = {
        "test": "a test of the alert",
        "recovered": "well again: nothing needs a hand any more",
    }.get(event, f"{len(found)} {'reason needs' if len(found) == 1 else 'reasons need'} a hand")
    first = "".join(f"\n- {reason.text()}" for reason in found)
    return {
        "event": event,
        "text": f"benchhealth on {host}: {said}{first}",
        "program": "benchhealth",
        "version": watching.PROGRAM,
        "host": host,
        "at": at,
        "reasons": [asdict(reason) for reason in found],
        "run": asdict(run) if run else None,
    }


def _send(settings: Settings, event: str, found: tuple[Reason, ...]) -> None:
    if not settings.webhook:
        raise WebhookError("no webhook is set; BENCHHEALTH_WEBHOOK names it")
    body = json.dumps(message(settings, event, found, now()), default=_instant)
    for secret in filter(None, (settings.token, settings.webhook)):
        body = body.replace(secret, "[secret]")
    post(settings.webhook, body.encode())
    LOGGER.info("alert: told %s, %d reasons", event, len(found))


def _found(settings: Settings, failure: Exception | None) -> tuple[Reason, ...]:
    """Every reason of now. Where the facts cannot be asked, what the last run left, and why they cannot."""
    known, unread = _known(settings)
    found = watching.needed(settings, known, now(), unread)
    failure = failure or (unread if _is_damage(unread) else None)
    if failure is not None and not _failed_runs(found):
        what, do = f"the night failed ({line(failure)})", "`benchhealth doctor` says what is wrong with the home"
        found = (Reason("night-failed", "home", now(), what, do), *found)
    return found


def _known(settings: Settings) -> tuple[stands.Stands | None, Exception | None]:
    """As `watching.asked`, of damaged facts too."""
    try:
        return watching.asked(settings)
    except DatabaseFault as damage:
        return stands.left(settings.home), damage


def _is_damage(unread: Exception | None) -> bool:
    return isinstance(unread, DatabaseFault) and not isinstance(unread, watching.NOT_ASKED)


def _failed_runs(found: tuple[Reason, ...]) -> bool:
    return any(reason.kind in ("night-failed", "publish-failed") for reason in found)


def _told(path: Path) -> Told | None:
    try:
        return notes.read(path, Told)
    except notes.UnreadableNote:
        return None


def _key(reason: Reason) -> str:
    """What a reason is known by: nights that fail one after the other, each a run of its own, are one."""
    return reason.kind if reason.kind in OF_RUNS else f"{reason.kind} {reason.about}"


def _instant(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value.isoformat(timespec='seconds')}Z"
    raise TypeError(f"not a plain value: {value!r}")
