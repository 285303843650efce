"""Boards from CSV files, and what is no board: each refused in a line that names the place."""

import numpy as np
import pytest

from benchhealth.analytics.audit.board import ITEMS, MOST_CELLS, SCORES, TASKS, BoardError, check_size
from benchhealth.analytics.audit.csv_board import ColumnsError, from_csv
from benchhealth.analytics.audit.text import table_text

WIDE = "model,q1,q2,q3\nalder,1,0,1\nbirch,0,,0.5\n"


def test_a_line_for_each_model() -> None:
    board = from_csv(WIDE.encode())
    assert (board.kind, board.models, board.units) == (ITEMS, ("alder", "birch"), ("q1", "q2", "q3"))
    assert board.missing == 1
    assert np.array_equal(board.values, np.array([[1, 0, 1], [0, np.nan, 0.5]]), equal_nan=True)


def test_a_column_for_each_model_with_clusters() -> None:
    board = from_csv(b"question_id;category;alder;birch\nq1;a;1;0\nq2;b;true;Incorrect\n")
    assert (board.kind, board.models, board.clusters) == (ITEMS, ("alder", "birch"), ("a", "b"))
    assert board.values.tolist() == [[1, 1], [0, 0]]


def test_a_line_for_each_cell() -> None:
    board = from_csv(b"model,item,score\nalder,q1,1\nbirch,q2,1\nalder,q2,0\n")
    assert np.array_equal(board.values, np.array([[1, 0], [np.nan, 1]]), equal_nan=True)


def test_scores_of_tasks_may_be_percents() -> None:
    board = from_csv(b"\xef\xbb\xbfmodel,maths,law\nalder,71.5,40\nbirch,60,100\n")
    assert board.kind == TASKS
    assert board.values.tolist() == [[0.715, 0.4], [0.6, 1.0]]


def test_columns_of_text_are_left_out_and_signs_of_percent_are_read() -> None:
    board = from_csv(b"Model,maker,maths,law\nalder,x,71.5%,40%\nbirch,y,60 %,100%\n")
    assert board.units == ("maths", "law") and board.left_out == 1
    assert board.values.tolist() == [[0.715, 0.4], [0.6, 1.0]]


def test_a_sign_of_percent_says_that_all_are_percents() -> None:
    assert from_csv(b"model,maths,law\nalder,0.5%,0.25%\nbirch,0,1\n").values.tolist() == [[0.005, 0.0025], [0, 0.01]]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("mark", [";", "\t"])
def test_what_excel_writes_where_commas_are_decimal(mark: str, coding: str, ends: str) -> None:
    lines = ("model;mathé;law;;", "alder;71,5;40;;", 'birch;"60,25 %";;;', ";;;;", "")
    board = from_csv(ends.join(lines).replace(";", mark).encode(coding))
    assert (board.models, board.units, board.left_out) == (("alder", "birch"), ("mathé", "law"), 0)
    assert np.array_equal(board.values, np.array([[0.715, 0.4], [0.6025, np.nan]]), equal_nan=True)


def test_a_comma_for_thousands_stays_one_where_none_can_be_decimal() -> None:
    assert table_text(b"model\tn\talder\nx\t1,319\t12,000\n").endswith("1,319\t12,000\n")
    assert table_text(b"model\tn\tscore\nx\t1,319\t0,712\n").endswith("1.319\t0.712\n")
    assert table_text(b"model;n\nx, y;7,5\nz 1,5;17.5.2026\n") == "model;n\nx, y;7.5\nz 1,5;2026-05-17\n"
    with pytest.raises(BoardError, match="a spreadsheet saves it as CSV UTF-8"):
        from_csv("model;maths\nältere;71,5\n".encode("cp1252"))


