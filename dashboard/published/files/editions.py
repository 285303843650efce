"""The editions that are kept in the home whose generations are served, and where in one a thing lies."""

import re
from collections.abc import Mapping
from pathlib import Path

from benchhealth.warehouse.keeping.editions import Edition, EditionError, kept_edition, months

CHARTS = "charts"
_BENCHMARK = "benchmark"


class _Home:
    """The home whose editions this process serves; None before it is set."""

    path: Path | None = None


def use(home: Path) -> None:
    """Read the editions of this home from now on."""
    _Home.path = home


def of_month(month: str) -> Edition | None:
    """The edition of a month; None where none is kept. Raises EditionError where its manifest is damaged."""
    return None if _Home.path is None else kept_edition(_Home.path, month)


def kept_editions() -> list[Edition]:
    """All that are kept, the newest first. Raises EditionError where a manifest is damaged."""
    editions = [] if _Home.path is None else [of_month(month) for month in months(_Home.path)]
    return [edition for edition in editions if edition is not None]


def file_name(benchmark_id: str) -> str:
    """The id of a benchmark as a file name: every character that is unsafe in one becomes a hyphen."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", benchmark_id)


def chart_file(chart: str, params: Mapping[str, str]) -> str:
    """Where the figure of a chart lies in an edition: without a choice, or of one benchmark; empty for any other."""
    if not params:
        return f"{CHARTS}/{chart}.json"
    return f"{CHARTS}/{chart}/{file_name(params[_BENCHMARK])}.json" if set(params) == {_BENCHMARK} else ""


def newest_with(file: str) -> Edition | None:
    """The newest edition, where it holds this file; None where it does not, or cannot say so."""
    try:
        newest = next(iter(kept_editions()), None)
    except EditionError:
        return None
    return newest if newest is not None and file in newest.files else None
