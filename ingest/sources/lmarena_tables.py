"""LMArena's own tables: `leaderboard_table_YYYYMMDD.csv` (2023-06 to 2024-10) and `data/leaderboard-*.json` (2025).

The CSV tables hold MT-bench, MMLU, the knowledge cutoff and, until the end of 2023, an Elo rating computed online, vote
after vote. The JSON files hold Bradley-Terry ratings by category, raw and style-controlled. Elo and Bradley-Terry are
different estimates on different scales: each is a benchmark of its own. A dash is no score.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from benchhealth.ingest.formats import arena_ratings as arena
from benchhealth.ingest.formats.bodies import Record, as_text, pointer, read_json, slug
from benchhealth.ingest.formats.csv_board import CsvBoard, Measure, measure_of
from benchhealth.ingest.formats.numbers import error_of_bounds, is_nothing
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, GithubTree, Source

OVERALL = "full"
ELO = BenchmarkFact(
    benchmark="lmarena-text-elo",
    name="Chatbot Arena, online Elo ratings",
    metric="Elo rating",
    unit="rating",
    domain="human-preference",
    modality="text",
    released_on="2023-05-03",
    paper_url="https://lmsys.org/blog/2023-05-03-arena/",
)
WIN_RATE = BenchmarkFact(
    benchmark="mt-bench/win-rate",
    name="MT-Bench, win rate",
    metric="win rate",
    domain="llm-judge",
    modality="text",
    paper_url="https://arxiv.org/abs/2306.05685",
)


COLUMNS: Mapping[str, Measure] = {
    "MT-bench (score)": Measure("mt-bench", "points"),
    "MT-bench (win rate %)": measure_of(WIN_RATE),
    "Arena Elo rating": measure_of(ELO),
    "MMLU": Measure("mmlu", "fraction"),
}

_TABLE = re.compile(r"(?:.*/)?leaderboard_table_\d{8}(?:-\d+)?\.csv")
_RATINGS = {
    "leaderboard-text.json": arena.RAW,
    "leaderboard-text-style-control.json": arena.STYLE_CONTROLLED,
    "leaderboard-vision.json": "arena-vision",
    "leaderboard-vision-style-control.json": "arena-vision-style-control",
}


def parse(body: bytes, path: str) -> Parsed:
    """Read one table, or one file of ratings; the path says which."""
    file_name = path.rsplit("/", 1)[-1]
    if file_name in _RATINGS:
        return _ratings(body, _RATINGS[file_name])
    if _TABLE.fullmatch(path):
        parsed = BOARD.parse(body)
        return replace(parsed, benchmarks=[fact for fact in (ELO, WIN_RATE) if fact in parsed.benchmarks])
    raise PayloadError(f"not a file of this source: {path}")


SOURCE = Source(
    key="lmarena-tables",
    title="LMArena's own tables: Elo, MT-bench and MMLU, later ratings with and without style control",
    homepage="https://github.com/lmarena/arena-catalog",
    licence="Apache-2.0",
    redistributable=True,
    kind="retired",
    cadence="ended 2025-12",
    files=(
        GithubTree("lmarena-tables/tables", "lmarena/arena-catalog", "main", r"leaderboard_table_\d{8}(?:-\d+)?\.csv"),
        *(
            GithubFile(f"lmarena-tables/{benchmark}", "lmarena/arena-catalog", "main", f"data/{name}")
            for name, benchmark in _RATINGS.items()
        ),
    ),
    parse=parse,
)


def _models(records: Sequence[Record]) -> Iterator[ModelFact]:
    """The facts about models that the lines state; a line without any is left out."""
    for record in records:
        fact = arena.model_fact(record, "Model", "Organization", "License", "Knowledge cutoff date")
        organisation = "" if is_nothing(fact.organisation) else fact.organisation
        if organisation or fact.open_weights or fact.knowledge_cutoff or record.problem:
            yield fact._replace(organisation=organisation, reject=record.problem)


BOARD = CsvBoard(
    lambda header: {column: measure for column, measure in COLUMNS.items() if column in header},
    model="Model",
    required=("MT-bench (score)", "MMLU", "License"),
    models=_models,
)


def _ratings(body: bytes, benchmark: str) -> Parsed:
    document = read_json(body)
    if not isinstance(document, dict) or not isinstance(document.get(OVERALL), dict):
        raise PayloadError(f"not ratings by category with a category {OVERALL!r}")
    rows: list[RawRow] = []
    for category, ratings in document.items():
        if not isinstance(ratings, dict) or not slug(category):
            raise PayloadError(f"not a category with a rating for each model: {category[:50]!r}")
        category_id = arena.category_id(benchmark, category, OVERALL)
        rows += [_rating(category_id, category, model, entry) for model, entry in ratings.items()]
    if not rows or all(row.reject for row in rows):
        raise PayloadError("no model with a rating")
    facts = [arena.fact(benchmark, category, OVERALL) for category in document]
    return Parsed(rows=rows, benchmarks=facts)


def _rating(benchmark: str, category: str, model: str, entry: object) -> RawRow:
    address = pointer(category, model)
    if not isinstance(entry, dict):
        return RawRow(
            row=address, benchmark=benchmark, model=model, score="", unit="rating", reject="not an object with a rating"
        )
    return RawRow(
        row=f"{address}/rating",
        benchmark=benchmark,
        model=model,
        score=as_text(entry.get("rating")),
        unit="rating",
        std_error=error_of_bounds(as_text(entry.get("rating_q025")), as_text(entry.get("rating_q975"))),
    )
