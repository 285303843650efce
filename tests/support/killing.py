"""A night that is killed again and again, at named points of its phases and at any moment.

It runs over a few real sources; after each kill what is stored is whole, and the generation in service can be read, as
a reader beside it does all the time. Then a night comes to its end without a hand, and all is as where nobody was
killed.
"""

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from signal import SIGKILL

import polars as pl

from benchhealth.ingest.network.raw import sweep
from benchhealth.warehouse.publish import KEEP
from benchhealth.warehouse.read import NoGeneration, generations, open_current
from benchhealth.warehouse.status import run_table
from tests.support.lakes.homes import SECONDS, Homes
from tests.support.night_process import AFTER, AMID, BEFORE, Job, Kill, Point, finished, start
from tests.support.replay import ROOT, evening, facts, replaying, unlike
from tests.support.soaking import Soak

SOURCES = ("aider", "evalplus", "gsm1k", "lmarena")
BUNDLED = ("evalplus", "gsm1k")
DAYS = [date(2025, 1, 5) + timedelta(weeks=3 * number) for number in range(6)]
"""Some new versions come between two of them."""

CHAIN = 6
"""Kills one after the other, at most, until a night is left in peace."""

LONG_AFTER = datetime(2100, 1, 1)

OWN = "benchmark_id,model,score,unit\n" + "".join(f"import-own,Own {row},{row / 10},percent\n" for row in range(500))

POINTS = (
    *(Point("fetch", "benchhealth.ingest.network.fetch:Fetcher.get", when, 8) for when in (BEFORE, AFTER)),
    Point("fetch", "benchhealth.ingest.network.fetch:Fetcher.get", AMID, 8, 0.02),
    *(Point("save", "benchhealth.ingest.network.raw:save", when, 5) for when in (BEFORE, AFTER)),
    Point("save", "benchhealth.ingest.network.raw:save", AMID, 5, 0.005),
    Point("save", "benchhealth.ingest.network.raw:put_on_disk", BEFORE, 5),
    *(Point("parse", "benchhealth.ingest.run.reader:resolve", when, 5) for when in (BEFORE, AFTER)),
    Point("parse", "benchhealth.ingest.run.reader:Reader.read", AMID, 5, 0.05),
    *(Point("write", "benchhealth.warehouse.store:Store.write_all", when, 4) for when in (BEFORE, AFTER)),
    *(
        Point("write", f"benchhealth.warehouse.store:{name}", AMID, 4, 0.1)
        for name in ("Store.write_all", "Store.write_looks")
    ),
    *(Point("write", "benchhealth.warehouse.store:append", when, 20) for when in (BEFORE, AFTER)),
    *(
        Point("ledger", f"benchhealth.warehouse.ledger:Ledger.{name}", AFTER, 2)
        for name in ("record", "append", "start_run")
    ),
    Point("ledger", "benchhealth.warehouse.ledger:Ledger.record", AMID, 2, 0.01),
    *(Point("ledger", "benchhealth.pipeline.night:Store.write_sources", when) for when in (BEFORE, AFTER)),
    *(Point("assess", "benchhealth.pipeline.night:assess_frames", when) for when in (BEFORE, AFTER)),
    Point("assess", "benchhealth.pipeline.night:assess_frames", AMID, 1, 2.0),
    *(Point("assess", "benchhealth.warehouse.ledger:Ledger.end_run", when) for when in (BEFORE, AFTER)),
    Point("publish", "benchhealth.warehouse.publish:_write", AMID, 1, 1.5),
    Point("publish", "benchhealth.warehouse.publish:append", AFTER, 60),
    *(
        Point("publish", f"benchhealth.warehouse.publish:{name}", BEFORE)
        for name in ("check_generation", "_put_in_service", "_swap")
    ),
    *(Point("publish", f"benchhealth.warehouse.publish:{name}", AFTER) for name in ("_write", "_swap")),
    Point("publish", "benchhealth.warehouse.publish:_put_in_service", AMID, 1, 0.002),
    *(Point("prune", "benchhealth.warehouse.publish:_prune", when) for when in (BEFORE, AFTER)),
    *(Point("prune", "benchhealth.warehouse.publish:_discard", when, 4) for when in (BEFORE, AFTER)),
    *(Point("prune", "benchhealth.pipeline.night:issue", when) for when in (BEFORE, AFTER)),
    *(Point("init", "benchhealth.pipeline.night:restore", when) for when in (BEFORE, AFTER)),
    Point("init", "benchhealth.pipeline.night:restore", AMID, 1, 0.2),
    *(Point("init", "benchhealth.warehouse.store:Store.append_all", when) for when in (BEFORE, AFTER)),
    Point("init", "benchhealth.pipeline.night:follow_rules", AFTER),
    Point("init", "benchhealth.warehouse.ledger:Ledger.record", AFTER),
    Point("init", "benchhealth.warehouse.publish:_swap", BEFORE),
    Point("init", "benchhealth.pipeline.night:assess_frames", BEFORE),
    *(
        Point("import", f"benchhealth.pipeline.night:{name}", when)
        for name in ("read_path", "store_reading")
        for when in (BEFORE, AFTER)
    ),
    Point("import", "benchhealth.pipeline.night:store_reading", AMID, 1, 0.1),
    *(Point("import", "benchhealth.warehouse.store:append", when, 8) for when in (BEFORE, AFTER)),
    Point("import", "benchhealth.ingest.network.raw:save", AFTER),
    *(
        Point("lease", f"benchhealth.warehouse.places.leases:Leases.{name}", AFTER, 12)
        for name in ("_take", "_free", "write")
    ),
    *(Point("lease", f"benchhealth.warehouse.places.leases:Leases.{name}", BEFORE, 12) for name in ("_free", "_check")),
    *(
        Point("lease", f"benchhealth.warehouse.places.leases:Leases.{name}", AFTER)
        for name in ("begin", "end", "close")
    ),
    *(Point("lease", "benchhealth.warehouse.places.lake:Lake._fence", when) for when in (BEFORE, AFTER)),
    *(Point("lease", "benchhealth.warehouse.places.lake:migrate", when) for when in (BEFORE, AFTER)),
)
KILLS = {
    "file": {
        **{"fetch": 55, "save": 60, "parse": 50, "write": 40, "ledger": 20, "assess": 20, "publish": 35, "prune": 15},
        **{"init": 10, "import": 20, "any": 15},
    },
    "lake": {
        **{"fetch": 15, "save": 10, "parse": 10, "write": 30, "ledger": 20, "assess": 10, "publish": 10, "prune": 5},
        **{"init": 10, "import": 10, "any": 10, "lease": 20},
    },
}
"""By store; after a kill over the lake the next run waits until the lease of the dead one has ended."""
COMMANDS = dict.fromkeys(("fetch", "save", "parse", "write"), "ingest")
"""What is killed, and then comes to its end, in place of a whole night; a whole one ends what a home goes through."""

