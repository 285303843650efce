"""Reports by address: one at a time, the same one once for all who ask, and 503 for who would wait too long."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from starlette.applications import Starlette

from benchhealth.dashboard.guard.headers import AGAIN
from benchhealth.dashboard.guard.turns import RETRY_SECONDS
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.serving.printed import reports
from benchhealth.dashboard.serving.printed.reports import MOST_OF_ONE, ReportRequest
from tests.support import asgi_client
from tests.support import mixed_generation as mixed


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    made = tmp_path_factory.mktemp("reports")
    mixed.build(made)
    generation.use(made)
    yield
    generation.use(Path("nowhere"))


class Press:
    """Makes reports when it is told to, and counts them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[str] = []
        self.goes = Event()
        monkeypatch.setattr(reports, "_report_bytes", self._print)

    def _print(self, _view: object, asked: ReportRequest) -> bytes:
        assert self.goes.wait(60)
        self.made.append("+".join(asked.chosen))
        return self.made[-1].encode()


async def crowd(press: Press, *benchmarks: str) -> list[asgi_client.Answer]:
    """All ask at once, before the first report is made."""
    app = Starlette(routes=reports.routes())
    asked = [
        asyncio.create_task(asgi_client.ask(app, "/report.html", {"benchmark": one}, Host="a")) for one in benchmarks
    ]
    while sum(task.done() for task in asked) < len(asked) - (MOST_OF_ONE + 1):
        await asyncio.sleep(0.01)
    press.goes.set()
    return await asyncio.gather(*asked)


def test_the_same_report_is_made_once_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    press = Press(monkeypatch)
    answers = asgi_client.finished(crowd(press, *["exam"] * (MOST_OF_ONE + 1)))
    assert {(answer.status, answer.body) for answer in answers} == {(200, "exam")}
    assert press.made == ["exam"]


def test_who_would_wait_too_long_is_asked_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    press = Press(monkeypatch)
    names = [str(number) for number in range(MOST_OF_ONE + 4)]
    answers = asgi_client.finished(crowd(press, *names))
    assert sorted(answer.status for answer in answers) == [200] * (MOST_OF_ONE + 1) + [503] * 3
    for answer in answers:
        if answer.status == 503:
            assert {name: answer.headers[name.lower()] for name in AGAIN} == AGAIN
            assert AGAIN["Retry-After"] == AGAIN["Refresh"] == str(RETRY_SECONDS)
    assert {answer.body for answer in answers if answer.status == 200} == set(press.made)
