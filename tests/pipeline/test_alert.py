"""What the operator is told, when, and that telling never costs a night anything."""

import json
import logging
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from benchhealth.dashboard.published import generation
from benchhealth.dashboard.serving.operating import health as operating
from benchhealth.dashboard.serving.operating.health import Home, readyz
from benchhealth.ingest.network import webhook
from benchhealth.ingest.network.webhook import WebhookError, check, post
from benchhealth.pipeline import alert, night, status
from benchhealth.pipeline.alert import LastMessage, event_of
from benchhealth.pipeline.cli import main
from benchhealth.pipeline.run import Outcome, Run, as_run
from benchhealth.pipeline.settings import Settings, now
from benchhealth.warehouse.faults import DatabaseFault
from benchhealth.warehouse.read import open_current
from benchhealth.warehouse.store import Store
from benchhealth.warehouse.watch import home_state
from benchhealth.warehouse.watch.home_state import HomeState, KeptOut, RunRecord, WatchedSource
from benchhealth.warehouse.watch.reasons import Reason, reasons
from tests.pipeline.conftest import settings_of
from tests.support import asgi_client
from tests.support.scripted_server import Answer, Handler, Scripted, fixed, serving

NOW = datetime(2026, 11, 22, 4)
HELD = Reason("held-too-long", "one board.csv", NOW, "one: board.csv is held", "decide")


