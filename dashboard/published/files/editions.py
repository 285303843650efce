"""The editions that are kept in the home whose generations are served."""

from pathlib import Path

from benchhealth.warehouse.keeping.editions import Edition, kept, months


class _Home:
    """Where they are kept. One a process."""

    path: Path | None = None


def use(home: Path) -> None:
    """Read the editions of this home from now on."""
    _Home.path = home


def of_month(month: str) -> Edition | None:
    """The edition of a month; None where none is kept. Raises EditionError where its manifest is damaged."""
    return None if _Home.path is None else kept(_Home.path, month)


def listed() -> list[Edition]:
    """All that are kept, the newest first. Raises EditionError where a manifest is damaged."""
    found = [] if _Home.path is None else [of_month(month) for month in months(_Home.path)]
    return [one for one in found if one is not None]
