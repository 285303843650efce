"""NYT Connections: the tables of `README.md`, version by version.

Three tests in one page. The *original* one had 436 puzzles and stopped in February 2025. The *extended* one adds up to
four words that fit nowhere, which is another set of rules; its puzzles grew from 601 to 940, and a model that was not
run again keeps the number of its day. The *newest 100* are the last hundred of the extended one, others each time it
grows. The number of puzzles is the version of a row: of its own column since 2025-06-05, before that of the page, which
says how many there are and not on how many of them a model was run (`up to`).

What people do stands in a sentence: the share of puzzles that they win with four mistakes allowed, which is no score of
any table here. `Multi-turn ensemble` is several models in a system of the author's, and is left out.
"""

import re
from collections.abc import Iterator, Mapping

from benchhealth.ingest.formats.bodies import read_text
from benchhealth.ingest.formats.markdown_tables import MarkdownTable, TableLine, read_tables
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow, UnknownFormError
from benchhealth.ingest.source import GithubFile, Source

HOMEPAGE = "https://github.com/lechmazur/nyt-connections"
ORIGINAL, EXTENDED, NEWEST = "nyt-connections", "nyt-connections-extended", "nyt-connections-extended/newest-100"
WINS = "nyt-connections/win-rate"
TABLES: Mapping[str, str] = {
    "Leaderboard": ORIGINAL,
    "Leaderboard: Original Version": ORIGINAL,
    "Leaderboard: Extended Version": EXTENDED,
    "Leaderboard: Older models": EXTENDED,
    "Leaderboard: Newest 100 puzzles, extended version": NEWEST,
}
"""The benchmark that the table under each heading belongs to."""

SCORES = ("Score", "Score(%)", "Score %")
COUNTS = ("#Puzzles", "#Puzzles (window)")
SYSTEM = "Multi-turn ensemble"

_OF_ORIGINAL = re.compile(r"using (\d+) NYT Connections puzzles\. Three different prompts")
_OF_EXTENDED = re.compile(r"expanded the total from \d+ to (\d+)(?: and then to (\d+))?")
MARCH_25 = ("Mar 25, 2025: 50 new questions added", "601", "651")
"""An entry of the page's list of changes, the number of puzzles that its text still said that day, and the true one."""

_EFFORT = re.compile(r"(.+?) \(?(no|minimal|low|medium|high|xhigh|extra high|max) reasoning\)?", re.IGNORECASE)
_HOW = re.compile(r"(.+?) \((high|\d+k)\)", re.IGNORECASE)
_BUDGET = re.compile(r"((?!Claude).+?) (\d+K)")
_NOT = re.compile(r"(.+?) Non-Think")
_WON: Mapping[str, re.Pattern[str]] = {
    "Average player": re.compile(r"the average human player solved approximately ([\d.]+)% of puzzles"),
    "Elite players": re.compile(r"Elite human players, .*achieving a ([\d.]+)% win rate"),
    "o1": re.compile(r"^o1, with a ([\d.]+)% win rate"),
}
"""Who won which share of the puzzles with four mistakes allowed; all but o1 are people."""


def parse(body: bytes, path: str) -> Parsed:
    """Read the tables of the page: a row for every model, and the shares of puzzles won that its text states."""
    text = read_text(body)
    tables = [_checked(table) for table in read_tables(text)]
    if not any(table.lines for table in tables):
        raise PayloadError("no leaderboard on the page")
    counts = {ORIGINAL: _stated_count(_OF_ORIGINAL, text), EXTENDED: _stated_count(_OF_EXTENDED, text)}
    entry, stated, true_count = MARCH_25
    if entry in text and counts[EXTENDED] == stated:
        counts[EXTENDED] = true_count
    rows = [
        _model_row(TABLES[_heading(table)], line, counts)
        for table in tables
        for line in table.lines
        if line.cells != line.header  # which is printed twice
    ]
    rows += _won(text.splitlines())
    return Parsed(rows=rows, benchmarks=list(_facts({row.benchmark for row in rows})))


