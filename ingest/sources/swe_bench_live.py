"""SWE-bench-Live: `reports-0605.jsonl`, a submission a line, on one of ten sets of problems.

A submission is an agent around a model: what stands behind the last plus is the model, what stands before it the
scaffold. A name with two models of a maker's agent is a system of its own and keeps its whole name. `resolved` is the
list of the solved problems in the first submissions, their number in most later ones. The sets by language and the one
for Windows have grown, or were run in part (`total`): scores on 62 problems of Java and on 109 are of different items,
so each total is a part of its own. A problem that no list names was solved by none of them. A problem belongs to the
repository that it was taken from.

A line's address holds its name, set and day and not its place, because new lines are put on top.
"""

import re
from collections import Counter

from benchhealth.ingest.formats.bodies import Entry, as_text, read_json, read_text
from benchhealth.ingest.formats.by_item.repositories import repositories
from benchhealth.ingest.formats.numbers import UnreadableError, read_count, read_number
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, ItemOutcomes, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

PAPER = "https://arxiv.org/abs/2505.23419"
FROZEN = {
    "lite": ("swe-bench-live-lite", "300"),
    "full": ("swe-bench-live-full", "1319"),
    "verified": ("swe-bench-live-verified", "500"),
}
"""Sets that do not change, with the number of their problems."""

GROWING = {
    "ccpp": ("swe-bench-live-multilang", "C and C++"),
    "csharp": ("swe-bench-live-multilang", "C#"),
    "go": ("swe-bench-live-multilang", "Go"),
    "java": ("swe-bench-live-multilang", "Java"),
    "rust": ("swe-bench-live-multilang", "Rust"),
    "tsjs": ("swe-bench-live-multilang", "TypeScript and JavaScript"),
    "windows": ("swe-bench-live-windows", "Windows"),
}
NAMES = {
    "swe-bench-live-lite": "SWE-bench-Live Lite",
    "swe-bench-live-full": "SWE-bench-Live Full",
    "swe-bench-live-verified": "SWE-bench-Live Verified",
    "swe-bench-live-multilang": "SWE-bench-Live MultiLang",
    "swe-bench-live-windows": "SWE-bench-Live Windows",
}
REPORTED_BY_MAKER = {"qwen": "qwen"}
"""A maker's own logo to how its models are called: such a submission is the maker's."""

_LEVEL = "minimal|low|medium|high"
_RUN = re.compile(
    rf"^(?P<name>.+?)(?P<thinks>[- ]thinking)?(?: \((?P<level>{_LEVEL})\)|(?<=thinking)-(?P<also>{_LEVEL}))?$",
    re.IGNORECASE,
)
_SCAFFOLDS_INSIDE = ("swe-agent",)
"""Agents that another agent is built on; any other name between two pluses is a second model."""


def parse(body: bytes, path: str) -> Parsed:
    """Read all submissions: a row each."""
    rows: list[RawRow] = []
    items: list[ItemOutcomes] = []
    occurrences: Counter[str] = Counter()
    for line in read_text(body).splitlines():
        if not line.strip():
            continue
        entry = read_json(line.encode())
        if not isinstance(entry, dict) or not {"name", "set", "total", "resolved", "date"} <= entry.keys():
            raise PayloadError("not a list of submissions, one a line")
        name, split, day = (as_text(entry[key]).strip() for key in ("name", "set", "date"))
        address = f"{name}, {split}, {day}"
        occurrences[address] += 1
        where = f"{address} ({occurrences[address]})" if occurrences[address] > 1 else address
        rows.append(_submission_row(where, entry))
        if isinstance(entry["resolved"], list) and not rows[-1].reject:
            solved = tuple(as_text(item) for item in entry["resolved"])
            items.append(ItemOutcomes(where, solved, (1.0,) * len(solved), clusters=repositories(solved)))
    return Parsed(rows=rows, benchmarks=_facts(rows), items=items)


SOURCE = Source(
    key="swe-bench-live",
    title="SWE-bench-Live",
    homepage="https://swe-bench-live.github.io",
    licence="none stated",
    redistributable=False,
    cadence="some times a month",
    files=(
        GithubFile(
            "swe-bench-live/reports",
            "SWE-bench-Live/swe-bench-live.github.io",
            "main",
            "reports-0605.jsonl",
        ),
    ),
    parse=parse,
)


def _submission_row(where: str, entry: Entry) -> RawRow:
    split, total = as_text(entry["set"]).strip(), as_text(entry["total"])
    model, setting = _model(as_text(entry["name"]).strip())
    maker = REPORTED_BY_MAKER.get(as_text(entry.get("logo")))
    row = RawRow(
        row=where,
        benchmark=_benchmark(split, total),
        model=model,
        score="",
        unit="fraction",
        n_items=total,
        dated_on=as_text(entry["date"]),
        date_basis="submission",
        setting=setting,
        reporter="self" if maker and model.casefold().startswith(maker) else "third_party",
    )
    if not row.benchmark:
        return row._replace(benchmark="swe-bench-live-full", reject=f"an unknown set of problems: {split[:50]!r}")
    if split in FROZEN and total != FROZEN[split][1]:
        return row._replace(reject=f"on {total[:20]} problems of a set of {FROZEN[split][1]}")
    try:
        return row._replace(score=_share(entry["resolved"], read_count(total)))
    except UnreadableError as error:
        return row._replace(reject=str(error))


def _share(resolved: object, total: int) -> str:
    """The share of the problems that are solved. Raises UnreadableError where the two numbers cannot both be right."""
    if isinstance(resolved, list):
        if len(set(map(as_text, resolved))) < len(resolved):
            raise UnreadableError("a problem is listed as solved twice")
        solved = len(resolved)
    else:
        number = read_number(as_text(resolved))
        solved = int(number)
        if solved != number:
            raise UnreadableError(f"not a count: {as_text(resolved)!r}")
    if not 0 <= solved <= total:
        raise UnreadableError(f"{solved} solved of {total} problems")
    return f"{solved / total:.6f}"


def _benchmark(split: str, total: str) -> str:
    if split in FROZEN:
        return FROZEN[split][0]
    return f"{GROWING[split][0]}/{split}-{total}" if split in GROWING else ""


def _model(name: str) -> tuple[str, str]:
    """The model and its setting: `SWE-agent + GPT5.2-Thinking (Medium)` is GPT5.2, with scaffold and effort."""
    *scaffold, model_name = name.split(" + ")
    run = _RUN.match(model_name)
    if not scaffold or run is None or any(inner.casefold() not in _SCAFFOLDS_INSIDE for inner in scaffold[1:]):
        return name, ""
    level = run["level"] or run["also"]
    effort = f"{level.casefold()} effort" if level else "thinking" if run["thinks"] else ""
    return run["name"], join_settings([effort, f"scaffold={' + '.join(scaffold)}"])


def _facts(rows: list[RawRow]) -> list[BenchmarkFact]:
    facts: list[BenchmarkFact] = []
    for row in rows:
        if row.reject or any(fact.benchmark == row.benchmark for fact in facts):
            continue
        board, _, subset = row.benchmark.partition("/")
        split, _, total = subset.rpartition("-")
        facts.append(
            BenchmarkFact(
                benchmark=row.benchmark,
                name=f"{NAMES[board]}: {GROWING[split][1]}, {total} problems" if subset else NAMES[board],
                metric="% resolved",
                unit="fraction",
                domain="agentic-code",
                modality="text",
                floor="0",
                n_items=row.n_items,
                paper_url=PAPER,
            )
        )
    return facts
