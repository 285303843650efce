"""A card for every look at every board: who is tied, who can be told apart, what would settle it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.churn.card_items import by_item, without_items
from benchhealth.analytics.record.boards import STATE, Boards
from benchhealth.analytics.record.by_item.clusters import ItemClusters
from benchhealth.analytics.record.by_item.item_results import ItemResults
from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.case import first_case
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.units.rank_sets import own_errors
from benchhealth.analytics.statistics.units.settling import items_for_one, items_to_settle, recount_margin
from benchhealth.analytics.statistics.units.ties import apart_of, entropy, first_chances

MEAN, WIN_RATE = "mean score", "win rate"
"""The orders of the table `first_place`: leaving tasks out changes the one, leaving models out the other."""

FEWEST_TASKS = 3
"""With fewer tasks the first two's differences have no spread worth naming."""


def by_task(newest: pl.DataFrame, first_place: pl.DataFrame, task_score: pl.DataFrame) -> pl.DataFrame:
    """One row for each board known task by task: the last columns of `board_card` with their reasons.

    `newest` are the cards of the newest looks. `missing_cells` is the share of the table of entries by tasks without a
    score. `cluster_width` is half the 95% interval of the difference of the first two where the board's tasks are a
    sample of tasks (Student's t over the differences by task), on the tasks' own scale.
    """
    cells = task_score.select("board_id", "task", "entry", "merit", "times", "has_mean")
    counted = cells.group_by("board_id").agg(
        missing_cells=1 - pl.len() / (pl.col("task").n_unique() * pl.col("entry").n_unique()),
        missing_reason=pl.lit(None, dtype=pl.String),
    )
    joined = (
        counted.join(_widths(newest, cells), on="board_id", how="left")
        .join(_fewest(first_place, MEAN, "tasks"), on="board_id", how="left")
        .join(_fewest(first_place, WIN_RATE, "models"), on="board_id", how="left")
    )
    otherwise = (
        ("cluster_width", "cluster_reason", "first_two_not_by_task"),
        ("tasks_to_flip", "tasks_reason", "no_common_scale"),
        ("models_to_flip", "models_reason", "no_win_rate"),
    )
    return joined.with_columns(
        pl.when(pl.col(value).is_null()).then(pl.coalesce(why, pl.lit(code))).alias(why)
        for value, why, code in otherwise
    )


def _fewest(first_place: pl.DataFrame, order_by: str, unit: str) -> pl.DataFrame:
    """How many to leave out at least for another to be first; null with a reason where no choice does it."""
    fewest = pl.when(pl.col("challenger").is_not_null()).then(pl.col("left_out").list.len().cast(pl.Int64))
    return (
        first_place.filter(pl.col("order_by") == order_by)
        .select("board_id", fewest.alias(f"{unit}_to_flip"))
        .with_columns(pl.when(pl.col(f"{unit}_to_flip").is_null()).then(pl.lit("none_flips")).alias(f"{unit}_reason"))
    )


def _widths(newest: pl.DataFrame, cells: pl.DataFrame) -> pl.DataFrame:
    """For each board the half width over tasks of the difference of its first two, where both are known by task."""
    means = cells.filter("has_mean").drop("has_mean")
    key = ["board_id", "task"]
    first = newest.select("board_id", entry="first").join(means, on=["board_id", "entry"])
    second = newest.select("board_id", entry="second").join(means, on=["board_id", "entry"])
    pairs = first.join(second.select(*key, other="merit"), on=key).with_columns(by=pl.col("merit") - pl.col("other"))
    spreads = pairs.group_by("board_id").agg(n=pl.len(), spread=pl.col("by").std(), alike=pl.col("times").max())
    t_quantile = student.quantile(0.975, (spreads["n"] - 1).to_numpy())
    enough = (pl.col("n") >= FEWEST_TASKS) & (pl.col("alike") == 1)
    return spreads.with_columns(t=pl.Series(np.asarray(t_quantile, dtype=np.float64))).select(
        "board_id",
        cluster_width=pl.when(enough).then(pl.col("t") * pl.col("spread") / pl.col("n").sqrt()),
        cluster_reason=first_case(("tasks_weighted", pl.col("alike") > 1), ("too_few_tasks", ~enough)),
    )


Card = dict[str, Any]

TOP_MODELS = 10
"""Neighbours and pairs are counted among this many first models."""

BY_TASK = {
    "missing_cells": "missing_reason",
    "cluster_width": "cluster_reason",
    "tasks_to_flip": "tasks_reason",
    "models_to_flip": "models_reason",
}
"""Columns that are known task by task, of the newest look alone, each with that of its reason."""

BY_ITEM = ("missing_cells", "cluster_width")
"""Those of them that are known item by item as well, of every look; then that counts."""

_OF_TASKS = " by task"
_LATER = {*BY_TASK, *BY_TASK.values()} - {*BY_ITEM}
_OF_LOOK = {name: kind for name, kind in PUBLISHED["board_card"].items() if name not in _LATER}
_READ = ("model_id", "setting", "merit", "error", "n_items", "bounded", "condition", "snapshot_id", "source_row")


