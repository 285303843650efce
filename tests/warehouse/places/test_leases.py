"""Several runs in one lake: who works on what, what happens to what a run leaves, and what nobody may write."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.places.catalogue import LakeError, MissingExtra, _extension, catalogue
from benchhealth.warehouse.places.claims import LeaseLost
from benchhealth.warehouse.places.lake import Lake
from benchhealth.warehouse.places.location import place
from benchhealth.warehouse.store import Store, fact_table, reading
from tests.support.facts import batch, result, sources
from tests.support.lakes.postgres import Cluster
from tests.warehouse.test_ledger import entry

SHORT = 2.0
"""Seconds that a lease lasts where a test waits for its end."""
RENEWED = 6.0
"""Seconds that one lasts where a test waits for its renewal."""


@pytest.fixture
def lake(cluster: Cluster, tmp_path: Path) -> Lake:
    return cluster.lake(tmp_path / "lake")


@contextmanager
def homes(lake: Lake, *folders: Path, seconds: float = 60.0) -> Iterator[tuple[Path, ...]]:
    """Homes whose facts lie in the same lake."""
    for folder in folders:
        place(folder, Lake(lake.libpq, lake.data, lease_seconds=seconds))
    yield folders
    for folder in folders:
        place(folder, None)


def test_two_runs_share_the_work_out_and_number_their_entries_apart(lake: Lake, tmp_path: Path) -> None:
    names = ["a", "b", "c"]
    with (
        homes(lake, tmp_path / "one", tmp_path / "two", seconds=RENEWED) as (one, two),
        Store.open(one) as first,
        Store.open(two) as second,
    ):
        mine, theirs = first.claims.each(names), second.claims.each(names)
        assert [next(mine), next(theirs)] == ["a", "b"]
        with pytest.raises(Locked, match="another run holds 'a'"), second.claims.hold("a"):
            pass
        for store, ref in ((first, "one"), (second, "two"), (first, "three")):
            store.write_all([batch([result()], ref=ref)], [entry("written", ref=ref, url=f"u/{ref}")])
        assert next(theirs) == "c"
        theirs.close()  # what it leaves undone, the other does; what it has done, nobody does again
        assert [*mine] == ["c"]
        ledger = fact_table(one, "ledger")
        assert ledger.height == ledger["seq"].n_unique() == 3
        assert ledger.sort("seq")["ref"].to_list() == ["one", "two", "three"]
        assert fact_table(two, "result").height == 3


def test_who_reads_sees_one_state_whatever_others_write(lake: Lake, tmp_path: Path) -> None:
    with homes(lake, tmp_path / "one", tmp_path / "two") as (one, two), Store.open(one) as store:
        store.write(batch([result()], ref="one"))
        with reading(two) as connection:
            count = "SELECT count(*) FROM result"
            assert connection.execute(count).fetchall() == [(1,)]
            store.write(batch([result()], ref="two"))
            assert connection.execute(count).fetchall() == [(1,)]
        assert fact_table(two, "result").height == 2


@pytest.mark.soak
def test_a_run_that_was_silent_too_long_writes_nothing_any_more(lake: Lake, tmp_path: Path) -> None:
    """Its renewing is stopped, as if the machine had slept; another run goes on with what it held."""
    with (
        homes(lake, tmp_path / "one", tmp_path / "two", seconds=SHORT) as (one, two),
        Store.open(one) as silent,
        Store.open(two) as other,
    ):
        part = silent.claims.each(["a"])
        assert next(part) == "a"
        asleep(silent)
        assert next(other.claims.each(["a"])) == "a"
        other.write(batch([result()], ref="one"))
        with pytest.raises(LeaseLost):
            silent.write(batch([result()], ref="one"))
        assert fact_table(two, "result").height == 1
        part.close()


@pytest.mark.soak
def test_what_a_dead_run_held_for_itself_is_waited_for(lake: Lake, tmp_path: Path) -> None:
    """A night that is begun again at once must not end because the dead one was publishing."""
    with (
        homes(lake, tmp_path / "one", tmp_path / "two", seconds=SHORT) as (one, two),
        Store.open(one) as dead,
        Store.open(two) as next_one,
    ):
        held = dead.claims.hold("publishing")
        held.__enter__()
        asleep(dead)
        with next_one.claims.hold("publishing"):
            pass


def asleep(store: Store) -> None:
    """Stop the renewing of a store's leases."""
    leases = store.claims
    leases._closed.set()  # type: ignore[attr-defined]
    leases._renewing.join()  # type: ignore[attr-defined]


