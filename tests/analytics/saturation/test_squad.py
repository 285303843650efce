"""SQuAD 2.0 from its own file: when the human line was passed, and what is left of the benchmark."""

from datetime import date

import numpy as np
import polars as pl

from benchhealth.analytics.assess import assess
from benchhealth.ingest.sources import squad
from tests.support.frames import benchmark, frames, result
from tests.support.upstream import needs_upstream, versions

AS_OF = date(2025, 6, 30)


@needs_upstream
def test_human_line_passed_on_2019_03_20_then_saturated_and_dormant() -> None:
    newest = versions("rajpurkar/SQuAD-explorer", "out-v2.0.json")[-1]
    parsed = squad.parse(newest.body, "out-v2.0.json")
    rows = {
        row.model: result(
            row.benchmark,
            row.model,
            float(row.score) / 100,
            dated_on=date.fromisoformat(row.dated_on),
            date_basis="submission",
            observed_on=newest.committed_at.date(),
            source_id="squad",
            kind=row.kind,
        )
        for row in parsed.rows
        if row.benchmark == "squad-2.0" and row.score and not row.reject
    }
    # the human score is printed on the leaderboard; 8,862 test questions; always abstaining gives 48.9
    about = benchmark("squad-2.0", floor=0.489, human=0.86831, human_items=8862, n_items=8862, labels="hidden")
    facts = frames(rows.values(), [about])
    tables = assess(facts, AS_OF, np.random.default_rng(0), tables=("frontier", "verdict")).tables
    passed = tables["frontier"].filter(pl.col("score") > 0.86831)["dated_on"].min()
    assert passed == date(2019, 3, 20)
    verdict = tables["verdict"].row(0, named=True)
    assert (verdict["stage"], verdict["flags"]) == ("saturated", ["dormant"])
