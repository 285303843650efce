"""Leaderboards over time as pages show them: each model's rank on each day, and what changed in between."""

from datetime import date, timedelta

import numpy as np
import polars as pl

from benchhealth.analytics.record.breakpoints import PROPOSED
from benchhealth.dashboard.published.generation import (
    ParameterError,
    Params,
    PublishedTable,
    View,
    always,
    recently,
    required,
)

Span = tuple[date, date]

DAY_LIMIT = 60
"""Days of a bump chart: more do not fit on a screen."""

_BOARDS = """
    SELECT board_id, count(DISTINCT observed_at::DATE)::BIGINT AS days, max(observed_at) AS last_observed_at
    FROM rank GROUP BY board_id
"""
_DAYS = "SELECT DISTINCT observed_at::DATE AS observed_on FROM rank WHERE board_id = $board ORDER BY observed_on"
_TOP = """
    WITH instant AS (
        SELECT max(observed_at) AS observed_at FROM rank WHERE board_id = $board GROUP BY observed_at::DATE
    ),
    placed AS (
        SELECT r.observed_at::DATE AS observed_on, r.rank, r.rank_low, r.rank_high, r.score, r.model_id,
            coalesce(m.name, r.model_id) AS model,
            (count(*) FILTER (r.tier = 1) OVER (PARTITION BY r.observed_at))::BIGINT AS could_be_first
        FROM rank r JOIN instant USING (observed_at) LEFT JOIN model m USING (model_id)
        WHERE r.board_id = $board
    )
    SELECT * FROM placed WHERE rank <= $k ORDER BY observed_on, rank, model_id
"""


@always
def boards(view: View) -> pl.DataFrame:
    """Every leaderboard with ranks or comparisons: `board_id`, `benchmark_id`, `days`, the longest followed first."""
    compared = view.table("churn").group_by("board_id").agg(compared=pl.col("to_on").n_unique())
    return (
        view.query(_BOARDS)
        .join(compared, on="board_id", how="full", coalesce=True)
        .with_columns(
            pl.col("days", "compared").fill_null(0),
            benchmark_id=pl.col("board_id").str.splitn("/", 2).struct.field("field_1"),
        )
        .sort("days", "compared", "board_id", descending=[True, True, False])
    )


def sources(view: View, board_id: str) -> list[str]:
    """The ids of the sources that said how the board stood, the one that leads now first; most boards have one."""
    led = view.table("lineage").filter((pl.col("board_id") == board_id) & pl.col("leads"))
    addresses = led.sort("from_on", descending=True)["address"].to_list() or [board_id]
    return list(dict.fromkeys(address.split("/", maxsplit=1)[0] for address in addresses))


def spans(view: View, benchmark_id: str) -> list[Span]:
    """First and last days of the stretches within which scores of a board that moved share a scale, oldest first.

    Empty for a benchmark whose boards never moved.
    """
    led = view.table("lineage").filter(pl.col("leads") & pl.col("board_id").str.ends_with(f"/{benchmark_id}"))
    curated = view.table("breakpoint").filter(~pl.col("kind").str.starts_with(PROPOSED))
    breaks = curated.join(led, on="board_id", how="semi")["on_date"].unique().sort().to_list()
    stretches: list[Span] = []
    for begin, end in led.sort("from_on").select("from_on", "until_on").iter_rows():
        begins = [begin, *(on for on in breaks if begin < on <= end)]
        stretches += zip(begins, [*(on - timedelta(days=1) for on in begins[1:]), end], strict=True)
    return stretches


def proposed_on(view: View, benchmark_id: str) -> date | None:
    """The day of the first proposed breakpoint of a benchmark's boards that waits for a curator; a part waits too."""
    whole_id = benchmark_id.split("/", maxsplit=1)[0]
    waiting = pl.col("kind").str.starts_with(PROPOSED) & pl.col("board_id").str.ends_with(f"/{whole_id}")
    proposed = view.table("breakpoint").filter(waiting)["on_date"].sort().to_list()
    return proposed[0] if proposed else None


@always
def days(view: View, board_id: str) -> list[date]:
    """The days on which the board is known, oldest first."""
    return view.query(_DAYS, board=board_id)["observed_on"].to_list()


def top(view: View, params: Params) -> pl.DataFrame:
    """The top `k` of a board on each day from `from` to `to`: ranks, the ranks that errors leave open, scores.

    The last state of each day counts; of more than DAY_LIMIT days, that many are taken at even distances.
    `could_be_first` is the number of models on the whole board that are tied for first that day.
    """
    board_id, k = _board(view, params), _depth(params)
    states = _in_period(view.query(_TOP, board=board_id, k=k), "observed_on", params)
    return states.filter(pl.col("observed_on").is_in(spread(states["observed_on"].unique().sort().to_list())))


def spread(days: list[date], limit: int = DAY_LIMIT) -> list[date]:
    """At most `limit` of the days at even distances in their order, the first and the last among them."""
    if len(days) <= limit:
        return days
    indices = np.unique(np.linspace(0, len(days) - 1, limit).round().astype(int))
    return [days[index] for index in indices]


@recently
def steps(view: View, params: Params) -> pl.DataFrame:
    """What changed in the top `k` of a board from each day compared to the next: the published table, oldest first."""
    board_id, k = _board(view, params), _depth(params)
    rows = view.table("churn").filter((pl.col("board_id") == board_id) & (pl.col("k") == k)).sort("from_on")
    return _in_period(_in_period(rows, "from_on", params), "to_on", params)


def breaks(view: View, params: Params) -> pl.DataFrame:
    """The breakpoints of a board: `on_date`, `kind`, `note`, `source_url`, oldest first."""
    board_id = _board(view, params)
    rows = view.table("breakpoint").filter(pl.col("board_id") == board_id).sort("on_date").drop("board_id")
    return _in_period(rows, "on_date", params)


def _board(view: View, params: Params) -> str:
    board_id = required(params, "board")
    if board_id not in set(boards(view)["board_id"]):
        raise ParameterError(f"no leaderboard {board_id!r}")
    return board_id


def _depth(params: Params) -> int:
    text = params.get("k", "10")
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= 100:
        raise ParameterError("k is a whole number from 1 to 100")
    return int(text)


def _in_period(rows: pl.DataFrame, column: str, params: Params) -> pl.DataFrame:
    """The rows whose day lies within `from` and `to`, each included, each optional."""
    for name in ("from", "to"):
        text = params.get(name, "")
        if text:
            limit = _iso(name, text)
            rows = rows.filter(pl.col(column) >= limit if name == "from" else pl.col(column) <= limit)
    return rows


def _iso(name: str, text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ParameterError(f"{name} is a day such as 2025-01-31") from error


TOP = PublishedTable("top", top)
STEPS = PublishedTable("steps", steps)
BREAKS = PublishedTable("breakpoints", breaks)