def test_a_score_and_a_number_of_items_each() -> None:
    board = from_csv(b"model,score,n\nalder,71.5,500\nbirch,60,484\n")
    assert (board.kind, board.sizes is not None and board.sizes.tolist()) == (SCORES, [500, 484])


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "no table"),
        (b"model,q1\n", "no line below the head"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "no text in UTF-8"),
        (b"name of it,q1\nalder,1\nbirch,0\n", "no column is called model or item"),
        (b"model,q1\nalder,1\n", "one model alone"),
        (b"model,q1,q2\nalder,1,0\nalder,1,0\n", "the model 'alder' is there 2 times"),
        (b"model,q1,q1\nalder,1,0\nbirch,1,0\n", "the column 'q1' is there twice"),
        (b"item,alder,birch\nq1,1,0\nq1,0,0\n", "the item 'q1' is there 2 times"),
        (b"model,item,score\nalder,q1,1\nalder,q1,0\nbirch,q1,1\n", "has the item 'q1' more than once"),
        (b"model,q1,q2\nalder,1,nan\nbirch,1,0\n", "line 2, column 'q2': 'nan' is no score"),
        (b"model,q1\nalder,right\nbirch,0\n", "'right' is no score"),
        (b"model,q1\nalder,right\nbirch,left\n", "no column holds a number"),
        (b"model,q1\nalder,inf\nbirch,0\n", "'inf' is no score"),
        (b"model,q1\nalder,-1\nbirch,0\n", "outside 0 to 1"),
        (b"model,q1,q2\nalder,1,200\nbirch,0,1\n", "outside 0 to 1"),
        (b"model,q1\nalder,\nbirch,0\n", "alder has no cell that is filled in"),
        (b"model,q1\nalder,1,0,1\nbirch,0\n", "no table with one head"),
        (b"model,maths\nalder,71.2\nbirch,0.70\n", "line 3, column 'maths': percents beside .* for 0.7 of 1 write 70,"),
        (b"model,maths,law\nalder,0.4%,0.5\nbirch,2%,3\n", "line 2, column 'law': percents beside a score below 1"),
        (b"model,item,score\nalder,q,71\nbirch,q,0.7\n", "line 3, column 'score': percents beside"),
        (b"model,score,n\nalder,0.7,500\nbirch,70,484\n", "line 2, column 'score': percents beside"),
        (b"model,score,n\nalder,0.5,0\nbirch,0.5,10\n", "whole numbers of items"),
        (b"model,item,score,category\na,q,1,x\nb,q,1,y\n", "more than one cluster"),
        (b"model,q1\n,1\nbirch,0\n", "has no name"),
    ],
)
def test_what_is_no_board_is_said_in_a_line(body: bytes, why: str) -> None:
    with pytest.raises(BoardError, match=why) as refused:
        from_csv(body)
    assert "\n" not in str(refused.value)


def test_many_items_are_read_alike_and_their_faults_named_alike() -> None:
    head = ",".join(["model", *(f"q{index}" for index in range(1_200))])
    lines = [f"{name},{','.join([mark] * 1_200)}" for name, mark in (("alder", "1"), ("birch", "0"))]
    board = from_csv("\n".join([head, *lines]).encode())
    assert (board.models, board.values.shape, board.values.mean()) == (("alder", "birch"), (2, 1_200), 0.5)
    for wrong, why in (
        ("birch,x" + ",0" * 1_199, "line 3, column 'q0': 'x' is no score"),
        ("birch,0", "line 3 has other"),
    ):
        with pytest.raises(BoardError, match=why):
            from_csv("\n".join([head, lines[0], wrong]).encode())


def test_more_cells_than_are_read_are_refused_before_they_are() -> None:
    check_size(1_000, MOST_CELLS // 1_000)
    with pytest.raises(BoardError, match="more than are read"):
        check_size(1_000, MOST_CELLS // 1_000 + 1)


def test_columns_can_be_named() -> None:
    usual = from_csv(b"model,score,n\nalder,90,400\nbirch,50,400\n")
    body = b"Team, Right ,Asked\nalder,90,400\nbirch,50,400\n"
    named = from_csv(body, {"model": "Team", "score": "Right", "n": "Asked"})
    assert (named.kind, named.models, named.values.tolist()) == (usual.kind, usual.models, usual.values.tolist())
    with pytest.raises(ColumnsError) as unnamed:
        from_csv(body)
    assert unnamed.value.columns == ("Team", " Right ", "Asked")
    with pytest.raises(BoardError, match="no column 'Club'"):
        from_csv(body, {"model": "Club"})
    with pytest.raises(BoardError, match="takes one with the model"):
        from_csv(body, {"model": "Team", "score": "Right"})


def test_the_column_that_is_named_comes_before_one_of_the_usual_name() -> None:
    body = b"model,id,Team\n1,0,alder\n0,1,birch\n"
    assert from_csv(body, {"model": "Team"}).models == ("alder", "birch")
