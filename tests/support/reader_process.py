"""A reader process: reads a home until `stop` appears in it and reports every read as a JSON line."""

import json
import sys
import time
from pathlib import Path

from benchhealth.warehouse.reader import Reader

PAUSE = 0.005
"""Seconds between reads: two readers and a publisher may share one core."""


def read_on(home: Path, report: Path, pause: float = PAUSE) -> None:
    """Each line holds when the read began (seconds of the machine's monotonic clock) and what the two tables said."""
    reader = Reader(home)
    with report.open("w") as lines:
        while not (home / "stop").exists():
            began = time.monotonic()
            generation = reader.current()
            first = generation.query("SELECT min(difficulty), max(difficulty), count(*) FROM difficulty").row(0)
            second = generation.query("SELECT min(score), max(score), count(*) FROM capability").row(0)
            lines.write(json.dumps([began, first, second]) + "\n")
            lines.flush()
            time.sleep(pause)


if __name__ == "__main__":
    read_on(Path(sys.argv[1]), Path(sys.argv[2]), *map(float, sys.argv[3:]))
