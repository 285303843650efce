"""Readers at their pages while generations are published, put back, killed, and nights fail: none of them notices."""

import asyncio
import json
import os
import random
import shutil
import urllib.request
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.pipeline.settings import now
from benchhealth.warehouse.publish import publish
from benchhealth.warehouse.read import CURRENT, PUBLISHED_FOLDER, NoGeneration, current_path, generations, open_current
from perf.protocol import Reader
from perf.readers import Server, dashboard, served
from tests.support import asgi_client
from tests.support.many_readers import Crowd, ReadingLog, beside, read
from tests.support.night_process import AMID, BEFORE, Job, Kill, Point, finished
from tests.support.soaking import Soak

MINUTES = float(os.environ.get("BENCHHEALTH_SOAK_MINUTES", "3"))
READERS = int(os.environ.get("BENCHHEALTH_SOAK_READERS", "20"))
THINK = 6.0
"""Seconds that a reader looks at what came, half more or less."""

GROWTH = 0.05
"""How much more memory a server may hold in the last third of the time than in the middle one."""

SETTLES = 10
"""Seconds in which what the last run of a page used is let go."""

HEADERS = 3 * 4096
"""Bytes at the beginning of a DuckDB file that are read when it is opened."""

LIVE = ("evalplus", "squad")
"""Sources of the small home that ask somebody."""

NOWHERE = "http://127.0.0.1:9"
"""A mirror at which nobody answers."""

KILLED = (
    Point("publish", "benchhealth.warehouse.publish:_write", AMID, 1, 1.0),
    Point("publish", "benchhealth.warehouse.publish:_swap", BEFORE),
    Point("publish", "benchhealth.warehouse.publish:_prune", BEFORE),
)


def published_again(home: Path) -> None:
    """The same tables as a new generation."""
    with closing(open_current(home)) as served_now:
        tables = {name: served_now.table(name) for name in PUBLISHED}
    publish(home, tables, now())


def put_back(home: Path) -> None:
    """The generation before the one in service serves again, as after a restore."""
    folder = home / PUBLISHED_FOLDER
    older = generations(home)[-2:][0]
    fresh = folder / ".put-back"
    fresh.symlink_to(older.name)
    fresh.replace(folder / CURRENT)


def night_failed(home: Path, job: Job) -> None:
    """No upstream answers; a generation is published nevertheless, and says so."""
    assert finished(job) == 1, (home / "log").read_text()[-3000:]


def night_killed(job: Job, chance: random.Random) -> None:
    finished(replace(job, kill=Kill.drawn(chance.choice(KILLED), chance)))


def disturbances(home: Path, chance: random.Random) -> Mapping[str, Callable[[], None]]:
    """What happens to a home while it is read, by name."""
    job = Job(home, "nightly", LIVE, NOWHERE, patient=False)
    return {
        "published again": partial(published_again, home),
        "put back": partial(put_back, home),
        "night failed": partial(night_failed, home, job),
        "night killed": partial(night_killed, job, chance),
    }


def through(
    home: Path, server: Server, crowd: Crowd, seconds: float, chance: random.Random
) -> tuple[ReadingLog, Counter[str]]:
    """What readers went through, and what happened meanwhile, how often."""
    log, happened = ReadingLog(), Counter[str]()
    happens = disturbances(home, chance)

    def disturb() -> None:
        name = chance.choice(sorted(happens))
        happens[name]()
        happened[name] += 1

    reading = read(crowd, seconds, random.Random(chance.random()), log, [server])
    asgi_client.finished(beside(reading, disturb))
    return log, happened


def check(log: ReadingLog, happened: Counter[str]) -> None:
    assert not log.errors, log
    assert log.runs > 0
    assert log.answers > 0
    assert happened.total() > 0


@pytest.mark.soak
def test_two_readers_notice_no_publish(small_home: Path, tmp_path: Path, soak: Soak) -> None:
    """A cut of the next: one second, and what takes no night."""
    home, log, happened = shutil.copytree(small_home, tmp_path / "home", symlinks=True), ReadingLog(), Counter[str]()

    def disturb() -> None:
        published_again(home)
        put_back(home)
        happened["published again"] += 1

    with served(dashboard(home)) as server:
        crowd = Crowd(server.address, 2, 0.3, 3)
        asgi_client.finished(beside(read(crowd, 1.0, soak.random, log, [server]), disturb))
    check(log, happened)


