import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.origins.sides import with_sides
from benchhealth.analytics.record.tables import DERIVED, NO_MODEL, PUBLISHED, empty
from benchhealth.analytics.record.tables.case import CASE_SCHEMA
from benchhealth.warehouse import publish as publishing
from benchhealth.warehouse.check import CheckError
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.publish import PublishError
from benchhealth.warehouse.publish import publish as publish_tables
from benchhealth.warehouse.read import Generation, NoGeneration, current_path, generations, open_current
from benchhealth.warehouse.reader import Reader
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.store import Store
from tests.support.facts import NOON, batch, derived, publish, registry, rejection, result, sources

CURATED = {"benchmark_id": "squad-2.0", "name": "SQuAD", "metric": "EM", "unit": "percent", "higher_is_better": True}
ALIAS = {"source_id": None, "published_name": "Alfa", "model_id": "alpha", "setting": "", "reason": "spelling"}


@pytest.fixture(name="facts")
def fixture_facts(tmp_path: Path) -> tuple[Path, Registry, Frames]:
    curated = registry([CURATED], aliases=[ALIAS])
    with Store.open(tmp_path) as store:
        store.write_sources(sources("squad"))
        store.write(batch([result(), result(model_id="beta")], ref="1", rejections=[rejection()]))
        store.write(batch([result()], ref="2", rejections=[rejection()], observed_at=NOON + timedelta(days=9)))
        store.ledger.start_run("a", "nightly", NOON)
        store.ledger.end_run("a", NOON, "ok", "")
    return tmp_path, curated, load(tmp_path, curated, NOON)


def verdict(stage: str, flags: list[str] | None = None) -> pl.DataFrame:
    row = {
        **dict.fromkeys(PUBLISHED["verdict"]),
        "benchmark_id": "squad-2.0",
        "stage": stage,
        "flags": flags or [],
        "reasons": ["because"],
        "rules_version": "1",
        "as_of": NOON.date(),
        "known_until": NOON.date(),
    }
    return pl.DataFrame([row], schema=PUBLISHED["verdict"])


def marked(number: int) -> pl.DataFrame:
    return pl.DataFrame([("squad-2.0", float(number), None)], schema=PUBLISHED["difficulty"], orient="row")


def marker(generation: Generation) -> float:
    return float(generation.table("difficulty")["difficulty"].item())


def test_a_generation_holds_the_contract(facts: tuple[Path, Registry, Frames]) -> None:
    home, curated, frames = facts
    path = publish(home, curated, frames, derived(verdict=verdict("saturated", ["dormant"])), NOON)
    assert path == current_path(home)
    generation = open_current(home)
    assert (generation.path, generation.name) == (path, "gen-20240601T120000Z-000001")
    tables = {name: generation.table(name) for name in PUBLISHED}
    assert {name: table.schema for name, table in tables.items()} == dict(PUBLISHED)
    for name in ("benchmark", "model", "source", "snapshot", "breakpoint", "contamination_report"):
        held = getattr(frames, name)
        assert_frame_equal(tables[name].select(held.columns), held, check_row_order=False)
    assert tables["benchmark"]["known_until"].to_list() == tables["source"]["known_until"].to_list() == [NOON.date()]
    assert_frame_equal(
        tables["result"],
        with_sides(frames.result, frames.measurer, empty("copy")).collect().select(PUBLISHED["result"].names()),
        check_row_order=False,
    )
    assert_frame_equal(tables["verdict"], verdict("saturated", ["dormant"]))
    assert tables["alias"].row(0) == (None, "Alfa", "alpha", "")
    named = set(tables["alias"]["published_name"])
    assert named == {"Alfa", *frames.result.collect()["published_name"]}
    assert tables["run"]["status"].to_list() == ["ok"]
    assert tables["rejection"]["snapshot_id"].to_list() == frames.snapshot["snapshot_id"].to_list()
    table_names = generation.query("SELECT table_name FROM information_schema.tables")
    assert set(table_names["table_name"]) == set(PUBLISHED)


def test_current_is_a_relative_symlink_and_the_file_is_whole(facts: tuple[Path, Registry, Frames]) -> None:
    path = publish(*facts, derived(), NOON)
    folder = path.parent
    assert str((folder / "current.duckdb").readlink()) == path.name
    assert sorted(file.name for file in folder.iterdir()) == ["current.duckdb", path.name, "lock"]


@pytest.mark.soak
def test_the_link_is_never_missing(facts: tuple[Path, Registry, Frames]) -> None:
    publish(*facts, derived(), NOON)
    home = facts[0]
    done = threading.Event()
    missing: list[Exception] = []

    def watch() -> None:
        while not done.is_set():
            try:
                assert current_path(home).exists()
            except (NoGeneration, AssertionError) as error:
                missing.append(error)

    watcher = threading.Thread(target=watch)
    watcher.start()
    for _ in range(2):
        publish(*facts, derived(), NOON)
    done.set()
    watcher.join()
    assert missing == []


