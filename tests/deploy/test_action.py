"""The action for leaderboards: it fits the schema of actions, and its step does what it says, run as a runner does."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from tests.pipeline.test_audit_command import GOOD

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / "action.yml"
SAID = yaml.safe_load(ACTION.read_text())
STEP = next(step for step in SAID["runs"]["steps"] if step.get("id") == "audit")


def fits(schema: str, file: Path) -> "subprocess.CompletedProcess[str]":
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.github-{schema}", str(file)]
    return subprocess.run(check, capture_output=True, text=True, check=False)


def run(folder: Path, **given: str) -> "subprocess.CompletedProcess[str]":
    """The step as a runner runs it in `folder`, with the inputs of the action, as they are where none is given."""
    inputs = {name: one.get("default", "") for name, one in SAID["inputs"].items()} | given
    asked = {name: _filled(value, inputs) for name, value in STEP["env"].items()}
    environment = {
        **os.environ,
        **asked,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "BENCHHEALTH_HOME": str(folder / "home"),
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
    }
    shell = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", STEP["run"]]
    return subprocess.run(shell, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def _filled(expression: str, inputs: Mapping[str, str]) -> str:
    return re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: inputs[match[1]], expression)


def outputs(folder: Path) -> dict[str, str]:
    return dict(line.split("=", 1) for line in (folder / "output").read_text().splitlines())


def test_it_fits_the_schemas_and_pins_what_it_uses() -> None:
    assert fits("actions", ACTION).returncode == 0, fits("actions", ACTION).stdout
    workflow = ROOT / "deploy" / "audit-workflow.yaml"
    assert fits("workflows", workflow).returncode == 0, fits("workflows", workflow).stdout
    used = re.findall(r"uses: (.*)", ACTION.read_text() + workflow.read_text())
    others = [one for one in used if not one.startswith("OWNER/benchhealth@")]
    assert len(used) - len(others) == 1
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one) for one in others)
    assert not [step for step in SAID["runs"]["steps"] if "${{" in step.get("run", "")]  # nothing is put into a script


def test_the_card_is_summary_file_and_output(tmp_path: Path) -> None:
    (tmp_path / "board.csv").write_text(GOOD)
    done = run(tmp_path, files="board.csv", card="cards/card.md")
    assert done.returncode == 0, done.stdout + done.stderr
    card = (tmp_path / "cards" / "card.md").read_text()
    assert (tmp_path / "summary").read_text() == card
    written = outputs(tmp_path)
    assert written["card"] == "cards/card.md"
    assert card.startswith(f"### {written['finding']}\n")
    assert not (tmp_path / "home").exists(), "nothing is kept"


@pytest.mark.soak
def test_several_logs_are_a_line_each_and_names_are_no_commands(tmp_path: Path) -> None:
    for name in ("a log; touch made.json", "-b.json"):
        rows = [
            f'{{"doc_id": {index}, "acc": {float(index % 3 > 0 if name[0] == "a" else index % 2)}}}'
            for index in range(40)
        ]
        (tmp_path / f"{name}l").write_text("\n".join(rows))
    done = run(tmp_path, files="\na log; touch made.jsonl\n-b.jsonl\n")
    assert done.returncode == 0, done.stdout + done.stderr
    assert {path.name for path in tmp_path.glob("made*")} == set()
    assert (tmp_path / "benchhealth-card.md").exists()


@pytest.mark.parametrize(
    ("files", "why"),
    [("", "no file is named"), pytest.param("none.csv", "there is no none.csv", marks=pytest.mark.soak)],
)
def test_what_is_wrong_is_an_error_of_the_job(tmp_path: Path, files: str, why: str) -> None:
    done = run(tmp_path, files=files)
    assert done.returncode == 1
    assert done.stdout.startswith("::error::")
    assert why in done.stdout
    assert not (tmp_path / "summary").exists()
