"""The speed measurements follow the code that they measure."""

from importlib import import_module
from pathlib import Path

import pytest

from benchhealth.analytics.graph import ENTRIES
from perf.__main__ import APART, RESULTS, below


def test_every_measured_part_of_assess_is_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    parts = import_module("perf.work").PARTS
    assert parts
    assert set(parts) <= {entry.name for entry in ENTRIES}


def test_what_is_measured_by_hand_stays_when_the_rest_is_written_anew() -> None:
    text = RESULTS.read_text()
    by_hand = below(APART, text)
    assert by_hand.startswith(APART) and "## Thirty nights of all sources" in by_hand
    assert below(APART, "# What was measured anew\n" + by_hand) == by_hand
    assert below(APART, "# What was measured anew\n") == ""
