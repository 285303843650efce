"""Is this AI benchmark still measuring anything?

The one name that an installation brings. Its functions are for programs and notebooks:

- `open()`: the facts of a home, of the bundle or of a dashboard at an address, as `Facts`
- `audit(matrix)`: the card of a leaderboard; `difference(first, second)`: two models over the same items
- `check(results)`: results of your own against every second measurement

What may be relied on is in docs/API.md. The rooms below (`benchhealth.analytics`, `.warehouse`, `.ingest`,
`.dashboard`, `.api`, `.pipeline`) and the facts (`data/`) are links to the folders at the top of a checkout, so that an
import reads the same in a checkout and in an installed wheel; they change with any version.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchhealth.api.errors import (
        BenchhealthError,
        BusyError,
        InvalidError,
        NotReadyError,
        RefusedError,
        UnreachableError,
    )
    from benchhealth.api.in_memory import Apart, Card, audit, difference
    from benchhealth.api.questions import Facts
    from benchhealth.dashboard.replies.reply import Reply
    from benchhealth.pipeline.answering.opening import check
    from benchhealth.pipeline.answering.opening import open_facts as open

__all__ = [
    "Apart",
    "BenchhealthError",
    "BusyError",
    "Card",
    "Facts",
    "InvalidError",
    "NotReadyError",
    "RefusedError",
    "Reply",
    "UnreachableError",
    "audit",
    "check",
    "difference",
    "open",
]

_HOMES = {
    **dict.fromkeys(
        ("BenchhealthError", "BusyError", "InvalidError", "NotReadyError", "RefusedError", "UnreachableError"),
        "api.errors",
    ),
    "Facts": "api.questions",
    **dict.fromkeys(("Apart", "Card", "audit", "difference"), "api.in_memory"),
    "Reply": "dashboard.replies.reply",
    "check": "pipeline.answering.opening",
    "open": "pipeline.answering.opening",
}
"""In which module each name lives: imported when it is asked for, so that a command line starts at once."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"benchhealth.{_HOMES[name]}"), "open_facts" if name == "open" else name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