def test_three_generations_are_kept_and_an_open_one_stays_readable(facts: tuple[Path, Registry, Frames]) -> None:
    home = facts[0]
    publish(*facts, derived(difficulty=marked(0)), NOON)
    held = open_current(home)
    paths = [publish(*facts, derived(difficulty=marked(number)), NOON) for number in range(1, 5)]
    assert generations(home) == paths[-3:]
    assert not held.path.exists()
    assert marker(held) == 0
    assert held.table("result").height == 2
    assert marker(open_current(home)) == 4


def wrong_contents() -> Iterator[tuple[dict[str, pl.DataFrame], str]]:
    yield derived(verdict=verdict("healthy")), "an unknown stage"
    yield derived(verdict=verdict("unknown", ["odd"])), "an unknown flag"
    yield derived(verdict=pl.concat([verdict("unknown"), verdict("unknown")])), "verdict: more than one row"
    power = pl.DataFrame(
        [("cutoff", "formula", 0.1, 3, 0.5, None, None)], schema=PUBLISHED["contamination_calibration"], orient="row"
    )
    yield derived(contamination_calibration=pl.concat([power, power])), "contamination_calibration: more than one row"
    indicator = pl.DataFrame(
        [
            (
                "squad-2.0",
                "headroom",
                0.5,
                None,
                None,
                3,
                "insufficient",
                "too few",
                NOON.date(),
                None,
                *[None] * len(CASE_SCHEMA),
            )
        ],
        schema=PUBLISHED["indicator"],
        orient="row",
    )
    yield derived(indicator=indicator), "a value without evidence"
    day, counts = NOON.date(), ("entered", "left", "newcomers", "departures", "exchanged", "renamed")
    compared = {"board_id": "squad/squad-2.0", "from_on": day, "to_on": day, "k": 10, **dict.fromkeys(counts, 0)}
    odd = {**compared, "turnover": 0.1, "kendall_tau": float("nan"), "spans_breakpoint": False}
    churn = pl.DataFrame([odd], schema=PUBLISHED["churn"])
    yield derived(churn=churn), "Kendall"


def test_contents_that_contradict_themselves_stay_out(facts: tuple[Path, Registry, Frames]) -> None:
    before = publish(*facts, derived(difficulty=marked(1)), NOON)
    listing = sorted(before.parent.iterdir())
    for tables, why in wrong_contents():
        with pytest.raises(CheckError, match=why):
            publish(*facts, tables, NOON)
        assert sorted(before.parent.iterdir()) == listing
    assert marker(open_current(facts[0])) == 1


def changed(frames: Frames, **fields: pl.DataFrame) -> Frames:
    return Frames(**{**vars(frames), **fields})


def test_facts_that_do_not_belong_together_stay_out(facts: tuple[Path, Registry, Frames]) -> None:
    home, curated, frames = facts
    lost = changed(frames, snapshot=frames.snapshot.clear())
    with pytest.raises(CheckError, match="a result without its snapshot"):
        publish(home, curated, lost, derived(), NOON)
    with pytest.raises(CheckError, match="a result without its benchmark"):
        publish(home, curated, changed(frames, benchmark=frames.benchmark.clear()), derived(), NOON)
    with pytest.raises(CheckError, match="a result without its model"):
        publish(home, curated, changed(frames, model=frames.model.clear()), derived(), NOON)
    miscounted = changed(frames, snapshot=frames.snapshot.with_columns(pl.col("rows_in") + 1))
    with pytest.raises(CheckError, match="not all accounted for"):
        publish(home, curated, miscounted, derived(), NOON)
    with pytest.raises(NoGeneration):
        current_path(home)


def test_a_missing_strange_or_misshapen_table_is_an_error(facts: tuple[Path, Registry, Frames]) -> None:
    complete = derived()
    with pytest.raises(PublishError, match="churn"):
        publish(*facts, {name: complete[name] for name in DERIVED if name != "churn"}, NOON)
    with pytest.raises(PublishError, match="moods"):
        publish(*facts, {**complete, "moods": pl.DataFrame()}, NOON)
    with pytest.raises(PublishError, match="rank: no column"):
        publish(*facts, {**complete, "rank": complete["rank"].drop("rank_low")}, NOON)
    with pytest.raises(PublishError, match="survival: expected"):
        publish(*facts, {**complete, "survival": complete["survival"].cast({"events": pl.Int32})}, NOON)