class Look(NamedTuple):
    """The models of a board at one instant in printed order; what is unknown is NaN.

    `models` and `settings` are those of the first TOP_MODELS, `items` how many each was asked, `tiers` as `ties.tiers`
    gives them. `bounded` says whether scores are fractions of a scale, `condition` under which all were measured.
    """

    models: list[str]
    settings: list[str]
    merits: Numbers
    errors: Numbers
    items: Numbers
    tiers: Numbers
    bounded: bool
    condition: str

    def shows(self, earlier: "Look | None") -> bool:
        """Whether a card of this look and one of the `earlier` one would say the same of their models."""
        return (
            earlier is not None
            and self.models == earlier.models
            and self.settings == earlier.settings
            and all(
                np.array_equal(mine, its, equal_nan=True) for mine, its in zip(self[2:6], earlier[2:6], strict=True)
            )
            and self[6:] == earlier[6:]
        )


def board_cards(  # noqa: PLR0913, PLR0917 - what a card is made of
    boards: Boards,
    rank: pl.DataFrame,
    items: ItemResults,
    item_clusters: ItemClusters,
    first_place: pl.DataFrame,
    task_score: pl.DataFrame,
) -> pl.DataFrame:
    """Table `board_card`: a row for each look at each board, in the order of the table `rank`.

    Who is tied and the tiers are those of the joint rank sets: errors
    count as independent where the items of two models are not known. `neighbours_apart` and `pairs_apart` count pairs
    of the first TOP_MODELS models, each one at a time. What would settle it is said of the first
    two in printed order (`settling`): of both, or of the one that was asked fewer items (`settled_by`). What is known
    item by item (`card_items`) is of every look, what is known task by task of the newest look alone. Where a value is
    null, the column of its reason holds a code, whose words are in dashboard/words/boards/ties.py.
    """
    listed = _models_of_looks(boards, rank)
    if listed.is_empty():
        return pl.DataFrame(schema=PUBLISHED["board_card"])
    cards = pl.DataFrame(list(_cards(listed, items, item_clusters)), schema=_OF_LOOK, orient="row")
    is_newest = pl.col("observed_at") == pl.col("observed_at").max().over("board_id")
    of_tasks = by_task(cards.filter(is_newest), first_place, task_score)
    all_cards = cards.with_columns(is_newest=is_newest).join(
        of_tasks, on="board_id", how="left", maintain_order="left", suffix=_OF_TASKS
    )
    none = pl.when("is_newest").then(pl.lit("not_by_task")).otherwise(pl.lit("earlier_look"))
    columns = []
    for value, why in BY_TASK.items():
        by_task_too = pl.when("is_newest").then(f"{value}{_OF_TASKS}" if value in BY_ITEM else value)
        value_known = pl.coalesce(value, by_task_too) if value in BY_ITEM else by_task_too
        reason = pl.when("is_newest").then(pl.coalesce(why, none)).otherwise(none)
        columns += [value_known.alias(value), pl.when(value_known.is_null()).then(reason).alias(why)]
    return all_cards.with_columns(columns).match_to_schema(PUBLISHED["board_card"], extra_columns="ignore")


def _models_of_looks(boards: Boards, rank: pl.DataFrame) -> pl.DataFrame:
    """The models of each look in the order of the table `rank`, with their tiers and ranks over clusters of items."""
    placed = boards.placed.select(*STATE, *_READ).collect()
    tiers = rank.select(*STATE, "model_id", "tier", "rank_low_joint_clustered")
    return placed.join(tiers, on=[*STATE, "model_id"], how="left", maintain_order="left")


def _cards(listed: pl.DataFrame, items: ItemResults, clusters: ItemClusters) -> Iterator[Card]:
    """One card a look; a look that shows what the one before it shows keeps what was computed for that."""
    with_items = items.are_known(listed)
    before: tuple[Look | None, Card] = (None, {})
    for rows, identity, look in _looks(listed):
        if with_items[rows].any():
            paired = items.variances(listed[rows])
            of_items = by_item(
                listed[rows], look.merits[:TOP_MODELS], _independent(look), paired[:TOP_MODELS, :TOP_MODELS], clusters
            )
            before = None, card_of(look, paired) | of_items
        elif not look.shows(before[0]):
            card = card_of(look)
            before = look, card | without_items(card)
        yield {**identity, **before[1]}


def _independent(look: Look) -> Numbers:
    """The variances of the differences of the first models as if each was asked items of its own."""
    squares = look.errors[:TOP_MODELS] ** 2
    return np.asarray(squares[:, None] + squares[None, :])


