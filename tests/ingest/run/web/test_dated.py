import io
from datetime import date

import polars as pl
import pyarrow as pa
import pytest

from benchhealth.ingest.run.web import walk
from benchhealth.ingest.run.web.walk import Edition, editions


def parquet(**columns: object) -> bytes:
    out = io.BytesIO()
    pl.DataFrame(columns).write_parquet(out)
    return out.getvalue()


DAYS = ["2025-05-02", "2025-05-01", "2025-05-02"]


@pytest.mark.parametrize("days", [DAYS, [date.fromisoformat(day) for day in DAYS]])
def test_each_day_is_an_edition_and_oldest_comes_first(days: list[object]) -> None:
    body = parquet(model=["a", "b", "c, d"], rating=[1000.0, 1234.567890123, None], day=days)
    assert list(editions(body, "day")) == [
        Edition(date(2025, 5, 1), b"model,rating,day\nb,1234.567890123,2025-05-01\n"),
        Edition(date(2025, 5, 2), b'model,rating,day\na,1000.0,2025-05-02\n"c, d",,2025-05-02\n'),
    ]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        parquet(model=["a"], rating=[1.0]),
        parquet(model=["a"], day=[20250501]),
        parquet(model=["a"], day=["soon"]),
        parquet(model=["a"], day=[None]),
        parquet(model=[["a"]], day=["2025-05-01"]),
        parquet(model=[b"a"], day=["2025-05-01"]),
        parquet(model=["a"], day=["2025-05-01"])[:-20],
    ],
)
def test_what_is_not_such_a_table_stands_whole(body: bytes) -> None:
    assert list(editions(body, "day")) == [Edition(None, body)]


def test_a_table_larger_than_any_board_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "MOST_ROWS", 2)
    body = parquet(model=["a", "b", "c"], day=DAYS)
    assert list(editions(body, "day")) == [Edition(None, body)]


@pytest.mark.parametrize(
    "error", [pl.exceptions.PanicException("`Option::unwrap()` on a `None` value"), pa.ArrowCapacityError("array")]
)
def test_damage_at_which_the_table_cannot_be_taken_over_is_a_body_that_stands_whole(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A panic is to Python no Exception."""

    def panic(_: object) -> pl.DataFrame:
        raise error

    monkeypatch.setattr(pl, "from_arrow", panic)
    body = parquet(model=["a"], day=["2025-05-01"])
    assert list(editions(body, "day")) == [Edition(None, body)]
