"""LMArena's text board of February and March 2026, scraped into one CSV: style-controlled ratings, not the raw ones.

The site shows the style-controlled board, so that is what was read: 282 ratings of 2026-02-03 lie 0.4 (median) off
those of LMArena's own style-controlled file of 2025-12-17, and 38 off its raw ones. Three forms: the interval in a
column of its own (`± 5`), behind the score (`1504 ±6`), with `Preliminary` glued to either; for one day, maker and
licence glued to the name.
"""

import re

from benchhealth.ingest.formats import arena_ratings as arena
from benchhealth.ingest.formats.bodies import Record, read_csv
from benchhealth.ingest.rows import ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

INTERVAL = "95% CI (±)"
_SCORE = re.compile(r"(?P<score>\d[\d.]*)(?: ±\s*(?P<half>\d[\d.]*))?(?: Preliminary)?")
_HALF = re.compile(r"±\s*(\d[\d.]*)")
_GLUED = re.compile(r" · ")
_PROPRIETARY = "Proprietary"


def parse(body: bytes, path: str) -> Parsed:
    """Read one scrape: a row for every model."""
    records = read_csv(body, ["Rank", "Model", "Score", "Votes"])
    if not records:
        raise PayloadError("a leaderboard without models")
    if any(_GLUED.search(record.cells["Model"]) for record in records):
        raise PayloadError("maker and licence are glued to the names of the models")
    return Parsed(
        rows=[_row(record) for record in records],
        models=[_model(record) for record in records if "License" in record.cells and not record.problem],
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


def _row(record: Record) -> RawRow:
    cells = record.cells
    match = _SCORE.fullmatch(cells["Score"].strip())
    half = match["half"] if match else None
    if INTERVAL in cells:
        apart = _HALF.fullmatch(cells[INTERVAL].strip())
        half = apart[1] if apart else cells[INTERVAL]
    return RawRow(
        row=f"line {record.line}",
        benchmark=arena.STYLE_CONTROLLED,
        model=cells["Model"],
        score=match["score"] if match else cells["Score"],
        unit="rating",
        std_error=arena.error_of_half(half) if half else "",
        n_items=cells["Votes"].replace(",", ""),
        reject=record.problem,
    )


def _model(record: Record) -> ModelFact:
    cells = record.cells
    return ModelFact(
        row=f"line {record.line}",
        model=cells["Model"],
        organisation=cells.get("Organization", ""),
        open_weights="false" if cells["License"] == _PROPRIETARY else "",
    )
