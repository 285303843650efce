"""The results of one benchmark as pages show them, each with the address it came from."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

import polars as pl

from benchhealth.analytics.record.tables import NO_MODEL
from benchhealth.dashboard.published import standings
from benchhealth.dashboard.published.generation import (
    ParameterError,
    Params,
    PublishedTable,
    View,
    always,
    recently,
    required,
)

_RESULTS = """
    WITH said AS (
        SELECT r.model_id, r.setting, r.score, r.score_published, r.std_error, r.n_items,
            min(r.dated_on) AS dated_on, r.date_basis,
            max(r.date_precision) AS date_precision, r.reporter, r.condition, bool_or(r.stands) AS stands,
            arg_max_null(r.side, s.observed_at) AS side, s.source_id,
            min(s.observed_at) AS first_observed_at, max(s.observed_at) AS last_observed_at,
            arg_max(s.url, s.observed_at) AS file_url, arg_max(s.ref, s.observed_at) AS ref,
            arg_max(r.source_row, s.observed_at) AS source_row
        FROM result r JOIN snapshot s USING (snapshot_id)
        WHERE r.benchmark_id = $benchmark
        GROUP BY r.model_id, r.setting, r.score, r.score_published, r.std_error, r.n_items, r.date_basis,
            r.reporter, r.condition, s.source_id, CASE WHEN r.date_basis = 'snapshot' THEN NULL ELSE r.dated_on END
    )
    SELECT coalesce(m.name, said.model_id) AS model, said.* EXCLUDE (model_id, file_url, ref, source_row),
        coalesce(nullif(regexp_extract(source_row, '^line [0-9]+, (https?://[^ ]+)$', 1), ''), file_url) AS url,
        ref, source_row,
        NOT starts_with(said.setting, $no_model) AS ranked, said.model_id
    FROM said LEFT JOIN model m USING (model_id)
    ORDER BY dated_on DESC, score DESC, model, model_id, setting, reporter DESC, source_id, condition, date_basis,
        score_published, std_error, n_items
"""

_SAID_BEFORE = """
    SELECT r.model_id, r.setting, r.score, s.source_id
    FROM result r JOIN snapshot s USING (snapshot_id)
    WHERE r.benchmark_id = $benchmark AND s.observed_at < $on
    QUALIFY s.observed_at = max(s.observed_at) OVER (PARTITION BY s.source_id, r.model_id, r.setting, r.reporter)
"""

_LEADERS = """
    WITH latest AS (SELECT max(observed_at) AS observed_at FROM rank WHERE board_id = $board)
    SELECT k.rank, k.rank_low, k.rank_high, coalesce(m.name, k.model_id) AS model, k.score, k.observed_at,
        k.model_id, k.board_id, k.condition, k.rank_low_joint, k.rank_high_joint, k.paired
    FROM rank k JOIN latest USING (observed_at) LEFT JOIN model m ON m.model_id = k.model_id
    WHERE k.board_id = $board
    ORDER BY k.rank, model
"""

_ERRORS = """
    WITH last_said AS (
        SELECT r.model_id, r.score, r.std_error, r.n_items, r.setting
        FROM result r JOIN snapshot s USING (snapshot_id)
        WHERE s.source_id = $source AND r.benchmark_id = $benchmark
        QUALIFY s.observed_at = max(s.observed_at) OVER (PARTITION BY r.model_id, r.score)
    )
    SELECT model_id, score,
        CASE WHEN count(DISTINCT std_error) < 2 THEN any_value(std_error) END AS std_error,
        CASE WHEN count(DISTINCT std_error) < 2 THEN any_value(n_items) END AS n_items,
        CASE WHEN count(DISTINCT setting) < 2 THEN any_value(setting) END AS setting
    FROM last_said
    GROUP BY model_id, score
"""

_HALF_AS_MUCH = 90
"""Days after which a look at a board counts half as much as one of today."""

_BOARDS = """
    WITH newest AS (
        SELECT board_id, substr(board_id, strpos(board_id, '/') + 1) AS benchmark_id, model_id, score, condition,
            observed_at
        FROM rank QUALIFY observed_at = max(observed_at) OVER (PARTITION BY board_id)
    ),
    best AS (SELECT DISTINCT benchmark_id, model_id, score, true AS is_best FROM frontier WHERE carried),
    stood AS (
        SELECT benchmark_id, board_id, max(observed_at) AS observed_at, count(DISTINCT model_id) AS models,
            coalesce(bool_or(newest.condition = judged.condition), false) AS judged,
            coalesce(bool_or(is_best), false) AS has_best
        FROM newest LEFT JOIN condition_headroom judged USING (benchmark_id)
            LEFT JOIN best USING (benchmark_id, model_id, score)
        GROUP BY benchmark_id, board_id
    )
    SELECT benchmark_id, board_id, has_best, models * pow(
        0.5, date_diff('day', observed_at, max(observed_at) OVER (PARTITION BY benchmark_id)) / $half
    ) AS weight
    FROM stood
    ORDER BY benchmark_id, judged DESC, weight DESC, has_best DESC, board_id
