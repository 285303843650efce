"""Chatbot Arena's text leaderboard, as scraped day by day into `csv/lmsys.csv`.

The score's column was `arena_elo` and is `arena_score` since 2024-07-07. The confidence interval is printed as `+5/-4`;
its half width over 1.96 is the standard error. Ranks are not read: they follow from the scores.
"""

import re
from collections.abc import Iterator, Sequence

from benchhealth.ingest.formats import arena_ratings as arena
from benchhealth.ingest.formats.bodies import Record
from benchhealth.ingest.formats.csv_board import CsvBoard, Measure
from benchhealth.ingest.formats.numbers import error_of_bounds
from benchhealth.ingest.rows import ModelFact, PayloadError
from benchhealth.ingest.source import GithubFile, Source

BENCHMARK = "lmarena-text"
SCORE_COLUMNS = ("arena_score", "arena_elo")

_INTERVAL = re.compile(r"\+(\d+(?:\.\d+)?)/-(\d+(?:\.\d+)?)")


def _measures(header: Sequence[str]) -> dict[str, Measure]:
    """The one column of ratings. Raises PayloadError where there is none, or more than one."""
    columns = [name for name in SCORE_COLUMNS if name in header]
    if len(columns) != 1:
        raise PayloadError(f"expected one column of {', '.join(SCORE_COLUMNS)}, found {columns}")
    return {columns[0]: Measure(BENCHMARK, "rating")}


def _models(records: Sequence[Record]) -> Iterator[ModelFact]:
    for record in records:
        if not record.problem:
            yield arena.model_fact(record, "model", "organization", "license", "knowledge_cutoff")


BOARD = CsvBoard(
    _measures,
    required=("95_pct_ci", "votes", "organization", "license", "knowledge_cutoff"),
    kind="a leaderboard without models",
    complete=lambda row, cells: row._replace(std_error=_std_error(cells["95_pct_ci"]), n_items=cells["votes"]),
    models=_models,
    is_one_score=True,
)
parse = BOARD.parse

SOURCE = Source(
    key="lmarena",
    title="LMArena (Chatbot Arena), text leaderboard",
    homepage="https://github.com/fboulnois/llm-leaderboard-csv",
    licence="MPL-2.0",
    redistributable=True,
    kind="crawl",
    cadence="daily until 2025-04",
    files=(GithubFile("lmarena/lmarena-text", "fboulnois/llm-leaderboard-csv", "main", "csv/lmsys.csv"),),
    parse=parse,
)


def _std_error(interval: str) -> str:
    """Half the width of the 95% interval over 1.96; an interval of another form is passed on to be rejected."""
    match = _INTERVAL.fullmatch(interval.strip())
    return error_of_bounds(f"-{match[2]}", match[1]) if match else interval
