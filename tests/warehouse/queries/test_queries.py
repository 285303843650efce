"""Questions in SQL: what may not leave does not, nothing outside is reached, and no question harms the process."""

import io
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.warehouse.queries.grammar import ONE_SELECT, Refused, tables_of
from benchhealth.warehouse.queries.runner import QueryRunner
from benchhealth.warehouse.queries.worker import TOO_LONG, TOO_MUCH
from benchhealth.warehouse.read import current_path
from benchhealth.warehouse.sharing.generation import SharedGeneration
from tests.support import mixed_generation as mixed
from tests.support.mixed_generation import told_of
from tests.support.soaking import examples


@pytest.fixture(scope="module")
def generation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("asked")
    mixed.build(home)
    return current_path(home)


@pytest.fixture(scope="module")
def runner() -> Iterator[QueryRunner]:
    opened = QueryRunner()
    yield opened
    opened.close()


def refused(runner: QueryRunner, generation: Path, sql: str) -> str:
    with pytest.raises(Refused) as error:
        runner.rows(generation, sql, 10)
    return str(error.value)


def test_a_question_is_answered_with_the_tables_that_it_read(runner: QueryRunner, generation: Path) -> None:
    rows, answer = runner.rows(
        generation, "WITH v AS (FROM verdict) SELECT count(*) AS n FROM v JOIN benchmark USING (benchmark_id);", 10
    )
    assert answer.tables == ("benchmark", "verdict")
    assert rows["n"][0] > 0
    assert not answer.cut


def test_a_table_that_an_older_generation_lacks_is_refused_and_not_answered_without_rows(
    runner: QueryRunner, generation: Path, tmp_path: Path
) -> None:
    older = tmp_path / "gen-20200101T000000Z-000001.duckdb"
    older.write_bytes(generation.read_bytes())
    with duckdb.connect(older) as connection:
        connection.execute('DROP TABLE "lead"')
    assert refused(runner, older, "SELECT * FROM lead").startswith("no table lead: the generation was made before")
    assert runner.rows(older, "SELECT * FROM benchmark", 1)[0].height == 1


def test_no_more_rows_than_asked_for_leave_and_it_is_said(runner: QueryRunner, generation: Path) -> None:
    rows, answer = runner.rows(generation, "SELECT * FROM range(100) t(i) ORDER BY i DESC", 10)
    assert answer.cut
    assert rows["i"].to_list() == list(range(99, 89, -1))


@pytest.mark.parametrize("kind", ["alike", "shut", "import"])
def test_no_table_tells_what_may_not_leave(runner: QueryRunner, generation: Path, kind: str) -> None:
    from benchhealth.analytics.record.tables import PUBLISHED

    for name in PUBLISHED:
        body = io.BytesIO()
        runner.write(generation, f'FROM "{name}"', 5_000, "json", body)
        assert not told_of(kind, body.getvalue().decode()), name


QUALIFIED = "own names"
IN_FROM = "may not stand in FROM"


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("COPY result TO '/tmp/x'", ONE_SELECT),
        ("COPY (SELECT 1) TO '/tmp/x'", ONE_SELECT),
        ("ATTACH '/tmp/x' AS y", ONE_SELECT),
        ("INSTALL httpfs", ONE_SELECT),
        ("LOAD httpfs", ONE_SELECT),
        ("PRAGMA database_list", ONE_SELECT),
        ("SET memory_limit = '20GB'", ONE_SELECT),
        ("RESET memory_limit", ONE_SELECT),
        ("CREATE TABLE x AS SELECT 1", ONE_SELECT),
        ("INSERT INTO verdict SELECT * FROM verdict", ONE_SELECT),
        ("DROP VIEW verdict", ONE_SELECT),
        ("EXPLAIN SELECT 1", ONE_SELECT),
        ("DESCRIBE verdict", ONE_SELECT),
        ("SHOW ALL TABLES", ONE_SELECT),
        ("CALL pragma_version()", ONE_SELECT),
        ("SELECT 1; SELECT 2", ONE_SELECT),
        ("SELECT 1; ATTACH '/tmp/x'", ONE_SELECT),
        ("FROM whole.result", QUALIFIED),
        ('SELECT (SELECT count(*) FROM "whole"."main"."result")', QUALIFIED),
        ("FROM main_marks.allowed", QUALIFIED),
        ("FROM verdict WHERE stage IN (SELECT stage FROM whole.verdict)", QUALIFIED),
        ("WITH result AS (FROM whole.result) FROM result", QUALIFIED),
        ("FROM information_schema.tables", QUALIFIED),
        ("FROM read_csv('/etc/passwd')", IN_FROM),
        ("FROM read_text('/etc/passwd')", IN_FROM),
        ("FROM glob('/*')", IN_FROM),
        ("FROM parquet_scan('https://example.org/x')", IN_FROM),
        ("FROM query('FROM whole.result')", IN_FROM),
        ("FROM query_table('whole.result')", IN_FROM),
        ("FROM duckdb_tables()", IN_FROM),
        ("FROM duckdb_settings()", IN_FROM),
        ("FROM sql_auto_complete('SEL')", IN_FROM),
        ("FROM '/etc/passwd'", "no table"),
        ("FROM 'https://example.org/x.parquet'", "no table"),
        ("FROM shared", "no table"),
        ("WITH duckdb_databases AS (SELECT path FROM duckdb_databases) SELECT * FROM duckdb_databases", "no table"),
        ("WITH RECURSIVE sqlite_master AS (FROM sqlite_master) FROM sqlite_master", "no table"),
        ("FROM pg_class, (WITH pg_class AS (SELECT 1) FROM pg_class)", "no table"),
        ("WITH a AS (FROM pg_class), pg_class AS (SELECT 1) FROM a", "no table"),
        ("SELECT getenv('HOME')", "may not be called"),
        ("SELECT current_setting('temp_directory')", "may not be called"),
        ("SELEC 1", "cannot be read"),
        ("SELECT nothing FROM verdict", "cannot be carried out"),
        ("", "Nothing"),
        (";", "Nothing"),
        ("SELECT 1 -- " + "x" * 5_000, "longer than"),
    ],
)
def test_what_is_no_question_is_refused_in_a_sentence(
    runner: QueryRunner, generation: Path, sql: str, expected: str
) -> None:
    message = refused(runner, generation, sql)
    assert expected in message
    assert "Traceback" not in message
    assert "\n" not in message


