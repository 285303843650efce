"""What the next generation is compared with."""

from pathlib import Path

from benchhealth.analytics.change.previous import COMPARED, NO_PREVIOUS
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.warehouse.read import PUBLISHED_FOLDER, current_path, previous
from tests.support.small_generation import build


def test_a_home_without_a_generation_has_nothing_before(tmp_path: Path) -> None:
    assert previous(tmp_path) == NO_PREVIOUS


def test_the_generation_in_service_is_the_one_before(tmp_path: Path) -> None:
    build(tmp_path)
    before = previous(tmp_path)
    assert before.name == current_path(tmp_path).stem
    assert set(before.tables) == {*COMPARED, "change"}
    tables = {name: rows.collect() for name, rows in before.tables.items()}
    assert all(table.schema.items() <= PUBLISHED[name].items() for name, table in tables.items())
    assert tables["result"]["stands"].all()
    assert tables["rank"].select("board_id", "observed_at").unique("board_id").height > 0


def test_a_damaged_one_is_none(tmp_path: Path) -> None:
    path = build(tmp_path)
    (tmp_path / PUBLISHED_FOLDER / path.name).write_bytes(b"nothing")
    assert previous(tmp_path) == NO_PREVIOUS
