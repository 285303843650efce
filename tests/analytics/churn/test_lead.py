"""First place changing hands: how, whether the errors carry it, and never across a break."""

from datetime import date, datetime, timedelta

import polars as pl
import pytest

from benchhealth.analytics.churn.rank import lead_changes
from benchhealth.analytics.record.tables import PUBLISHED, empty
from tests.support.board_tables import rank_table

START = datetime(2025, 1, 1)
NONE = empty("breakpoint")


def board(*states: str, could_be: int = 1) -> pl.DataFrame:
    """States as strings of models, best first, one a day; so many of them could be first."""
    rows = [
        (
            "lab/exam",
            START + timedelta(days=index),
            model,
            place,
            1 if place <= could_be else place,
            9,
            1.0,
            None,
            None,
            None,
            0,
            1 if place <= could_be else 2,
        )
        for index, state in enumerate(states)
        for place, model in enumerate(state, start=1)
    ]
    return rank_table(rows)


@pytest.mark.parametrize(
    ("states", "kind", "beyond"),
    [(("AB", "BA"), "passed", True), (("AB", "CAB"), "entered", True), (("AB", "B"), "left", None)],
)
def test_how_it_changed_hands(states: tuple[str, str], kind: str, beyond: bool | None) -> None:
    (row,) = lead_changes(board(*states), NONE).to_dicts()
    assert (row["from_on"], row["on_date"]) == (date(2025, 1, 1), date(2025, 1, 2))
    assert (row["kind"], row["beyond_noise"], row["before"]) == (kind, beyond, "A")


def test_within_noise_where_the_former_may_be_first_still() -> None:
    (row,) = lead_changes(board("AB", "BA", could_be=2), NONE).to_dicts()
    assert (row["beyond_noise"], row["could_be_first"]) == (False, 2)


def test_nothing_is_said_across_a_break() -> None:
    broke = pl.DataFrame(
        [{"board_id": "lab/exam", "on_date": date(2025, 1, 2), "kind": "scale"}], schema=PUBLISHED["breakpoint"]
    )
    (row,) = lead_changes(board("AB", "BA"), broke).to_dicts()
    assert (row["spans_breakpoint"], row["kind"], row["beyond_noise"]) == (True, None, None)


def test_who_shares_first_place_has_not_lost_it() -> None:
    shared = board("AB", "BA").with_columns(
        rank=pl.when(pl.col("observed_at") > START).then(1).otherwise("rank").cast(pl.Int64)
    )
    assert lead_changes(shared, NONE).is_empty()


def test_no_board_gives_no_row() -> None:
    assert lead_changes(empty("rank"), NONE).schema == PUBLISHED["lead"]
