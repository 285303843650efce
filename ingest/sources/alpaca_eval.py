"""AlpacaEval's leaderboards: win rates against a baseline's answers on 805 instructions, judged by a language model.

AlpacaEval 1 is judged against text-davinci-003, AlpacaEval 2 against GPT-4 Turbo; `length_controlled_winrate` (since
2024-03-19, its error since 2024-05-16) takes out the judge's liking for length, and is what `alpacaeval-2` stands for.
The same answers judged by other judges are benchmarks of their own. `NullModel` answers every instruction with one
constant text that was tuned to please the judge: it is kept and marked. Results of the mode `community` were handed in
by others, with the answers.
"""

from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Record, read_csv
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

NAME, LENGTH_CONTROLLED = "", "length_controlled_winrate"
PAPERS = {"raw": "https://github.com/tatsu-lab/alpaca_eval", "lc": "https://arxiv.org/abs/2404.04475"}
CHEATING = frozenset({"nullmodel"})
MODES = {"community": "self", "verified": "third_party", "minimal": "third_party", "dev": "third_party"}
"""Who ran the model: AlpacaEval's makers, or those who handed the answers in."""

FILES = {
    "alpacaeval-1": "data_AlpacaEval/alpaca_eval_gpt4_leaderboard",
    "alpacaeval-2": "data_AlpacaEval_2/weighted_alpaca_eval_gpt4_turbo_leaderboard",
    "alpacaeval-judge-claude-3-opus": "data_AlpacaEval_2/claude_3_opus_ranking_leaderboard",
    "alpacaeval-judge-cot-gpt4-turbo-fn": "data_AlpacaEval_2/alpaca_eval_cot_gpt4_turbo_fn_leaderboard",
    "alpacaeval-judge-gpt4-turbo-fn": "data_AlpacaEval_2/alpaca_eval_gpt4_turbo_fn_leaderboard",
    "alpacaeval-judge-mistral-large-2402": "data_AlpacaEval_2/mistral-large-2402_ranking_leaderboard",
}
"""Benchmark to file, without its ending, in the folder of leaderboards."""


class _Column(NamedTuple):
    column: str
    benchmark: str
    error: str = ""
    unit: str = "percent"


def parse(body: bytes, path: str) -> Parsed:
    """Read one judge's leaderboard: a row for every model and each kind of win rate, and its average length."""
    columns = _columns(path)
    records = read_csv(body, [NAME, "win_rate", "standard_error", "n_total", "mode"])
    if not records:
        raise PayloadError("a leaderboard without models")
    present = [column for column in columns if column.column in records[0].cells]
    return Parsed(
        rows=[_row(record, column) for record in records for column in present],
        benchmarks=[_fact(column) for column in present],
    )


SOURCE = Source(
    key="alpaca-eval",
    title="AlpacaEval, with and without length control, by several judges",
    homepage="https://tatsu-lab.github.io/alpaca_eval/",
    licence="Apache-2.0",
    redistributable=True,
    kind="board",
    cadence="closed since 2024-12",
    files=tuple(
        GithubFile(f"alpaca-eval/{board}", "tatsu-lab/alpaca_eval", "main", f"src/alpaca_eval/leaderboards/{path}.csv")
        for board, path in FILES.items()
    ),
    parse=parse,
)


def _columns(path: str) -> list[_Column]:
    """The columns of a file, and the benchmark that each of them is."""
    whole = next((whole for whole, file in FILES.items() if path.endswith(f"/{file}.csv")), None)
    if whole is None:
        raise PayloadError(f"not a file of this source: {path}")
    raw = "alpacaeval-2-raw" if whole == "alpacaeval-2" else whole
    controlled = whole if whole == "alpacaeval-2" else f"{whole}/length-controlled"
    return [
        _Column("win_rate", raw, "standard_error"),
        _Column(LENGTH_CONTROLLED, controlled, "lc_standard_error"),
        _Column("discrete_win_rate", f"{whole}/discrete"),
        _Column("avg_length", f"{whole}/length", unit="characters"),
    ]


def _row(record: Record, column: _Column) -> RawRow:
    cells = record.cells
    mode = cells["mode"].strip()
    return RawRow(
        row=f"line {record.line}, column {column.column}",
        benchmark=column.benchmark,
        model=cells[NAME],
        score=cells[column.column],
        unit=column.unit,
        std_error=cells.get(column.error, "") if column.error else "",
        n_items=cells["n_total"],
        reporter=MODES.get(mode, "third_party"),
        kind="cheating" if cells[NAME].strip().casefold() in CHEATING else "model",
        reject=record.problem or ("" if mode in MODES else f"an unknown mode: {mode[:50]!r}"),
    )


class _Words(NamedTuple):
    name: str
    metric: str


_WORDS = {
    "win_rate": _Words("win rate", "win rate"),
    LENGTH_CONTROLLED: _Words("length-controlled win rate", "length-controlled win rate"),
    "discrete_win_rate": _Words("discrete win rate", "win rate, each judgement rounded to a win or a loss"),
    "avg_length": _Words("average length", "average length of an answer; neither more nor less is better"),
}


def _fact(column: _Column) -> BenchmarkFact:
    words = _WORDS[column.column]
    whole = column.benchmark.split("/", 1)[0]
    judge = whole.removeprefix("alpacaeval-judge-")
    name = f"AlpacaEval 2, judged by {judge}" if judge != whole else f"AlpacaEval {whole.split('-')[1]}"
    return BenchmarkFact(
        row=f"line 1, column {column.column}",
        benchmark=column.benchmark,
        name=f"{name}: {words.name}",
        metric=words.metric,
        unit=column.unit,
        higher_is_better=column.unit == "percent",
        domain="llm-judge",
        modality="text",
        n_items="805",
        paper_url=PAPERS["lc" if column.column == LENGTH_CONTROLLED else "raw"],
    )
