"""A lake that does not answer: told as that on every path, without its password, and no longer than it lasts."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from benchhealth.warehouse.faults import first_line, masked
from benchhealth.warehouse.places import leases
from benchhealth.warehouse.places.catalogue import BEGINS, Catalogue, LakeError, engine
from benchhealth.warehouse.places.lake import Lake
from benchhealth.warehouse.places.location import place
from benchhealth.warehouse.sql import transaction
from benchhealth.warehouse.store import Store, check_facts
from tests.support.facts import batch, result
from tests.support.lakes.postgres import Cluster

ROWS = [result(model_id=f"m{number}", score=number / 1e4) for number in range(400)]
"""Too many for the catalogue: they lie in a file."""


@pytest.fixture
def home(cluster: Cluster, tmp_path: Path) -> Iterator[Path]:
    lake = cluster.lake(tmp_path / "lake")
    place(tmp_path, Lake(f"{lake.libpq} password=hidden", lake.data))
    yield tmp_path
    place(tmp_path, None)


@contextmanager
def unreached() -> Iterator[None]:
    """What is done here meets a lake that does not answer, and says no password."""
    with pytest.raises(LakeError) as refused:
        yield
    assert "hidden" not in str(refused.value)
    assert "the lake at postgres:" in str(refused.value)


@pytest.mark.parametrize(
    "libpq",
    [
        "dbname=nowhere host={host} user={user} password=hidden",
        "dbname=nowhere host={host} user={user} password='very hidden'",
        "postgresql://{user}:hidden@/nowhere?host={host}",
        "postgresql://{user}:hi@hidden@localhost:1/nowhere",
        "postgresql://{user}:hi/hidden@localhost:1/nowhere",
        "dbname=nowhere host={host} user={user} password=very hidden",
    ],
)
def test_a_catalogue_that_refuses_is_told_without_its_password(cluster: Cluster, libpq: str) -> None:
    user = cluster.libpq("").rpartition("user=")[2]
    with unreached():
        Catalogue(libpq.format(host=cluster.folder, user=user))


def test_a_catalogue_that_stops_is_told_without_its_password_wherever_it_is_met(cluster: Cluster, home: Path) -> None:
    with Store.open(home) as store:
        with cluster.stopped():
            questions: tuple[Callable[[], object], ...] = (
                store.snapshot_ids,
                lambda: store.write(batch(ROWS)),
                store.tidy,
                lambda: check_facts(home),
            )
            for ask in questions:
                with unreached():
                    ask()
        assert store.write(batch(ROWS))


def test_a_catalogue_that_stops_before_a_commit_is_told_too(cluster: Cluster, home: Path) -> None:
    with Store.open(home) as store:

        def work(cursor: duckdb.DuckDBPyConnection) -> None:
            cursor.execute("INSERT INTO snapshot (snapshot_id) VALUES ('lost')")
            cluster._control("stop", "-m", "immediate")

        try:
            with unreached():
                store._opened.write(work)
        finally:
            cluster.start()
        assert store.snapshot_ids() == set()


@pytest.mark.soak
def test_files_that_are_gone_are_told_as_a_lake_that_does_not_answer(home: Path) -> None:
    engine().execute("SET enable_external_file_cache = false")
    try:
        with Store.open(home) as store:
            store.write(batch(ROWS))
        check_facts(home)
        (home / "lake").rename(home / "away")
        with unreached():
            check_facts(home)
    finally:
        engine().execute("SET enable_external_file_cache = true")


@pytest.mark.parametrize("times", [BEGINS - 1, BEGINS])
def test_a_transaction_that_does_not_begin_is_tried_again_some_times(
    home: Path, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[None] = []

    @contextmanager
    def refusing(connection: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
        if len(refused) < times:
            refused.append(None)
            raise LakeError("Failed to query most recent snapshot for DuckLake")
        with transaction(connection) as cursor:
            yield cursor

    with Store.open(home) as store:
        monkeypatch.setattr(leases, "transaction", refusing)
        if times < BEGINS:
            assert store.write(batch(ROWS))
        else:
            with pytest.raises(LakeError):
                store.write(batch(ROWS))
    assert len(refused) == times


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("at 'dbname=x password=hidden': no", "at 'dbname=x password=*** no"),
        ("password = 'a hid\\'den' host=y", "password = *** host=y"),
        ("ATTACH 'dbname=x password=''a hidden'' host=y'", "ATTACH 'dbname=x password=*** host=y'"),
        ("postgresql://user:hidden@host/x", "postgresql://user:***@host/x"),
        ("https://example.org:8080/a@b and a password", "https://example.org:8080/a@b and a password"),
    ],
)
def test_passwords_in_any_text_are_masked(text: str, plain: str) -> None:
    assert masked(text) == plain
    assert first_line(ValueError(f"{text}\n{text}")) == plain
