"""A process that stores snapshots in a lake without end, to be killed at any moment."""

import sys
from datetime import timedelta
from pathlib import Path

from benchhealth.warehouse.ledger import LedgerEntry
from benchhealth.warehouse.places.lake import Lake
from benchhealth.warehouse.places.location import place
from benchhealth.warehouse.store import Store
from tests.support.facts import NOON, batch, rejection, result

ROWS = 400


def store_on(home: Path) -> None:
    """Each round stores one snapshot of ROWS results with its entry in the ledger, and says its number."""
    while True:
        with Store.open(home) as store:
            number = len(store.snapshot_ids()) + 1
            rows = [result(model_id=f"m{row}", score=number / 1e6) for row in range(ROWS)]
            observed_at = NOON + timedelta(hours=number)
            snapshot = batch(rows, ref=str(number), observed_at=observed_at, rejections=[rejection()])
            entry = LedgerEntry("squad", f"u/{number}", "p", str(number), "", "", "written", "", observed_at)
            assert store.write_all([snapshot], [entry]) == {snapshot.snapshot_id}
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    folder, libpq, data, lease = sys.argv[1:]
    place(Path(folder), Lake(libpq, data, lease_seconds=float(lease)))
    store_on(Path(folder))
