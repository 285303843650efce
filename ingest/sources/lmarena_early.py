"""LMArena's text board of February and March 2026, scraped into one CSV: style-controlled ratings, not the raw ones.

The site shows the style-controlled board, so that is what was read: 282 ratings of 2026-02-03 lie 0.4 (median) off
those of LMArena's own style-controlled file of 2025-12-17, and 38 off its raw ones. Three forms: the interval in a
column of its own (`± 5`), behind the score (`1504 ±6`), with `Preliminary` glued to either; for one day, maker and
licence glued to the name.
"""

import re
from collections.abc import Iterator, Sequence

from benchhealth.ingest.formats import arena_ratings as arena
from benchhealth.ingest.formats.bodies import Record
from benchhealth.ingest.formats.csv_board import Cells, CsvBoard, Measure
from benchhealth.ingest.formats.numbers import error_of_half
from benchhealth.ingest.rows import ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

INTERVAL = "95% CI (±)"
_SCORE = re.compile(r"(?P<score>\d[\d.]*)(?: ±\s*(?P<half>\d[\d.]*))?(?: Preliminary)?")
_HALF = re.compile(r"±\s*(\d[\d.]*)")
_GLUED = re.compile(r" · ")


def parse(body: bytes, _path: str) -> Parsed:
    """Read one scrape: a row for every model."""
    records = BOARD.records(body)
    if any(_GLUED.search(record.cells["Model"]) for record in records):
        raise PayloadError("maker and licence are glued to the names of the models")
    return BOARD.parsed(records)


def _rating(row: RawRow, cells: Cells) -> RawRow:
    match = _SCORE.fullmatch(row.score.strip())
    half = match["half"] if match else None
    if INTERVAL in cells:
        apart = _HALF.fullmatch(cells[INTERVAL].strip())
        half = apart[1] if apart else cells[INTERVAL]
    return row._replace(
        score=match["score"] if match else row.score,
        std_error=error_of_half(half or ""),
        n_items=cells["Votes"].replace(",", ""),
    )


def _models(records: Sequence[Record]) -> Iterator[ModelFact]:
    for record in records:
        if "License" in record.cells and not record.problem:
            yield arena.model_fact(record, "Model", "Organization", "License")


BOARD = CsvBoard(
    {"Score": Measure(arena.STYLE_CONTROLLED, "rating")},
    model="Model",
    required=("Rank", "Votes"),
    kind="a leaderboard without models",
    complete=_rating,
    models=_models,
    is_one_score=True,
)

SOURCE = Source(
    key="lmarena-early",
    title="LMArena's text board with style control, February and March 2026",
    homepage="https://github.com/Franri3008/franri3008.github.io",
    licence="none stated",
    redistributable=False,
    kind="crawl",
    cadence="ended 2026-03-29",
    files=(
        GithubFile(
            f"lmarena-early/{arena.STYLE_CONTROLLED}",
            "Franri3008/franri3008.github.io",
            "main",
            "pages/CEPS/AI-World/ModelLeaderboard/data/scraped/lmarena_text_leaderboard.csv",
        ),
    ),
    parse=parse,
)
