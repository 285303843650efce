"""How sentences say until when what they speak of is known."""

from datetime import date

from benchhealth.dashboard.words.numbers import month_of
from benchhealth.dashboard.words.text import capital


def known(until: date | None) -> str:
    """What ends a finding about one benchmark, board or pair: `; data to Nov 2025`."""
    return "; until when this is known is not on record" if until is None else f"; data to {month_of(until)}"


def data_to(until: date | None) -> str:
    """The same for a finding over many as a sentence of its own, after a blank: ` Data to Nov 2025 at the latest.`."""
    return f" {capital(known_at_latest(until).removeprefix('; '))}."


def known_at_latest(until: date | None) -> str:
    """What ends a finding over many, each known until a day of its own, of which `until` is the last."""
    return known(until) if until is None else f"; data to {month_of(until)} at the latest"
