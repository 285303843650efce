"""What is installed: the run lock has what the product imports, the full one its extras too, the dev lock all."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.conftest import ROOMS

ROOT = Path(__file__).parents[1]
LOCKS = ("requirements.lock", "requirements-full.lock", "requirements-dev.lock")
ONLY_FOR_TESTS = {"hypothesis", "import-linter", "lifelines", "mypy", "playwright", "pytest", "ruff"}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def plain(name: str) -> str:
    return re.split(r"[<>=!~;\[ ]", name)[0].lower().replace("_", "-")


def pinned(lock: str) -> set[str]:
    """`name==version` of every package in a lock."""
    return set(re.findall(r"^([a-z0-9-]+==\S+)", (ROOT / lock).read_text(), re.MULTILINE))


def imported() -> set[str]:
    """The distributions that the product's modules import, wherever in a module they do."""
    roots: set[str] = set()
    for module in (file for room in ROOMS for file in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(module.read_text())):
            if isinstance(node, ast.Import):
                roots |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                roots.add(node.module.split(".")[0])
    distributions = packages_distributions()
    foreign = roots - sys.stdlib_module_names - {"benchhealth"}
    return {plain(distributions[root][0]) for root in foreign}


def test_what_the_product_imports_is_a_declared_dependency() -> None:
    optional = PROJECT["optional-dependencies"]["mcp"]
    assert imported() <= {plain(name) for name in (*PROJECT["dependencies"], *optional)}


def test_each_lock_is_the_one_before_and_more() -> None:
    run, full, dev = map(pinned, LOCKS)
    assert run < full < dev
    extras = {plain(name) for extra in ("login", "lake", "mcp") for name in PROJECT["optional-dependencies"][extra]}
    assert extras <= {name.split("==")[0] for name in full}
    assert {plain(name) for name in PROJECT["optional-dependencies"]["dev"]} <= {name.split("==")[0] for name in dev}
    assert not ONLY_FOR_TESTS & {name.split("==")[0] for name in run}


@pytest.mark.parametrize("lock", [*LOCKS, "requirements-release.lock", "requirements-docs.lock"])
def test_everything_is_pinned_with_hashes_and_no_index_is_named(lock: str) -> None:
    text = (ROOT / lock).read_text()
    required = [block for block in re.split(r"\n(?=[a-z])", text) if not block.startswith("#")]
    assert len(required) == len(pinned(lock))
    assert all("--hash=sha256:" in block for block in required)
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE)
