"""A home of an older edition becomes one of this, whole; one of a later edition is refused."""

from datetime import datetime
from pathlib import Path

import duckdb
import polars as pl
import pytest

from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.migrations import MIGRATIONS, NewerHome, edition_of
from benchhealth.warehouse.sql import FACTS, FactError
from benchhealth.warehouse.status import run_table
from benchhealth.warehouse.store import DATABASE, Store, fact_table, reading
from tests.support.facts import NOON, batch, registry, result, sources

FIRST_EDITION = """
    CREATE TABLE source (source_id VARCHAR, title VARCHAR, homepage VARCHAR, licence VARCHAR, redistributable BOOLEAN,
        cadence VARCHAR);
    CREATE TABLE snapshot (snapshot_id VARCHAR, source_id VARCHAR, board_id VARCHAR, observed_at TIMESTAMP,
        fetched_at TIMESTAMP, url VARCHAR, ref VARCHAR, sha256 VARCHAR, rows_in BIGINT, rows_kept BIGINT,
        rows_rejected BIGINT);
    CREATE TABLE result (snapshot_id VARCHAR, benchmark_id VARCHAR, model_id VARCHAR, setting VARCHAR, reporter VARCHAR,
        score DOUBLE, score_published DOUBLE, std_error DOUBLE, n_items BIGINT, dated_on DATE, date_basis VARCHAR,
        source_row VARCHAR, published_name VARCHAR, kind VARCHAR);
    CREATE TABLE rejection (snapshot_id VARCHAR, source_row VARCHAR, reason VARCHAR, published VARCHAR);
    CREATE TABLE model_fact (snapshot_id VARCHAR, source_row VARCHAR, model_id VARCHAR, name VARCHAR,
        organisation VARCHAR, released_on DATE, open_weights BOOLEAN, knowledge_cutoff DATE);
    CREATE TABLE benchmark_fact (snapshot_id VARCHAR, benchmark_id VARCHAR, name VARCHAR, metric VARCHAR, unit VARCHAR,
        higher_is_better BOOLEAN, domain VARCHAR, modality VARCHAR, floor DOUBLE, n_items BIGINT, released_on DATE,
        paper_url VARCHAR);
    CREATE TABLE report_fact (snapshot_id VARCHAR, source_row VARCHAR, benchmark_id VARCHAR, subject VARCHAR,
        subject_kind VARCHAR, split VARCHAR, share DOUBLE, method VARCHAR, reference_url VARCHAR);
    CREATE TABLE ledger (seq BIGINT, source_id VARCHAR, url VARCHAR, path VARCHAR, ref VARCHAR, etag VARCHAR,
        sha256 VARCHAR, state VARCHAR, detail VARCHAR, "at" TIMESTAMP);
    CREATE TABLE run_start (run_id VARCHAR, started_at TIMESTAMP, command VARCHAR);
    CREATE TABLE run_end (run_id VARCHAR, ended_at TIMESTAMP, status VARCHAR, detail VARCHAR);
    INSERT INTO source VALUES ('squad', 'SQuAD', 'https://example.org', 'MIT', true, 'daily');
    INSERT INTO snapshot VALUES ('one', 'squad', 'squad-2.0', '2024-06-01 12:00', '2026-11-22 06:30',
        'https://example.org/c0ffee/out.json', 'c0ffee', 'abc', 1, 1, 0);
    INSERT INTO result VALUES ('one', 'squad-2.0', 'alpha', '', 'third_party', 0.5, 50, NULL, NULL, '2024-01-02',
        'submission', 'row 1', 'Alpha', 'model');
    INSERT INTO ledger VALUES (7, 'squad', 'https://example.org/main/out.json', 'out.json', 'c0ffee', 'W/"1"', '',
        'unchanged', '', '2026-11-22 06:30');
    INSERT INTO run_start VALUES ('a', '2026-11-22 06:00', 'nightly');
    INSERT INTO run_end VALUES ('a', '2026-11-22 06:30', 'ok', '');
"""
"""The tables exactly as the first edition made them, with a row or none in each."""


@pytest.fixture
def first_edition(tmp_path: Path) -> Path:
    with duckdb.connect(tmp_path / DATABASE) as connection:
        connection.execute(FIRST_EDITION)
    return tmp_path


