"""A health report to print: the state of chosen benchmarks, two pages each, as HTML or PDF."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from dashboard.published.generation import View
from pipeline.errors import UsageError
from pipeline.report.content import compose
from pipeline.report.html import page
from pipeline.report.pdf import document
from pipeline.report.tree import Report
from pipeline.settings import Settings
from warehouse.read import open_current

LOGGER = logging.getLogger(__name__)
FORMATS: Mapping[str, Callable[[Report], bytes]] = {".html": page, ".pdf": document}


def write(settings: Settings, *, benchmark_ids: Sequence[str], output: Path) -> None:
    """Write the report on these benchmarks from the current generation; the suffix of `output` says in which format.

    Raises UsageError for another suffix, a folder that does not exist or an unknown benchmark, NoGeneration where
    nothing is published yet.
    """
    written = FORMATS.get(output.suffix.lower())
    if written is None:
        raise UsageError(f"a report is written to a file ending in {' or '.join(FORMATS)}, not to {output.name!r}")
    if not output.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {output.absolute().parent}")
    with closing(open_current(settings.home)) as generation:
        report = compose(View(generation), benchmark_ids)
    # These two tell every letter of a font at the level that the command line shows.
    for talkative in ("fontTools", "matplotlib"):
        logging.getLogger(talkative).setLevel(logging.WARNING)
    output.write_bytes(written(report))
    LOGGER.info("wrote %s: %d benchmarks, %s", output, len(report.sheets), report.origin)
