"""The command that audits anybody's leaderboard: printed, and written where asked. Nothing is imported or sent."""

import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from benchhealth.analytics.audit.audit import audit
from benchhealth.analytics.audit.board import BoardError
from benchhealth.analytics.audit.files import board_in
from benchhealth.dashboard.report.audited import FORMS, made_of, on_board
from benchhealth.dashboard.report.plain import text
from benchhealth.pipeline.errors import UsageError
from benchhealth.pipeline.report import save
from benchhealth.pipeline.settings import Settings, now

LOGGER = logging.getLogger(__name__)

MOST_BYTES = 512 * 1024 * 1024
"""Bytes of all files together; more is refused before it is read."""

LOGS = (".json", ".jsonl", ".eval")
"""The endings of the files that are read from a folder."""


def run(_settings: Settings, *, paths: Sequence[Path], missing: str, outputs: Sequence[Path]) -> None:
    """Print the card of the board in these files (one table, or a log a model), and write it to the outputs.

    Raises UsageError for a file that is not there, is too large or is no leaderboard, and for another suffix.
    """
    for output in outputs:
        if output.suffix.lower().lstrip(".") not in FORMS or not output.absolute().parent.is_dir():
            raise UsageError(f"{output.name!r} is no file ending in .{', .'.join(FORMS)} in a folder that is there")
    files = _read_files(paths)
    name = paths[0].name if len(paths) == 1 else f"{len(files)} files"
    try:
        audited = audit(board_in(files), missing)
    except BoardError as wrong:
        raise UsageError(f"{name} {'is' if len(paths) == 1 else 'are'} no leaderboard: {wrong}") from wrong
    report = on_board(audited, name, made_of(name, [body for _, body in files]), now().date())
    sys.stdout.write(text(report))
    logging.getLogger("fontTools").setLevel(logging.WARNING)
    for output in outputs:
        save(output, FORMS[output.suffix.lower().lstrip(".")].written(report, audited))
        LOGGER.info("wrote %s", output)


def logs_below(path: Path) -> list[Path]:
    """The logs below a folder, in order; a harness's file of totals is none where its log of items lies beside it."""
    logs = sorted(file for file in path.rglob("*") if file.is_file() and file.suffix in LOGS) if path.is_dir() else []
    with_items = {log.parent for log in logs if log.name.startswith("samples_")}
    return [log for log in logs if log.parent not in with_items or not log.name.startswith("results_")]


def _read_files(paths: Sequence[Path]) -> list[tuple[str, bytes]]:
    """The files with their paths; of a folder the logs below it."""
    named: list[Path] = []
    for path in paths:
        if not path.exists():
            raise UsageError(f"there is no {path}")
        named += logs_below(path) or [path]
    if any(not path.is_file() for path in named):
        raise UsageError(f"there is no log ({', '.join(LOGS)}) in {paths[0]}")
    size = sum(path.stat().st_size for path in named)
    if size > MOST_BYTES:
        raise UsageError(f"{size / 2**20:,.0f} MB are more than are read ({MOST_BYTES / 2**20:,.0f} MB)")
    return [(path.as_posix(), path.read_bytes()) for path in named]
