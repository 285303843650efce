"""A run whose lake is gone ends with what it was that failed, and what it left is told without passwords."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchhealth.pipeline.run import Outcome, Run, as_run
from benchhealth.warehouse.ledger import LedgerEntry
from benchhealth.warehouse.places.catalogue import LakeError
from benchhealth.warehouse.places.location import place
from benchhealth.warehouse.status import run_table, trouble_table
from benchhealth.warehouse.store import Store
from tests.pipeline.conftest import settings_of
from tests.support.facts import NOON
from tests.support.lakes.postgres import Cluster


@pytest.mark.soak
def test_a_run_whose_catalogue_stops_is_told_once(
    cluster: Cluster, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place(tmp_path, replace(cluster.lake(tmp_path / "lake"), lease_seconds=2.0))  # for which the next run waits

    def work(_run: Run) -> Outcome:
        cluster._control("stop", "-m", "immediate")
        raise LakeError("gone: password=hidden")

    try:
        with Store.open(tmp_path) as store, pytest.raises(LakeError, match="gone") as raised:
            as_run(settings_of(tmp_path, tmp_path), store, "ingest", work)
    finally:
        cluster.start()
    assert raised.value.__context__ is None
    assert sum("ingest: failed after" in line for line in caplog.messages) == 1
    assert "hidden" not in caplog.text
    with Store.open(tmp_path) as store:
        as_run(settings_of(tmp_path, tmp_path), store, "ingest", lambda _run: Outcome(0, "all well"))
    assert run_table(tmp_path)["status"].to_list()[-1] == "ok"
    place(tmp_path, None)


def test_a_password_that_an_earlier_version_noted_is_masked(tmp_path: Path) -> None:
    noted = "Unable to connect to Postgres at postgresql://me:hidden@host/db"
    with Store.open(tmp_path) as store:
        store.ledger.start_run("one", "ingest", NOON)
        store.ledger.record(LedgerEntry("squad", "https://x", "a.json", "", "", "", "failed", noted, NOON))
        store.ledger.end_run("one", NOON, "failed", noted)
    masked = [noted.replace("hidden", "***")]
    assert run_table(tmp_path)["detail"].to_list() == masked
    assert trouble_table(tmp_path)["reason"].to_list() == masked