ANY = 4.0
"""Seconds after its beginning at which a night that is killed at any moment has been killed at the latest."""


Facts = dict[str, pl.DataFrame]


class Calm:
    """Nights in which nobody is killed: what there is after each, and the home as it was after the first."""

    def __init__(self, folder: Path, homes: Homes, mirrors: Sequence[str]) -> None:
        self.mirrors = mirrors
        self.homes = homes
        self.first = folder / "first"
        self._home = folder / "calm"
        self._days: list[Facts] = []
        homes.new(self._home)

    def day(self, number: int) -> Facts:
        """What there is after this night, which is played where it was not yet."""
        for mirror in self.mirrors[len(self._days) : number + 1]:
            succeed(Job(self._home, "nightly", SOURCES, mirror, environment=self.homes.environment_of(self._home)))
            self._days.append(facts(self._home))
            if not self.first.exists():
                self.homes.copy(self._home, self.first)
        return self._days[number]


@contextmanager
def calm_nights(folder: Path, homes: Homes) -> Iterator[Calm]:
    """The nights of `DAYS`, each from a server of its own."""
    with ExitStack() as servers:
        mirrors = [servers.enter_context(replaying(*evening(day))) for day in DAYS]
        yield Calm(folder, homes, mirrors)


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


def check_whole(tables: dict[str, pl.DataFrame], reference: dict[str, pl.DataFrame]) -> int:
    """What is stored is whole and belongs there; returns how many versions that is."""
    for table, rows in tables.items():
        assert rows.join(reference[table], on=rows.columns, how="anti", nulls_equal=True).is_empty(), table
        assert rows.is_duplicated().sum() <= reference[table].is_duplicated().sum(), table
    snapshots = tables["snapshot"]
    assert snapshots["snapshot_id"].is_unique().all()
    stored_ids = pl.concat([tables[table].select("snapshot_id") for table in ("result", "model_fact", "report_fact")])
    for rows, column in ((stored_ids, "rows_kept"), (tables["rejection"].select("snapshot_id"), "rows_rejected")):
        counted = snapshots.join(rows.group_by("snapshot_id").len(), on="snapshot_id", how="left")
        assert (counted[column] == counted["len"].fill_null(0)).all()
    return snapshots.height


def check_swept(home: Path) -> None:
    """What a killed run had begun to save goes when it is old; until then another worker may be saving it."""
    sweep(home, LONG_AFTER)
    assert not list((home / "raw").rglob("*.part"))


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


