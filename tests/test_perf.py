"""The speed measurements follow the code that they measure."""

from importlib import import_module
from pathlib import Path

import pytest

from benchhealth.analytics.graph import ENTRIES


def test_every_measured_part_of_assess_is_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    parts = import_module("perf.work").PARTS
    assert parts
    assert set(parts) <= {entry.name for entry in ENTRIES}
