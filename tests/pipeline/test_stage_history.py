"""The history of stages of real facts: it is the verdict's, looks at no later day, and has the known stories."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

from benchhealth.analytics.indicators import indicate
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.verdict.history import BY_DATE, WITHOUT_BEGINNING, history_by_date
from benchhealth.analytics.verdict.replay import replay
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.read import Generation
from tests.support.curated_facts import curated
from tests.support.frames import evidence_of
from tests.support.verdicts import LIMITS

AS_OF = date(2026, 11, 1)


class Facts(NamedTuple):
    """What a history is made of."""

    frames: Frames
    evidence: Evidence
    indicator: pl.DataFrame


def facts_of(home: Path) -> Facts:
    frames = load(home, curated(), datetime(2026, 11, 1))
    evidence = evidence_of(frames, AS_OF)
    return Facts(frames, evidence, indicate(evidence))


@pytest.fixture(scope="module")
def small(small_home: Path) -> Facts:
    return facts_of(small_home)


def until(evidence: Evidence, cut: date) -> Evidence:
    """The evidence of a world that ends on that day."""
    undated_or_before = (pl.col("dated_on") <= cut).fill_null(value=True)
    return replace(
        evidence,
        past=evidence.history.filter(undated_or_before),
        reported=evidence.reported.filter(undated_or_before),
        known_until=evidence.known_until.with_columns(known_until=pl.min_horizontal("known_until", pl.lit(cut))),
    )


def unlike(facts: Facts, cuts: Iterable[date]) -> list[tuple[date, pl.DataFrame]]:
    """The cuts before which a replay says something else than the replay of everything, with what differs."""

    def replayed(evidence: Evidence) -> pl.DataFrame:
        return replay(evidence, facts.indicator, facts.frames.breakpoint, LIMITS)

    def stretches(days: pl.DataFrame, evidence: Evidence) -> pl.DataFrame:
        last = days.group_by("benchmark_id", maintain_order=True).last()
        judged = last.select(
            "benchmark_id", "stage", flags=pl.lit([], dtype=pl.List(pl.String)), p=pl.lit(None, pl.Float64)
        )
        rows = history_by_date(judged, days, evidence).filter(pl.col("how") != "risen")
        return rows.select("benchmark_id", "from_on", "stage", "case", "best", "best_model", "headroom", "how")

    history = replayed(facts.evidence)
    stretches_made = stretches(history, facts.evidence)
    differing = []
    for cut in cuts:
        evidence, before = until(facts.evidence, cut), pl.col("on") < cut
        part = replayed(evidence)
        dated = evidence.history.drop_nulls("dated_on").select("benchmark_id").unique()
        pairs = [
            (history.filter(before), part.filter(before)),
            (
                stretches_made.filter(pl.col("from_on") < cut).join(
                    dated, on="benchmark_id", how="semi", maintain_order="left"
                ),
                stretches(part, evidence).filter(pl.col("from_on") < cut),
            ),
        ]
        differing += [
            (cut, left.join(right, on=left.columns[:2], how="anti")) for left, right in pairs if not left.equals(right)
        ]
    return differing


TWELVE = (
    *(date(2014, 12, 31), date(2018, 6, 30), date(2020, 3, 31), date(2021, 9, 30), date(2022, 12, 31)),
    *(date(2023, 6, 30), date(2024, 2, 29), date(2024, 8, 31), date(2025, 1, 31), date(2025, 6, 30)),
    *(date(2025, 12, 31), date(2026, 5, 31)),
)


@pytest.mark.soak
def test_nothing_dated_after_a_day_is_read_on_it(small: Facts) -> None:
    assert unlike(small, [date(2019, 6, 30), date(2023, 11, 30), date(2024, 5, 31)]) == []


@pytest.mark.soak
def test_nothing_dated_after_a_day_is_read_on_it_in_all_bundled_facts(bundled_home: Path) -> None:
    assert unlike(facts_of(bundled_home), TWELVE) == []


def test_the_last_stretch_is_the_verdict_and_its_beginning_is_since(bundled: Generation) -> None:
    verdict, history = bundled.table("verdict"), bundled.table("verdict_history").filter(basis=BY_DATE)
    last = history.filter(pl.col("until_on").is_null())
    stages = last.select("benchmark_id", "stage").sort("benchmark_id")
    assert stages.equals(verdict.select("benchmark_id", "stage").sort("benchmark_id"))
    dated = verdict.drop_nulls("since").select(
        "benchmark_id", from_on="since", how="since_case", reached_on="reached_on"
    )
    assert dated.join(last, on=dated.columns, how="anti", nulls_equal=True).is_empty()
    undated = last.filter(pl.col("from_on").is_null())
    assert set(undated["how"]) <= set(WITHOUT_BEGINNING)
    assert undated["benchmark_id"].is_in(verdict.filter(pl.col("since").is_null())["benchmark_id"].implode()).all()
    follows = history.with_columns(next_on=pl.col("from_on").shift(-1).over("benchmark_id")).drop_nulls("until_on")
    assert (follows["until_on"] == follows["next_on"]).all()
    assert (follows["until_on"] > follows["from_on"]).all()


def test_every_saturated_benchmark_is_a_death_or_named_and_no_other_is_one(bundled: Generation) -> None:
    saturated = bundled.table("verdict").filter(
        pl.col("stage") == "saturated", ~pl.col("benchmark_id").str.contains("/", literal=True)
    )
    life = bundled.table("life")
    assert saturated.join(life, on="benchmark_id", how="anti").is_empty()
    dead = life.filter(pl.col("fate") == "saturated")
    assert dead.join(saturated, on="benchmark_id", how="anti").is_empty()
    counted = dead.filter(pl.col("case") == "watched")
    assert counted.height == bundled.table("survival").filter(pl.col("cohort") == "all")["events"].sum()
    days = dead.join(saturated, on="benchmark_id").filter(pl.col("exit_on") != pl.col("since"))
    assert days.is_empty()


SINCE = {
    "squad-1.1": date(2020, 4, 11),
    "squad-2.0": date(2020, 11, 19),
    "imagenet": date(2023, 11, 20),
    "cifar-10": date(2020, 10, 3),
    "humaneval": date(2024, 11, 12),
}


def test_known_stories_at_their_days(bundled: Generation) -> None:
    verdict = bundled.table("verdict")
    since = dict(verdict.filter(pl.col("benchmark_id").is_in(list(SINCE))).select("benchmark_id", "since").iter_rows())
    assert since == SINCE
    cifar = (
        bundled.table("verdict_history")
        .filter(basis=BY_DATE)
        .filter(pl.col("benchmark_id") == "cifar-10", "taken_back")
    )
    assert cifar.select("from_on", "until_on").rows() == [(date(2014, 12, 18), SINCE["cifar-10"])]