WRITES = "COPY (SELECT 1 AS a) TO '{file}'"


@pytest.mark.parametrize(
    "sql",
    [WRITES, "FROM read_text('{file}')", "FROM read_blob('{file}')", "ATTACH '{file}'", "EXPORT DATABASE '{file}'"],
)
def test_past_the_grammar_no_file_is_reached(sql: str, generation: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("a secret")
    shared = SharedGeneration(generation, memory="400MB")
    with closing(shared.cursor()) as cursor:
        with pytest.raises(duckdb.PermissionException):
            cursor.execute(sql.format(file=tmp_path / "secret")).fetchall()
        with pytest.raises(duckdb.InvalidInputException):
            cursor.execute("SET enable_external_access = true")
    shared.close()
    assert (tmp_path / "secret").read_text() == "a secret"


def test_past_the_grammar_and_the_database_the_worker_writes_no_file(tmp_path: Path) -> None:
    confined = "import duckdb; from benchhealth.warehouse.queries.worker import _confine; _confine()"
    copied = f"{confined}; duckdb.sql({WRITES!r}.format("
    done = subprocess.run(
        [sys.executable, "-c", f"{copied}file={str(tmp_path / 'x.csv')!r}))"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "File too large" in done.stderr
    assert not any(path.stat().st_size for path in tmp_path.iterdir())


NAMES = ("benchmark", "model", "verdict")


def queries() -> st.SearchStrategy[str]:
    """SELECTs whose names of WITH are those of tables too, one within the other."""
    reading = st.sampled_from(NAMES).map(lambda name: f"SELECT i FROM {name}")

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        pairs = st.lists(st.tuples(st.sampled_from(NAMES), inner), min_size=1, max_size=3, unique_by=lambda one: one[0])
        named = st.tuples(pairs, inner).map(
            lambda two: f"WITH {', '.join(f'{name} AS ({query})' for name, query in two[0])} {two[1]}"
        )
        recursive = st.tuples(st.sampled_from(NAMES), inner, inner, inner).map(
            lambda four: f"WITH RECURSIVE {four[0]} AS (({four[1]}) UNION ALL ({four[2]})) {four[3]}"
        )
        within = st.tuples(st.sampled_from(NAMES), inner, inner).map(
            lambda three: f"SELECT i FROM {three[0]}, ({three[1]}) x(j) WHERE i IN ({three[2]})"
        )
        return named | recursive | within

    return st.recursive(reading, larger, max_leaves=6)


@examples(60)
@given(sql=queries())
def test_a_table_is_seen_wherever_it_is_read(sql: str) -> None:
    """Compared with what DuckDB itself finds, which passes over what is never read."""
    with closing(duckdb.connect(":memory:")) as connection:
        for name in NAMES:
            connection.execute(f"CREATE TABLE {name} (i BIGINT)")
        try:
            tables = connection.get_table_names(sql)
        except duckdb.Error:
            return
        assert tables <= set(tables_of(connection, sql)), sql


@pytest.mark.parametrize(
    ("sql", "read"),
    [
        ("WITH result AS (SELECT * FROM result) SELECT count(*) FROM result", ["result"]),
        ("WITH a AS (FROM result), b AS (FROM a) FROM b", ["result"]),
        ("WITH result AS (FROM verdict) SELECT (SELECT count(*) FROM result)", ["verdict"]),
        ('WITH "RESULT" AS (FROM verdict) FROM result ORDER BY (FROM result)', ["verdict"]),
        ("WITH verdict AS (FROM result) SELECT * FROM (WITH model AS (FROM verdict) FROM model)", ["result"]),
        ("FROM verdict, (WITH verdict AS (SELECT 1) FROM verdict)", ["verdict"]),
        ("WITH RECURSIVE t AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM t WHERE i < 3) FROM t", []),
        ("WITH RECURSIVE model AS (FROM model UNION ALL FROM model) FROM model LIMIT 1", ["model"]),
        ("WITH RECURSIVE model AS (FROM verdict UNION ALL FROM model) FROM model LIMIT 1", ["verdict"]),
        ("WITH ran\u212a AS (FROM verdict) FROM rank", ["rank", "verdict"]),
    ],
)
def test_the_tables_of_a_question_are_those_that_its_names_stand_for(sql: str, read: list[str]) -> None:
    with closing(duckdb.connect(":memory:")) as connection:
        assert tables_of(connection, sql) == read


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT repeat('x', 4000000000::BIGINT)",
        pytest.param("SELECT range(500000000)", marks=pytest.mark.soak),
        pytest.param("SELECT list_sort(range(200000000))", marks=pytest.mark.soak),
        pytest.param("SELECT string_agg(repeat('x', 1000), '') FROM range(10000000)", marks=pytest.mark.soak),
        "WITH RECURSIVE t(s, i) AS (SELECT 'x', 0 UNION ALL SELECT s || s, i + 1 FROM t WHERE i < 40) "
        "SELECT max(length(s)) FROM t",
    ],
)
def test_a_question_for_too_much_memory_is_refused_and_the_next_is_answered(
    runner: QueryRunner, generation: Path, sql: str
) -> None:
    assert refused(runner, generation, sql) in (TOO_MUCH, TOO_LONG)
    assert runner.rows(generation, "SELECT 1 AS one", 10)[0]["one"].to_list() == [1]


@pytest.mark.whole
@pytest.mark.parametrize(
    "sql",
    [
        "WITH RECURSIVE t AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM t) SELECT max(i) FROM t",
        pytest.param("SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000) c", marks=pytest.mark.soak),
    ],
)
def test_a_question_without_an_end_is_ended(runner: QueryRunner, generation: Path, sql: str) -> None:
    began = time.monotonic()
    assert refused(runner, generation, sql) == TOO_LONG
    assert time.monotonic() - began < 30


def test_a_wide_answer_and_a_large_one_are_refused(runner: QueryRunner, generation: Path) -> None:
    wide = ", ".join(str(number) for number in range(80))
    assert "columns" in refused(runner, generation, f"SELECT {wide}")
    assert "larger" in refused_as_too_large(runner, generation)


def refused_as_too_large(runner: QueryRunner, generation: Path) -> str:
    with pytest.raises(Refused) as error:
        runner.rows(generation, "SELECT repeat('x', 20000) FROM range(500)", 2_000)
    return str(error.value)


def test_a_worker_that_was_ended_is_replaced(runner: QueryRunner, generation: Path) -> None:
    runner.close()
    assert runner.rows(generation, "SELECT 1 AS one", 10)[0].height == 1


@pytest.mark.soak
def test_a_worker_without_questions_goes(generation: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchhealth.warehouse.queries.runner.IDLE_SECONDS", 0.05)
    runner = QueryRunner()
    runner.rows(generation, "SELECT 1", 1)
    until = time.monotonic() + 10
    while runner._worker is not None and time.monotonic() < until:
        time.sleep(0.05)
    assert runner._worker is None
    assert runner.rows(generation, "SELECT 1", 1)[0].height == 1
    runner.close()


@pytest.mark.soak
def test_a_worker_is_ended_once_by_all_who_end_it(generation: Path) -> None:
    """Where the idle time ran out while the server went, both emptied the same pipes."""
    runner = QueryRunner()
    for _ in range(3):
        runner.rows(generation, "SELECT 1", 1)
        with ThreadPoolExecutor(8) as at_once:
            for ended in [at_once.submit(runner.close) for _ in range(4)] + [
                at_once.submit(runner._stop_idle_worker) for _ in range(4)
            ]:
                ended.result()
        assert runner._worker is None


def test_tables_of_many_rules_are_answered_within_the_limits(runner: QueryRunner, generation: Path) -> None:
    sql = "SELECT * FROM benchmark b JOIN verdict v USING (benchmark_id) JOIN model m ON true"
    rows, answer = runner.rows(generation, sql, 10)
    assert answer.tables == ("benchmark", "model", "verdict")
    assert {"name", "name_2"} <= set(rows.columns)
