"""Kagi's benchmark: the tables of `llm-benchmark.md`, private tasks that are revised.

The page says how many tasks and tokens its list has (before May 2025 a day alone), and that scores of two lists are not
comparable: each list is a version of the row. Where the list was lengthened in November 2025, a hundred rows stayed as
they were, so that the page has since held scores of several lists and says of none which: that is its version's name.
A list that is not known here is held, because only the versions before it tell whether models were run again.
The cost is that of all tasks together, in dollars; the time is taken where it is that of a task. Makers and hosts are
cut off the names, and brackets behind them say how a model was run.
"""

import re
from calendar import month_abbr
from collections.abc import Iterator, Mapping

from benchhealth.ingest.formats.bodies import read_text
from benchhealth.ingest.formats.markdown_tables import TableLine, read_tables
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow, UnknownFormError
from benchhealth.ingest.source import GithubFile, Source

HOMEPAGE = "https://help.kagi.com/kagi/ai/llm-benchmark.html"
PATH = "docs/kagi/ai/llm-benchmark.md"
BENCHMARK = "kagi-llm"
COST, TIME = f"{BENCHMARK}/cost", f"{BENCHMARK}/time-per-task"
ACCURACY = ("Accuracy (%)", "accuracy", "accuracy (%)", "%accuracy")
COLUMNS: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(ACCURACY, (BENCHMARK, "percent")),
    **dict.fromkeys(("Total Cost ($)", "cost", "Cost($)"), (COST, "dollars")),
    **dict.fromkeys(("time_per_task", "time/task"), (TIME, "seconds")),
}
LISTS: Mapping[tuple[str, str], str] = {
    ("100", "8861"): "100 tasks of 2025-05-06",
    ("100", "10859"): "100 tasks of 2025-05-28",
    ("110", "14909"): "110 tasks of 2025-08-11",
    ("116", "15256"): "lists of 110 and 116 tasks since 2025-11-07",
}
"""The list of tasks on pages that say (tasks, tokens of input)."""

BY_DAY = ("2024-07-29", "2024-11-04", "2024-11-22", "2025-04-17")
"""The first day of each list before pages said how long it is: on these days every model has another score."""

_DAY = re.compile(
    rf"Last (?:task list revision|updated?):? ?\*\*({'|'.join(month_abbr[1:])})\w* (\d+)(?:st|nd|rd|th)?, (\d{{4}})\*\*"
)
_TASKS = re.compile(r"^Tasks: \*\*(\d+)\*\*", re.MULTILINE)
_TOKENS = re.compile(r"Input Tokens [^*\n]*\*\*(\d+)\*\*")
_MARKED = re.compile(r"\*\*(?P<maker>[\w.]+)\*\* +(?P<model>\S.*)|(?P<host>[\w.]+) +\*\*(?P<named>[^*]+)\*\*")
_BRACKET = re.compile(r"(?P<model>.+?) ?(?:`\[(?P<code>[^\]]+)\]`|\[(?P<how>[^\]]+)\]|\((?P<said>[^)]+)\))")
IN_NAMES = ("mistral", "deepseek")
"""Makers whose models are called by them: their `R1` and `Large` are nobody else's, and mean nothing alone."""

HOSTS = frozenset({"together.ai", "groq", "local"})
HOW: Mapping[str, str] = {
    "cot": "thinking",
    "extended": "thinking",
    "thinking": "thinking",
    "no-think": "no thinking",
    "no thinking": "no thinking",
    "cot-high": "high effort",
    "cot-low": "low effort",
    "reasoning: high": "high effort",
    "reasoning: low": "low effort",
    "8192 thinking budget": "thinking=8192 tokens",
    "see note below": "",
}
"""What a bracket behind a name says of how the model was run."""

ELSEWHERE = "points to "


def parse(body: bytes, path: str) -> Parsed:
    """Read the tables of scores: a row for every model's accuracy, cost and time."""
    if path != PATH:
        raise PayloadError(f"not the page of the benchmark: {path}")
    text = read_text(body)
    lines = [line for table in read_tables(text) if set(table.header) & set(ACCURACY) for line in table.lines]
    if not lines:
        raise PayloadError("no table of scores on the page")
    version = _version(text)
    rows = [row for line in lines for row in _rows(line, version)]
    return Parsed(rows=rows, benchmarks=list(_facts({row.benchmark for row in rows})))


SOURCE = Source(
    key="kagi",
    title="Kagi LLM benchmark",
    homepage=HOMEPAGE,
    licence="none given",
    redistributable=False,
    cadence="some times a month",
    files=(GithubFile(f"kagi/{BENCHMARK}", "kagisearch/kagi-docs", "main", PATH),),
    parse=parse,
)


def _version(text: str) -> str:
    """The version of the list of tasks that the page reports. Raises UnknownFormError for one that is not known."""
    tasks, tokens = _TASKS.search(text), _TOKENS.search(text)
    if tasks and tokens:
        version = LISTS.get((tasks[1], tokens[1]))
        if version is None:
            raise UnknownFormError(f"a list of tasks that is not known: {tasks[1]} tasks, {tokens[1]} tokens")
        return version
    day = _DAY.search(text)
    if day is None:
        raise UnknownFormError("the page does not say of which day it is")
    day_of_version = f"{day[3]}-{list(month_abbr).index(day[1]):02}-{day[2]:0>2}"
    begun = [first for first in BY_DAY if first <= day_of_version]
    if not begun:
        raise UnknownFormError(f"the page is of {day_of_version}, before the first list")
    return f"tasks of {begun[-1]}"


def _rows(line: TableLine, version: str) -> Iterator[RawRow]:
    cells = line.named
    model, setting, elsewhere = _run(line.cells[0])
    for column in line.header:
        if column in COLUMNS:
            benchmark, unit = COLUMNS[column]
            yield RawRow(
                row=f"line {line.number}, column {column}",
                benchmark=benchmark,
                model=model,
                score=cells[column],
                unit=unit,
                setting=", ".join(setting_part for setting_part in (f"version={version}", setting) if setting_part),
                reject=line.problem or elsewhere,
            )


def _run(published: str) -> tuple[str, str, str]:
    """(model, how it was run, why the name is no model's)."""
    marked = _MARKED.fullmatch(published)
    name = (marked["model"] or marked["named"]) if marked else published.replace("*", "")
    maker = (marked["maker"] or marked["host"]) if marked else ""
    if maker.lower() in IN_NAMES and maker.lower() not in name.lower():
        name = f"{maker} {name}"
    bracket = _BRACKET.fullmatch(name)
    if bracket is None:
        return name, "", ""
    words = (bracket["code"] or bracket["how"] or bracket["said"]).lower()
    if words.startswith(ELSEWHERE):
        return name, "", "excluded: the address answers with another model"
    if words in HOSTS:
        return bracket["model"], "", ""
    return (bracket["model"], HOW[words], "") if words in HOW else (name, "", "")


def _facts(benchmarks: set[str]) -> Iterator[BenchmarkFact]:
    accuracy = BenchmarkFact(
        benchmark=BENCHMARK,
        name="Kagi LLM benchmark",
        metric="share of right answers",
        domain="reasoning",
        modality="text",
        released_on="2024-07-29",
        paper_url=HOMEPAGE,
    )
    cost = accuracy.cost("cost", "cost", "cost of all tasks together")
    time = accuracy.part("time-per-task", "time", "time of a task")._replace(unit="seconds", higher_is_better=False)
    return (fact for fact in (accuracy, cost, time) if fact.benchmark in benchmarks)
