"""A card for every look at every board: who is tied, who can be told apart, what would settle it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.churn.card_tasks import by_task
from benchhealth.analytics.record.boards import STATE, Boards
from benchhealth.analytics.record.by_item.item_results import ItemResults
from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.units.rank_sets import own_errors
from benchhealth.analytics.statistics.units.settling import items_to_settle, recount_margin
from benchhealth.analytics.statistics.units.ties import entropy, first_chances, told_apart

Numbers = NDArray[np.float64]
Card = dict[str, Any]

TOP = 10
"""Neighbours and pairs are counted among so many first models."""

_READ = ("model_id", "setting", "merit", "error", "reported_items", "condition", "snapshot_id", "source_row")
_NEEDED = [*STATE, "benchmark_id", *_READ]


def board_cards(  # noqa: PLR0913, PLR0917 - the tables that a card joins
    boards: Boards,
    rank: pl.DataFrame,
    items: ItemResults,
    benchmark_facts: pl.DataFrame,
    first_place: pl.DataFrame,
    task_score: pl.DataFrame,
) -> pl.DataFrame:
    """Table `board_card`: a row for each look at each board, in the order of the table `rank`.

    Who is tied and the tiers are those of the joint rank sets (`statistics.units.rank_sets`, `ties.tiers`): errors
    count as independent where the items of two models are not known. `neighbours_apart` and `pairs_apart` count pairs
    of the first TOP models, each one at a time (`ties.told_apart`). What would settle it is said of the first two in
    printed order. What is known task by task is of the newest look alone. Where a value is null, the column of its
    reason holds a code: see `WHY` in dashboard/words/ties.py.
    """
    listed = _listed(boards, rank, benchmark_facts)
    if listed.is_empty():
        return pl.DataFrame(schema=PUBLISHED["board_card"])
    cards = pl.DataFrame(list(_cards(listed, items)), schema=_OF_LOOK, orient="row")
    is_newest = pl.col("observed_at") == pl.col("observed_at").max().over("board_id")
    whole = cards.with_columns(is_newest=is_newest).join(
        by_task(cards.filter(is_newest), first_place, task_score), on="board_id", how="left", maintain_order="left"
    )
    return _with_tasks(whole).select(PUBLISHED["board_card"].names()).match_to_schema(PUBLISHED["board_card"])


_LATER = ("missing_cells", "cluster_width", "tasks_to_flip", "models_to_flip")
_WHY_LATER = ("missing_reason", "cluster_reason", "tasks_reason", "models_reason")
_OF_LOOK = {name: kind for name, kind in PUBLISHED["board_card"].items() if name not in {*_LATER, *_WHY_LATER}}


def _listed(boards: Boards, rank: pl.DataFrame, benchmark_facts: pl.DataFrame) -> pl.DataFrame:
    """The models of each look in the order of the table `rank`, with tiers and how many items each was asked."""
    about = benchmark_facts.select("benchmark_id", "bounded", "n_items")
    placed = boards.placed.select(_NEEDED).collect()
    sets = rank.select(*STATE, "model_id", "rank_low_joint", "rank", "tier")
    return (
        placed.join(sets, on=[*STATE, "model_id"], how="left", maintain_order="left")
        .join(about, on="benchmark_id", how="left", maintain_order="left")
        .with_columns(n_items=pl.coalesce("reported_items", "n_items"))
        .drop("reported_items", "benchmark_id")
    )


def _cards(listed: pl.DataFrame, items: ItemResults) -> Iterator[Card]:
    """One card a look; a look that shows what the one before it shows keeps what was computed for that."""
    sizes = listed.group_by(STATE, maintain_order=True).len()["len"].to_numpy()
    ends = np.cumsum(sizes)
    with_items = items.known(listed)
    before: tuple[pl.DataFrame, Card] | None = None
    for end, size in zip(ends.tolist(), sizes.tolist(), strict=True):
        look = listed[end - size : end]
        key = look.drop("observed_at", "snapshot_id", "source_row")
        if before is not None and not with_items[end - size : end].any() and key.equals(before[0]):
            card = {**before[1], "observed_at": look["observed_at"][0]}
        else:
            card = card_of(look, items.variances(look) if with_items[end - size : end].any() else None)
        before = key, card
        yield card


def card_of(look: pl.DataFrame, paired: Numbers | None = None) -> Card:
    """The card of one look, without what is known task by task.

    `look` has the models in printed order with `merit`, `error`, `n_items`, `bounded`, `condition`, `setting`, `rank`,
    `rank_low_joint` and `tier`; `paired` the variance of the difference of every two, NaN where items are not shared.
    """
    merits, errors = look["merit"].to_numpy(), look["error"].fill_null(np.nan).to_numpy()
    variances = errors[:, None] ** 2 + errors[None, :] ** 2
    if paired is not None:
        variances = np.where(np.isfinite(paired), paired, variances)
    return {
        **{name: look[name][0] for name in STATE},
        "n_models": look.height,
        "with_error": int(np.isfinite(errors).sum()),
        **_ties(look, merits, errors, paired),
        **_apart(merits[:TOP], variances[:TOP, :TOP]),
        **_first_two(look, float(variances[0, 1]) if look.height > 1 else np.nan, merits),
        **_conditions(look.head(TOP)),
    }


def _ties(look: pl.DataFrame, merits: Numbers, errors: Numbers, paired: Numbers | None) -> Card:
    known = np.isfinite(errors)
    reason = (
        "no_error_known"
        if not known.any()
        else "first_without_error"
        if not known[look["rank"].to_numpy() == 1].any()
        else "one_error_known"
        if known.sum() == 1 < look.height
        else None
    )
    if reason is not None:
        return {"tied_first": None, "tiers": None, "entropy": None, "ties_reason": reason}
    sizes = look.drop_nulls("tier").group_by("tier").len().sort("tier")["len"]
    own = errors[known] if paired is None else own_errors(errors[known], paired[np.ix_(known, known)])
    return {
        "tied_first": int(sizes[0]),
        "tiers": sizes.cast(pl.Float64).to_list(),
        "entropy": entropy(first_chances(merits[known], own)),
        "ties_reason": None,
    }


def _apart(merits: Numbers, variances: Numbers) -> Card:
    """Neighbours and all pairs of the first models, and how many of them can be told apart one at a time."""
    apart, known = told_apart(merits, variances)
    upper = np.triu_indices(merits.size, 1)
    return {
        "neighbours_apart": int(np.diag(apart, 1).sum()),
        "neighbours": int(np.diag(known, 1).sum()),
        "pairs_apart": int(apart[upper].sum()),
        "pairs": int(known[upper].sum()),
    }


def _first_two(look: pl.DataFrame, variance: float, merits: Numbers) -> Card:
    """What would settle the order of the first two, and how many items graded otherwise would turn it."""
    row: Card = dict.fromkeys((
        "second", "difference", "difference_error", "n_items", "items_to_settle", "times_the_test", "settle_reason",
        "recount_margin", "recount_reason",
    ))  # fmt: skip
    row["first"] = look["model_id"][0]
    if look.height == 1:
        return {**row, "settle_reason": "one_model", "recount_reason": "one_model"}
    asked = look["n_items"].head(2).to_list()
    distance = float(merits[0] - merits[1])
    row |= {"second": look["model_id"][1], "difference": distance}
    if None not in asked:
        row["n_items"] = min(asked)
    return {**row, **_settled(distance, variance, look["error"].head(2).to_list(), asked), **_recounted(look, asked)}


def _settled(distance: float, variance: float, errors: list[float | None], asked: list[int | None]) -> Card:
    if not np.isfinite(variance):
        return {"settle_reason": "no_error_known"}
    found: Card = {"difference_error": float(np.sqrt(variance))}
    if distance == 0:
        return {**found, "settle_reason": "equal_scores"}
    found["times_the_test"] = items_to_settle(distance, variance)
    if None in asked or None in errors:
        return {**found, "settle_reason": "no_item_number"}
    first, second = (float(number or 0) for number in asked)
    if first == second:
        per_item = first * variance
    else:
        per_item = sum(number * (error or 0) ** 2 for number, error in zip((first, second), errors, strict=True))
    return {**found, "items_to_settle": int(np.ceil(items_to_settle(distance, per_item)))}


def _recounted(look: pl.DataFrame, asked: list[int | None]) -> Card:
    first, second = asked
    if not look["bounded"][0]:
        return {"recount_reason": "open_scale"}
    if first is None or second is None:
        return {"recount_reason": "no_item_number"}
    if first != second:
        return {"recount_reason": "other_item_numbers"}
    return {"recount_margin": recount_margin(float(look["merit"][0] - look["merit"][1]), first)}


def _conditions(top: pl.DataFrame) -> Card:
    """A board is ranked in one condition; where that is not stated, other settings among the first say it is mixed."""
    if top["condition"][0] != UNSTATED:
        return {"conditions_mixed": False, "conditions_reason": None}
    settings = top["setting"].filter(top["setting"] != "").n_unique()
    if settings > 1:
        return {"conditions_mixed": True, "conditions_reason": None}
    return {"conditions_mixed": None, "conditions_reason": "condition_unstated"}


def _with_tasks(cards: pl.DataFrame) -> pl.DataFrame:
    """The columns that are known task by task, each null with its reason: of an earlier look, or of no such board."""
    none = pl.when("is_newest").then(pl.lit("not_by_task")).otherwise(pl.lit("earlier_look"))
    return cards.with_columns(
        pl.when(pl.col(value).is_null() | ~pl.col("is_newest")).then(pl.coalesce(pl.col(why), none)).alias(why)
        for value, why in zip(_LATER, _WHY_LATER, strict=True)
    ).with_columns(pl.when("is_newest").then(pl.col(value)).alias(value) for value in _LATER)
