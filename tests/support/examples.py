"""The examples in docstrings, to be run where a test wants them."""

import doctest
from types import ModuleType


def examples_of(module: ModuleType, **names: object) -> list[doctest.DocTest]:
    """Of each docstring of a module that has examples a test, which knows these names besides the module's own."""
    tests = doctest.DocTestFinder(exclude_empty=True).find(module, extraglobs=names)
    return [test for test in tests if test.examples]


def failures(tests: list[doctest.DocTest]) -> dict[str, int]:
    """How many examples of each docstring print something else than it says."""
    runner = doctest.DocTestRunner(verbose=False)
    return {test.name: failed for test in tests if (failed := runner.run(test).failed)}
