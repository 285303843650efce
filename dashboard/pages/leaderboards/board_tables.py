"""Tables of the leaderboard pages: stays at the top, moves by rank, ties, and what a first place depends on."""

import polars as pl

from benchhealth.analytics.multi_task.stability import MEAN
from benchhealth.analytics.statistics.survival.kaplan_meier import half_life
from benchhealth.dashboard.published.generation import ParameterError, Params, PublishedTable, View, always, required


def stays(view: View, params: Params) -> pl.DataFrame:
    """One curve for each `k` of a board: the share of stays in its top `k` that last longer than so many days."""
    return _of_board(view, "dwell", params).sort("k", "days")


def medians(rows: pl.DataFrame) -> pl.DataFrame:
    """A row for each `k` of `stays`: how many stays were watched and how many of them ended, the median in days with
    its interval, and how many were left out."""
    summaries = []
    for (k,), curve in rows.group_by("k", maintain_order=True):
        # `half_life` reads a column `months` and answers in its unit, which is days here.
        stay = half_life(curve.rename({"days": "months"}))
        watched, ended = int(curve.sort("days")["at_risk"][0]), int(curve["events"].sum())
        summaries.append((k, watched, ended, stay.months, stay.low, stay.high, int(curve["left_out"][0])))
    counts = dict.fromkeys(("k", "watched", "ended"), pl.Int64())
    days = dict.fromkeys(("median", "low", "high"), pl.Float64())
    return pl.DataFrame(summaries, schema={**counts, **days, "left_out": pl.Int64()}, orient="row")


def movement(view: View, params: Params) -> pl.DataFrame:
    """By how many ranks the models of a board move within a month, by the rank they start from."""
    return _of_board(view, "volatility", params).sort("rank_from")


def tied(view: View, params: Params) -> dict[str, object] | None:
    """How many models may be first on a board, if errors are independent and if they correlate; None without a row."""
    rows = _of_board(view, "tied_first", params)
    return None if rows.is_empty() else rows.row(0, named=True)


def _of_board(view: View, table: str, params: Params) -> pl.DataFrame:
    board_id = required(params, "board")
    return view.table(table).filter(pl.col("board_id") == board_id)


@always
def many_tasks(view: View) -> pl.DataFrame:
    """A row for each board of many tasks: how many models and tasks, diversity by both definitions, sensitivities, and
    the fewest tasks and the fewest models without which another model would be first."""
    first_places = view.table("first_place").with_columns(fewest=pl.col("left_out").list.len().cast(pl.Int64))
    with_fewest = first_places.with_columns(fewest=pl.when(pl.col("challenger").is_not_null()).then("fewest"))
    by_task = with_fewest.filter(pl.col("order_by") == MEAN).select("board_id", fewest_tasks="fewest")
    by_model = with_fewest.filter(pl.col("order_by") != MEAN).select("board_id", fewest_models="fewest")
    return (
        view.table("stability")
        .drop("diversity")
        .join(view.table("diversity"), on="board_id", how="left")
        .join(by_task, on="board_id", how="left")
        .join(by_model, on="board_id", how="left")
        .sort("n_models", "board_id", descending=[True, False])
    )


def subsets(view: View, params: Params) -> pl.DataFrame:
    """The rows of `first_place` of one board: the fewest tasks, or models, without which another would be first."""
    board_id = required(params, "tasks")
    rows = view.table("first_place").filter(pl.col("board_id") == board_id)
    if rows.is_empty():
        raise ParameterError(f"no board of many tasks {board_id!r}")
    return rows.sort("order_by")


STAYS = PublishedTable("stays", stays)
MOVEMENT = PublishedTable("movement", movement)
MANY_TASKS = PublishedTable("many-tasks", lambda view, _params: many_tasks(view))
SUBSETS = PublishedTable("first-place", subsets)
