"""Both CI jobs fit the schema of workflows and ask for few rights; every command of deploy/ is understood."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from benchhealth.pipeline import cli

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / "deploy" / "nightly-workflow.yaml"
SAID = yaml.safe_load(WORKFLOW.read_text())
RELEASE = ROOT / ".github" / "workflows" / "release.yml"


def schema_says(file: Path) -> "subprocess.CompletedProcess[str]":
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(file)]
    return subprocess.run(check, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("workflow", [WORKFLOW, RELEASE], ids=lambda file: file.name)
def test_it_fits_the_schema_of_workflows(workflow: Path, tmp_path: Path) -> None:
    done = schema_says(workflow)
    assert done.returncode == 0, done.stdout
    wrong = tmp_path / "workflow.yaml"
    wrong.write_text(workflow.read_text().replace("runs-on:", "run-on:"))
    assert schema_says(wrong).returncode != 0


def test_it_asks_for_no_more_than_it_needs_and_pins_what_it_uses() -> None:
    assert SAID["permissions"] == {"contents": "write"}
    assert SAID["concurrency"]
    job = SAID["jobs"]["nightly"]
    assert job["timeout-minutes"] <= 120
    used = re.findall(r"uses: (.*)", WORKFLOW.read_text())
    assert len(used) == sum("uses" in step for step in job["steps"])
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one) for one in used)
    targets = re.findall(r"^(\S+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert "$(RUN)" in targets and "make .venv/.run" in [step.get("run") for step in job["steps"]]


def test_a_release_is_made_here_as_there_and_one_job_alone_may_publish() -> None:
    text = RELEASE.read_text()
    workflow = yaml.safe_load(text)
    jobs = workflow["jobs"]
    assert workflow["permissions"] == {} and workflow[True] == {"push": {"tags": ["v*"]}}  # YAML takes `on` for true
    assert {name: job.get("permissions") for name, job in jobs.items()} == {
        "build": {"contents": "read"},
        "try": None,
        "publish": {"id-token": "write"},
    }
    assert jobs["publish"]["needs"] == ["build", "try"] and jobs["publish"]["environment"] == "release"
    assert "make release" in [step.get("run") for step in jobs["build"]["steps"]]
    assert re.search(r"^release: ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    used = re.findall(r"uses: (.*)", text)
    assert len(used) == sum("uses" in step for job in jobs.values() for step in job["steps"])
    assert all(re.fullmatch(r"(actions|pypa)/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one) for one in used)
    assert "secrets." not in text and "://" not in text
    for line in re.findall(r"benchhealth ((?:difference|report) .*)", text):
        assert cli._parser().parse_args(shlex.split(line))


def commands() -> list[tuple[str, list[str]]]:
    """Every call of the program in deploy/, with the file that has it; what a unit or a variable fills in is a word."""
    called = re.compile(
        r"(?:\.venv/bin/benchhealth|\bbenchhealth|\$BENCHHEALTH_PROGRAM) (?!timeout)"
        r"((?:[a-z]+)(?: --?[a-z-]+(?: [^-;|\s]\S*)?)*)"
    )
    lines = re.compile(r"^(?:ExecStart=|\s+- run: |\s+run: |\d|\s+run |\s+run timeout)")
    calls = []
    for file in sorted((ROOT / "deploy").rglob("*")):
        if file.suffix in {".service", ".sh", ".cron", ".yaml"} and file.is_file():
            for line in filter(lines.match, file.read_text().splitlines()):
                calls += [(file.name, call.split()) for call in called.findall(line.replace("%i", "8501"))]
    return calls


@pytest.mark.parametrize(("file", "arguments"), commands())
def test_its_commands_are_those_of_the_program(file: str, arguments: list[str]) -> None:
    parser = cli._parser()
    if arguments[0] == "alert" and " alert " not in parser.format_help():
        pytest.skip("this edition of the program has no alerts yet")
    assert parser.parse_args(arguments), file


def test_every_kind_of_file_calls_it() -> None:
    names = {file for file, _ in commands()}
    services = {"benchhealth-dashboard@.service", "benchhealth-nightly.service", "benchhealth-alert@.service"}
    assert names >= services | {"benchhealth.cron", "nights.sh", "nightly-workflow.yaml"}