async def _left_open(home: Path, server: Server) -> set[str]:
    """Which generations the server holds once another is in service and read, and windows of the first are open."""
    async with AsyncExitStack() as windows:
        for page in PAGES:
            window = await windows.enter_async_context(Reader(server.address, page.url_path))
            await window.visit()
        assert held(server)
        published_again(home)
        for page in PAGES:
            async with Reader(server.address, page.url_path) as another:
                await another.visit()
        for _ in range(SETTLES):
            if len(held(server)) == 1:
                break
            await asyncio.sleep(1)
        return held(server)


def held(server: Server) -> set[str]:
    """The generations that a process has open."""
    files = (link.readlink().name for link in Path(f"/proc/{server.process}/fd").iterdir())
    return {name.removesuffix(" (deleted)") for name in files if name.startswith("gen-")}


@pytest.mark.soak
def test_a_window_left_open_holds_no_generation_of_its_day(small_home: Path, tmp_path: Path) -> None:
    """Each that does takes tens of megabytes until the window is closed, be it weeks."""
    home = shutil.copytree(small_home, tmp_path / "home", symlinks=True)
    with served(dashboard(home)) as server:
        assert asgi_client.finished(_left_open(home, server)) == {current_path(home).name}


async def _shown(server: Server, pages: Sequence[PageSpec] = PAGES) -> None:
    for page in pages:
        async with Reader(server.address, page.url_path) as reader:
            await reader.visit()


@pytest.mark.soak
def test_readers_go_on_where_the_generation_is_damaged_under_them(small_home: Path, tmp_path: Path) -> None:
    """A page that meets a block that is no longer what was written is drawn from the generation before."""
    home = shutil.copytree(small_home, tmp_path / "home", symlinks=True)
    before = current_path(home).stem
    published_again(home)
    with served(dashboard(home)) as server:
        asgi_client.finished(_shown(server, PAGES[:1]))
        garble(current_path(home))
        asgi_client.finished(_shown(server))
        with urllib.request.urlopen(f"{server.address}/readyz", timeout=30) as answer:
            state = json.load(answer)
    assert (state["status"], state["generation"]["name"]) == ("ready", before)
    assert state["faults"][0]["kind"] == "other-generation"


@pytest.mark.soak
def test_damage_that_a_download_meets_is_known_to_every_page(small_home: Path, tmp_path: Path) -> None:
    """A file for others is read by a connection of its own, and pages may have all that they show in memory."""
    home = shutil.copytree(small_home, tmp_path / "home", symlinks=True)
    before = current_path(home).stem
    published_again(home)
    generation.use(home)
    view = generation.current()
    assert view.name == current_path(home).stem
    garble(current_path(home))
    with pytest.raises(NoGeneration):
        view.shared()
    assert generation.current().name == before
    assert "cannot be read" in str(generation.unread())


def garble(file: Path) -> None:
    """Other bytes in place of all but its head."""
    file.write_bytes(file.read_bytes()[:HEADERS] + b"garbage!" * (file.stat().st_size // 8))


@pytest.mark.soak
def test_some_readers_notice_nothing(small_home: Path, tmp_path: Path, soak: Soak) -> None:
    home = shutil.copytree(small_home, tmp_path / "home", symlinks=True)
    with served(dashboard(home)) as server:
        check(*through(home, server, Crowd(server.address, 2, 0.5, 3), 6.0, soak.random))


@pytest.mark.soak
def test_many_readers_notice_nothing_and_memory_is_flat(small_home: Path, tmp_path: Path, soak: Soak) -> None:
    """For three minutes, or as many as BENCHHEALTH_SOAK_MINUTES says; 20 readers, or BENCHHEALTH_SOAK_READERS."""
    home = shutil.copytree(small_home, tmp_path / "home", symlinks=True)
    with served(dashboard(home)) as server:
        heard, happened = through(home, server, Crowd(server.address, READERS, THINK), 60 * MINUTES, soak.random)
    soak.say(f"{READERS} readers for {MINUTES:g} minutes: {heard}; {dict(happened)}")
    check(heard, happened)
    assert heard.growth() < GROWTH
