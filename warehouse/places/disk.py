"""Writes files and folders so that they survive a power cut."""

import os
from pathlib import Path


def put_on_disk(path: Path) -> None:
    """Return once a file's bytes, or which files a folder holds, are on the disk. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