"""


def known_benchmark(view: View, params: Params) -> str:
    """The benchmark that the parameters name; raises ParameterError where there is none of that id."""
    benchmark_id = required(params, "benchmark")
    if benchmark_id not in ids(view):
        raise ParameterError(f"no benchmark {benchmark_id!r}")
    return benchmark_id


@always
def model_names(view: View) -> dict[str, str]:
    """The name of each model by its id, which stands for it where it has none."""
    return dict(view.table("model").select("model_id", pl.coalesce("name", "model_id")).iter_rows())


@always
def ids(view: View) -> list[str]:
    """The ids of all benchmarks of the generation, in order."""
    return view.table("benchmark")["benchmark_id"].sort().to_list()


def results(view: View, params: Params) -> pl.DataFrame:
    """Every number that was ever published for a benchmark, newest first, each once, with its latest address.

    The address is that of the file, or of the paper that a row names as its own. A number that only its snapshots date
    stands at the first of them, or on no day where that is the first look. `stands` is false where the source corrected
    it since. `ranked` is false for human and other baselines that a board lists among its models.
    """
    benchmark_id = known_benchmark(view, params)
    return view.query(_RESULTS, benchmark=benchmark_id, no_model=NO_MODEL)


def results_of_curve(all_results: pl.DataFrame, facts: Mapping[str, Any], steps: pl.DataFrame) -> pl.DataFrame:
    """The results that a benchmark's curve is drawn through: of models, standing, under the condition of its steps.

    Ratings move with the whole board, so of those every version is drawn.
    """
    condition = steps["condition"].drop_nulls()
    counts = pl.col("ranked") & (pl.col("stands") | (facts["unit"] == "rating"))
    return all_results.filter(counts & (pl.col("condition") == condition[-1] if len(condition) else True))


def results_until(view: View, benchmark_id: str, all_results: pl.DataFrame, on: date) -> pl.DataFrame:
    """The `results` dated before a day, as their sources had them until then: these `stands`."""
    rows_then = view.query(_SAID_BEFORE, benchmark=benchmark_id, on=on)
    matching = all_results.join(rows_then, on=rows_then.columns, how="semi", nulls_equal=True, maintain_order="left")
    return matching.filter(pl.col("dated_on") < on).with_columns(stands=pl.lit(value=True))


@recently
def judged_by(view: View, benchmark_id: str) -> str | None:
    """The condition that a benchmark is judged by; None where it has no result."""
    conditions = view.table("condition_headroom").filter(pl.col("benchmark_id") == benchmark_id)["condition"]
    return str(conditions[0]) if len(conditions) else None


def boards(view: View, benchmark_id: str) -> list[str]:
    """The leaderboards of a benchmark, the one that speaks for today first; none for a part.

    First those under the condition that it is judged by, of these the one that lists most models, each counted half for
    every three months that its look is older than the newest. It need not hold the best result: `holder` says who does.
    """
    return _boards(view, benchmark_id)["board_id"].to_list()


def holder(view: View, benchmark_id: str) -> str | None:
    """The first of the leaderboards that lists the best result of the benchmark's curve, if one does."""
    holders = _boards(view, benchmark_id).filter("has_best")["board_id"]
    return str(holders[0]) if len(holders) else None


def _boards(view: View, benchmark_id: str) -> pl.DataFrame:
    return every_board(view).filter(pl.col("benchmark_id") == benchmark_id)


@always
def every_board(view: View) -> pl.DataFrame:
    """The leaderboards of all benchmarks, of each those that `boards` gives in its order."""
    return view.query(_BOARDS, half=_HALF_AS_MUCH)


def leaders(view: View, params: Params) -> pl.DataFrame:
    """The newest state of a leaderboard: ranks, ranks that the errors leave open, scores and what errors rest on.

    `setting` is of the row that the score is of; null where several have it.
    """
    board_id = required(params, "board")
    leaderboard = _leaders(view, board_id)
    if leaderboard.is_empty():
        raise ParameterError(f"no leaderboard {board_id!r}")
    return leaderboard


@recently
def _leaders(view: View, board_id: str) -> pl.DataFrame:
    return with_rows(view, board_id, view.query(_LEADERS, board=board_id))


def with_rows(view: View, board_id: str, ranked: pl.DataFrame) -> pl.DataFrame:
    """Ranks of a board with `std_error`, `n_items` and `setting` of the rows that their scores are of."""
    benchmark_id = board_id.split("/", maxsplit=1)[1]
    errors = view.query(_ERRORS, source=standings.sources(view, board_id)[0], benchmark=benchmark_id)
    return ranked.join(errors, on=["model_id", "score"], how="left", maintain_order="left")


def of_benchmark(
    table: str, *order: str, descending: bool = False, **about: str
) -> Callable[[View, Params], pl.DataFrame]:
    """A function that builds the rows of a published table about the benchmark of the parameters, in this order.

    `about` are columns of the table `model` by what they are called here: `model="name"` gives each row its model's.
    """

    @recently
    def rows_of(view: View, _table: str, benchmark_id: str) -> pl.DataFrame:
        rows = view.table(table).filter(pl.col("benchmark_id") == benchmark_id)
        if about:
            rows = rows.join(view.table("model").select("model_id", **about), on="model_id", how="left")
        return rows.sort(order, descending=descending) if order else rows

    return lambda view, params: rows_of(view, table, known_benchmark(view, params))


frontier = of_benchmark("frontier", "carried", "dated_on", model="name")
"""The running best of a benchmark by date, extended to the day until which it is known, with the names of models."""


def best_on(steps: pl.DataFrame) -> date | None:
    """The day of the best score of a `frontier`; None where that was there at the first look, so that it has none.

    The last row, `carried`, has the day until which the benchmark is known.
    """
    if steps.is_empty():
        return None
    best, dated = steps.sort("carried")["score"][-1], steps.filter(~pl.col("carried")).sort("dated_on")
    return dated["dated_on"][-1] if dated.height and dated["score"][-1] == best else None


RESULTS = PublishedTable("results", results)
LEADERS = PublishedTable("leaderboard", leaders)
FRONTIER = PublishedTable("frontier", frontier)