def timeless(tables: Facts) -> Facts:
    """The facts without the instants at which somebody imported them."""
    imported = pl.col("source_id") == "import"
    return tables | {"snapshot": tables["snapshot"].with_columns(observed_at=pl.when(~imported).then("observed_at"))}


def new_home(calm: Calm, folder: Path) -> Path:
    calm.day(0)
    calm.homes.copy(calm.first, folder / "home")
    return folder / "home"


def stored(home: Path, reference: Facts) -> int:
    """How many versions are stored, all of them whole; none where there are no facts yet."""
    try:
        tables = facts(home)
    except FileNotFoundError:
        return 0
    return check_whole(timeless(tables), reference)


@dataclass(frozen=True)
class Killing:
    """A series of kills in one phase, over one store, in a folder of its own."""

    phase: str
    wanted: int
    calm: Calm
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
        points, before = [point for point in POINTS if point.phase == self.phase], 0
        for _ in range(min(self.soak.random.randint(1, CHAIN), self.wanted - self.counted.kills)):
            drawn = Kill.drawn(self.soak.random.choice(points), self.soak.random) if points else None
            if not killed(replace(job, kill=drawn), self.soak.random):
                self.counted.outlived += 1
                continue
            self.counted.kills += 1
            now = stored(job.home, reference)
            assert now >= before, f"killed {drawn}"
            before = now
        self._succeed(job, reference)

    def _succeed(self, job: Job, reference: Facts) -> None:
        succeed(job)
        self.counted.nights += 1
        assert not unlike(timeless(facts(job.home)), timeless(reference))
        with suppress(NoGeneration):
            check_served(job.home)

    def _nights(self) -> None:
        command = COMMANDS.get(self.phase, "nightly")
        while self.counted.kills < self.wanted:
            home = new_home(self.calm, self.folder)
            with read_all_the_time(home):
                for number, mirror in list(enumerate(self.calm.mirrors))[1:]:
                    if self.counted.kills < self.wanted:
                        job = Job(home, command, SOURCES, mirror, environment=self.calm.homes.environment_of(home))
                        self._kill(job, self.calm.day(number))
                if command != "nightly":
                    self._succeed(replace(job, command="nightly"), facts(home))
            time.sleep(SECONDS)  # for so long the last one that was killed may go on, as others see it
            assert set(run_table(home)["status"]) <= {"crashed", "ok", "partial"}
            check_swept(home)
            assert len(generations(home)) <= KEEP

    def _imports(self) -> None:
        own_results = self.folder / "own.csv"
        own_results.write_text(OWN)
        succeed(self._import(new_home(self.calm, self.folder), own_results))
        reference = timeless(facts(self.folder / "home"))
        while self.counted.kills < self.wanted:
            home = new_home(self.calm, self.folder)
            with read_all_the_time(home):
                self._kill(self._import(home, own_results), reference)

    def _import(self, home: Path, own_results: Path) -> Job:
        return Job(home, "import", SOURCES, path=own_results, environment=self.calm.homes.environment_of(home))

    def _inits(self) -> None:
        bundle = self.folder / "bundle"
        bundle.mkdir()
        for key in BUNDLED:
            (bundle / f"{key}.parquet").symlink_to(ROOT / "data" / "snapshot" / f"{key}.parquet")
        succeed(self._init("whole", bundle))
        reference = timeless(facts(self.folder / "whole"))
        while self.counted.kills < self.wanted:
            self._kill(self._init("home", bundle), reference)

    def _init(self, name: str, bundle: Path) -> Job:
        home = self.folder / name
        self.calm.homes.new(home)
        return Job(home, "init", BUNDLED, bundle=bundle, environment=self.calm.homes.environment_of(home))


def check_kills(wanted: int, phase: str, calm: Calm, folder: Path, soak: Soak) -> None:
    """As many kills as wanted in this phase; says what they came to."""
    counted = Killing(phase, wanted, calm, folder, soak).run()
    soak.say(str(counted))
    assert counted.kills == wanted


def check_two_kills_of_a_night(calm: Calm, folder: Path, soak: Soak) -> None:
    """A night killed as it writes and as it publishes is finished by the next."""
    home = new_home(calm, folder)
    job = Job(home, "nightly", SOURCES, calm.mirrors[1], environment=calm.homes.environment_of(home))
    with read_all_the_time(home):
        for point in (
            Point("write", "benchhealth.warehouse.store:append", AFTER),
            Point("publish", "benchhealth.warehouse.publish:_swap", BEFORE),
        ):
            assert killed(replace(job, kill=Kill.drawn(point, soak.random)), soak.random)
            check_whole(facts(home), calm.day(1))
            check_served(home)
        succeed(job)
    assert not unlike(facts(home), calm.day(1))
