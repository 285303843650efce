"""AlpacaEval's leaderboards: win rates against a baseline's answers on 805 instructions, judged by a language model.

AlpacaEval 1 is judged against text-davinci-003, AlpacaEval 2 against GPT-4 Turbo; `length_controlled_winrate` (since
2024-03-19, its error since 2024-05-16) takes out the judge's liking for length, and is what `alpacaeval-2` stands for.
The same answers judged by other judges are benchmarks of their own. `NullModel` answers every instruction with one
constant text that was tuned to please the judge: it is kept and marked. Results of the mode `community` were handed in
by others, with the answers.
"""

from benchhealth.ingest.formats.csv_board import Cells, CsvBoard, measure_of
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

NAME, LENGTH_CONTROLLED, LENGTH = "", "length_controlled_winrate", "avg_length"
_PARTS = {LENGTH_CONTROLLED: "length-controlled", "discrete_win_rate": "discrete", LENGTH: "length"}
_ERRORS = {"win_rate": "standard_error", LENGTH_CONTROLLED: "lc_standard_error"}
"""Column to the part of the benchmark that it is, and to the column of its standard error."""

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


def parse(body: bytes, path: str) -> Parsed:
    """Read one judge's leaderboard: a row for every model and each kind of win rate, and its average length."""
    benchmark = next((benchmark for benchmark, file in FILES.items() if path.endswith(f"/{file}.csv")), None)
    if benchmark is None:
        raise PayloadError(f"not a file of this source: {path}")
    measures = {column: measure_of(_fact(benchmark, column)) for column in _WORDS}
    return CsvBoard(
        lambda header: {column: measure for column, measure in measures.items() if column in header},
        model=NAME,
        required=("win_rate", "standard_error", "n_total", "mode"),
        kind="a leaderboard without models",
        complete=_result,
    ).parse(body)


SOURCE = Source(
    key="alpaca-eval",
    title="AlpacaEval, with and without length control, by several judges",
    homepage="https://tatsu-lab.github.io/alpaca_eval/",
    licence="Apache-2.0",
    redistributable=True,
    cadence="closed since 2024-12",
    files=tuple(
        GithubFile(f"alpaca-eval/{board}", "tatsu-lab/alpaca_eval", "main", f"src/alpaca_eval/leaderboards/{path}.csv")
        for board, path in FILES.items()
    ),
    parse=parse,
)


def _benchmark(edition: str, column: str) -> str:
    """The benchmark of a column: AlpacaEval 2 itself is its length-controlled win rate, elsewhere it is the raw one."""
    is_second = edition == "alpacaeval-2"
    if column == "win_rate":
        return "alpacaeval-2-raw" if is_second else edition
    if column == LENGTH_CONTROLLED and is_second:
        return edition
    return f"{edition}/{_PARTS[column]}"


def _result(row: RawRow, cells: Cells) -> RawRow:
    mode = cells["mode"].strip()
    error = _ERRORS.get(row.row.partition(", column ")[2], "")
    return row._replace(
        std_error=cells.get(error, "") if error else "",
        n_items=cells["n_total"],
        reporter=MODES.get(mode, "third_party"),
        kind="cheating" if row.model.strip().casefold() in CHEATING else "model",
        reject=row.reject or ("" if mode in MODES else f"an unknown mode: {mode[:50]!r}"),
    )


SECOND_EDITION_SINCE = "2024-01-03"
"""The first version of AlpacaEval 2's file: it had all but the length-controlled win rate, which the id stands for."""


_WORDS = {
    "win_rate": ("win rate", "win rate"),
    LENGTH_CONTROLLED: ("length-controlled win rate", "length-controlled win rate"),
    "discrete_win_rate": ("discrete win rate", "win rate, each judgement rounded to a win or a loss"),
    LENGTH: ("average length", "average length of an answer; neither more nor less is better"),
}
"""Column to what it is called in the benchmark's name, and to its metric."""


def _fact(edition: str, column: str) -> BenchmarkFact:
    words, metric = _WORDS[column]
    judge = edition.removeprefix("alpacaeval-judge-")
    name = f"AlpacaEval 2, judged by {judge}" if judge != edition else f"AlpacaEval {edition.split('-')[1]}"
    return BenchmarkFact(
        benchmark=_benchmark(edition, column),
        name=f"{name}: {words}",
        metric=metric,
        unit="characters" if column == LENGTH else "percent",
        higher_is_better=column != LENGTH,
        domain="llm-judge",
        modality="text",
        n_items="805",
        released_on=SECOND_EDITION_SINCE if edition == "alpacaeval-2" and column != LENGTH_CONTROLLED else "",
        paper_url=PAPERS["lc" if column == LENGTH_CONTROLLED else "raw"],
    )
