"""What a check of `doctor` finds, and the repair that may go with it."""

from collections.abc import Callable
from dataclasses import dataclass

Repair = Callable[[], str]
"""Mends one thing and says what it did, in a few words. Raises OSError where it could not."""


@dataclass(frozen=True)
class Finding:
    """One thing that a check found: what is so, and how to mend it.

    A `note` is no fault: nothing has to be mended. A `repair` is safe: `--repair` does it without asking. One that is
    `first` is done before the lock of runs is taken: what it mends may keep the lock, or other checks, from being
    looked at, and it harms no run at work.
    """

    check: str
    what: str
    mend: str
    note: bool = False
    repair: Repair | None = None
    first: bool = False

    def text(self) -> str:
        """The finding as one line, such as `wrong: lock: what is so: how to mend it`."""
        return f"{'note' if self.note else 'wrong'}: {self.check}: {self.what}{f': {self.mend}' if self.mend else ''}"
