"""A board that is one CSV: every line and column is a row with its address, and what is no such table is refused."""

import pytest

from benchhealth.ingest.formats.csv_board import CsvBoard, Measure, measure_of
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, PayloadError

WOOD = BenchmarkFact("woodquiz", "Wood Quiz", "accuracy", unit="fraction")
BOARD = CsvBoard({"score": measure_of(WOOD), "hard": Measure("woodquiz/hard", n_items="20")}, required=("date",))
BODY = b"model,score,hard,date\nAlder,0.5,40,2026-05-01\nBirch,0.75\n"


def test_each_line_and_column_is_a_row_in_the_order_of_the_file() -> None:
    parsed = BOARD.parse(BODY)
    assert [(row.row, row.benchmark, row.score, row.unit, row.n_items) for row in parsed.rows] == [
        ("line 2, column score", "woodquiz", "0.5", "fraction", ""),
        ("line 2, column hard", "woodquiz/hard", "40", "percent", "20"),
        ("line 3, column score", "woodquiz", "0.75", "fraction", ""),
        ("line 3, column hard", "woodquiz/hard", "", "percent", "20"),
    ]
    assert [row.reject for row in parsed.rows] == ["", "", *["2 cells under 4 columns"] * 2]
    assert parsed.benchmarks == [WOOD]


def test_a_row_is_completed_from_its_line_and_may_be_addressed_by_it_alone() -> None:
    board = CsvBoard(
        {"score": measure_of(WOOD)},
        complete=lambda row, cells: row._replace(dated_on=cells["date"]),
        models=lambda records: [ModelFact(f"line {record.line}", record.cells["model"]) for record in records],
        is_one_score=True,
    )
    parsed = board.parse(BODY)
    assert [(row.row, row.dated_on) for row in parsed.rows] == [("line 2", "2026-05-01"), ("line 3", "")]
    assert [model.model for model in parsed.models] == ["Alder", "Birch"]


def test_columns_may_be_found_in_the_header() -> None:
    board = CsvBoard(lambda header: {column: Measure(f"quiz/{column}") for column in header[1:3]})
    assert {row.benchmark for row in board.parse(BODY).rows} == {"quiz/score", "quiz/hard"}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"model,score,hard,date\n", "a table without models"),
        (b"model,score,date\nAlder,1,2026-05-01\n", "columns not found: hard"),
        (b"name,score,hard,date\nAlder,1,2,2026-05-01\n", "columns not found: model"),
        (b"model,score,hard\nAlder,1,2\n", "columns not found: date"),
    ],
)
def test_what_is_no_such_table_is_refused(body: bytes, why: str) -> None:
    with pytest.raises(PayloadError, match=why):
        BOARD.parse(body)
