"""Series with a known truth: models whose strength is known, tested by chance, on benchmarks of known difficulty."""

from datetime import date, timedelta

import numpy as np
from scipy.special import expit

from tests.support.frames import Row, benchmark, result

AS_OF = date(2026, 1, 1)
MONTH = 30


def day(month: int, months: int) -> date:
    return AS_OF - timedelta(days=MONTH * (months - month) - 20)


def world(
    rng: np.random.Generator, *, benchmarks: int = 16, months: int = 60, pace: float = 0.12, apart: bool = False
) -> list[Row]:
    """Results of a new model each month, `pace` logits stronger than the last but for noise, on benchmarks by chance.

    A benchmark takes every third of them; with `apart` half of the benchmarks take every second and the others one in
    twenty, so that how many came lately tells how many will. Scores are the logistic curve of strength minus
    difficulty, with small noise.
    """
    difficulty = rng.normal(pace * months / 2, 1.5, benchmarks)
    chance = np.where(np.arange(benchmarks) % 2 == 0, 0.5, 0.05) if apart else np.full(benchmarks, 1 / 3)
    rows: list[Row] = []
    for month in range(months):
        strength = pace * month + rng.normal(0, 0.25)
        for place in range(benchmarks):
            if month < 6 or rng.random() < chance[place]:
                score = float(expit(strength - difficulty[place] + rng.normal(0, 0.1)))
                on = day(month, months)
                rows.append(result(f"b{place:02}", f"m{month:03}", score, dated_on=on, observed_on=AS_OF))
    return rows


def listed(benchmarks: int = 16) -> list[Row]:
    return [benchmark(f"b{place:02}", curated=True, domain=f"area {place % 8}") for place in range(benchmarks)]
