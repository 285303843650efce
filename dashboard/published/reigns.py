"""First place of a leaderboard through time: who was first, who could have been, and when it changed hands."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

import polars as pl

from benchhealth.analytics.statistics.errors import BOUNDED_UNITS, true_error
from benchhealth.dashboard.published import standings
from benchhealth.dashboard.published.generation import ParameterError, Params, PublishedTable, View, recently, required
from benchhealth.dashboard.published.results import with_rows

LONGEST_BETWEEN_LOOKS = timedelta(days=45)
"""Between looks further apart nobody knows who was first."""

_FIRST = """
    WITH state AS (
        SELECT observed_at::DATE AS observed_on, max(observed_at) AS observed_at
        FROM rank WHERE board_id = $board GROUP BY ALL
    )
    SELECT s.observed_on, r.model_id, coalesce(m.name, r.model_id) AS model, r.rank = 1 AS is_first,
        coalesce(r.tier = 1, false) AS could_be, r.tier IS NOT NULL AS has_error
    FROM rank r JOIN state s USING (observed_at) LEFT JOIN model m USING (model_id)
    WHERE r.board_id = $board AND (r.rank = 1 OR r.tier = 1)
    ORDER BY observed_on, r.rank, model
"""
_DAY = """
    SELECT r.rank, r.rank_low, r.rank_high, r.score, r.model_id, coalesce(m.name, r.model_id) AS model, r.observed_at,
        r.rank_low_joint, r.rank_high_joint, r.paired, r.tier, r.condition
    FROM rank r LEFT JOIN model m USING (model_id)
    WHERE r.board_id = $board
        AND r.observed_at = (SELECT max(observed_at) FROM rank WHERE board_id = $board AND observed_at::DATE <= $day)
    ORDER BY r.rank, r.rank_high, model
"""


@dataclass(frozen=True)
class Board:
    """A leaderboard with the days on which it was seen, oldest first, and the days across which nothing is compared."""

    board_id: str
    name: str
    unit: str | None
    days: Sequence[date]
    breaks: pl.DataFrame
    n_items: int | None = None

    @cached_property
    def broke_on(self) -> list[date]:
        """The days on which its leaderboard changed scale, names, data or rules; each day once."""
        return self.breaks["on_date"].unique().sort().to_list()

    def until(self, index: int) -> date:
        """The end of the time for which a look holds: the next look, unless a break or too long a time lies between."""
        day = self.days[index]
        if index + 1 == len(self.days):
            return day
        after = self.days[index + 1]
        broken = any(day < on <= after for on in self.broke_on)
        return day if broken or after - day > LONGEST_BETWEEN_LOOKS else after

    def unseen(self) -> list[tuple[date, date]]:
        """The stretches in which nobody looked, or across which nothing is compared."""
        pairs = list(zip(self.days, self.days[1:], strict=False))
        return [(day, after) for index, (day, after) in enumerate(pairs) if self.until(index) == day]


@recently
def board(view: View, board_id: str) -> Board:
    """The board; raises ParameterError where there is none."""
    all_boards = standings.boards(view)
    if board_id not in set(all_boards["board_id"]):
        raise ParameterError(f"no leaderboard {board_id!r}")
    benchmark_id = board_id.split("/", maxsplit=1)[1]
    benchmark = view.table("benchmark").filter(pl.col("benchmark_id") == benchmark_id).select("name", "unit", "n_items")
    name, unit, n_items = benchmark.row(0) if benchmark.height else (None, None, None)
    breaks = standings.breaks(view, {"board": board_id})
    return Board(board_id, name or benchmark_id, unit, standings.days(view, board_id), breaks, n_items)


def firsts(view: View, board_id: str) -> pl.DataFrame:
    """Each day's first and those that could have been: observed_on, model_id, model, is_first, could_be, has_error."""
    return view.query(_FIRST, board=board_id)


def reigns(view: View, params: Params) -> pl.DataFrame:
    """Stretches in which a model that ever led was first (`is_first`), or could have been: model, from_on, to_on."""
    chosen = board(view, required(params, "board"))
    rows = firsts(view, chosen.board_id)
    led = rows.filter("is_first").unique("model_id", keep="first", maintain_order=True)["model_id"].to_list()
    at_day = {day: index for index, day in enumerate(chosen.days)}
    stretches = []
    for index, model_id in enumerate(led):
        mine = rows.filter(pl.col("model_id") == model_id).sort("observed_on")
        states = [(at_day[day], bool(first)) for day, first in mine.select("observed_on", "is_first").iter_rows()]
        for begin, end, is_first in _stretches(chosen, states):
            stretches.append((index + 1, model_id, mine["model"][0], is_first, chosen.days[begin], chosen.until(end)))
    schema = {
        **{"place": pl.Int64, "model_id": pl.String, "model": pl.String},
        **{"is_first": pl.Boolean, "from_on": pl.Date, "to_on": pl.Date},
    }
    return pl.DataFrame(stretches, schema=schema, orient="row")


def _stretches(leaderboard: Board, states: Sequence[tuple[int, bool]]) -> list[tuple[int, int, bool]]:
    """Runs of days, by their first and last place among the board's days, within which the state is the same."""
    runs: list[tuple[int, int, bool]] = []
    for index, is_first in states:
        if runs:
            begin, end, was_first = runs[-1]
            if was_first == is_first and end + 1 == index and leaderboard.until(end) == leaderboard.days[index]:
                runs[-1] = (begin, index, is_first)
                continue
        runs.append((index, index, is_first))
    return runs


@recently
def leads(view: View, params: Params) -> pl.DataFrame:
    """Every time that first place changed hands, the newest first: the table `lead` with names, of one board."""
    board_id = required(params, "board")
    names = view.table("model").select("model_id", model=pl.coalesce("name", "model_id"))
    return (
        view.table("lead")
        .filter(pl.col("board_id") == board_id)
        .join(names, on="model_id", how="left")
        .join(names.rename({"model_id": "before", "model": "model_before"}), on="before", how="left")
        .sort("on_date", descending=True)
    )


def board_on(view: View, params: Params) -> pl.DataFrame:
    """The whole board as it stood on a day (the last look until then); the newest where no day is asked for.

    `setting` and `error`, its standard error, are of the row that a score is of, `tier` is that of the table `rank`.
    """
    chosen = board(view, required(params, "board"))
    day = _day(params.get("day", ""), chosen.days)

    def read() -> pl.DataFrame:
        ranked = view.query(_DAY, board=chosen.board_id, day=day)
        rows = with_rows(view, chosen.board_id, ranked)
        bounded = pl.lit(chosen.unit in BOUNDED_UNITS)
        items = pl.coalesce("n_items", pl.lit(chosen.n_items, dtype=pl.Int64))
        with_errors = rows.with_columns(bounded=bounded, n_items=items).with_columns(error=true_error())
        return with_errors.drop("std_error", "n_items", "bounded")

    return view.recent(("standing", chosen.board_id, day), read)


def _day(text: str, days: Sequence[date]) -> date:
    if not text:
        return days[-1] if days else date.min
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ParameterError("day is a day such as 2025-01-31") from error


LEADS = PublishedTable("first-places", leads)
STANDING = PublishedTable("standing", board_on)
