"""Tables about a long board and a board of many tasks, as the analytics makes them of invented ranks and scores."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

import numpy as np
import polars as pl

from benchhealth.analytics.churn.board_card import BY_TASK
from benchhealth.analytics.churn.dwell import dwell, volatility
from benchhealth.analytics.churn.rank import lead_changes
from benchhealth.analytics.multi_task.boards import multi_task_boards
from benchhealth.analytics.multi_task.stability import diversities, first_places, stability_of, task_scores
from benchhealth.analytics.record.tables import PUBLISHED, empty
from tests.support.frames import frames, result

BOARD, MANY = "arena/exam", "arena/many"
"""Of a source of the small generation."""

START = datetime(2024, 1, 1)


def rank_table(rows: Iterable[tuple[object, ...]]) -> pl.DataFrame:
    """The table `rank` of rows that end before what is known over clusters of items."""
    schema = PUBLISHED["rank"]
    return pl.DataFrame([(*row, *(None,) * (len(schema) - len(row))) for row in rows], schema=schema, orient="row")


def ranks(days: int = 30) -> pl.DataFrame:
    """A board of 24 models in another order every fifth day; the first two could be first each time."""
    rng = np.random.default_rng(5)
    rows = [
        (
            BOARD,
            START + timedelta(days=5 * look),
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
        for look in range(days)
        for place, model in enumerate(rng.permutation(24).tolist(), start=1)
    ]
    return rank_table(rows)


def cards(rank: pl.DataFrame) -> pl.DataFrame:
    """The card of each look of `ranks`: two are tied for first, none of the others."""
    row = {
        **{"n_models": 24, "with_error": 24, "tied_first": 2, "tiers": [2.0, 22.0], "entropy": 1.0},
        **{"neighbours": 9, "neighbours_apart": 1, "pairs": 45, "pairs_apart": 16, "difference": 0.0},
        **{"pairs_by_item": 0, "neighbours_apart_alone": 1, "pairs_apart_alone": 16, "clustered_reason": "not_by_item"},
        **{"difference_error": 0.1, "settle_reason": "equal_scores", "recount_reason": "open_scale"},
        **dict.fromkeys(BY_TASK.values(), "not_by_task"),
        "conditions_reason": "condition_unstated",
    }
    looks = rank.sort("rank").group_by("board_id", "observed_at", maintain_order=True).agg(pl.col("model_id").head(2))
    rows = [
        {**row, "board_id": board_id, "observed_at": observed_at, "first": models[0], "second": models[1]}
        for board_id, observed_at, models in looks.iter_rows()
    ]
    return pl.DataFrame(rows, schema=PUBLISHED["board_card"], orient="row")


def tables() -> dict[str, pl.DataFrame]:
    """All tables that the page of leaderboards reads of these two boards."""
    rank, none = ranks(), empty("breakpoint")
    merit = np.random.default_rng(1).random((12, 4))
    facts = frames([result(f"many/t{t}", f"m{m}", float(merit[m, t])) for t in range(4) for m in range(12)])
    boards = multi_task_boards(facts)
    made = {
        "rank": rank,
        "board_card": cards(rank),
        "lead": lead_changes(rank, none),
        "dwell": dwell(rank, none, empty("board")),
        "volatility": volatility(rank, none),
        "task_score": task_scores(boards),
        "stability": stability_of(boards),
        "first_place": first_places(boards),
        "diversity": diversities(boards),
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
