"""Leaderboards and outcomes in memory: the same as the commands say of the same numbers in files."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import benchhealth as bh
from benchhealth.pipeline.answering.audit import run
from benchhealth.pipeline.settings import Settings

BOARD = pl.DataFrame(
    {"model": ["a", "b", "c"], **{f"i{item}": [1, int(item % 4 != 0), int(item % 2)] for item in range(40)}}
)


def test_a_card_is_that_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    BOARD.write_csv(tmp_path / "board.csv")
    run(Settings.from_environment(), paths=[tmp_path / "board.csv"], missing="wrong", outputs=[tmp_path / "card.json"])
    card = bh.audit(BOARD, name="board.csv")
    mine, theirs = card.data, json.loads((tmp_path / "card.json").read_text())
    assert mine == theirs
    printed = capsys.readouterr().out
    assert printed == str(card)


def test_a_frame_of_pandas_is_taken_as_well() -> None:
    assert bh.audit(BOARD.to_pandas()).rows.equals(bh.audit(BOARD).rows)  # type: ignore[arg-type]


def test_models_may_be_the_index_and_a_score_may_have_its_number_of_items() -> None:
    by_index = BOARD.to_pandas().set_index(BOARD.columns[0])
    assert bh.audit(by_index).rows.equals(bh.audit(BOARD).rows)  # type: ignore[arg-type]
    scores = pl.DataFrame({"model": ["a", "b"], "score": [90.0, 50.0], "n": [400, 400]})
    assert bh.audit(scores).data["read_as"] == "line_a_score"


def test_two_frames_of_pandas_are_matched_by_item() -> None:
    one = pl.DataFrame({"item": ["a", "b", "c"], "right": [0, 1, 1]})
    other = pl.DataFrame({"item": ["c", "a", "b"], "right": [1, 1, 0]})
    pair = one.to_pandas(), other.to_pandas()
    assert bh.difference(*pair) == bh.difference(one, other)  # type: ignore[arg-type]


def test_a_card_is_written_in_every_form() -> None:
    card = bh.audit(BOARD)
    assert card.written("pdf").startswith(b"%PDF") and b"<html" in card.written("html")
    with pytest.raises(bh.InvalidError, match="html"):
        card.written("docx")


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame(),
        pl.DataFrame({"model": ["a", "b"]}),
        pl.DataFrame({"model": ["a"], "i": [1]}),
        pl.DataFrame({"model": ["a", "a"], "i": [1, 0], "j": [1, 1]}),
        pl.DataFrame({"model": ["a", "b"], "i": ["x", "y"]}),
        pl.DataFrame({"model": ["a", "b"], "i": [-1, 0], "j": [1, 1]}),
        pl.DataFrame({"model": ["a", "b"], "i": [None, None], "j": [1, None]}),
    ],
)
def test_what_is_no_leaderboard_is_said_to_be_none(frame: pl.DataFrame) -> None:
    with pytest.raises(bh.InvalidError):
        bh.audit(frame)


def test_two_models_over_the_same_items_are_mcnemars_exact_test() -> None:
    """Of 40 items one model alone has 12, the other alone 3: a fair coin gives 12 of 15 or more in 576 of 32,768."""
    first = [1] * 12 + [0] * 3 + [1] * 25
    second = [0] * 12 + [1] * 3 + [1] * 25
    apart = bh.difference(first, second)
    assert apart.difference == pytest.approx(-9 / 40)
    assert (apart.case, apart.items) == ("real", 40)
    assert apart.low is not None and apart.high is not None
    assert apart.low < apart.difference < apart.high < 0
    assert "in 2% of such tests" in apart.sentence


def test_items_in_any_order_are_matched_and_missing_ones_left_out() -> None:
    first = pl.DataFrame({"item": ["a", "b", "c", "d"], "score": [1, 1, 0, None]})
    second = pl.DataFrame({"id": ["d", "c", "b", "a", "e"], "right": [1, 1, 0, 1, 1]})
    assert bh.difference(first, second) == bh.difference([1, 1, 0, None], [1, 0, 1, np.nan])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("first", "second"),
    [([1], [1]), ([1, 0], [1]), ([], []), ([2, 1], [1, 1]), (["x", "y"], [1, 1]), ([None, 1], [1, None])],
)
def test_what_are_no_outcomes_is_said_to_be_none(first: list[float], second: list[float]) -> None:
    with pytest.raises(bh.InvalidError):
        bh.difference(first, second)
