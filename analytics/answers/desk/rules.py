"""The rules of the desk in their fixed order, each with the codes of how it is failed, and what each use weighs."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.answers.cases import only
from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.analytics.record.frames import is_part
from benchhealth.analytics.record.tables.case import first_case
from benchhealth.analytics.verdict.thresholds import LIMITS

ROLES = ("fund", "publish", "teach", "ship")
"""The purposes for which somebody may want a benchmark."""

RULES: Mapping[str, tuple[str, ...]] = {
    "result": ("no_result", "few_models", "dormant"),
    "independence": ("makers_all", "few_by_others"),
    "room": ("saturated", "little_room", "room_unknown"),
    "order": ("unresolved",),
    "labels": ("labels_wrong",),
    "construct": ("part", "construct_unknown"),
}
"""The rules in the order in which they are tried, each with its codes in the order in which those are."""

CONDITIONS_OF_QUESTION = ("not_since", "over_budget", "other_construct", "ranked_after")
"""What a benchmark that fails none of the rules may fail of a question; see `choose.decide`."""

LEAST_ROOM = 0.10
"""With less than this share of the scale left a better result is hardly seen: more than the error of most scores."""

FLAWED = 0.10
"""From this share of the audited items on that are known to be wrong, a score counts wrong keys too."""

BEHIND_DAYS = 90
"""Others whose last look is so much older than the makers' say less of today's models."""

WORK = ("patch", "program", "steps in an environment", "function call")
"""Kinds of answer that are the work itself and are checked by running them: two of one domain with the same one are
alike.

A choice among four, a short answer or a vote says nothing of what was asked: there the construct alone decides.
"""

ELSEWHERE = ("steps in an environment", "patch", "votes of people", "votes of a model", "judged text")
"""Kinds of answer that take more than a laptop to score: an environment, other people, another model."""

RESERVATIONS = (
    *(
        "needs_more",
        "keys_hidden",
        "stage_doubted",
        "apart_unknown",
        "crowded",
        "makers_most",
        "others_earlier",
        "one_house",
    ),
    *("measurer_unknown", "makers_ahead", "labels_some_wrong", "no_ceiling", "no_floor", "under_condition"),
    *("labels_unaudited", "one_construct"),
)
"""What speaks against a benchmark that fails no rule, what matters most first; the last one holds of each."""


def outcomes() -> dict[str, pl.Expr]:
    """For each rule the code by which a benchmark fails it; null where it does not."""
    has_result = pl.col("models") > 0
    conditions: dict[str, pl.Expr] = {
        "no_result": ~has_result,
        "few_models": pl.col("models") < LIMITS.min_models,
        "dormant": pl.col("is_dormant"),
        "makers_all": has_result & (pl.col("by_others") == 0),
        "few_by_others": has_result & (pl.col("by_others") < LIMITS.min_models),
        "saturated": pl.col("stage") == "saturated",
        "little_room": pl.col("room") < LEAST_ROOM,
        "room_unknown": has_result & pl.col("room").is_null() & (pl.col("room_case") != "open_ended"),
        "unresolved": pl.col("order_reply") == "no",
        "labels_wrong": pl.col("flawed") >= FLAWED,
        "part": is_part(),
        "construct_unknown": pl.col("construct").is_null() | pl.col("answer_kind").is_null(),
    }
    return {rule: first_case(*((code, conditions[code]) for code in codes)) for rule, codes in RULES.items()}


def likeness() -> pl.Expr:
    """By what a benchmark can be like another: by its `construct` alone, or by its kind of `answer` too."""
    is_known = pl.col("construct").is_not_null() & pl.col("answer_kind").is_not_null()
    return only(
        is_known, pl.when(pl.col("answer_kind").is_in(WORK)).then(pl.lit("answer")).otherwise(pl.lit("construct"))
    )


def reservations(role: pl.Expr) -> pl.Expr:
    """What speaks against a benchmark, in the order of RESERVATIONS: at least one of what has a construct."""
    teaches = role == "teach"
    behind = pl.col("known_until") - pl.col("independent_until") > pl.duration(days=BEHIND_DAYS)
    self_reported = pl.col("own")
    stated = pl.col("condition").is_not_null() & ~pl.col("condition").is_in([UNSTATED, "standard"])
    conditions = {
        "needs_more": teaches & pl.col("answer_kind").is_in(ELSEWHERE),
        "keys_hidden": teaches & ~pl.col("laptop") & ~pl.col("answer_kind").is_in(ELSEWHERE),
        "stage_doubted": pl.col("doubted"),
        "apart_unknown": pl.col("order_reply") == "unknown",
        "crowded": pl.col("order_reply") == "partly",
        "makers_most": self_reported > LIMITS.self_reported_share,
        "others_earlier": behind,
        "one_house": pl.col("houses") == 1,
        "measurer_unknown": self_reported.is_null(),
        "makers_ahead": pl.col("claims_more"),
        "labels_some_wrong": (pl.col("flawed") > 0) & (pl.col("flawed") < FLAWED),
        "no_ceiling": pl.col("room_case") == "open_ended",
        "no_floor": pl.col("room_bound") == "at_least",
        "under_condition": stated,
        "labels_unaudited": pl.col("labels_case") == "not_audited",
        "one_construct": pl.col("construct").is_not_null(),
    }
    codes = [only(conditions[code].fill_null(value=False), pl.lit(code)) for code in RESERVATIONS]
    return pl.concat_list(codes).list.drop_nulls()


def weights() -> dict[str, tuple[pl.Expr, ...]]:
    """For each role the criteria, the weightiest first; more is better in each, and unknown values sort last.

    Whatever the role, those come first whose room is known, then what still measures, then those whose top can be held
    against its errors.
    """
    room, by_others = pl.col("room"), pl.col("by_others")
    is_work = pl.col("answer_kind").is_in(WORK).cast(pl.Int64)
    apart = pl.col("pairs_apart") / pl.col("pairs")
    measures = pl.col("stage") == "discriminating"
    has_numbers = tuple(condition.cast(pl.Int64) for condition in (room.is_not_null(), measures, apart.is_not_null()))
    return {
        "fund": (*has_numbers, pl.coalesce("room_low", "room"), pl.col("houses"), by_others),
        "publish": (*has_numbers, by_others, pl.col("makers"), apart, room),
        "teach": (pl.col("laptop").cast(pl.Int64), *has_numbers, -pl.col("n_items"), by_others),
        "ship": (is_work, *has_numbers, pl.col("independent_until"), apart, room),
    }
