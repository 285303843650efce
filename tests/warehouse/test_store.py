import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.warehouse.batch import Batch
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.places import file as storing
from benchhealth.warehouse.sql import FACTS, NEW_FILES, FactError
from benchhealth.warehouse.store import Store, fact_table, reading, snapshot_row
from tests.support.facts import NOON, batch, benchmark, facts, model, rejection, result, sources

CONTENT = ("snapshot", "result", "rejection", "model_fact", "benchmark_fact")


def full_batch(ref: str = "c0ffee", **more: object) -> Batch:
    return batch(
        [result(model_id="alpha"), result(model_id="beta", score=0.25, std_error=0.01, n_items=400)],
        ref=ref,
        rejections=[rejection()],
        models=[model("alpha", organisation="Lab", open_weights=True)],
        benchmarks=[benchmark("squad-extra", "Extra")],
        **more,  # type: ignore[arg-type]
    )


def test_a_batch_is_stored_whole(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert store.write(full_batch())
    snapshot = fact_table(tmp_path, "snapshot").row(0, named=True)
    assert (snapshot["rows_in"], snapshot["rows_kept"], snapshot["rows_rejected"]) == (4, 3, 1)
    for name, height in (("result", 2), ("rejection", 1), ("model_fact", 1), ("benchmark_fact", 1)):
        table = fact_table(tmp_path, name)
        assert table.height == height
        assert table.schema == FACTS[name]
        assert set(table["snapshot_id"]) == {snapshot["snapshot_id"]}


def test_the_same_snapshot_twice_changes_nothing(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.write(full_batch())
    before = facts(tmp_path, CONTENT)
    with Store.open(tmp_path) as store:
        assert not store.write(full_batch())
    assert facts(tmp_path, CONTENT) == before


@pytest.mark.about_the_file
def test_a_write_that_fails_midway_leaves_nothing(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.write(full_batch("first"))
        before = facts(tmp_path, CONTENT)
        with duckdb.connect(tmp_path / "warehouse.duckdb", config=dict(NEW_FILES)) as other:
            other.sql("DROP TABLE benchmark_fact")
        with pytest.raises(duckdb.CatalogException):
            store.write(full_batch("second"))
        tables = [name for name in CONTENT if name != "benchmark_fact"]
        assert facts(tmp_path, tables) == {name: before[name] for name in tables}


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([result(), result(source_row="again")], "share a key"),
        ([result(reporter="a friend")], "reporter"),
        ([result(kind="dog")], "kind"),
        ([result(dated_on=NOON.date(), date_basis="guess")], "date_basis"),
        ([result(dated_on=NOON.date())], "without its basis"),
        ([result(score=float("nan"))], "finite"),
        ([result(setting=None)], "without setting"),
    ],
)
def test_a_batch_that_breaks_a_rule_is_refused(tmp_path: Path, rows: list[dict[str, object]], why: str) -> None:
    with Store.open(tmp_path) as store:
        with pytest.raises(FactError, match=why):
            store.write(batch(rows))
        assert store.snapshot_ids() == set()


def test_a_second_run_is_locked_out_and_reading_is_not(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.write(full_batch())
        with pytest.raises(Locked), Store.open(tmp_path):
            pass
        assert fact_table(tmp_path, "result").height == 2
    with Store.open(tmp_path):
        pass


@pytest.mark.about_the_file
def test_another_process_is_locked_out(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from benchhealth.warehouse.locking import Locked\n"
        "from benchhealth.warehouse.store import *\n"
        "def attempt(enter):\n"
        "    try:\n"
        "        with enter(Path(sys.argv[1])): return 'in'\n"
        "    except Locked: return 'locked'\n"
        "print(attempt(Store.open), attempt(reading))"
    )
    with Store.open(tmp_path):
        answer = subprocess.run([sys.executable, "-c", script, tmp_path], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["locked", "locked"]


@pytest.mark.about_the_file
def test_a_writer_waits_for_readers_but_not_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(tmp_path) as store:
        store.write(full_batch())
    script = (
        "import sys; from pathlib import Path; from benchhealth.warehouse.store import reading\n"
        "with reading(Path(sys.argv[1])): print('reading', flush=True); sys.stdin.readline()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "reading\n"
        monkeypatch.setattr(storing, "READER_PATIENCE", 0.3)
        with pytest.raises(Locked), Store.open(tmp_path):
            pass
        monkeypatch.setattr(storing, "READER_PATIENCE", 60.0)
        assert fact_table(tmp_path, "snapshot").height == 1
        reader.communicate("go\n")
    with Store.open(tmp_path):
        pass


@pytest.mark.about_the_file
def test_reading_where_nothing_is(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), reading(tmp_path):
        pass


@pytest.mark.about_the_file
def test_a_database_with_other_columns_is_refused(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / "warehouse.duckdb") as other:
        other.sql("CREATE TABLE ledger (seq BIGINT)")
    with pytest.raises(FactError, match="ledger"), Store.open(tmp_path):
        pass


def test_sources_are_replaced_by_key(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.write_sources(sources("squad", "timm"))
        store.write_sources(sources("timm", redistributable=False))
    stored = fact_table(tmp_path, "source").sort("source_id")
    assert stored.select("source_id", "redistributable").rows() == [("squad", True), ("timm", False)]


BATCHES = [
    batch(
        [result(model_id=name, score=score) for name in names],
        ref=f"r{number}",
        observed_at=datetime(2024, 1, 1) + timedelta(days=number),
        rejections=[rejection(str(number))],
        models=[model(names[0], organisation=f"Lab {number}")],
    )
    for number, (names, score) in enumerate([(["a"], 0.1), (["a", "b"], 0.2), (["b", "c"], 0.3), (["c"], 0.4)])
]


@settings(max_examples=6, deadline=None)
@given(order=st.lists(st.integers(0, len(BATCHES) - 1), max_size=9))
def test_order_and_repeats_of_writing_do_not_matter(tmp_path_factory: pytest.TempPathFactory, order: list[int]) -> None:
    home = tmp_path_factory.mktemp("home")
    with Store.open(home) as store:
        written = [store.write(BATCHES[number]) for number in order]
    assert [number for number, new in zip(order, written, strict=True) if new] == list(dict.fromkeys(order))
    batches = [BATCHES[number] for number in sorted(set(order))]
    stored = facts(home, CONTENT)
    assert stored["snapshot"] == sorted((row for one in batches for row in snapshot_row(one).rows()), key=repr)
    for name, field in (("result", "results"), ("rejection", "rejections"), ("model_fact", "models")):
        rows = [(one.snapshot_id, *row) for one in batches for row in getattr(one, field).rows()]
        assert stored[name] == sorted(rows, key=repr)


def test_schemas_reach_the_database(tmp_path: Path) -> None:
    with Store.open(tmp_path):
        pass
    for name, schema in FACTS.items():
        assert fact_table(tmp_path, name).schema == schema
