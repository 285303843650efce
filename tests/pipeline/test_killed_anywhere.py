"""Five hundred kills, at named points of every phase and at any moment: nothing is lost or doubled, and nobody notices.

A night over a few real sources is killed, again and again; after each kill what is stored is whole, and the generation
in service can be read, as a reader beside it does all the time. Then a night comes to its end without a hand, and all
is as where nobody was killed.
"""

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from signal import SIGKILL

import polars as pl
import pytest

from tests.pipeline.test_killed_nights import check_whole
from tests.support.night_process import AFTER, AMID, BEFORE, Job, Kill, Point, finished, start
from tests.support.replay import ROOT, SERVE, evening, facts, replaying, unlike
from tests.support.soaking import Soak
from warehouse.publish import KEEP, generations
from warehouse.read import NoGeneration, open_current
from warehouse.status import run_table
from warehouse.store import DATABASE

pytestmark = pytest.mark.skipif(not SERVE.exists(), reason="the replayed upstreams are not beside this checkout")

SOURCES = ("aider", "evalplus", "gsm1k", "lmarena")
BUNDLED = ("evalplus", "gsm1k")
DAYS = [date(2025, 1, 5) + timedelta(weeks=3 * number) for number in range(6)]
"""Some new versions come between two of them."""

CHAIN = 6
"""Kills one after the other, at most, until a night is left in peace."""

STORES: Mapping[str, Mapping[str, str]] = {"file": {}}
"""Where the facts are kept, by what the environment says of it."""

OWN = "benchmark_id,model,score,unit\n" + "".join(f"import-own,Own {row},{row / 10},percent\n" for row in range(500))

POINTS = (
    *(Point("fetch", "ingest.network.fetch:Fetcher.get", when, 8) for when in (BEFORE, AFTER)),
    Point("fetch", "ingest.network.fetch:Fetcher.get", AMID, 8, 0.02),
    *(Point("save", "ingest.network.raw:save", when, 5) for when in (BEFORE, AFTER)),
    Point("save", "ingest.network.raw:save", AMID, 5, 0.005),
    Point("save", "ingest.network.raw:_sync_folder", BEFORE, 5),
    *(Point("parse", "ingest.run.reader:resolve", when, 5) for when in (BEFORE, AFTER)),
    Point("parse", "ingest.run.reader:Reader.read", AMID, 5, 0.05),
    *(Point("write", "warehouse.store:Store.write_all", when, 4) for when in (BEFORE, AFTER)),
    *(Point("write", f"warehouse.store:{name}", AMID, 4, 0.1) for name in ("Store.write_all", "Store.write_looks")),
    *(Point("write", "warehouse.store:append", when, 20) for when in (BEFORE, AFTER)),
    *(Point("ledger", f"warehouse.ledger:Ledger.{name}", AFTER, 2) for name in ("record", "append", "start_run")),
    Point("ledger", "warehouse.ledger:Ledger.record", AMID, 2, 0.01),
    *(Point("ledger", "pipeline.night:Store.write_sources", when) for when in (BEFORE, AFTER)),
    *(Point("assess", "pipeline.night:assess_frames", when) for when in (BEFORE, AFTER)),
    Point("assess", "pipeline.night:assess_frames", AMID, 1, 2.0),
    *(Point("assess", "warehouse.ledger:Ledger.end_run", when) for when in (BEFORE, AFTER)),
    Point("publish", "warehouse.publish:_write", AMID, 1, 1.5),
    Point("publish", "warehouse.publish:append", AFTER, 60),
    *(
        Point("publish", f"warehouse.publish:{name}", BEFORE)
        for name in ("check_generation", "_put_in_service", "_swap")
    ),
    *(Point("publish", f"warehouse.publish:{name}", AFTER) for name in ("_write", "_swap")),
    Point("publish", "warehouse.publish:_put_in_service", AMID, 1, 0.002),
    *(Point("prune", "warehouse.publish:_prune", when) for when in (BEFORE, AFTER)),
    *(Point("prune", "warehouse.publish:_discard", when, 4) for when in (BEFORE, AFTER)),
    *(Point("prune", "pipeline.night:issue", when) for when in (BEFORE, AFTER)),
    *(Point("init", "pipeline.night:restore", when) for when in (BEFORE, AFTER)),
    Point("init", "pipeline.night:restore", AMID, 1, 0.2),
    *(Point("init", "warehouse.store:Store.append_all", when) for when in (BEFORE, AFTER)),
    Point("init", "pipeline.night:follow_rules", AFTER),
    Point("init", "warehouse.ledger:Ledger.record", AFTER),
    Point("init", "warehouse.publish:_swap", BEFORE),
    Point("init", "pipeline.night:assess_frames", BEFORE),
    *(
        Point("import", f"pipeline.night:{name}", when)
        for name in ("read_path", "store_reading")
        for when in (BEFORE, AFTER)
    ),
    Point("import", "pipeline.night:store_reading", AMID, 1, 0.1),
    *(Point("import", "warehouse.store:append", when, 8) for when in (BEFORE, AFTER)),
    Point("import", "ingest.network.raw:save", AFTER),
)
KILLS = {
    **{"fetch": 70, "save": 70, "parse": 60, "write": 80, "ledger": 40, "assess": 30, "publish": 50, "prune": 20},
    **{"init": 20, "import": 30, "any": 30},
}
COMMANDS = dict.fromkeys(("fetch", "save", "parse", "write"), "ingest")
"""What is killed in place of a whole night: one that outlives its kill has not assessed in vain."""

