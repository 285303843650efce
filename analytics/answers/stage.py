"""Does it still measure: the stage, by the case of the rules that made it, with the numbers of that case."""

import polars as pl

from benchhealth.analytics.answers.cases import AssessedTables, Case, Question, only
from benchhealth.analytics.verdict.rules import MEASURES, STAGE_OF
from benchhealth.analytics.verdict.thresholds import LIMITS

CASES = (
    Case(MEASURES, "yes", "discriminating: no rule of another stage holds"),
    Case("narrow", "partly", "compressing: less than a quarter of the scale is left"),
    Case("bunched", "partly", "compressing: the best and the tenth differ by no more than error"),
    Case("crowded_and_spread_unknown", "partly", "compressing: the top five hardly differ, of the tenth it is unknown"),
    Case("crowded_and_room_unknown", "partly", "compressing: the top five hardly differ, the room is not known"),
    Case("exhausted", "no", "saturated: hardly anything of the scale is left, also when errors count"),
    Case("exhausted_and_crowded", "no", "saturated: hardly anything is left, and the top five hardly differ"),
    Case("people_passed_and_unresolved", "no", "saturated: above the human line, and the top five cannot be ordered"),
    Case("people_reached_and_stalled", "no", "saturated: at the human line, and no advance beyond error for a year"),
    Case("people_reached_and_order_unknown", "no", "saturated: at the human line, little left, errors not known"),
    Case("few_models", "unknown", "emerging: fewer models than a top five", "nobody_looked"),
    Case("young", "unknown", "emerging: released less than three months before the assessment", "nobody_looked"),
    Case("proposed_break", "unknown", "what came since a proposed break may be another measurement", "cannot_be_asked"),
    Case(
        "constant_answer_ahead",
        "unknown",
        "an answer that is the same to every item beats every model",
        "cannot_be_asked",
    ),
    Case("other_condition", "unknown", "comparable results are under another condition", "nobody_looked"),
    Case("room_and_order_unknown", "unknown", "neither the room nor the errors at the top are known", "nobody_looked"),
    Case("few_and_dormant", "unknown", "few models, and nobody reports it any more", "nobody_looked"),
    Case("few_and_undated", "unknown", "few models, and no result has a day", "nobody_looked"),
)
"""The codes are those of `analytics.verdict.rules.STAGE_RULES`, and so is which of them makes which stage."""
assert {case.code for case in CASES} == set(STAGE_OF)

SEEN_THROUGH, SEEN_AT_ONCE = "survival/watched", "survival/at_once"
"""Keys of the evidence that results show the day on which it was saturated: while it was watched, which the survival
curves count, or when watching began, which they cannot."""

_ROOM = (MEASURES, "narrow", "exhausted", "exhausted_and_crowded", "people_reached_and_order_unknown")
_PAIRS = (
    *("exhausted_and_crowded", "people_passed_and_unresolved"),
    *("crowded_and_spread_unknown", "crowded_and_room_unknown"),
)


def find(tables: AssessedTables) -> pl.DataFrame:
    """`on_day` is since when the stage holds, `kind` how that day is set; `p` how probable it is, `between` which two
    stages it lies between where that is not enough to name one. `value` is the number that the case rests on.

    That is the room left (share; of `measures` too), the best over the tenth (`times` the error), the pairs that differ
    (share; `count` of `n`, also where nothing is left and more than a few pairs differ), the margin over people
    (share of the scale as `points`), or the months without an advance
    (`count` models tried since). `second` is the room that is left where the value is another number; `bound` says
    `at_least` where chance is not known. Where nothing is paired `n` are the models.
    """
    pairs = tables.of("resolution_top5", n_pairs="n")
    dated = tables.verdict.select("benchmark_id", on_day="since", kind="since_case", p="p", between="between")
    alive_before = pl.col("exit") > pl.col("entry")
    watched = tables.lives.filter("died").select(
        "benchmark_id", died=pl.when(alive_before).then(pl.lit(SEEN_THROUGH)).otherwise(pl.lit(SEEN_AT_ONCE))
    )
    rows = tables.rows.with_columns(pl.col("case").cast(pl.String))
    for table in (pairs, dated, watched):
        rows = rows.join(table, on="benchmark_id", how="left", maintain_order="left")
    case = pl.col("case")
    exact = pl.col("headroom").is_not_null()
    room = pl.when(exact).then("headroom").otherwise("headroom_of_ceiling")
    is_apart = (case == "exhausted") & (pl.col("resolution_top5") > LIMITS.crowded_pairs)
    is_pairs = (case.is_in(_PAIRS) & pl.col("resolution_top5").is_not_null()) | is_apart.fill_null(value=False)
    is_room = case.is_in(_ROOM)
    is_margin, is_stalled = case == "people_passed_and_unresolved", case == "people_reached_and_stalled"
    is_bunched, is_crowded = case == "bunched", case.is_in(_PAIRS[2:])
    value = (
        pl.when(is_room)
        .then(room)
        .when(is_margin)
        .then(pl.when(pl.col("bounded")).then(pl.col("human_margin") * 100).otherwise("human_margin"))
        .when(is_stalled)
        .then("months_without_advance")
        .when(is_bunched)
        .then("spread_top10")
        .when(is_crowded)
        .then("resolution_top5")
    )
    unit = (
        pl.when(is_room | is_crowded)
        .then(pl.lit("share"))
        .when(is_margin)
        .then(pl.when(pl.col("bounded")).then(pl.lit("points")).otherwise(pl.lit("units")))
        .when(is_stalled)
        .then(pl.lit("months"))
        .when(is_bunched)
        .then(pl.lit("times"))
    )
    named = pl.col("between").list.len() == 0
    beside = ~(is_room & named) & room.is_not_null()
    return rows.select(
        "benchmark_id",
        "case",
        "on_day",
        "kind",
        "p",
        "between",
        value=only(named, value),
        unit=only(named & value.is_not_null(), unit),
        low=only(is_room & exact & named, pl.col("headroom.low")),
        high=only(is_room & exact & named, pl.col("headroom.high")),
        count=pl.when(is_pairs)
        .then((pl.col("resolution_top5") * pl.col("n_pairs")).round())
        .when(is_stalled)
        .then("tries_since_advance")
        .cast(pl.Int64),
        n=pl.when(is_pairs).then("n_pairs").otherwise(pl.col("n_models")).cast(pl.Int64),
        n_of=pl.when(is_pairs).then(pl.lit("pairs")).otherwise(pl.lit("models")),
        second=only(beside, room),
        second_unit=only(beside, pl.lit("share")),
        bound=only(~exact & room.is_not_null(), pl.lit("at_least")),
        evidence=pl.concat_list(pl.format("verdict/{}", "stage"), "died").list.drop_nulls(),
    )


STAGE = Question("stage", CASES, find)
