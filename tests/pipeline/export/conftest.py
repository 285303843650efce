"""One edition for the tests of editions, of a generation that holds a source of each kind of terms."""

from pathlib import Path

import pytest

from benchhealth.pipeline.export.edition import files
from tests.support import mixed_generation as mixed

MONTH = "2026-08"
ADDRESS = "https://bench.example.org/"


@pytest.fixture(scope="session")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder. No test changes it."""
    to = tmp_path_factory.mktemp("edition")
    files.write(mixed.build(tmp_path_factory.mktemp("mixed")), MONTH, to, ADDRESS)
    return to
