"""Open ASR leaderboard: word error rates in percent of speech recognisers, three tables of one repository.

Short English recordings (eight test sets), long ones, and four other languages. Lower is better. All are counted after
the board's own normalising of text, which other papers do not share: that is the setting. The mean of a table is its
overall score; of the long recordings it is the mean without CORAAL, since the column `Average` is over three sets for
some models and over four for others. `RTFx` is how many seconds of sound are read in one second; -1 says that it is
unknown.
"""

from collections.abc import Mapping
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Record, slug
from benchhealth.ingest.formats.csv_board import Cells, CsvBoard, measure_of
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

HOMEPAGE = "https://github.com/huggingface/open_asr_leaderboard"
REPO = "huggingface/open_asr_leaderboard"
NORMALISED = "normaliser=Open ASR"
SPEED, SIZE, LICENCE = "RTFx", "Model size (B)", "License"
UNKNOWN_SPEED = "-1"


class _Table(NamedTuple):
    """One file: what it is about, its column of models, and the one that is its overall score."""

    name: str
    model: str
    overall: str


TABLES: Mapping[str, _Table] = {
    "en_shortform": _Table("short English recordings", "model", "Avg. WER"),
    "en_longform": _Table("long English recordings", "model_id", "Avg (without CORAAL)"),
    "multilingual": _Table("German, French, Italian, Spanish and Portuguese", "model", "Avg"),
}
LIBRISPEECH = {"LS Clean WER": "librispeech", "LS Other WER": "librispeech/test-other"}
"""Test sets that are known outside the board."""

MIXED = "Average"
"""A mean over all sets that a model was run on, in the table of long recordings."""


def parse(body: bytes, path: str) -> Parsed:
    """Read one table: a row for every model, test set and mean, and one for its speed."""
    key = path.removeprefix("scripts/data/").removesuffix(".csv")
    if key not in TABLES or path != f"scripts/data/{key}.csv":
        raise PayloadError(f"not a file of this source: {path}")
    table, board = TABLES[key], f"open-asr-{slug(key)}"
    return CsvBoard(
        lambda header: {
            column: measure_of(_fact(column, table, board))
            for column in header
            if column not in (table.model, SIZE, LICENCE)
        },
        model=table.model,
        required=(table.overall, SPEED, SIZE),
        complete=_result,
        models=lambda records: [_model(record, table) for record in records if LICENCE in record.cells],
    ).parse(body)


SOURCE = Source(
    key="open-asr",
    title="Open ASR leaderboard: word error rates of speech recognisers",
    homepage=HOMEPAGE,
    licence="Apache-2.0",
    redistributable=True,
    cadence="some times a month",
    files=tuple(
        GithubFile(f"open-asr/open-asr-{slug(key)}", REPO, "main", f"scripts/data/{key}.csv") for key in TABLES
    ),
    parse=parse,
)


def _benchmark(column: str, table: _Table, board: str) -> str:
    if column == table.overall:
        return board
    return LIBRISPEECH.get(column) or f"{board}/{slug(column.removesuffix(' WER'))}"


def _result(row: RawRow, _cells: Cells) -> RawRow:
    column = row.row.partition(", column ")[2]
    if column == SPEED:
        is_unknown = row.score.strip() == UNKNOWN_SPEED
        return row._replace(reject=row.reject or ("excluded: its speed is unknown" if is_unknown else ""))
    mixed = "excluded: a mean over as many sets as the model was run on" if column == MIXED else ""
    return row._replace(setting=NORMALISED, reject=row.reject or mixed)


def _model(record: Record, table: _Table) -> ModelFact:
    licence = record.cells[LICENCE]
    open_weights = {"Open": "true", "Proprietary": "false"}
    return ModelFact(
        row=f"line {record.line}",
        model=record.cells[table.model],
        open_weights=open_weights.get(licence, ""),
        reject=record.problem or ("" if licence in open_weights else f"neither open nor proprietary: {licence!r}"),
    )


def _fact(column: str, table: _Table, board: str) -> BenchmarkFact:
    is_speed = column == SPEED
    return BenchmarkFact(
        benchmark=_benchmark(column, table, board),
        name=f"Open ASR, {table.name}{'' if column == table.overall else f': {column}'}",
        metric="seconds of sound read in one second" if is_speed else "word error rate",
        unit="times real time" if is_speed else "percent",
        higher_is_better=is_speed,
        domain="speech-recognition",
        modality="audio",
        paper_url="https://arxiv.org/abs/2510.06961",
    )
