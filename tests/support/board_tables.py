"""Tables about a long board and a board of many tasks, as the analytics makes them of invented ranks and scores."""

from datetime import date, datetime, timedelta

import numpy as np
import polars as pl

from benchhealth.analytics.churn.dwell import dwell, volatility
from benchhealth.analytics.churn.lead import lead_changes
from benchhealth.analytics.multi_task.boards import multi_task_boards
from benchhealth.analytics.multi_task.first_place import many_tasks
from benchhealth.analytics.multi_task.leave_out import task_scores
from benchhealth.analytics.record.tables import PUBLISHED, empty
from tests.support.frames import frames, result

BOARD, MANY = "arena/exam", "arena/many"
"""Of a source of the small generation."""

START = datetime(2024, 1, 1)


def ranks(days: int = 30) -> pl.DataFrame:
    """A board of 24 models in another order every fifth day; the first two could be first each time."""
    rng = np.random.default_rng(5)
    rows = [
        (
            BOARD,
            START + timedelta(days=5 * at),
            f"m{model}",
            place,
            1 if place < 3 else 2,
            place,
            1.0,
            "as reported",
            1 if place < 3 else 2,
            place,
            0,
            1 if place < 3 else 2,
        )
        for at in range(days)
        for place, model in enumerate(rng.permutation(24).tolist(), start=1)
    ]
    return pl.DataFrame(rows, schema=PUBLISHED["rank"], orient="row")


def tables() -> dict[str, pl.DataFrame]:
    """All tables that the page of leaderboards reads of these two boards."""
    rank, none = ranks(), empty("breakpoint")
    merit = np.random.default_rng(1).random((12, 4))
    facts = frames([result(f"many/t{t}", f"m{m}", float(merit[m, t])) for t in range(4) for m in range(12)])
    boards = multi_task_boards(facts)
    made = {
        "rank": rank,
        "lead": lead_changes(rank, none),
        "dwell": dwell(rank, none, empty("board")),
        "volatility": volatility(rank, none),
        "task_score": task_scores(boards),
        **many_tasks(boards)._asdict(),
    }
    return {name: rows.with_columns(pl.col("board_id").str.replace("^lab/", "arena/")) for name, rows in made.items()}


def changed() -> pl.DataFrame:
    """The last record of the benchmark `hard-exam` of the small generation, in the table `change`."""
    row = {
        **{"made_on": date(2025, 1, 3), "kind": "best", "benchmark_id": "hard-exam", "model_id": "hostile"},
        **{"before": "model-30", "beyond_noise": False, "text": "a model holds the best score", "against": "gen-1"},
        **{"value_before": 0.4, "low_before": 0.35, "high_before": 0.45, "value": 0.41, "low": 0.36, "high": 0.46},
    }
    return pl.DataFrame([row], schema=PUBLISHED["change"])
