"""Messages to the operator: after a night that needs a hand or that recovered, once a reason and then weekly."""

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
from benchhealth.warehouse.watch import home_state, notes
from benchhealth.warehouse.watch.reasons import Reason

LOGGER = logging.getLogger(__name__)
FILE = "alert.json"
OF_RUNS = ("night-failed", "publish-failed", "retention-failed", "edition-failed")
SIZE = 2048
"""Bytes of the file, for a dozen reasons and more."""
REMIND = timedelta(days=7)
"""A reason that stays is repeated so seldom: an alarm that rings every night is switched off."""


@dataclass(frozen=True)
class LastMessage:
    """What the last message to the operator was about: the reasons (kind and what each concerns), and when."""

    reasons: tuple[str, ...]
    at: datetime

    @classmethod
    def read(cls, home: Path) -> "LastMessage | None":
        """The last message of a home; None where none was sent, or the note of it cannot be read."""
        try:
            return notes.read(home / FILE, cls)
        except notes.UnreadableNote:
            return None

    def write(self, home: Path) -> None:
        """Overwrite the note in place, as the disk may be full. Where that fails too, the message is sent again."""
        try:
            notes.write_over(home / FILE, self, SIZE)
        except OSError as problem:
            LOGGER.warning("alert: the message could not be noted (%s), and will be sent again", problem)


def after_night(settings: Settings, failure: Exception | None = None) -> None:
    """Log what needs a hand and send the webhook what is new. Never raises: it must not make a night fail.

    A `failure` that the ledger does not know is kept for `status` and `/metrics`, until another run is entered there.
    """
    try:
        if failure is not None and not _failed_runs(_reasons_for_hand(settings)[0]):
            reason_text, _, _mend = line(failure).partition("; ")
            watching.mark_failed_night(settings, reason_text)
        current = _current_reasons(settings, failure)
        for reason in current:
            LOGGER.warning("a hand is needed: %s", reason.text())
        send_news(settings, current)
    except Exception as problem:
        LOGGER.warning("alert: %s", line(problem))


def alert(settings: Settings, *, test: bool, unit: str | None = None) -> int:
    """Send the webhook what is new, as a night does; 0 where there was nothing to send or it was taken, else 1.

    With `test` a message is sent in any case, and nothing is remembered of it. Nor is it with a `unit` that failed: who
    runs the night says so each time, also where the program could not say anything itself.
    """
    current = (*([_unit_failed_reason(unit)] if unit else []), *_current_reasons(settings, None))
    for reason in current:
        LOGGER.warning("a hand is needed: %s", reason.text())
    try:
        if test:
            _send(settings, "test", current)
        elif unit:
            _send(settings, "hand-needed", current)
        else:
            send_news(settings, current)
    except WebhookError as problem:
        LOGGER.error("alert: %s", problem)
        return 1
    return 0


def _unit_failed_reason(unit: str) -> Reason:
    return Reason(
        "unit-failed", unit, now(), f"{unit} failed", "its log says why; `benchhealth status` says what stands"
    )


def send_news(settings: Settings, current: tuple[Reason, ...]) -> None:
    """Send what is new since the last message, if anything is. Raises WebhookError where it was not taken."""
    if not settings.webhook:
        return
    last = LastMessage.read(settings.home)
    event = event_of(current, last, now())
    keys = tuple(sorted(set(map(_reason_key, current))))
    if event is None:
        LOGGER.info("alert: nothing new to send")
        if last is None or keys != last.reasons:  # what went is new when it comes again
            LastMessage(keys, last.at if last else now()).write(settings.home)
        return
    _send(settings, event, current)
    LastMessage(keys, now()).write(settings.home)


def event_of(current: tuple[Reason, ...], last: LastMessage | None, instant: datetime) -> str | None:
    """What the message is: `hand-needed` for a new reason, `hand-still-needed` after a week, `recovered`, or none."""
    before = set(last.reasons) if last else set()
    if {_reason_key(reason) for reason in current} - before:
        return "hand-needed"
    if current and last and instant - last.at >= REMIND:
        return "hand-still-needed"
    return "recovered" if before and not current else None


def message(settings: Settings, event: str, current: tuple[Reason, ...], instant: datetime) -> dict[str, Any]:
    """The payload: `text` is one line for people (chat programs show it), the rest is for programs."""
    left = home_state.state_left(settings.home)
    run = left.runs[-1] if left and left.runs else None
    host = socket.gethostname()
    summary = {
        "test": "a test of the alert",
        "recovered": "well again: nothing needs a hand any more",
    }.get(event, f"{len(current)} {'reason needs' if len(current) == 1 else 'reasons need'} a hand")
    listed = "".join(f"\n- {reason.text()}" for reason in current)
    return {
        "event": event,
        "text": f"benchhealth on {host}: {summary}{listed}",
        "program": "benchhealth",
        "version": watching.PROGRAM,
        "host": host,
        "at": instant,
        "reasons": [asdict(reason) for reason in current],
        "run": asdict(run) if run else None,
    }


def _send(settings: Settings, event: str, current: tuple[Reason, ...]) -> None:
    if not settings.webhook:
        raise WebhookError("no webhook is set; BENCHHEALTH_WEBHOOK names it")
    body = json.dumps(message(settings, event, current, now()), default=_instant)
    for secret in filter(None, (settings.token, settings.webhook)):
        body = body.replace(secret, "[secret]")
    post(settings.webhook, body.encode())
    LOGGER.info("alert: sent %s, %d reasons", event, len(current))


def _current_reasons(settings: Settings, failure: Exception | None) -> tuple[Reason, ...]:
    """Every reason of now. Where the facts cannot be asked, what the last run left, and why they cannot."""
    current, unread = _reasons_for_hand(settings)
    failure = failure or (unread if _is_damage(unread) else None)
    if failure is not None and not _failed_runs(current):
        problem, do = f"the night failed ({line(failure)})", "`benchhealth doctor` says what is wrong with the home"
        current = (Reason("night-failed", "home", now(), problem, do), *current)
    return current


def _reasons_for_hand(settings: Settings) -> tuple[tuple[Reason, ...], Exception | None]:
    """The reasons that `watching.reasons` gives, and why the facts were not asked; of damaged facts by the last run."""
    try:
        state, unread = watching.home_state_if_any(settings)
    except DatabaseFault as damage:
        state, unread = home_state.state_left(settings.home), damage
    return watching.reasons(settings, state, now(), unread), unread


def _is_damage(unread: Exception | None) -> bool:
    return isinstance(unread, DatabaseFault) and not isinstance(unread, watching.NOT_ASKED)


def _failed_runs(current: tuple[Reason, ...]) -> bool:
    return any(reason.kind in ("night-failed", "publish-failed") for reason in current)


def _reason_key(reason: Reason) -> str:
    """What a reason is known by: nights that fail one after the other, each a run of its own, are one."""
    return reason.kind if reason.kind in OF_RUNS else f"{reason.kind} {reason.about}"


def _instant(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value.isoformat(timespec='seconds')}Z"
    raise TypeError(f"not a plain value: {value!r}")
