"""Chatbot Arena's text leaderboard, as scraped day by day into `csv/lmsys.csv`.

The score's column was `arena_elo` and is `arena_score` since 2024-07-07. The confidence interval is printed as `+5/-4`;
its half width over 1.96 is the standard error. Ranks are not read: they follow from the scores.
"""

import re

from benchhealth.ingest.formats.bodies import Record, read_csv
from benchhealth.ingest.formats.numbers import is_nothing
from benchhealth.ingest.rows import ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

BENCHMARK = "lmarena-text"
SCORE_COLUMNS = ("arena_score", "arena_elo")
Z95 = 1.96

_INTERVAL = re.compile(r"\+(\d+(?:\.\d+)?)/-(\d+(?:\.\d+)?)")
_CUTOFF = re.compile(r"(\d{4})/(\d{1,2})")
_CUTOFF_UNSAID = frozenset({"", "-", "n/a", "unknown", "online"})


def parse(body: bytes, path: str) -> Parsed:
    """Read one day's leaderboard: one row and one model fact a line."""
    records = read_csv(body, ["model", "95_pct_ci", "votes", "organization", "license", "knowledge_cutoff"])
    if not records:
        raise PayloadError("a leaderboard without models")
    score_columns = [name for name in SCORE_COLUMNS if name in records[0].cells]
    if len(score_columns) != 1:
        raise PayloadError(f"expected one column of {', '.join(SCORE_COLUMNS)}, found {score_columns}")
    return Parsed(
        rows=[_row(record, score_columns[0]) for record in records],
        models=[_model(record) for record in records if not record.problem],
    )


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


def _row(record: Record, score_column: str) -> RawRow:
    cells = record.cells
    return RawRow(
        row=f"line {record.line}",
        benchmark=BENCHMARK,
        model=cells["model"],
        score=cells.get(score_column, ""),
        unit="rating",
        std_error=_std_error(cells.get("95_pct_ci", "")),
        n_items=cells.get("votes", ""),
        reject=record.problem,
    )


def _std_error(interval: str) -> str:
    """Half the width of the 95% interval over 1.96; an interval of another form is passed on to be rejected."""
    match = _INTERVAL.fullmatch(interval.strip())
    if match is None:
        return interval
    return f"{(float(match[1]) + float(match[2])) / 2 / Z95:.4f}"


def _model(record: Record) -> ModelFact:
    cells = record.cells
    licence = cells["license"].strip()
    return ModelFact(
        row=f"line {record.line}",
        model=cells["model"],
        organisation=cells["organization"],
        open_weights="false" if licence == "Proprietary" else "",
        knowledge_cutoff=_cutoff(cells["knowledge_cutoff"]),
    )


def _cutoff(text: str) -> str:
    if is_nothing(text) or text.strip().casefold() in _CUTOFF_UNSAID:
        return ""
    match = _CUTOFF.fullmatch(text.strip())
    return f"{match[1]}-{int(match[2]):02d}" if match else text