@pytest.fixture
def home(small_home: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "home"
    shutil.copytree(small_home, copy, symlinks=True)
    return copy


@pytest.fixture
def hook() -> Iterator[Scripted]:
    with serving(fixed(204)) as server:
        yield server


def alerts_sent(hook: Scripted) -> list[dict[str, object]]:
    return [json.loads(asked.body) for asked in hook.asked]


def watched(home: Path, hook: Scripted) -> Settings:
    return replace(settings_of(home, home), token="s3cret-token", webhook=f"{hook.url}/hooks/s3cret-path")


def fail(settings: Settings) -> None:
    """A night that ends as a failed one on record."""

    def broken(_run: Run) -> Outcome:
        raise RuntimeError(f"leaked {settings.token} and {settings.webhook}")

    with Store.open(settings.home) as store, pytest.raises(RuntimeError):
        as_run(settings, store, "nightly", broken)


def test_a_reason_is_told_once_then_weekly_then_that_it_is_well_again() -> None:
    before = LastMessage(("held-too-long one board.csv",), NOW)
    assert event_of((HELD,), None, NOW) == "hand-needed"
    assert event_of((HELD,), before, NOW + timedelta(days=1)) is None
    assert event_of((HELD,), before, NOW + timedelta(days=7)) == "hand-still-needed"
    assert event_of((HELD, replace(HELD, about="two")), before, NOW) == "hand-needed"
    assert event_of((), before, NOW) == "recovered"
    assert event_of((), None, NOW) is None
    assert event_of((), LastMessage((), NOW), NOW + timedelta(days=30)) is None


def test_a_failed_night_is_told_without_secrets_and_its_mending_too(
    home: Path, hook: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    settings = watched(home, hook)
    fail(settings)
    for _ in range(2):
        assert alert.alert(settings, test=False) == 0
    (message,) = alerts_sent(hook)
    assert (message["event"], message["reasons"][0]["kind"]) == ("hand-needed", "night-failed")  # type: ignore[index]
    assert message["run"]["status"] == "failed"  # type: ignore[index]
    assert "needs a hand" in str(message["text"])
    assert "s3cret" not in hook.asked[0].body.decode()
    with Store.open(home) as store:
        as_run(settings, store, "nightly", lambda _run: Outcome(0, "all well"))
    assert alert.alert(settings, test=False) == 0
    assert [message["event"] for message in alerts_sent(hook)] == ["hand-needed", "recovered"]
    assert "a hand is needed: the night of" in caplog.text


def test_a_night_that_the_ledger_cannot_know_stays_a_reason(home: Path, hook: Scripted) -> None:
    """Its facts are gone, so it could not be entered: others learn of it by what it leaves in the home."""
    settings = watched(home, hook)
    with Store.open(home) as store:
        as_run(settings, store, "nightly", lambda _run: Outcome(0, "all well"))
    (home / "warehouse.duckdb").unlink()
    for _ in range(2):
        with pytest.raises(DatabaseFault):
            night.nightly(settings, mirror=None)
    assert alert.alert(settings, test=False) == 0
    assert [message["event"] for message in alerts_sent(hook)] == ["hand-needed"]
    left = home_state.state_left(home)
    assert left is not None
    assert [reason.kind for reason in reasons(left, left.at)] == ["night-failed"]
    assert [run.status for run in left.runs[-2:]] == ["ok", "failed"]


def test_nights_that_fail_one_after_the_other_are_told_once(home: Path, hook: Scripted) -> None:
    settings = watched(home, hook)
    for _ in range(3):
        fail(settings)
        assert alert.alert(settings, test=False) == 0
    assert [message["event"] for message in alerts_sent(hook)] == ["hand-needed"]


def test_what_went_while_another_reason_stayed_is_told_when_it_comes_again(home: Path, hook: Scripted) -> None:
    settings, other = watched(home, hook), replace(HELD, about="two")
    for holds in ((HELD, other), (HELD,), (HELD,), (HELD, other)):
        alert.send_news(settings, holds)
    assert [len(message["reasons"]) for message in alerts_sent(hook)] == [2, 2]  # type: ignore[arg-type]


def test_what_was_not_taken_is_told_again(home: Path) -> None:
    with serving(fixed(500), fixed(500), fixed(200)) as hook:
        settings = watched(home, hook)
        fail(settings)
        assert [alert.alert(settings, test=False) for _ in range(3)] == [1, 0, 0]
        assert len(hook.asked) == 3  # two attempts, one that is taken, none with nothing new


def test_a_night_is_what_it_was_whatever_the_webhook_does(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings = replace(settings_of(home, home), webhook="http://127.0.0.1:9/hook")
    monkeypatch.setattr(night, "_night", lambda *_: 2)
    fail(settings)
    assert night.nightly(settings, mirror=None) == 2
    assert "did not take the message" in caplog.text

    def damaged(*_: object) -> int:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(night, "_night", damaged)
    with pytest.raises(OSError, match="Input/output"):
        night.nightly(settings, mirror=None)


def hanging(handler: Handler) -> None:
    if not handler.server_over(5):
        handler.send(204)


def dripping(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 204 No Content\r\nX-Drip: ")
    for _ in range(50):
        if handler.server_over(0.1):
            return
        handler.wfile.write(b".")
    handler.wfile.write(b"\r\n\r\n")


@pytest.mark.parametrize("answer", [hanging, dripping])
def test_a_webhook_that_hangs_costs_a_night_two_short_waits(
    answer: Answer, home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It would take the message in the end, if somebody waited."""
    assert webhook.CONNECT_SECONDS + webhook.ANSWER_SECONDS == 15
    monkeypatch.setattr(webhook, "ANSWER_SECONDS", 0.6)
    monkeypatch.setattr(night, "_night", lambda *_: 2)
    with serving(answer) as hook:
        settings = watched(home, hook)
        fail(settings)
        assert night.nightly(settings, mirror=None) == 2
        assert len(hook.asked) == 2
    assert "did not take the message" in caplog.text


def test_a_test_is_sent_in_any_case_and_needs_an_address(
    home: Path, hook: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert alert.alert(watched(home, hook), test=True) == 0
    assert [message["event"] for message in alerts_sent(hook)] == ["test"]
    assert not (home / alert.FILE).exists()
    monkeypatch.setenv("BENCHHEALTH_HOME", str(home))
    assert main(["alert", "--test"]) == 1
    assert main(["alert"]) == 0


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/hook",
        "https://user:word@example.org/",
        "ftp://example.org/",
        "example.org",
        "http://10.0.0.1/",
        "http://localhost.example.org/",
        "",
    ],
)
def test_an_address_that_is_neither_https_nor_this_machine_is_refused(address: str) -> None:
    with pytest.raises(WebhookError):
        check(address)


def test_a_redirect_is_not_followed(hook: Scripted) -> None:
    check("http://[::1]:80/x")
    with serving(fixed(302, b"", Location=f"{hook.url}/")) as first, pytest.raises(WebhookError, match="302"):
        post(first.url, b"{}")
    assert hook.asked == []


def test_status_webhook_metrics_and_readiness_name_the_same_alarms(
    home: Path, small_home: Path, hook: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two sources are overdue, one file is held for too long, another fails for too long, and the last night failed."""
    asked_at, long_ago = now(), now() - timedelta(days=60)
    broken = HomeState(
        at=asked_at,
        version="1",
        sources=tuple(
            WatchedSource(key, "daily", live=True, asked_at=long_ago, reached_at=reached)
            for key, reached in (("overdue", long_ago), ("never", None), ("answers", asked_at))
        ),
        kept_out=tuple(KeptOut("answers", f"{why}.csv", why, "", "a reason", long_ago) for why in ("held", "failed")),
        runs=(RunRecord("run", asked_at - timedelta(hours=1), asked_at, "nightly", "failed", "no source answers"),),
        phases=(),
        last_good=(),
    )
    monkeypatch.setattr(home_state, "of_facts", lambda *_: broken)
    home_state.write(home, broken)
    settings = watched(home, hook)
    with closing(open_current(home)) as published:
        state = status.status_values(settings, published, asked_at)
    assert alert.alert(settings, test=False) == 0
    operating.use(home, lambda: asked_at)
    generation.use(home)
    ready = json.loads(asgi_client.get(Starlette(routes=[Route("/readyz", readyz)]), "/readyz").body)
    counted = next(one for one in Home().collect() if one.name == "benchhealth_hand_needed")
    operating.use(small_home, None)
    generation.use(small_home)

    named = sorted((reason["kind"], reason["about"]) for reason in state["reasons"])
    assert [kind for kind, _ in named] == [
        "failed-too-long", "held-too-long", "night-failed", "source-not-reached", "source-not-reached"
    ]  # fmt: skip
    (message,) = alerts_sent(hook)
    assert sorted((reason["kind"], reason["about"]) for reason in message["reasons"]) == named  # type: ignore[attr-defined]
    assert sorted((fault["kind"], fault["about"]) for fault in ready["faults"]) == named
    assert {one.labels["reason"]: one.value for one in counted.samples if one.value} == Counter(
        kind for kind, _ in named
    )
