"""Where log lines go: standard error, or a file that cannot grow without end."""

import logging
import sys
from logging.handlers import RotatingFileHandler

from benchhealth.pipeline.settings import MB, Settings


def handler(settings: Settings) -> logging.Handler:
    """Standard error where no file is set; else that file, and one before it, of the size that is set together.

    Raises OSError where the file cannot be written. Two processes need two files: each would rename the other's.
    """
    if settings.log is None:
        return logging.StreamHandler(sys.stderr)
    settings.log.parent.mkdir(parents=True, exist_ok=True)
    return RotatingFileHandler(
        settings.log, maxBytes=settings.keep.log_mb * MB // 2, backupCount=1, encoding="utf-8", delay=True
    )
