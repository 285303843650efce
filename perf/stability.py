"""Diversity and sensitivity of multi-task boards: ours beside the package benchbench, which needs torch.

The package is installed in an environment of its own, made on the first run under `var/`. It measures the boards that
it brings along, in a process of its own, and hands over each board with its numbers and seconds; ours measures the
same boards. Loading modules and files counts for neither.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.multi_task import zhang_hardt as published

PACKAGES = ("torch==2.13.0", "benchbench==1.0.1")
PLACE = Path("var") / "perf" / "benchbench"
BOARDS = ("GLUE", "SuperGLUE", "OpenLLM", "HELM-accuracy")
AT_LEAST = 100
REPEATS = 5
SAME = 1e-9

THEIRS = """
import contextlib, io, json, sys, time
import torch
from benchbench.data import load_cardinal_benchmark, load_ordinal_benchmark
from benchbench.measures import cardinal, ordinal
for name in sys.argv[1:]:
    ranked = name.startswith("HELM")
    board, tasks = (load_ordinal_benchmark if ranked else load_cardinal_benchmark)(name)
    measures = ordinal if ranked else cardinal
    started = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        numbers = [*measures.get_diversity(board, tasks), *measures.get_sensitivity(board, tasks)]
    took = time.perf_counter() - started
    scores = board[list(tasks)].to_numpy(dtype=float).tolist()
    found = {"name": name, "scores": scores, "numbers": [float(n) for n in numbers], "seconds": took}
    print(json.dumps(found), flush=True)
"""


class Compared(NamedTuple):
    """One board: its size, the seconds of both (ours the best of some runs), and the largest difference in a number."""

    name: str
    models: int
    tasks: int
    theirs: float
    ours: float
    difference: float


def compare() -> list[Compared]:
    """Measure every board by both; raises CalledProcessError where the package cannot be installed or run."""
    python = _environment()
    finished = subprocess.run([python, "-c", THEIRS, *BOARDS], check=True, capture_output=True, text=True)
    return [_compared(**json.loads(line)) for line in finished.stdout.splitlines()]


def table(compared: list[Compared]) -> list[str]:
    """The printed comparison; a mark where ours is not `AT_LEAST` times as fast or a number is not the same."""
    lines = [f"{'board':<16}{'models':>8}{'tasks':>7}{'package s':>11}{'ours s':>9}{'times':>8}{'differs by':>12}"]
    for board in compared:
        times = board.theirs / board.ours
        short = "" if times >= AT_LEAST and board.difference <= SAME else " !"
        lines.append(
            f"{board.name:<16}{board.models:>8}{board.tasks:>7}{board.theirs:>11.2f}{board.ours:>9.4f}{times:>8.0f}"
            f"{board.difference:>12.0e}{short}"
        )
    return lines


def measure(scores: NDArray[np.float64], ranked: bool) -> list[float]:
    """Diversity and sensitivity of a board as the package defines them, in its order of four numbers."""
    if ranked:
        sensitivity = published.irrelevant_models([published.win_rates(scores)])[0][0]
    else:
        sensitivity = published.task_weights(scores)[0]
    return [*published.diversity(published.filled(scores)), *sensitivity]


def _compared(name: str, scores: list[list[float]], numbers: list[float], seconds: float) -> Compared:
    board = np.array(scores, dtype=np.float64)
    took = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        ours = measure(board, name.startswith("HELM"))
        took.append(time.perf_counter() - started)
    difference = float(np.abs(np.subtract(ours, numbers)).max())
    models, tasks = board.shape
    return Compared(name, models, tasks, seconds, min(took), difference)


def _environment() -> str:
    """The interpreter of an environment that holds the package, made where it is missing."""
    python = PLACE / "bin" / "python"
    made = PLACE / "made-with"
    if not made.exists() or made.read_text() != " ".join(PACKAGES):
        print(f"making {PLACE} with {', '.join(PACKAGES)} ...", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", PLACE], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *PACKAGES], check=True)
        made.write_text(" ".join(PACKAGES))
    return str(python)


if __name__ == "__main__":
    print("\n".join(table(compare())))
