"""The tutorials of CONTRIBUTING.md, followed in a copy of the project: they work, and each of their steps counts."""

import ast
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from benchhealth.analytics.change.cadences import DAYS, every
from benchhealth.analytics.record.tables import DATE_BASES, REPORTERS
from benchhealth.ingest.rows import Parsed, RawRow
from benchhealth.ingest.run.claims.each_once import SUBJECTS
from benchhealth.ingest.run.resolve import KINDS, resolve
from tests.conftest import ROOMS

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<path>\S+))?\n(?P<content>.*?)^```$", re.MULTILINE | re.DOTALL)
COPIED = ("analytics", "benchhealth", "dashboard", "ingest", "pipeline", "tests", "warehouse", "data/registry")
FILES = ("ARCHITECTURE.md", "docs/graph.svg", "data/README.md", "pyproject.toml")


class Step(NamedTuple):
    """A file to write, or (`diff`) lines to add behind those that are named before them."""

    language: str
    path: str
    content: str


class Tutorial(NamedTuple):
    """The steps of one heading, and the command that shows that they were done."""

    steps: tuple[Step, ...]
    command: Sequence[str]


def tutorial(heading: str) -> Tutorial:
    section = TEXT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    blocks = list(BLOCK.finditer(section))
    steps = tuple(Step(block["language"], block["path"], block["content"]) for block in blocks if block["path"])
    (command,) = (block["content"] for block in blocks if block["language"] == "sh")
    return Tutorial(steps, shlex.split(command.replace("\\\n", " ")))


SOURCE, INDICATOR, TABLE = (tutorial(f"Add {what}") for what in ("a source", "an indicator", "a table"))
MISSED_BY = {
    "ingest/sources/wood_quiz.py": "cannot import name 'wood_quiz'",
    "ingest/catalog.py": "test_each_source_is_a_module_and_each_module_a_source",
    "data/README.md": "test_the_licence_of_every_source_that_may_be_passed_on_is_in_the_table_and_of_no_other",
    "tests/ingest/sources/payloads/wood-quiz/expected.json": "test_each_source_comes_with_a_payload",
}
"""Step of a source to what the output says where it was left out."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project without its history, its environment and its bundles."""
    here = tmp_path / "project"
    for folder in COPIED:
        shutil.copytree(ROOT / folder, here / folder, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for file in FILES:
        (here / file).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / file, here / file)
    return here


def follow(step: Step, root: Path) -> None:
    file = root / step.path
    if step.language != "diff":
        assert not file.exists(), f"{step.path} is there already"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(step.content, encoding="utf-8")
        return
    lines = file.read_text(encoding="utf-8").split("\n")
    position = -1
    for line in step.content.splitlines():
        if line.startswith("+"):
            position += 1
            lines.insert(position, line[1:])
        else:
            (position,) = (place for place, there in enumerate(lines) if there == line[1:])
    file.write_text("\n".join(lines), encoding="utf-8")


def run(command: Sequence[str], root: Path) -> subprocess.CompletedProcess[str]:
    """The printed command, stopped by the first failure."""
    assert command[0] == ".venv/bin/pytest"
    return subprocess.run(
        [sys.executable, "-m", "pytest", *command[1:], "-x", "-p", "no:cacheprovider"],
        cwd=root,
        env={"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(root.parent)},
        capture_output=True,
        text=True,
        check=False,
    )


def done(tutorial: Tutorial, root: Path, *, without: str = "") -> subprocess.CompletedProcess[str]:
    for step in tutorial.steps:
        if step.path != without:
            follow(step, root)
    return run(tutorial.command, root)


@pytest.mark.whole
@pytest.mark.parametrize(
    "tutorial",
    [SOURCE, *(pytest.param(one, marks=pytest.mark.soak) for one in (INDICATOR, TABLE))],
    ids=["source", "indicator", "table"],
)
def test_who_follows_the_steps_gets_passing_tests(tutorial: Tutorial, copy: Path) -> None:
    finished = done(tutorial, copy)
    assert finished.returncode == 0, finished.stdout[-3000:] + finished.stderr[-1000:]


@pytest.mark.whole
def test_what_the_steps_write_passes_ruff(copy: Path) -> None:
    steps = (*SOURCE.steps, *INDICATOR.steps, *TABLE.steps)
    for step in steps:
        follow(step, copy)
    written = sorted({step.path for step in steps if step.path.endswith(".py")})
    for check in (("check", "--no-cache"), ("format", "--check", "--no-cache")):
        command = [sys.executable, "-m", "ruff", *check, *written]
        finished = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
        assert finished.returncode == 0, finished.stdout[-3000:]


@pytest.mark.soak
@pytest.mark.whole
@pytest.mark.parametrize("left_out", [step.path for step in SOURCE.steps])
def test_each_step_of_a_source_counts(left_out: str, copy: Path) -> None:
    assert MISSED_BY[left_out] in done(SOURCE, copy, without=left_out).stdout


def test_a_table_is_added_to_at_most_five_files_where_the_steps_say(tmp_path: Path) -> None:
    assert len({step.path for step in TABLE.steps}) <= 5
    for path in {step.path for step in TABLE.steps if step.language == "diff"}:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    for step in TABLE.steps:
        follow(step, tmp_path)
        ast.parse((tmp_path / step.path).read_text())


@pytest.mark.soak
@pytest.mark.whole
def test_an_indicator_that_is_not_listed_is_missed(copy: Path) -> None:
    finished = done(INDICATOR, copy, without="analytics/indicators.py")
    assert "test_no_indicator_is_left_out_of_the_tuple" in finished.stdout


@pytest.mark.soak
@pytest.mark.whole
def test_each_part_needs_a_fact_of_its_own(copy: Path) -> None:
    for step in SOURCE.steps:
        assert step.language != "python" or "benchmarks=[WHOLE, HARD]" in step.content
        follow(step._replace(content=step.content.replace("benchmarks=[WHOLE, HARD]", "benchmarks=[WHOLE]")), copy)
    assert "unknown benchmark: 'wood-quiz/hard'" in run([*SOURCE.command, "-vv"], copy).stdout


@pytest.mark.parametrize(
    ("field", "values"),
    [("kind", KINDS), ("reporter", REPORTERS), ("date_basis", DATE_BASES), ("subject_kind", SUBJECTS)],
)
def test_every_value_that_a_field_may_have_is_named(field: str, values: Sequence[str]) -> None:
    (row,) = re.findall(rf"^\| `{field}` \| (.*) \|$", TEXT, re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", row)) - {"dated_on", "ContaminationReport"} == set(values)


def test_every_cadence_that_is_a_time_is_named() -> None:
    (row,) = re.findall(r"^\| `cadence` \| (.*) \|$", TEXT, re.MULTILINE)
    assert {word for word in re.findall(r"`([^`]+)`", row) if every(word)} == set(DAYS)


FAULTS: Sequence[tuple[str, dict[str, str], str]] = (
    ("the parser's own `reject`", {"reject": "withdrawn"}, "withdrawn"),
    ("`unknown benchmark`", {"benchmark": "unheard-of"}, "unknown benchmark"),
    ("a unit that is not the benchmark's", {"unit": "rating"}, "the row's unit is rating"),
    ("a name that is empty or refused", {"model": " "}, "no model name"),
    ("`no score`", {"score": "-"}, "no score"),
    ("`not a number`", {"score": "many"}, "not a number"),
    ("a score outside its range", {"score": "150"}, "outside 0 to 100"),
    ("a date that cannot be read, or lies after the file itself", {"dated_on": "2026-13-01"}, "not a date"),
    ("a standard error that is none", {"std_error": "-1"}, "not a standard error"),
    ("a count that is none", {"n_items": "0"}, "not a count"),
    (
        "`duplicate of` or `second value for the same key`, where an earlier row has the same benchmark, model, "
        "setting and reporter",
        {},
        "duplicate of",
    ),
)
"""As the list in CONTRIBUTING.md has it: words, what makes a row so, and how the reason begins."""


def test_the_reasons_of_a_rejection_are_listed_in_their_order() -> None:
    items = re.findall(r"^  \d+\. (.*(?:\n      .*)*)", TEXT, re.MULTILINE)
    assert [" ".join(item.split()) for item in items] == [words for words, _, _ in FAULTS]
    good = RawRow(row="line 1", benchmark="quiz", model="Alder", score="50", date_basis="evaluation")
    for place, (_, fault, reason) in enumerate(FAULTS):
        # The fault itself and all that come after it: of several about one field the first is there.
        changes = {field: value for _, later, _ in reversed(FAULTS[place:]) for field, value in later.items()} | fault
        rows = [good, good._replace(row="line 2", **changes)]
        resolved = resolve(Parsed(rows=rows), source_id="board", benchmarks={"quiz": "percent"}, aliases={})
        assert resolved.rejections["reason"].item().startswith(reason)


def test_the_files_that_are_named_exist() -> None:
    ours = "|".join(["tests", *(name for name in COPIED if "/" not in name)])
    named = re.findall(rf"`((?:{ours}|data/registry)/[\w/.-]+)`", TEXT)
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_functions_and_modules_that_the_pages_name_exist() -> None:
    files = [file for room in (*ROOMS, "tests") for file in (ROOT / room).rglob("*.py")]
    words = {word for file in files for word in (file.name, *re.findall(r"\w+", file.read_text(encoding="utf-8")))}
    for page in (TEXT, (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")):
        named = re.findall(r"`(\w+\.py)`|`(\w+)\(.*?\)`|`(\w*_\w*)`", page)
        assert sorted({name for names in named for name in names if name} - words) == [], "nothing has these names"
