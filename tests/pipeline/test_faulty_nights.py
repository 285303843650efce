"""Nights against a host that misbehaves: late, not wrong, and in the end as against a good one."""

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.ingest.run.report import exit_code
from benchhealth.warehouse.read import open_current
from benchhealth.warehouse.store import fact_table
from tests.pipeline.test_nights import MONTH_ENDS, THREE, TWO
from tests.support.night_process import Job, finished
from tests.support.replay import EVERY, SERVE, evening, facts, pull, replaying, unlike
from tests.support.soaking import Soak

pytestmark = pytest.mark.skipif(not SERVE.exists(), reason="the replayed upstreams are not beside this checkout")

Facts = dict[str, pl.DataFrame]

SOME_ENDS = MONTH_ENDS[2::3]
"""Of all sources; thirty nights of some show the rest."""

SMALL = ("aider", "evalplus", "gsm1k", "lmarena")
WEEKS = [date(2025, 1, 5) + timedelta(weeks=number) for number in range(30)]
"""Thirty nights of some sources that change from week to week."""
ASSESSED_ON = date(2026, 9, 1)
OF_RUNS = ("run", "change", "forecast_record")
"""Tables of what was run, and of what is new since the generation before: that depends on when one was made."""


def known_to(rough: Facts, calm: Facts) -> Facts:
    """The facts of the calm home from the version on with which the other one begins to know each file.

    A night takes all versions since the last one that it took, of a new file the newest: where the first night could
    not reach a file, what came before the second is for `--history`.
    """
    begins = rough["snapshot"].group_by("source_id", "board_id").agg(begins=pl.col("observed_at").min())
    joined = calm["snapshot"].join(begins, on=["source_id", "board_id"], how="left")
    before = joined.filter(pl.col("observed_at") < pl.col("begins")).select("snapshot_id")
    return {table: rows.join(before, on="snapshot_id", how="anti").sort(pl.all()) for table, rows in calm.items()}


def faults_change_nothing(folder: Path, keys: Sequence[str], days: Sequence[date], soak: Soak) -> None:
    failed_nights = 0
    for day in days:
        seed = str(soak.random.randrange(10**6))
        calmly = pull(folder / "calm", keys, *evening(day))
        report = pull(folder / "rough", keys, *evening(day), "--faults", "0.3", "--seed", seed)
        failed = [source for source in report.sources if source.errors]
        failed_nights += len(failed) > len([source for source in calmly.sources if source.errors])
        assert exit_code(report) == (0 if not failed else 1 if len(failed) == len(report.sources) else 2)
        calm = facts(folder / "calm")
        for table, rough in facts(folder / "rough").items():
            # What is there is whole, and nothing is there twice or besides.
            assert rough.join(calm[table], on=rough.columns, how="anti", nulls_equal=True).is_empty(), (day, table)
            assert not rough.is_duplicated().any() or calm[table].is_duplicated().sum() >= rough.is_duplicated().sum()
        snapshots = fact_table(folder / "rough", "snapshot")
        assert snapshots.filter(pl.col("rows_in") != pl.col("rows_kept") + pl.col("rows_rejected")).is_empty()
    soak.say(f"{len(days)} nights of {len(keys)} sources, {failed_nights} of them failed in part")
    assert exit_code(pull(folder / "rough", keys, *evening(days[-1]))) == exit_code(calmly)
    rough = facts(folder / "rough")
    assert not unlike(rough, known_to(rough, facts(folder / "calm")))


@pytest.mark.soak
def test_three_nights_with_faults_lose_and_double_nothing(tmp_path: Path, soak: Soak) -> None:
    faults_change_nothing(tmp_path, TWO[:1], THREE, soak)


@pytest.mark.soak
def test_four_nights_of_all_sources_with_faults_lose_and_double_nothing(tmp_path: Path, soak: Soak) -> None:
    faults_change_nothing(tmp_path, EVERY, SOME_ENDS, soak)


def tables_of_home(home: Path) -> dict[str, pl.DataFrame]:
    """What a generation says, but for when and how often somebody ran what."""
    with closing(open_current(home)) as generation:
        return {
            name: generation.table(name).select(pl.exclude("fetched_at", "last_fetched_at")).sort(pl.all())
            for name in PUBLISHED
            if name not in OF_RUNS
        }


def nights_with_faults(folder: Path, days: Sequence[date], soak: Soak) -> Counter[str]:
    """Whole nights beside one another, one against a host that misbehaves from the second on; what happened."""
    calm, rough = (Job(folder / name, "nightly", SMALL) for name in ("calm", "rough"))
    seen: Counter[str] = Counter()
    for day in days:
        with replaying(*evening(day)) as url:
            assert finished(replace(calm, mirror=url)) in (0, 2), calm.log.read_text()[-3000:]
        seed = soak.random.randrange(10**6)
        faults = ("--faults", "0.3", "--seed", str(seed)) if day != days[0] else ()
        with replaying(*evening(day), *faults) as url:
            code = finished(replace(rough, mirror=url, patient=False))
        assert code in (0, 1, 2), rough.log.read_text()[-3000:]
        seen["nights"] += 1
        all_facts, facts_of_both = facts(calm.home), facts(rough.home)
        seen["nights behind"] += facts_of_both["snapshot"].height < all_facts["snapshot"].height
        for table, rows in facts_of_both.items():
            assert rows.join(all_facts[table], on=rows.columns, how="anti", nulls_equal=True).is_empty(), (day, table)
            assert rows.is_duplicated().sum() <= all_facts[table].is_duplicated().sum(), (day, table)
    with replaying(*evening(days[-1])) as url:
        for job in (calm, rough):
            assert finished(replace(job, mirror=url)) in (0, 2), job.log.read_text()[-3000:]
    for job in (calm, rough):
        assert finished(replace(job, command="assess", as_of=ASSESSED_ON)) == 0, job.log.read_text()[-3000:]
    assert not unlike(facts(rough.home), facts(calm.home))
    assert not unlike(tables_of_home(rough.home), tables_of_home(calm.home))
    seen["results"], seen["snapshots"] = facts(calm.home)["result"].height, facts(calm.home)["snapshot"].height
    return seen


@pytest.mark.soak
def test_thirty_nights_with_faults_equal_thirty_without(tmp_path: Path, soak: Soak) -> None:
    """Ingest, assess and publish, thirty times: all facts and all published tables are the same in the end."""
    soak.say(str(dict(nights_with_faults(tmp_path, WEEKS, soak))))
