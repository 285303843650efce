from datetime import timedelta
from pathlib import Path

import pytest

from benchhealth.warehouse.ledger import LedgerEntry
from benchhealth.warehouse.sql import FactError
from benchhealth.warehouse.status import run_table
from benchhealth.warehouse.store import Store
from tests.support.facts import NOON


def entry(state: str = "fetched", **more: object) -> LedgerEntry:
    values = {
        "source_id": "squad",
        "url": "https://example.org/a.json",
        "path": "a.json",
        "ref": "c0ffee",
        "etag": '"1"',
        "sha256": "",
        "state": state,
        "detail": "",
        "at": NOON,
        **more,
    }
    return LedgerEntry(**values)  # type: ignore[arg-type]


def test_the_ledger_remembers_in_order(tmp_path: Path) -> None:
    later = entry("written", sha256="ab")
    with Store.open(tmp_path) as store:
        assert store.ledger.last("https://example.org/a.json") is None
        store.ledger.record(entry())
    with Store.open(tmp_path) as store:
        store.ledger.record(later)
        store.ledger.record(entry("failed", url="https://example.org/b.json", path="b.json", ref="bad"))
        assert store.ledger.last("https://example.org/a.json") == later
        assert store.ledger.entries("squad")["state"].to_list() == ["fetched", "written", "failed"]
        assert store.ledger.entries("squad")["seq"].to_list() == [1, 2, 3]
        assert store.ledger.entries("timm").is_empty()


def test_an_unknown_state_is_refused() -> None:
    with pytest.raises(FactError, match="asleep"):
        entry("asleep")


def test_runs_show_how_they_ended(tmp_path: Path) -> None:
    hour = timedelta(hours=1)
    with Store.open(tmp_path) as store:
        store.ledger.start_run("a", "nightly", NOON)
        store.ledger.start_run("b", "nightly", NOON + hour)
        store.ledger.end_run("b", NOON + 2 * hour, "ok", "7 sources")
        store.ledger.start_run("c", "ingest", NOON + 3 * hour)
        assert run_table(tmp_path)["status"].to_list() == ["crashed", "ok", "running"]
        with pytest.raises(FactError):
            store.ledger.start_run("c", "ingest", NOON)
        with pytest.raises(FactError):
            store.ledger.end_run("b", NOON, "ok", "")
    assert run_table(tmp_path)["status"].to_list() == ["crashed", "ok", "crashed"]
    assert run_table(tmp_path)["ended_at"].to_list() == [None, NOON + 2 * hour, None]