SOURCE = Source(
    key="nyt-connections",
    title="NYT Connections",
    homepage=HOMEPAGE,
    licence="none given",
    redistributable=False,
    cadence="some times a month",
    files=(GithubFile(f"nyt-connections/{ORIGINAL}", "lechmazur/nyt-connections", "master", "README.md"),),
    parse=parse,
)


def _checked(table: MarkdownTable) -> MarkdownTable:
    """The table. Raises UnknownFormError where it is none of TABLES."""
    heading, header = _heading(table), table.header
    scores = [column for column in header if column in SCORES]
    if heading not in TABLES or "Model" not in header or len(scores) != 1 or len(set(header)) < len(header):
        raise UnknownFormError(f"a table that is not known under {heading!r}: {header}")
    return table


def _heading(table: MarkdownTable) -> str:
    return table.headings[-1].rstrip(".") if table.headings else ""


def _stated_count(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return next((count for count in reversed(match.groups()) if count), "") if match else ""


def _model_row(benchmark: str, line: TableLine, counts: Mapping[str, str]) -> RawRow:
    problem, cells = line.problem, line.named
    model, effort = _run(cells["Model"])
    score, count = (next((cells[column] for column in names if column in cells), "") for names in (SCORES, COUNTS))
    version = _version(benchmark, count, counts)
    if model == SYSTEM:
        problem = problem or "excluded: the author's system of several models"
    return RawRow(
        row=f"line {line.number}",
        benchmark=benchmark,
        model=model,
        score=score,
        n_items=count or counts[ORIGINAL] * (benchmark == ORIGINAL),
        setting=", ".join(text for text in (version, effort) if text),
        reject=problem,
    )


def _version(benchmark: str, count: str, counts: Mapping[str, str]) -> str:
    """Which puzzles a row is about, as a setting; the original test has one version."""
    if benchmark == ORIGINAL:
        return ""
    total = counts[EXTENDED]
    if not total:
        raise UnknownFormError("the page does not say how many puzzles the extended version has")
    if benchmark == NEWEST:
        return f"version=newest 100 of {total}"
    return f"version={count} puzzles" if count else f"version=up to {total} puzzles"


def _run(name: str) -> tuple[str, str]:
    """(model, setting) where the page has ways of its own to say how a model was run."""
    if match := _EFFORT.fullmatch(name):
        level = {"extra high": "xhigh"}.get(match[2].lower(), match[2].lower())
        return match[1], "no thinking" if level == "no" else f"{level} effort"
    if match := _HOW.fullmatch(name):
        effort = match[2].lower()
        return match[1], "high effort" if effort == "high" else f"thinking {effort}"
    if match := _BUDGET.fullmatch(name):
        return match[1], f"thinking {match[2].lower()}"
    return (match[1], "no thinking") if (match := _NOT.fullmatch(name)) else (name, "")


def _won(lines: list[str]) -> Iterator[RawRow]:
    for winner, pattern in _WON.items():
        for index, line in enumerate(lines):
            if match := pattern.search(line):
                kind = "model" if winner == "o1" else "human"
                yield RawRow(f"line {index + 1}, {winner}", WINS, winner, match[1], kind=kind)


def _facts(benchmarks: set[str]) -> Iterator[BenchmarkFact]:
    wins = BenchmarkFact(
        benchmark=WINS,
        name="NYT Connections: wins",
        metric="share of the puzzles won, four mistakes allowed",
        domain="reasoning",
        modality="text",
        released_on="2024-10",
        paper_url=HOMEPAGE,
    )
    newest = wins._replace(
        benchmark=NEWEST,
        name="NYT Connections, extended: newest 100",
        metric="share of the groups found in one attempt",
        n_items="100",
        released_on="2025-02-04",
    )
    return (fact for fact in (wins, newest) if fact.benchmark in benchmarks)
