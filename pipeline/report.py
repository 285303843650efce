"""The command that writes a health report: chosen benchmarks or a domain, as HTML or PDF."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.dashboard.report.content import on_benchmarks, on_field
from benchhealth.dashboard.report.html import page
from benchhealth.dashboard.report.pdf import document
from benchhealth.dashboard.report.tree import Report
from benchhealth.pipeline.errors import UsageError
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.read import open_current

LOGGER = logging.getLogger(__name__)
FORMATS: Mapping[str, Callable[[Report], bytes]] = {".html": page, ".pdf": document}


def write(
    settings: Settings, *, benchmark_ids: Sequence[str] = (), domain: str | None = None, outputs: Sequence[Path]
) -> None:
    """Write the report on these benchmarks, or on a domain, each in the format of its suffix.

    It holds all that the current generation does: what may not be passed on too, because it stays on this machine.
    Raises UsageError for another suffix, a folder that does not exist, an unknown benchmark or domain, and
    NoGeneration where nothing is published yet.
    """
    writers = [writer(output) for output in outputs]
    with closing(open_current(settings.home)) as generation:
        view = View(generation)
        try:
            report = on_benchmarks(view, benchmark_ids) if domain is None else on_field(view, domain)
        except ParameterError as unknown:
            raise UsageError(str(unknown)) from unknown
        for output, written in zip(outputs, writers, strict=True):
            save(output, written(report))
            LOGGER.info("wrote %s: %s, %s", output, report.title, report.origin)


def writer(output: Path) -> Callable[[Report], bytes]:
    """What makes a report into the format of that file. Raises UsageError for another suffix or a missing folder."""
    # It tells every letter of a font at the level that the command line shows.
    logging.getLogger("fontTools").setLevel(logging.WARNING)
    written = FORMATS.get(output.suffix.lower())
    if written is None:
        raise UsageError(f"a report is written to a file ending in {' or '.join(FORMATS)}, not to {output.name!r}")
    if not output.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {output.absolute().parent}")
    return written


def save(output: Path, body: bytes) -> None:
    """Write a report to its file. Raises OSError, which names it also where there is no room."""
    try:
        output.write_bytes(body)
    except OSError as failed:
        failed.filename = str(output)
        raise
