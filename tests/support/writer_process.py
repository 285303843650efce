"""A process that stores snapshots and publishes them without end, to be killed at any moment."""

import sys
from datetime import timedelta
from pathlib import Path

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.store import Store, fact_table
from tests.support.facts import NOON, batch, benchmark, derived, publish, registry, rejection, result, sources

ROWS = 400


def work_on(home: Path) -> None:
    """Each round stores one snapshot of ROWS results and publishes all there are, with their number as a marker."""
    curated = registry()
    while True:
        with Store.open(home) as store:
            store.write_sources(sources("squad"))
            number = fact_table(home, "snapshot").height + 1
            store.ledger.start_run(f"run {fact_table(home, 'run_start').height}", "work", NOON)
            rows = [result(model_id=f"m{row}", score=number / 1e6) for row in range(ROWS)]
            about_squad = [benchmark("squad-2.0", "SQuAD 2.0")]
            observed_at = NOON + timedelta(hours=number)
            store.write(
                batch(rows, ref=str(number), observed_at=observed_at, rejections=[rejection()], benchmarks=about_squad)
            )
            marker = pl.DataFrame([("all", float(number), None)], schema=PUBLISHED["difficulty"], orient="row")
            publish(home, curated, load(home, curated, observed_at), derived(difficulty=marker), observed_at)
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    work_on(Path(sys.argv[1]))
