"""Worlds of known truth: dated items of one contest after another, and boards that some models may have seen."""

from datetime import date

import numpy as np
from scipy.special import expit

from benchhealth.analytics.capability.cells import Cells
from benchhealth.analytics.contamination.anomaly.fresh import Scale
from benchhealth.analytics.contamination.cutoff.panel import Panel
from benchhealth.analytics.statistics.arrays import Numbers

MONTHS = [date(2023 + month // 12, month % 12 + 1, 1) for month in range(4, 15)]
END = date(2023, 8, 30)
STRATA = 3
PER_CELL = 12


def contest(rng: np.random.Generator, leak: float = 0.0, drift: float = 0.15, others: int = 25) -> Panel:
    """The first model's training ended at END, that of the others long before; it knows `leak` of what came before END.

    Items have difficulties of their own, differ by stratum and get harder by `drift` logits a month; months have a
    spread too. Abilities of the models differ, and each has a liking of its own for every stratum.
    """
    month = np.repeat(np.arange(len(MONTHS)), STRATA * PER_CELL)
    stratum = np.tile(np.repeat(np.arange(STRATA), PER_CELL), len(MONTHS))
    hard = rng.normal(0, 1.0, month.size) + 1.5 * (stratum - 1) + drift * month + rng.normal(0, 0.4, len(MONTHS))[month]
    able = rng.normal(0, 1.0, others + 1)
    liking = rng.normal(0, 0.2, (others + 1, STRATA))
    solved = expit(able[:, None] + liking[:, stratum] - hard[None, :])
    shown = rng.binomial(10, solved) / 10
    before = np.array([MONTHS[number] <= END for number in month])
    leaked = before & (rng.random(month.size) < leak)
    shown[0, leaked] = 1.0
    cell = month * STRATA + stratum
    score = np.stack([np.bincount(cell, row) / PER_CELL for row in shown])
    return Panel(
        benchmark_id="contest",
        model_ids=[f"m{number:02}" for number in range(others + 1)],
        score=score,
        items=np.full(score.shape[1], float(PER_CELL)),
        month=[MONTHS[number // STRATA] for number in range(score.shape[1])],
        stratum=np.arange(score.shape[1]) % STRATA,
        ends=[END, *[date(2022, 1, 1)] * others],
        said_by=["lab"] + [""] * others,
        is_newest=[True] * (others + 1),
    )


def boards_of(rng: np.random.Generator, leaked: tuple[int, float] | None = None, models: int = 40) -> Scale:
    """Ten boards of 500 items that nobody can have seen and five of 1,000 that everybody may have, with known curves.

    Every model misses its curve by some points, with heavier tails than normal. `leaked` is one model and the share of
    every seen board that it knows.
    """
    fresh, seen = 10, 5
    n = fresh + seen
    able, difficulty = rng.normal(0, 1.0, models), rng.normal(0, 1.0, n)
    slope = np.exp(rng.normal(0, 0.2, n))
    model, board = (grid.ravel() for grid in np.meshgrid(np.arange(models), np.arange(n), indexing="ij"))
    tested = (rng.random(model.size) < 0.7) | (board >= fresh)
    model, board = model[tested], board[tested]
    items = np.where(board < fresh, 500, 1000)
    misfit: Numbers = 0.25 * rng.standard_t(5, model.size) / np.sqrt(5 / 3)
    truth = expit(slope[board] * (able[model] - difficulty[board]) + misfit)
    if leaked is not None:
        mine = (model == leaked[0]) & (board >= fresh)
        truth[mine] += leaked[1] * (1 - truth[mine])
    score = rng.binomial(items, truth) / items
    error = np.sqrt(np.clip(score, 0.01, 0.99) * (1 - np.clip(score, 0.01, 0.99)) / items)
    cells = Cells(
        model_ids=tuple(f"m{number:02}" for number in range(models)),
        benchmark_ids=tuple(f"b{number:02}" for number in range(n)),
        model=model,
        benchmark=board,
        score=score,
        error=error,
        floor=np.zeros(n),
        span=np.ones(n),
    )
    return Scale(
        cells=cells,
        difficulty=difficulty,
        slope=slope,
        variance=error**2 + 0.04**2,
        is_fresh=board < fresh,
        is_exposed=board >= fresh,
        family=list(cells.benchmark_ids),
    )
