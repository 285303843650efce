"""The speed measurements follow the code that they measure."""

from importlib import import_module
from pathlib import Path

import pytest

import analytics.assess


def test_every_measured_part_of_assess_is_called_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    parts = import_module("perf.work").PARTS
    assert parts
    assert [name for name, _ in parts if not callable(getattr(analytics.assess, name, None))] == []