def test_a_failure_at_any_step_leaves_the_old_generation(
    facts: tuple[Path, Registry, Frames], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = facts[0]
    old = publish(*facts, derived(difficulty=marked(1)), NOON)
    listing = sorted(old.parent.iterdir())

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for step in ("append", "check_generation", "put_on_disk", "_next_name", "_swap"):
        with monkeypatch.context() as patch, pytest.raises(OSError, match="No space"):
            patch.setattr(publishing, step, fail)
            publish(*facts, derived(difficulty=marked(2)), NOON)
        assert marker(open_current(home)) == 1
        assert sorted(old.parent.iterdir()) == listing
    publish(*facts, derived(difficulty=marked(3)), NOON)
    assert marker(open_current(home)) == 3


def test_a_table_that_is_missing_stays_out(facts: tuple[Path, Registry, Frames]) -> None:
    with pytest.raises(PublishError, match="not computed: benchmark, model"):
        publish_tables(facts[0], derived(), NOON)
    with pytest.raises(NoGeneration):
        current_path(facts[0])


def test_what_a_killed_publisher_left_is_cleared(facts: tuple[Path, Registry, Frames]) -> None:
    folder = facts[0] / "published"
    folder.mkdir()
    (folder / ".building.duckdb").write_bytes(b"half a file")
    (folder / ".building.duckdb.wal").write_bytes(b"half a log")
    (folder / ".current.duckdb.new").symlink_to("nowhere")
    path = publish(*facts, derived(), NOON)
    assert sorted(file.name for file in folder.iterdir()) == ["current.duckdb", path.name, "lock"]


@pytest.mark.soak
def test_a_folder_in_the_place_of_the_link_is_moved_aside(facts: tuple[Path, Registry, Frames]) -> None:
    path = publish(*facts, derived(), NOON)
    link = path.parent / "current.duckdb"
    for _ in range(2):
        link.unlink()
        link.mkdir()
        (link / "stray").touch()
        publishing.serve(facts[0], path)
        assert current_path(facts[0]) == path
    assert sorted(file.parent.name for file in path.parent.rglob("stray")) == ["current.duckdb.1", "current.duckdb.2"]
    link.unlink()
    link.mkdir()
    path = publish(*facts, derived(), NOON)
    assert current_path(facts[0]) == path


def test_a_link_that_cannot_be_put_in_place_is_not_left_behind(
    facts: tuple[Path, Registry, Frames], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = publish(*facts, derived(), NOON)
    listing = sorted(path.parent.iterdir())

    def fail(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="not permitted"):
        publishing.serve(facts[0], path)
    assert sorted(path.parent.iterdir()) == listing


@pytest.mark.soak
def test_names_never_repeat_even_when_the_clock_goes_back(facts: tuple[Path, Registry, Frames]) -> None:
    instants = [NOON, datetime(2023, 1, 1), NOON, NOON, NOON]
    names = [publish(*facts, derived(), instant).name for instant in instants]
    assert len(set(names)) == len(names)
    assert current_path(facts[0]).name == names[-1]


def test_a_reader_follows_and_keeps_what_it_handed_out(facts: tuple[Path, Registry, Frames]) -> None:
    reader = Reader(facts[0])
    with pytest.raises(NoGeneration):
        reader.current()
    publish(*facts, derived(difficulty=marked(1)), NOON)
    first = reader.current()
    assert reader.current() is first
    publish(*facts, derived(difficulty=marked(2)), NOON)
    assert marker(reader.current()) == 2
    assert marker(first) == 1


def test_a_generation_is_shut_off(facts: tuple[Path, Registry, Frames], tmp_path: Path) -> None:
    publish(*facts, derived(), NOON)
    generation = open_current(facts[0])
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    for sql in (
        f"SELECT * FROM read_csv('{secret}')",
        f"ATTACH '{tmp_path}/other.duckdb'",
        f"COPY result TO '{tmp_path}/out.csv'",
        "SET enable_external_access = true",
        "DELETE FROM result",
        "CREATE TABLE mine (a INT)",
    ):
        with pytest.raises(duckdb.Error):
            generation.query(sql)
    with pytest.raises(KeyError):
        generation.table("no such table")
    assert generation.query("SELECT count(*) AS n FROM result WHERE model_id = $id", {"id": "alpha"}).item() == 1


def test_threads_share_a_generation(facts: tuple[Path, Registry, Frames]) -> None:
    publish(*facts, derived(), NOON)
    reader = Reader(facts[0])
    wrong: list[object] = []

    def ask(number: int) -> None:
        for _ in range(40):
            answer = reader.current().query("SELECT $number AS a FROM range(50)", {"number": number})["a"].to_list()
            if answer != [number] * 50:
                wrong.append(answer)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_what_is_no_model_says_so_in_its_setting(tmp_path: Path) -> None:
    curated = registry([CURATED])
    with Store.open(tmp_path) as store:
        store.write_sources(sources("squad"))
        store.write(batch([result(), result(model_id="people", kind="human", score=0.9)]))
    publish(tmp_path, curated, load(tmp_path, curated, NOON), derived(), NOON)
    generation = open_current(tmp_path)
    settings = dict(generation.table("result").select("model_id", "setting").iter_rows())
    generation.close()
    assert settings == {"alpha": "", "people": f"{NO_MODEL}human"}
