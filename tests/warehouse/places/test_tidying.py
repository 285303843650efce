"""Small files of a lake: put together while others read, old ones deleted when nobody can need them."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from benchhealth.warehouse.places.lake import tidy
from benchhealth.warehouse.places.location import place
from benchhealth.warehouse.sql import database_of
from benchhealth.warehouse.store import Store, fact_table, reading
from tests.support.facts import batch, rejection, result
from tests.support.lakes.postgres import Cluster

ROWS = 200
TIMES = 4


@pytest.fixture
def home(cluster: Cluster, tmp_path: Path) -> Iterator[Path]:
    place(tmp_path, cluster.lake(tmp_path / "lake"))
    yield tmp_path
    place(tmp_path, None)


def files(home: Path) -> set[Path]:
    return set((home / "lake").rglob("*.parquet"))


@pytest.mark.soak
def test_small_files_become_one_and_old_ones_go_when_nobody_can_need_them(home: Path) -> None:
    with Store.open(home) as store:
        for number in range(TIMES):
            rows = [result(model_id=f"m{row}", published_name=f"m {row}") for row in range(ROWS)]
            store.write(batch(rows, ref=str(number), rejections=[rejection()]))
        before = {table: fact_table(home, table).sort(pl.all()) for table in ("result", "rejection", "snapshot")}
        small = files(home)
        named = store.rows_like(pl.DataFrame({"source_id": ["squad"], "published_name": ["m 7"]}))
        left_behind = home / "lake" / "main" / "result" / "of-a-killed-run.parquet"
        left_behind.touch()
        with reading(home) as connection:
            store.tidy()
            assert connection.execute("SELECT count(*) FROM result").fetchall() == [(TIMES * ROWS,)]
        for table, rows in before.items():
            assert fact_table(home, table).sort(pl.all()).equals(rows)
        merged = files(home) - small - {left_behind}
        assert left_behind.exists()
        assert small <= files(home)

        tidy(store._connection, database_of(store._connection), period="INTERVAL '0 seconds'")
        assert files(home) == merged
        assert len([path for path in merged if path.parent.name == "result"]) == 1

        seventh = named.filter(published_name="m 7").select("row", model_id=pl.lit("seven"), setting=pl.lit(""))
        assert store.rename(seventh, pl.DataFrame(schema=["source_id", "published_name", "model_id"])) == TIMES
        renamed = fact_table(home, "result").filter(model_id="seven")
        assert renamed["published_name"].to_list() == ["m 7"] * TIMES