def test_a_run_that_was_silent_goes_on_where_nobody_has_taken_its_work(lake: Lake, tmp_path: Path) -> None:
    with homes(lake, tmp_path / "one") as (home,), Store.open(home) as store, store.claims.hold("a"):
        catalogue(lake.libpq).do("UPDATE lease SET until = now() - interval '1 second' WHERE source_id = 'a'")
        store.write(batch([result()]))
        assert fact_table(home, "result").height == 1


def test_what_was_begun_before_a_lease_passed_on_cannot_be_committed(lake: Lake, tmp_path: Path) -> None:
    """The lease runs out between the look at it and the commit: a fence holds it up, the next look ends it."""
    with (
        homes(lake, tmp_path / "one", tmp_path / "two", seconds=SHORT) as (one, two),
        Store.open(one) as silent,
        Store.open(two) as other,
    ):
        part = silent.claims.each(["a"])
        next(part)
        asleep(silent)
        taken = threading.Event()
        attempts = []

        def work(cursor: object) -> None:
            attempts.append(cursor)
            cursor.execute("INSERT INTO snapshot (snapshot_id) VALUES ('late')")  # type: ignore[attr-defined]
            assert next(other.claims.each(["a"])) == "a"
            taken.set()

        with pytest.raises(LeaseLost):
            silent._opened.write(work)
        assert taken.is_set()
        assert len(attempts) == 1
        assert fact_table(two, "snapshot").is_empty()
        part.close()


@pytest.mark.soak
def test_two_that_replace_the_same_rows_at_once_both_end_well(lake: Lake, tmp_path: Path) -> None:
    with (
        homes(lake, tmp_path / "one", tmp_path / "two") as (one, two),
        Store.open(one) as first,
        Store.open(two) as second,
    ):
        barrier = threading.Barrier(2)

        def replace(store: Store, licence: bool) -> None:
            barrier.wait()
            store.write_sources(sources("squad", "timm", redistributable=licence))

        threads = [threading.Thread(target=replace, args=(store, store is first)) for store in (first, second)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        stored = fact_table(one, "source")
        assert sorted(stored["source_id"]) == ["squad", "timm"]
        assert stored["redistributable"].n_unique() == 1


def test_an_empty_database_becomes_a_lake(cluster: Cluster, tmp_path: Path) -> None:
    with homes(Lake(cluster.database(), str(tmp_path / "lake")), tmp_path) as (home,):
        with pytest.raises(FileNotFoundError, match="benchhealth init"), reading(home):
            pass
        with Store.open(home) as store:
            store.ledger.record(entry())
        assert fact_table(home, "ledger")["seq"].to_list() == [1]
        assert not (home / "warehouse.duckdb").exists()


def test_a_catalogue_that_is_not_there_is_told_without_its_password(tmp_path: Path) -> None:
    lake = Lake("dbname=facts host=127.0.0.1 port=1 password=hidden", str(tmp_path))
    place(tmp_path, lake)
    with pytest.raises(LakeError) as refused, Store.open(tmp_path):
        pass
    place(tmp_path, None)
    assert "dbname=facts host=127.0.0.1 port=1" in str(refused.value)
    assert "hidden" not in f"{refused.value} {lake!r} {refused.value.__cause__}"


def test_what_postgresql_itself_says_is_told(lake: Lake) -> None:
    with pytest.raises(LakeError, match=r"\(ERROR:  division by zero\); see DEPLOYMENT.md"):
        catalogue(lake.libpq).ask("SELECT 1/0")


def test_what_is_not_installed_is_named() -> None:
    with pytest.raises(MissingExtra, match="duckdb-extension-no-such: install benchhealth with its extra `lake`"):
        _extension("no_such")


def test_leases_keep_the_time_of_the_database(lake: Lake, tmp_path: Path) -> None:
    with homes(lake, tmp_path / "one") as (home,), Store.open(home) as store, store.claims.hold("a"):
        ((left,),) = catalogue(lake.libpq).ask(
            "SELECT extract(epoch FROM until - now())::float FROM lease WHERE source_id = 'a'"
        )
        assert 30 < left <= 60


def test_what_a_run_gives_back_is_no_death(lake: Lake, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with homes(lake, tmp_path / "one", tmp_path / "two", seconds=RENEWED) as (one, two):
        with pytest.raises(ValueError, match="failed"), Store.open(one) as first, first.claims.hold("a"):
            unended = first.claims.each(["b"])
            next(unended)
            raise ValueError("failed")
        with Store.open(two) as second, second.claims.hold("a"):
            assert [*second.claims.each(["b"])] == ["b"]
        unended.close()
    assert "ran out" not in caplog.text
    assert catalogue(lake.libpq).ask("SELECT DISTINCT after FROM lease") == [(None,)]
