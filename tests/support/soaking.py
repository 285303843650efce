"""What long tests share: one seed for the session, and the figures that they end with.

`make soak` draws a seed, prints it at the start, beside every failure and at the end; BENCHHEALTH_SOAK_SEED repeats it.
Where CI is set, and in the plain suite, it is always the same. A test that draws takes the fixture `soak`, draws from
`soak.random` and says what it did: `soak.say("500 kills, 212 nights after them")`.
"""

import os
import random
import secrets
from collections.abc import Container, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import core, settings

from tests.support.longest_first import SOAK, SUITE, longest_first

VARIABLE = "BENCHHEALTH_SOAK_SEED"
FIXED = 1
_FIGURE = "soak"


class Soak:
    """One long test at work."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        self.seed = f"{session_seed()} {item.nodeid}"
        self.random = random.Random(self.seed)

    def say(self, line: str) -> None:
        """A line for the end of the session: what was done, how often, what came out."""
        self._item.user_properties.append((_FIGURE, line))


def examples(plain: int, soak: int = 1_000) -> settings:
    """How many examples of a property are drawn in `make test`, as each takes long, and how many in the soak."""
    is_soak = settings.get_current_profile_name() == "soak"
    return settings(max_examples=soak if is_soak else plain)


def some(cases: Iterable[object], plain: Container[object]) -> list[Any]:
    """All these cases as parameters of a test; those that are not among `plain` run in the soak alone."""
    return [pytest.param(case, marks=[] if case in plain else [pytest.mark.soak]) for case in cases]


def session_seed() -> int:
    """The seed of the session; workers have it from the environment."""
    return int(os.environ.get(VARIABLE, FIXED))


def choose_seed(*, soak: bool) -> None:
    """Settle the seed before any test is collected."""
    drawn = secrets.randbelow(10**9) if soak and "CI" not in os.environ else FIXED
    os.environ.setdefault(VARIABLE, str(drawn))
    if soak:
        core.global_force_seed = session_seed()


@pytest.fixture
def soak(request: pytest.FixtureRequest) -> Soak:
    assert isinstance(request.node, pytest.Item)
    return Soak(request.node)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    longest_first(items, SOAK if _is_soak(config) else SUITE)


def _how_to_repeat() -> str:
    return f"{VARIABLE}={session_seed()} repeats what is drawn here"


def pytest_sessionstart(session: pytest.Session) -> None:
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if _is_soak(session.config) and terminal is not None and not hasattr(session.config, "workerinput"):
        terminal.write_line(f"soak: {_how_to_repeat()}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.failed and item.get_closest_marker("soak"):
        report.sections.append(("soak", _how_to_repeat()))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    reports = [
        report
        for outcome in terminalreporter.stats.values()
        for report in outcome
        if isinstance(report, pytest.TestReport) and report.when == "call"
    ]
    figures = [(report.nodeid, line) for report in reports for name, line in report.user_properties if name == _FIGURE]
    if not figures or not _is_soak(config):
        return
    terminalreporter.section("soak")
    terminalreporter.write_line(_how_to_repeat())
    for nodeid, line in sorted(figures):
        terminalreporter.write_line(f"{nodeid.partition('::')[2]}: {line}")


def _is_soak(config: pytest.Config) -> bool:
    return config.getoption("markexpr", default="") == "soak"
