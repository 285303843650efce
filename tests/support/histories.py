"""Histories of stages for tests: of facts in small frames, through indicators, verdicts and the replay."""

from datetime import date
from typing import NamedTuple

import polars as pl

from benchhealth.analytics.aging.lives import lives
from benchhealth.analytics.indicators import indicate
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.verdict.history import history_by_date
from benchhealth.analytics.verdict.replay import replay
from benchhealth.analytics.verdict.since import with_since
from benchhealth.analytics.verdict.verdict import judge
from tests.support.frames import evidence_of
from tests.support.verdicts import JUDGED_BY, LIMITS


class BenchmarkHistories(NamedTuple):
    """What follows from some facts: the evidence, the verdicts with `since`, and the table `verdict_history`."""

    facts: Frames
    evidence: Evidence
    verdict: pl.DataFrame
    history: pl.DataFrame

    @property
    def lives(self) -> pl.DataFrame:
        """Their lives, in the columns of `lives.LIFE`."""
        return lives(self.evidence, self.verdict, self.history, self.facts)


def histories_of(facts: Frames, as_of: date) -> BenchmarkHistories:
    """The history of the benchmarks of these facts, as known at `as_of`."""
    evidence = evidence_of(facts, as_of)
    table = indicate(evidence, indicators=JUDGED_BY)
    judged = judge(table, LIMITS, as_of)
    history = history_by_date(judged, replay(evidence, table, facts.breakpoint, LIMITS), evidence)
    return BenchmarkHistories(facts, evidence, with_since(judged, history), history)
