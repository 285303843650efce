"""The tables of LiveBench: a row a model and a column a task, in `table_YYYY_MM_DD.csv`, the release in the name.

Every release asks other questions, so every release is a benchmark of its own. Its score is LiveBench's own: the mean
over categories of the mean over the category's tasks. It is computed here, since the table holds tasks alone, and only
for a model with a score in every task of the release; the categories are those of LiveBench's `categories_*.json`.
"""

import re
from collections.abc import Mapping, Sequence
from statistics import fmean

from benchhealth.ingest.formats.bodies import Record, read_csv, slug
from benchhealth.ingest.formats.numbers import UnreadableError, is_nothing, read_number
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow

CATEGORIES: Mapping[str, tuple[str, ...]] = {
    "Reasoning": (
        "web_of_lies_v2",
        "web_of_lies_v3",
        "zebra_puzzle",
        "spatial",
        "theory_of_mind",
        "logic_with_navigation",
    ),
    "Coding": ("LCB_generation", "coding_completion", "code_generation", "code_completion"),
    "Agentic Coding": ("javascript", "typescript", "python"),
    "Mathematics": ("AMPS_Hard", "integrals_with_game", "math_comp", "olympiad"),
    "Data Analysis": ("cta", "consecutive_events", "tablejoin", "tablereformat"),
    "Language": ("connections", "plot_unscrambling", "typos"),
    "IF": ("paraphrase", "simplify", "story_generation", "summarize"),
}
"""Category to the tasks it has ever had; a release has a subset of them."""

CATEGORY_OF = {task: category for category, tasks in CATEGORIES.items() for task in tasks}
HOMEPAGE = "https://livebench.ai"

_PATH = re.compile(r"(?:.*/)?table_(\d{4})_(\d{2})_(\d{2})\.csv")


def parse_table(body: bytes, path: str, items: Mapping[str, str]) -> Parsed:
    """Read one release's table: a row for every model and task, and one for every model's overall score.

    `items` has the number of questions of the tasks for which it is known.
    """
    match = _PATH.fullmatch(path)
    if match is None:
        raise PayloadError(f"not a table of a release: {path}")
    release = "-".join(match.groups())
    records = read_csv(body, ["model"], empty="a release without models")
    tasks = [column for column in records[0].cells if column != "model"]
    if len(tasks) < 2 or not any(task in CATEGORY_OF for task in tasks):
        raise PayloadError(f"no known task among the columns {tasks[:12]}")
    rows = [row for record in records for row in (_overall(record, release, tasks), *_tasks(record, release, tasks))]
    return Parsed(rows=rows, benchmarks=_facts(release, tasks, items))


def _tasks(record: Record, release: str, tasks: Sequence[str]) -> list[RawRow]:
    return [
        RawRow(
            row=f"line {record.line}, column {task}",
            benchmark=f"livebench-{release}/{slug(task)}",
            model=record.cells["model"],
            score=record.cells.get(task, ""),
            reject=record.problem,
        )
        for task in tasks
    ]


def _overall(record: Record, release: str, tasks: Sequence[str]) -> RawRow:
    score, reject = "", record.problem
    if not reject:
        score, reject = overall_score(record.cells, tasks)
    return RawRow(
        row=f"line {record.line}, mean of categories",
        benchmark=f"livebench-{release}",
        model=record.cells["model"],
        score=score,
        reject=reject,
    )


def overall_score(cells: Mapping[str, str], tasks: Sequence[str]) -> tuple[str, str]:
    """LiveBench's overall score to four decimals, or why there is none: (score, reason), one of them empty."""
    unknown = [task for task in tasks if task not in CATEGORY_OF]
    if unknown:
        return "", f"no overall score: the category of {', '.join(unknown)} is not known"
    missing = [task for task in tasks if is_nothing(cells[task])]
    if missing:
        return "", f"no overall score: nothing for {', '.join(missing)}"
    by_category: dict[str, list[float]] = {}
    try:
        for task in tasks:
            by_category.setdefault(CATEGORY_OF[task], []).append(read_number(cells[task]))
    except UnreadableError as error:
        return "", f"no overall score: {error}"
    return f"{fmean(fmean(scores) for scores in by_category.values()):.4f}", ""


def whole_of(release: str) -> BenchmarkFact:
    """The fact about the benchmark that a release of LiveBench as a whole is."""
    return BenchmarkFact(
        benchmark=f"livebench-{release}",
        name=f"LiveBench {release}",
        metric="mean of category means",
        domain="mixed",
        modality="text",
        released_on=release,
        paper_url=HOMEPAGE,
    )


def _facts(release: str, tasks: Sequence[str], items: Mapping[str, str]) -> list[BenchmarkFact]:
    overall = whole_of(release)
    return [overall] + [
        overall.part(slug(task), task, "task score")._replace(
            domain=CATEGORY_OF.get(task, "mixed").casefold(),
            n_items=items.get(task, ""),
        )
        for task in tasks
    ]
