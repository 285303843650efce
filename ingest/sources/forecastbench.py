"""ForecastBench: forecasters scored on questions that resolve later, `leaderboard_{baseline,tournament}.csv`.

The baseline board is models without help, the tournament board takes any system. The score is the Brier index, 100
times one minus the root of the difficulty-adjusted Brier score, over all questions, those from data sets and those of
markets. Until 2026-03 the same columns held the Brier score itself, which has columns of its own since. Old and new
Brier scores are read as the same parts (`/brier` and so on), each with one history; lower is better there.

Scores move with every question that resolves, and N grows: the registry has `refresh` as `continuous`, so that no move
counts as an edit. How a model was prompted and what it was shown is part of its name: until 2026-06 as in
`(scratchpad with news)`, later as in `-scratchpad-with-news`; a dagger or `-with-freeze-values` says that it saw the
crowd's forecast. A system of another team is named with its team: three teams have an `ensemble`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Record, declared_file, read_csv
from benchhealth.ingest.formats.numbers import Z95, UnreadableError, read_number
from benchhealth.ingest.names.identity import join_settings, printable
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

HOMEPAGE = "https://www.forecastbench.org"
BOARD_ITSELF = "ForecastBench"
BOARDS = {
    "leaderboard_baseline.csv": ("forecastbench-baseline", "ForecastBench, baseline"),
    "leaderboard_tournament.csv": ("forecastbench-tournament", "ForecastBench, tournament"),
}
QUESTIONS = {"Overall": "N", "Dataset": "N dataset", "Market": "N market"}
"""Each column of scores with the column that has its number of questions."""

HUMANS = frozenset({"Superforecaster median forecast", "Public median forecast"})
CHANCE = "Always 0.5"
RULES = frozenset({"Always 0", "Always 1", "Imputed Forecaster", "Naive Forecaster", "Random Uniform"})
"""Fixed rules, and what fills in for missing forecasts: no forecasters, and not what guessing would score. Rejected."""

COLUMN_UNTIL_2026, COLUMN_SINCE_2026 = "x% oracle equiv", "Brier Overall"
"""A column that only the former layout of the file has, and one that only the present layout has."""
_BRACKET = re.compile(r"(?P<model>.+?) \((?P<prompt>(?:zero shot|scratchpad|superforecaster)[^()]*)\)")
_SUFFIX = re.compile(
    r"(?P<model>.+?)(?P<web>-web-search)?(?P<prompt>-(?:scratchpad|superforecaster)[\w-]*)?(?P<crowd>†)?"
)
_SHOWN_TO_MODEL = re.compile(
    r" with (crowd forecast|freeze values|second news|news|web search)(?: (\d))?", re.IGNORECASE
)
_VARIANT = re.compile(r"(?P<model>claude-.+)-(?P<variant>1024)")
_INTERVAL = re.compile(r"\[(-?[\d.]+), (-?[\d.]+)\]")


class _Forecaster(NamedTuple):
    model: str
    setting: str
    kind: str = "model"
    reject: str = ""


def parse(body: bytes, path: str) -> Parsed:
    """Read one board: a row for each forecaster and kind of question, and one over all; the same for Brier scores."""
    board = declared_file(BOARDS, path)
    records = read_csv(
        body,
        ["Team", "Model Organization", "Model", *QUESTIONS, *QUESTIONS.values()],
        empty="a board without forecasters",
    )
    columns = records[0].cells.keys()
    if (COLUMN_UNTIL_2026 in columns) == (COLUMN_SINCE_2026 in columns):
        raise PayloadError(f"neither of the two known forms: the columns do not say which score {'Overall'!r} is")
    is_brier_index = COLUMN_SINCE_2026 in columns
    rows = [row for record in records for row in _rows(record, board[0], is_brier_index=is_brier_index)]
    benchmark_ids = dict.fromkeys(row.benchmark for row in rows)
    return Parsed(rows=rows, benchmarks=[_fact(name, board[1]) for name in benchmark_ids])


SOURCE = Source(
    key="forecastbench",
    title="ForecastBench",
    homepage=HOMEPAGE,
    licence="CC-BY-SA-4.0",
    redistributable=True,
    cadence="daily",
    files=tuple(
        GithubFile(
            f"forecastbench/{board}",
            "forecastingresearch/forecastbench-datasets",
            "main",
            f"leaderboards/csv/{name}",
        )
        for name, (board, _) in BOARDS.items()
    ),
    parse=parse,
)


def _rows(record: Record, benchmark: str, *, is_brier_index: bool) -> Iterator[RawRow]:
    cells = record.cells
    forecaster = _forecaster(cells["Team"].strip(), cells["Model Organization"].strip(), printable(cells["Model"]))
    for column, count in QUESTIONS.items():
        question_kind = "" if column == "Overall" else f"/{column.casefold()}"
        brier = "/brier" if column == "Overall" else f"/brier-{column.casefold()}"
        row = RawRow(
            row=f"line {record.line}, column {column}",
            benchmark=f"{benchmark}{question_kind if is_brier_index else brier}",
            model=forecaster.model,
            score=cells[column],
            unit="percent" if is_brier_index else "fraction",
            std_error=_std_error(cells.get(f"{column} 95% CI", "")),
            n_items=cells[count],
            setting=forecaster.setting,
            kind=forecaster.kind,
            reject=record.problem or forecaster.reject,
        )
        yield row
        if is_brier_index:
            brier_column = f"Brier {column}"
            yield row._replace(
                row=f"line {record.line}, column {brier_column}",
                benchmark=f"{benchmark}{brier}",
                score=cells.get(brier_column, ""),
                unit="fraction",
                std_error="",
            )


def _forecaster(team: str, organisation: str, name: str) -> _Forecaster:
    """Who forecasts: people (their median), a fixed rule, a model with a prompt of the board, or a system of a team."""
    if organisation == BOARD_ITSELF:
        if name in HUMANS:
            return _Forecaster(name, "", "human")
        if name == CHANCE:
            return _Forecaster(name, "", "random")
        rule = "excluded: a fixed rule or a filling of gaps, no forecaster" if name in RULES else ""
        return _Forecaster(name, "", reject=rule)
    if team == BOARD_ITSELF:
        return _prompted(name)
    if organisation == team:
        return _Forecaster(f"{team}: {name}", "")
    return _Forecaster(name, f"scaffold={team}")


def _prompted(name: str) -> _Forecaster:
    """`GPT-4 (scratchpad with news)` and `gpt-4-scratchpad-with-news` are one model in one setting."""
    old = _BRACKET.fullmatch(name)
    if old is not None:
        return _Forecaster(old["model"], _prompt(old["prompt"], ""))
    new = _SUFFIX.fullmatch(name)
    if new is None:
        return _Forecaster(name, "", reject="no name of a model")
    model = new["model"]
    variant = _VARIANT.fullmatch(model)
    setting = _prompt((new["prompt"] or "-zero shot")[1:].replace("-", " "), "web search" if new["web"] else "")
    if new["crowd"]:
        setting = join_settings((setting, "crowd forecast shown"))
    if variant is not None:
        model, setting = variant["model"], f"{setting}, variant={variant['variant']}"
    return _Forecaster(model, setting)


def _prompt(text: str, web: str) -> str:
    """The setting for `scratchpad with news with crowd forecast`: the prompt, then what was shown, in a fixed order."""
    information = {match[1].casefold() for match in _SHOWN_TO_MODEL.finditer(text)} | ({web} if web else set())
    number = next((f" {match[2]}" for match in _SHOWN_TO_MODEL.finditer(text) if match[2]), "")
    return join_settings(
        (
            f"prompt={_SHOWN_TO_MODEL.sub('', text)}{number}",
            "news" if "news" in information else "",
            "second news" if "second news" in information else "",
            "web search" if "web search" in information else "",
            "crowd forecast shown" if information & {"crowd forecast", "freeze values"} else "",
        )
    )


def _std_error(interval: str) -> str:
    """Half the width of the published 95% interval over 1.96; unreadable text is passed on to be rejected."""
    match = _INTERVAL.fullmatch(interval.strip())
    if match is None:
        return interval
    try:
        return f"{(read_number(match[2]) - read_number(match[1])) / 2 / Z95:.5f}"
    except UnreadableError:
        return interval


def _fact(benchmark: str, name: str) -> BenchmarkFact:
    question_kind = benchmark.partition("/")[2]
    brier = question_kind.startswith("brier")
    return BenchmarkFact(
        benchmark=benchmark,
        name=f"{name}: {question_kind.replace('-', ' ')}" if question_kind else name,
        metric="Brier score, difficulty-adjusted" if brier else "Brier index",
        unit="fraction" if brier else "percent",
        higher_is_better=not brier,
        domain="forecasting",
        modality="text",
        paper_url="https://arxiv.org/abs/2409.19839",
    )
