"""OPERATIONS.md says what is so: every reason, alarm, finding, metric and variable that there is, and no other."""

import re
from pathlib import Path

import yaml

from benchhealth.warehouse.watch.reasons import FACTS_GONE, KINDS, NOT_REACHED

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "OPERATIONS.md").read_text()
PAGES = ("README.md", "OPERATIONS.md", "DEPLOYMENT.md", "SECURITY.md")
VARIABLE = re.compile(r"\bBENCHHEALTH_[A-Z_]*[A-Z]\b")


def rows(heading: str) -> list[str]:
    """The first cells of the table below a heading."""
    _, _, below = PAGE.partition(f"### {heading}\n")
    cells = re.findall(r"^\| (`.+?) \|", below.partition("\n#")[0], re.MULTILINE)
    assert cells, heading
    return cells


def names(heading: str) -> list[str]:
    return sorted(re.findall(r"`([\w-]+)`", " ".join(rows(heading))))


def variables(*files: Path) -> set[str]:
    return {name for file in files for name in VARIABLE.findall(file.read_text())}


def test_each_reason_is_explained() -> None:
    documented = names("Reasons of `status`, of the webhook and of `benchhealth_hand_needed`")
    assert documented == sorted([*KINDS, NOT_REACHED, FACTS_GONE, "unit-failed"])


def test_each_alarm_is_explained() -> None:
    groups = yaml.safe_load((ROOT / "deploy" / "prometheus" / "alerts.yml").read_text())["groups"]
    rules = {rule["alert"]: rule["labels"]["severity"] for group in groups for rule in group["rules"]}
    documented = rows("Alarms of Prometheus")
    assert documented == [f"`{name}`{' (page)' if severity == 'page' else ''}" for name, severity in rules.items()]


def test_each_finding_of_doctor_is_explained() -> None:
    checks = "".join(file.read_text() for file in (ROOT / "pipeline" / "doctor").glob("*.py"))
    assert names("Findings of `doctor`") == sorted(set(re.findall(r'Finding\("(\w+)"', checks)))


def test_each_metric_is_explained() -> None:
    documented = " ".join(rows("Metrics"))
    code = "".join(file.read_text() for file in (ROOT / "dashboard" / "serving" / "operating").glob("*.py"))
    families = set(re.findall(r'"(benchhealth_\w+)', code))
    assert len(families) > 10
    assert [
        name for name in families if name not in documented and f"`_{name.split('_', 2)[2]}" not in documented
    ] == []


def test_each_variable_that_is_named_is_read_and_each_that_is_read_is_named() -> None:
    settings = variables(ROOT / "pipeline" / "settings.py")
    pages = variables(*(ROOT / page for page in PAGES), *(ROOT / "docs").glob("*.md"))
    deployed = variables(*(file for file in (ROOT / "deploy").rglob("*") if file.is_file()))
    assert settings - pages == set()
    assert pages - settings - deployed - variables(ROOT / "Makefile") == set()


def test_each_variable_of_compose_is_in_its_table() -> None:
    asked = set(re.findall(r"\$\{(BENCHHEALTH_\w+)", (ROOT / "deploy" / "compose.yaml").read_text()))
    table = PAGE[PAGE.index("| in `deploy/.env`") : PAGE.index("`--profile prometheus`")]
    assert set(VARIABLE.findall(table)) == asked