def rows(home: Path) -> dict[str, list[tuple[object, ...]]]:
    with duckdb.connect(home / DATABASE, read_only=True) as connection:
        tables = [name for name in FACTS if f"CREATE TABLE {name} (" in FIRST_EDITION]
        later = {("source", "kind"), ("result", "printed_in"), ("result", "row_setting")}
        columns = {name: ", ".join(f'"{c}"' for c in FACTS[name] if (name, c) not in later) for name in tables}
        return {name: connection.sql(f"SELECT {columns[name]} FROM {name}").fetchall() for name in tables}


def edition(home: Path) -> int:
    with reading(home) as connection:
        return edition_of(connection)


def test_a_home_of_the_first_edition_is_migrated_and_loses_nothing(first_edition: Path) -> None:
    before = rows(first_edition)
    assert edition(first_edition) == 0
    with Store.open(first_edition) as store:
        assert store.ledger.last("https://example.org/main/out.json") is not None
        assert store.write(batch([result()], observed_at=datetime(2024, 7, 1)))
    assert edition(first_edition) == len(MIGRATIONS)
    after = rows(first_edition)
    assert {name: table[:1] for name, table in after.items()} == before | {"rejection": [], "model_fact": []}
    assert {name: fact_table(first_edition, name).schema for name in FACTS} == dict(FACTS)
    assert [row[0] for row in fact_table(first_edition, "source").select("kind").rows()] == ["paper"]


def test_when_a_migrated_home_fetched_proves_nothing_until_the_upstream_is_looked_at_again(first_edition: Path) -> None:
    with Store.open(first_edition):
        pass
    assert fact_table(first_edition, "look").is_empty()
    with Store.open(first_edition) as store:
        store.write_sources(sources("squad"))
    frames = load(first_edition, registry(), datetime(2026, 12, 1))
    assert frames.source["kind"].to_list() == ["board"]
    assert frames.snapshot["observed_at"].to_list() == [NOON]


def test_opening_twice_migrates_once(first_edition: Path) -> None:
    for _ in range(2):
        with Store.open(first_edition):
            pass
    with duckdb.connect(first_edition / DATABASE, read_only=True) as connection:
        assert connection.sql("FROM edition").fetchall() == [(len(MIGRATIONS),)]


def test_a_migration_that_breaks_off_leaves_the_home_as_it_was(
    first_edition: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(cursor: duckdb.DuckDBPyConnection) -> None:
        cursor.sql("DROP TABLE ledger")
        raise RuntimeError("power cut")

    before = rows(first_edition)
    monkeypatch.setattr("benchhealth.warehouse.migrations.MIGRATIONS", (*MIGRATIONS, breaks))
    with pytest.raises(RuntimeError, match="power cut"), Store.open(first_edition):
        pass
    assert rows(first_edition) == before
    assert edition(first_edition) == 0


def test_what_an_operator_asks_is_told_of_an_older_home_too(first_edition: Path) -> None:
    assert run_table(first_edition)["status"].to_list() == ["ok"]


def test_a_new_home_is_of_this_edition(tmp_path: Path) -> None:
    with Store.open(tmp_path):
        pass
    assert edition(tmp_path) == len(MIGRATIONS)


def test_a_home_of_a_later_edition_is_refused_by_readers_and_writers(tmp_path: Path) -> None:
    with Store.open(tmp_path):
        pass
    with duckdb.connect(tmp_path / DATABASE) as connection:
        connection.execute("INSERT INTO edition VALUES (99)")
    with (
        pytest.raises(NewerHome, match=f"edition 99 and this program knows edition {len(MIGRATIONS)}"),
        Store.open(tmp_path),
    ):
        pass
    with pytest.raises(NewerHome, match="later version of benchhealth"):
        fact_table(tmp_path, "source")


def test_a_file_that_is_no_facts_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / DATABASE) as connection:
        connection.sql("CREATE TABLE strange (number BIGINT)")
    with pytest.raises(FactError, match="it has"), Store.open(tmp_path):
        pass
    with duckdb.connect(tmp_path / DATABASE, read_only=True) as connection:
        assert (
            connection.sql("SELECT table_name FROM duckdb_tables()")
            .pl()
            .equals(pl.DataFrame({"table_name": ["strange"]}))
        )