ANY = 4.0
"""Seconds after its beginning at which a night that is killed at any moment has been killed at the latest."""


Facts = dict[str, pl.DataFrame]


class Calm:
    """Nights in which nobody is killed: what there is after each, and the home as it was after the first."""

    def __init__(self, folder: Path, store: Mapping[str, str], mirrors: Sequence[str]) -> None:
        self.mirrors = mirrors
        self.first = folder / "first"
        self._home, self._store = folder / "calm", store
        self._days: list[Facts] = []

    def day(self, number: int) -> Facts:
        """What there is after this night, which is played where it was not yet."""
        for mirror in self.mirrors[len(self._days) : number + 1]:
            succeed(Job(self._home, "nightly", SOURCES, mirror, environment=self._store))
            self._days.append(facts(self._home))
            if not self.first.exists():
                shutil.copytree(self._home, self.first, symlinks=True)
        return self._days[number]


@pytest.fixture(scope="module", params=STORES)
def store(request: pytest.FixtureRequest) -> Mapping[str, str]:
    return STORES[request.param]


@pytest.fixture(scope="module")
def calm(store: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Calm]:
    with ExitStack() as servers:
        mirrors = [servers.enter_context(replaying(*evening(day))) for day in DAYS]
        yield Calm(tmp_path_factory.mktemp("nights"), store, mirrors)


def succeed(job: Job) -> None:
    """The command comes to its end; what is not there yet is its source's failure alone."""
    assert finished(job) in (0, 2), job.log.read_text()[-3000:]


