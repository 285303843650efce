"""Tables read by address by what others use: DuckDB, pandas and polars, whole or by parts of the file."""

import io
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest
import requests
from hypothesis import given
from hypothesis import strategies as st

import benchhealth as bh
from benchhealth.analytics.record.tables import PUBLISHED
from tests.api.conftest import serve
from tests.support.soaking import examples

TABLE = "data/result.parquet"
ENDS = st.none() | st.integers(0, 9_000)


@pytest.fixture
def served(mixed_home: Path, address: str) -> str:
    """A home with rows that may not leave, over HTTP."""
    serve(mixed_home)
    return address


@pytest.fixture
def over_http() -> Iterator[duckdb.DuckDBPyConnection]:
    """A DuckDB that reads HTTP, with the extension of the lock: nothing is downloaded."""
    package = pytest.importorskip("duckdb_extension_httpfs", reason="DuckDB reads HTTP by this extension")
    file = next(Path(package.__path__[0]).glob(f"extensions/v{duckdb.__version__}/httpfs.duckdb_extension"))
    with duckdb.connect() as connection:
        connection.execute(f"LOAD '{file}'")
        yield connection


@pytest.mark.soak
def test_duckdb_reads_every_table_as_the_api_gives_it(
    served: str, over_http: duckdb.DuckDBPyConnection, mixed_home: Path
) -> None:
    facts = bh.open(mixed_home)
    rows = 0
    for name in PUBLISHED:
        read = over_http.sql(f"FROM '{served}data/{name}.parquet'").pl()
        assert read.equals(facts.table(name)), name
        csv = over_http.sql(f"FROM read_csv('{served}data/{name}.csv', all_varchar = true, header = true)").pl()
        assert (csv.height, csv.columns) == (read.height, read.columns), name
        rows += read.height
    assert rows > 100


def test_duckdb_asks_across_tables_without_taking_them_whole(
    served: str, over_http: duckdb.DuckDBPyConnection, mixed_home: Path
) -> None:
    sql = (
        "SELECT b.name, count(*) AS n FROM {}result{} r JOIN {}benchmark{} b USING (benchmark_id) GROUP BY 1 ORDER BY 1"
    )
    there = over_http.sql(sql.format(*(f"'{served}data/", ".parquet'") * 2)).pl()
    assert there.rows() == bh.open(mixed_home).sql(sql.format("", "", "", "")).rows() != []


@pytest.mark.soak
def test_pandas_and_polars_read_every_table(served: str, mixed_home: Path) -> None:
    facts = bh.open(mixed_home)
    for name in PUBLISHED:
        address, expected = f"{served}data/{name}.parquet", facts.table(name)
        by_pandas = pd.read_parquet(address)
        assert (len(by_pandas), list(by_pandas.columns)) == (expected.height, expected.columns), name
        assert pl.read_parquet(address).equals(expected), name
        if expected.height > 20:
            assert len(pd.read_csv(f"{served}data/{name}.csv")) == expected.height, name
    of_one = pl.scan_parquet(f"{served}data/result.parquet").select("benchmark_id").unique().collect()
    assert set(of_one["benchmark_id"]) == set(facts.table("result")["benchmark_id"])


def test_the_end_of_a_file_is_enough_to_know_its_columns(served: str) -> None:
    """As readers of Parquet do: the length of the footer, the footer, nothing else."""
    last = requests.get(served + TABLE, headers={"Range": "bytes=-8"}, timeout=30)
    size = int(last.headers["content-range"].rpartition("/")[2])
    footer = int.from_bytes(last.content[:4], "little")
    ending = requests.get(served + TABLE, headers={"Range": f"bytes={size - footer - 8}-"}, timeout=30)
    assert (last.status_code, last.content[4:], ending.status_code, len(ending.content)) == (
        206,
        b"PAR1",
        206,
        footer + 8,
    )
    assert pq.read_schema(io.BytesIO(b"PAR1" + ending.content)).names == list(PUBLISHED["result"])


@examples(20, soak=60)
@given(first=ENDS, last=ENDS)
def test_any_part_is_that_part_of_the_whole(
    served_whole: tuple[str, bytes], first: int | None, last: int | None
) -> None:
    """RFC 9110, 14.1.2: the last is included and may lie beyond; without a first it is so many from the end."""
    address, whole = served_whole
    wanted_range = f"bytes={'' if first is None else first}-{'' if last is None else last}"
    part = requests.get(address, headers={"Range": wanted_range}, timeout=30)
    if (first is None and last is None) or (first is not None and last is not None and last < first):
        assert part.status_code in (400, 416)
        return
    start = max(0, len(whole) - (last or 0)) if first is None else first
    end = len(whole) if first is None or last is None else min(last + 1, len(whole))
    if start >= len(whole):
        assert (part.status_code, part.headers["content-range"]) == (416, f"bytes */{len(whole)}")
        return
    assert part.status_code == 206 and part.content == whole[start:end]
    assert part.headers["content-range"] == f"bytes {start}-{end - 1}/{len(whole)}"
    assert int(part.headers["content-length"]) == end - start


@pytest.fixture(scope="module")
def served_whole(mixed_home: Path, address: str) -> tuple[str, bytes]:
    serve(mixed_home)
    return address + TABLE, requests.get(address + TABLE, timeout=30).content


HOSTILE = (
    *("bytes", "bytes=", "bytes=a-b", "bytes=0-0-0", "bytes=1,2", "bytes=--1", "bytes= - ", "bytes=9-1", "bytes=0x0-1"),
    *("bytes=" + ",".join("0-" for _ in range(2_000)), "bytes=" + "9" * 2_000 + "-", "bytes=" + ",".join(["0-1"] * 17)),
)


@pytest.mark.parametrize("asked", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_range_gets_no_more_than_the_file(served_whole: tuple[str, bytes], asked: str) -> None:
    address, whole = served_whole
    answer = requests.get(address, headers={"Range": asked}, timeout=30)
    assert answer.status_code in (200, 206, 400, 416)
    assert len(answer.content) <= len(whole)
    if answer.status_code == 200:
        assert answer.content == whole
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("asked", ["items=0-3", "seconds=1-2", "bytes 0-3"])
def test_a_range_in_other_units_is_none(served_whole: tuple[str, bytes], asked: str) -> None:
    address, whole = served_whole
    answer = requests.get(address, headers={"Range": asked}, timeout=30)
    assert (answer.status_code, answer.content) == (200, whole)


def test_parts_are_only_put_together_of_one_generation(served_whole: tuple[str, bytes]) -> None:
    address, whole = served_whole
    tag = requests.head(address, timeout=30).headers["etag"]

    def part(of: str) -> requests.Response:
        return requests.get(address, headers={"Range": "bytes=0-3", "If-Range": of}, timeout=30)

    assert (part(tag).status_code, part(tag).content) == (206, whole[:4])
    for other in ('"gen-other"', f"W/{tag}", "Thu, 01 Jan 1970 00:00:00 GMT", "nonsense"):
        assert (part(other).status_code, part(other).content) == (200, whole), other
    assert requests.get(address, headers={"Range": "bytes=0-3", "If-None-Match": tag}, timeout=30).status_code == 304


def test_a_head_says_what_the_file_is_and_sends_nothing(served_whole: tuple[str, bytes]) -> None:
    address, whole = served_whole
    for headers in ({}, {"Range": "bytes=0-3"}):
        head = requests.head(address, headers=headers, timeout=30)
        assert (head.status_code, head.content) == (200, b"")
        assert (int(head.headers["content-length"]), head.headers["accept-ranges"]) == (len(whole), "bytes")
