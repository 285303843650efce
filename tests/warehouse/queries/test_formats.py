"""How an answer is written: whatever is short in memory and long in text is counted as text, in every form."""

import json
from collections.abc import Iterator
from contextlib import closing

import polars as pl
import pytest

from benchhealth.warehouse.queries import formats, worker
from benchhealth.warehouse.queries.formats import FORMATS, NO_CSV, Format
from benchhealth.warehouse.read import current_path
from benchhealth.warehouse.sharing.generation import SharedGeneration
from tests.support import mixed_generation as mixed
from tests.support.growing_queries import GROWS, wide

MOST = 20_000
ROWS = 400


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedGeneration]:
    home = tmp_path_factory.mktemp("forms")
    mixed.build(home)
    with closing(SharedGeneration(current_path(home), memory="400MB")) as opened:
        yield opened


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers of at most MOST bytes, so that little is written by tests."""
    few = {name: Format(form.written, MOST) for name, form in FORMATS.items()}
    monkeypatch.setattr(worker, "FORMATS", few)
    monkeypatch.setattr(formats, "CELLS", few["cells"])


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("grows", GROWS)
def test_no_answer_is_longer_than_its_limit(shared: SharedGeneration, grows: str, form: str) -> None:
    cut_state, body = worker.answer_of(shared, wide(GROWS[grows], 6, ROWS), ROWS, form)
    if form == "csv" and "larger than" not in cut_state.get("error", ""):
        assert cut_state.get("error") == NO_CSV or len(body) <= MOST  # of nothing there is nothing to write
    else:
        assert "larger than" in cut_state["error"]


@pytest.mark.parametrize("grows", GROWS)
def test_a_page_gets_plain_cells_alone(shared: SharedGeneration, grows: str) -> None:
    cut_state, body = worker.answer_of(shared, f"SELECT {GROWS[grows]} e", 1, "cells")
    assert "error" not in cut_state or "larger than" in cut_state["error"]
    kinds = pl.read_ipc(body).dtypes if body else []
    assert all(kind in (pl.String, pl.Boolean) or kind.is_numeric() or kind.is_temporal() for kind in kinds)


def test_cells_are_counted_as_the_page_holds_them(shared: SharedGeneration) -> None:
    cut_state, body = worker.answer_of(shared, "SELECT 'some text' a, [i] b, i c FROM range(300) t(i)", ROWS, "cells")
    table = pl.read_ipc(body)
    assert (cut_state["cut"], table.row(299)) == (False, ("some text", "[299]", 299))
    assert len(body) >= formats._cell_bytes(table) - formats._NUMBER_BYTES * table.width * table.height


@pytest.mark.parametrize("rows", [0, 1, 63, 64, 65, 399, 400])
def test_a_text_is_whole_whatever_pieces_it_was_made_in(shared: SharedGeneration, rows: int) -> None:
    for limit in (rows, rows + 1):
        sql = f"SELECT i, i / 2 AS half FROM range({limit}) t(i)"
        cut_state, body = worker.answer_of(shared, sql, rows, "json")
        assert cut_state == {"tables": [], "cut": limit > rows}
        assert json.loads(body) == [{"i": place, "half": place / 2} for place in range(rows)]
        _, body = worker.answer_of(shared, sql, rows, "csv")
        assert body.decode().splitlines() == ["i,half", *(f"{place},{place / 2}" for place in range(rows))]


@pytest.mark.parametrize("kind", ["INTERVAL 1 DAY", "union_value(k := 1)", "{'a': INTERVAL 1 DAY}"])
@pytest.mark.filterwarnings("ignore")
def test_a_type_that_cannot_be_passed_on_is_named(shared: SharedGeneration, kind: str) -> None:
    assert worker.answer_of(shared, f"SELECT {kind} AS a", 1, "json")[0] == {"error": worker.NO_TYPE}


def test_writing_ends_with_the_time_of_the_question(shared: SharedGeneration, monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(100))
    monkeypatch.setattr(worker.time, "monotonic", lambda: next(now) * worker.SECONDS / 2)
    assert worker.answer_of(shared, "FROM range(400)", ROWS, "json")[0] == {"error": worker.TOO_LONG}