@contextmanager
def read_all_the_time(home: Path) -> Iterator[None]:
    """A reader in a process of its own, whom nothing may disturb."""
    report = home / "reads"
    (home / "stop").unlink(missing_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.reader_process", home, report, "0.2"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield
    finally:
        (home / "stop").touch()
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
    assert len([json.loads(line) for line in report.read_text().splitlines()]) > 0


def killed(job: Job, chance: random.Random) -> bool:
    """Whether the command was killed: at its point, or at any moment; False where it came to its end before."""
    if job.kill is not None:
        code = finished(job)
    else:
        process = start(job)
        process.join(chance.uniform(0, ANY))
        process.kill()
        process.join()
        code = process.exitcode or 0
    assert code in (0, 2, -SIGKILL), job.log.read_text()[-3000:]
    return code == -SIGKILL


def check_served(home: Path) -> None:
    with closing(open_current(home)) as generation:
        assert generation.table("result").height > 0
        generation.read_through()


@dataclass
class Counted:
    """What a series of kills came to."""

    kills: int = 0
    outlived: int = 0
    nights: int = 0

    def __str__(self) -> str:
        return f"{self.kills} kills, {self.outlived} outlived, {self.nights} nights after them, all as without"


def timeless(found: Facts) -> Facts:
    """The facts without the instants at which somebody imported them."""
    imported = pl.col("source_id") == "import"
    return found | {"snapshot": found["snapshot"].with_columns(observed_at=pl.when(~imported).then("observed_at"))}


def new_home(calm: Calm, folder: Path) -> Path:
    calm.day(0)
    shutil.rmtree(folder / "home", ignore_errors=True)
    shutil.copytree(calm.first, folder / "home", symlinks=True)
    return folder / "home"


@dataclass(frozen=True)
class Killing:
    """A series of kills in one phase, over one store, in a folder of its own."""

    phase: str
    wanted: int
    calm: Calm
    store: Mapping[str, str]
    folder: Path
    soak: Soak
    counted: Counted = field(default_factory=Counted)

    def run(self) -> Counted:
        """Kill until there are as many kills as wanted."""
        series = {"init": self._inits, "import": self._imports}.get(self.phase, self._nights)
        series()
        return self.counted

    def _kill(self, job: Job, reference: Facts) -> None:
        """Some kills, what is stored whole after each and never less than before; then the command in peace."""
        points, stored = [point for point in POINTS if point.phase == self.phase], 0
        for _ in range(min(self.soak.random.randint(1, CHAIN), self.wanted - self.counted.kills)):
            drawn = Kill.drawn(self.soak.random.choice(points), self.soak.random) if points else None
            if not killed(replace(job, command=COMMANDS.get(self.phase, job.command), kill=drawn), self.soak.random):
                self.counted.outlived += 1
                continue
            self.counted.kills += 1
            now = check_whole(timeless(facts(job.home)), reference) if (job.home / DATABASE).exists() else 0
            assert now >= stored, f"killed {drawn}"
            stored = now
        succeed(job)
        self.counted.nights += 1
        assert not unlike(timeless(facts(job.home)), reference)
        with suppress(NoGeneration):
            check_served(job.home)

    def _nights(self) -> None:
        while self.counted.kills < self.wanted:
            home = new_home(self.calm, self.folder)
            with read_all_the_time(home):
                for number, mirror in enumerate(self.calm.mirrors):
                    if number and self.counted.kills < self.wanted:
                        job = Job(home, "nightly", SOURCES, mirror, environment=self.store)
                        self._kill(job, self.calm.day(number))
            assert set(run_table(home)["status"]) <= {"crashed", "ok", "partial"}
            assert not list((home / "raw").rglob("*.part"))
            assert len(generations(home)) <= KEEP

    def _imports(self) -> None:
        own = self.folder / "own.csv"
        own.write_text(OWN)
        succeed(self._import(new_home(self.calm, self.folder), own))
        reference = timeless(facts(self.folder / "home"))
        while self.counted.kills < self.wanted:
            home = new_home(self.calm, self.folder)
            with read_all_the_time(home):
                self._kill(self._import(home, own), reference)

    def _import(self, home: Path, own: Path) -> Job:
        return Job(home, "import", SOURCES, path=own, environment=self.store)

    def _inits(self) -> None:
        bundle = self.folder / "bundle"
        bundle.mkdir()
        for key in BUNDLED:
            (bundle / f"{key}.parquet").symlink_to(ROOT / "data" / "snapshot" / f"{key}.parquet")
        job = Job(self.folder / "whole", "init", BUNDLED, bundle=bundle, environment=self.store)
        succeed(job)
        reference = timeless(facts(job.home))
        while self.counted.kills < self.wanted:
            shutil.rmtree(self.folder / "home", ignore_errors=True)
            self._kill(replace(job, home=self.folder / "home"), reference)


@pytest.mark.soak
@pytest.mark.parametrize("phase", KILLS)
def test_kills_lose_nothing_double_nothing_and_disturb_nobody(
    phase: str, calm: Calm, store: Mapping[str, str], tmp_path: Path, soak: Soak
) -> None:
    counted = Killing(phase, KILLS[phase], calm, store, tmp_path, soak).run()
    soak.say(str(counted))
    assert counted.kills == KILLS[phase]


@pytest.mark.soak
def test_a_night_killed_as_it_writes_and_as_it_publishes_is_finished_by_the_next(
    tmp_path: Path, soak: Soak, calm: Calm, store: Mapping[str, str]
) -> None:
    """The same for a night: the suite has time for two kills."""
    home = new_home(calm, tmp_path)
    job = Job(home, "nightly", SOURCES, calm.mirrors[1], environment=store)
    with read_all_the_time(home):
        for point in (
            Point("write", "warehouse.store:append", AFTER),
            Point("publish", "warehouse.publish:_swap", BEFORE),
        ):
            assert killed(replace(job, kill=Kill.drawn(point, soak.random)), soak.random)
            check_whole(facts(home), calm.day(1))
            check_served(home)
        succeed(job)
    assert not unlike(facts(home), calm.day(1))


def test_all_phases_are_killed_five_hundred_times() -> None:
    assert sum(KILLS.values()) == 500
    assert {point.phase for point in POINTS} | {"any"} == set(KILLS)
