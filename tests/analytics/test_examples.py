"""The formulas show themselves on numbers that a reader can check, and what they print is true."""

from collections.abc import Iterator
from doctest import DocTestParser
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.examples import examples_of, failures

ROOT = Path(__file__).parents[2]

FEWEST = 40
"""Functions with an example."""


def with_examples() -> Iterator[str]:
    for path in sorted((ROOT / "analytics").rglob("*.py")):
        if ">>> " in path.read_text(encoding="utf-8"):
            yield ".".join(("benchhealth", *path.relative_to(ROOT).with_suffix("").parts))


MODULES = list(with_examples())


@pytest.mark.parametrize("module", MODULES)
def test_examples_print_what_they_say(module: str) -> None:
    examples = examples_of(import_module(module))
    assert examples
    assert failures(examples) == {}


def test_formulas_have_examples() -> None:
    assert sum(len(examples_of(import_module(module))) for module in MODULES) >= FEWEST


def test_an_example_that_is_not_true_fails() -> None:
    wrong = DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "sum", None, None)
    assert failures([wrong]) == {"sum": 1}
