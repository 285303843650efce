"""Boards of 2024: `benchmarks/<board>_<YYMMDD>[_<kind>].csv` of BenchBench, other people's boards copied by hand.

A line a model, a column a score, whose scale no file states: units are open ended, and more is better as in the study
that they were copied for. Every board has an id of its own (`boards-2024-...`): a copy is never counted beside the
original, and boards that are read here themselves are left out by name. The day in a file's name is that of the copy;
one is no day (`241189`), and those rows have none.
"""

import re
from collections.abc import Mapping

from benchhealth.ingest.formats.bodies import path_parts, read_csv, slug
from benchhealth.ingest.formats.csv_board import CsvBoard, measure_of
from benchhealth.ingest.formats.numbers import read_day, readable
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError
from benchhealth.ingest.source import GithubTree, Source

HOMEPAGE = "https://github.com/IBM/benchbench"
PATTERN = re.compile(r"src/bat/assets/benchmarks/([a-z][a-z0-9_]*?)_(\d{6})(?:_[a-z0-9_]+)?\.csv")
MODEL = ("model", "llm_model")
ORIGINALS: Mapping[str, str] = {
    "alphacaeval_v2lc": "alpaca-eval",
    "bfcl": "bfcl",
    "chatbot_arena": "lmarena",
    "hf_open_llm_v1": "open-llm",
    "hf_open_llm_v2": "open-llm",
    "livebench": "livebench",
    "livecodebench": "livecodebench",
}
"""Boards that are read here themselves, and the source that has them."""

UNCLEAR = frozenset({"enkrypt_ai_safety", "helm_airbench"})
"""Boards of which nothing says whether more is better."""

TOTALS = ("average", "hydrox_overall_score")
"""The column of a board that is about all of it, where it has several."""


def parse(body: bytes, path: str) -> Parsed:
    """Read a board: a row for every model and column."""
    named = path_parts(PATTERN, path)
    records = read_csv(body, [])
    header = list(records[0].cells) if records else []
    if len(header) < 2 or header[0] not in MODEL:
        raise PayloadError(f"not a table of models and scores: {header}")
    name, columns = named[1], header[1:]
    day, why_left_out = _day(named[2]), _left_out(name)
    board = CsvBoard(
        {column: measure_of(_fact(name, column, columns)) for column in columns},
        model=header[0],
        complete=lambda row, _: row._replace(
            model=row.model.removesuffix("*"),
            dated_on=day,
            date_basis="snapshot" if day else "",
            reject=row.reject or why_left_out,
        ),
    )
    return board.parsed(records)


SOURCE = Source(
    key="boards-2024",
    title="Boards of 2024, copied for BenchBench",
    homepage=HOMEPAGE,
    licence="Apache-2.0",
    redistributable=True,
    kind="crawl",
    cadence="ended",
    files=(GithubTree("boards-2024/{0}-{1}", "IBM/benchbench", "main", PATTERN.pattern),),
    parse=parse,
)


def _day(written: str) -> str:
    """The day of a name such as `240829`, empty where it is none."""
    return readable(f"20{written[:2]}-{written[2:4]}-{written[4:]}", read_day)


def _left_out(board: str) -> str:
    """Why no row of a board is a result; empty where they are."""
    if board in ORIGINALS:
        return f"excluded: a copy of a board that is read here itself ({ORIGINALS[board]})"
    return "excluded: nothing says whether more is better" if board in UNCLEAR else ""


def _benchmark(board: str, column: str, columns: list[str]) -> str:
    """The board, for its only column or its total; a part of it for every other."""
    board_benchmark = f"boards-2024-{slug(board)}"
    return board_benchmark if len(columns) == 1 or column in TOTALS else f"{board_benchmark}/{slug(column)}"


def _fact(board: str, column: str, columns: list[str]) -> BenchmarkFact:
    name, benchmark = f"{board.replace('_', ' ')} (copied in 2024)", _benchmark(board, column, columns)
    return BenchmarkFact(
        benchmark=benchmark,
        name=f"{name}: {column.replace('_', ' ')}" if "/" in benchmark else name,
        metric=column.replace("_", " "),
        unit="points",
        modality="text",
        paper_url=HOMEPAGE,
    )