def _looks(listed: pl.DataFrame) -> Iterator[tuple[slice, Card, Look]]:
    """Each look with its rows and what identifies it: columns are turned into arrays once, not look by look."""
    names = ("merit", "error", "n_items", "tier")
    columns = [listed[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in names]
    begin = listed.with_row_index("at").group_by(STATE, maintain_order=True).agg(pl.col("at").first(), pl.len())
    about = listed.select("bounded", "condition")[begin["at"]].rows()
    firsts = listed.group_by(STATE, maintain_order=True).agg(pl.col("model_id", "setting").head(TOP_MODELS))
    first_models = firsts.select("model_id", "setting").rows()
    for (board_id, observed_at, start, size), (bounded, condition), (models, settings) in zip(
        begin.iter_rows(), about, first_models, strict=True
    ):
        rows = slice(start, start + size)
        merits, errors, items, tiers = (column[rows] for column in columns)
        yield (
            rows,
            {"board_id": board_id, "observed_at": observed_at},
            Look(models, settings, merits, errors, items, tiers, bool(bounded), condition),
        )


def card_of(look: Look, paired: Numbers | None = None, degrees: float = np.inf) -> Card:
    """The card of one look, without what is known task by task.

    `paired` holds the variance of the difference of every two models, NaN where their items are not shared, known by so
    many `degrees` of freedom.
    """
    z = float(student.as_far_out(Z95, degrees))
    variances = _independent(look)
    if paired is not None:
        shared = paired[:TOP_MODELS, :TOP_MODELS]
        variances = np.where(np.isfinite(shared), shared, variances)
    return {
        "n_models": look.merits.size,
        "with_error": int(np.isfinite(look.errors).sum()),
        **_ties(look, paired),
        **apart_of(look.merits[:TOP_MODELS], variances, z)._asdict(),
        **_first_two(look, variances, z),
        **_conditions(look),
    }


def _ties(look: Look, paired: Numbers | None) -> Card:
    has_error = np.isfinite(look.errors)
    reason = _why_no_ties(has_error, look.merits)
    if reason is not None:
        return {"tied_first": None, "tiers": None, "entropy": None, "ties_reason": reason}
    sizes = np.bincount(look.tiers[has_error].astype(np.int64))[1:]
    errors = look.errors[has_error]
    own_error = errors if paired is None else own_errors(errors, paired[np.ix_(has_error, has_error)])
    return {
        "tied_first": int(sizes[0]),
        "tiers": sizes.astype(np.float64).tolist(),
        "entropy": entropy(first_chances(look.merits[has_error], own_error)),
        "ties_reason": None,
    }


def _why_no_ties(has_error: NDArray[np.bool_], merits: Numbers) -> str | None:
    """The code why ties cannot be told, or None: without an error of the first model nothing is compared with it."""
    if not has_error.any():
        return "no_error_known"
    if not has_error[merits == merits[0]].any():
        return "first_without_error"
    return "one_error_known" if has_error.sum() == 1 < merits.size else None


def _first_two(look: Look, variances: Numbers, z: float) -> Card:
    """What would settle the order of the first two, and how many items graded otherwise would turn it."""
    row: Card = {"first": look.models[0]}
    if look.merits.size == 1:
        return {**row, "settle_reason": "one_model", "recount_reason": "one_model"}
    distance = float(look.merits[0] - look.merits[1])
    row |= {"second": look.models[1], "difference": distance}
    if np.isfinite(look.items[:2]).all():
        row["n_items"] = int(look.items[:2].min())
    return {**row, **_settling(look, distance, float(variances[0, 1]), z), **_recount(look, distance)}


def _settling(look: Look, distance: float, variance: float, z: float) -> Card:
    if not np.isfinite(variance):
        return {"settle_reason": "no_error_known"}
    card: Card = {"difference_error": float(np.sqrt(variance))}
    if distance == 0:
        return {**card, "settle_reason": "equal_scores"}
    first, second = look.items[:2].tolist()
    if not np.isfinite(first + second):
        return {**card, "settle_reason": "no_item_number"}
    if first == second:
        needed = items_to_settle(distance, first * variance, z)
    else:
        smaller = 0 if first < second else 1
        card["settled_by"] = look.models[smaller]
        of_smaller, of_other = look.items[smaller] * look.errors[smaller] ** 2, look.errors[1 - smaller] ** 2
        needed = items_for_one(distance, float(of_smaller), float(of_other), z)
    if not np.isfinite(needed):
        return {**card, "settle_reason": "other_too_wide"}
    return {**card, "items_to_settle": int(np.ceil(needed)), "times_the_test": needed / min(first, second)}


def _recount(look: Look, distance: float) -> Card:
    first, second = look.items[:2].tolist()
    if not look.bounded:
        return {"recount_reason": "open_scale"}
    if not np.isfinite(first + second):
        return {"recount_reason": "no_item_number"}
    if first != second:
        return {"recount_reason": "other_item_numbers"}
    return {"recount_margin": recount_margin(distance, int(first))}


def _conditions(look: Look) -> Card:
    """A board is ranked in one condition; where that is not stated, other settings among the first say it is mixed."""
    if look.condition != UNSTATED:
        return {"conditions_mixed": False}
    if len({setting for setting in look.settings if setting}) > 1:
        return {"conditions_mixed": True}
    return {"conditions_reason": "condition_unstated"}
