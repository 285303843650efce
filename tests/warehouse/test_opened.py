"""Opening a generation reads it to its last row: damage is met then, not by the reader of some page."""

import shutil
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from benchhealth.warehouse.read import Generation, opened
from tests.support.breakage import block_of
from tests.support.small_generation import build


@pytest.mark.soak
@pytest.mark.parametrize("every", [1, 5])
def test_one_changed_byte_in_any_table_is_noticed(every: int, tmp_path: Path) -> None:
    """Of the tables some here, and all in the soak."""
    generation, damaged = build(tmp_path), tmp_path / "damaged.duckdb"
    with closing(Generation(generation)) as reopened:
        (names,) = reopened.query("SELECT table_name FROM duckdb_tables()").get_columns()
    stored = {name: block_of(generation, name) for name in names}
    assert all(stored[name] for name in ("result", "rank", "indicator", "verdict", "source"))
    opened(generation).close()
    for block in list(filter(None, stored.values()))[::every]:
        shutil.copy(generation, damaged)
        change_a_byte(damaged, block + 1000)
        with pytest.raises(duckdb.Error):
            opened(damaged)


def change_a_byte(file: Path, position: int) -> None:
    with file.open("r+b") as changed:
        changed.seek(position)
        (before,) = changed.read(1)
        changed.seek(position)
        changed.write(bytes([before ^ 1]))
