"""What a generation says that the one before did not: two generations compared by their published tables."""

from datetime import date, timedelta

import polars as pl

from benchhealth.analytics.change.previous import CARRIED_TABLE, RESULT_COMPARED, Previous, Tables
from benchhealth.analytics.change.rows import SCHEMA, intervals_part, model_names, scale_breaks
from benchhealth.analytics.change.source_changes import source_changes
from benchhealth.analytics.record.current import CONTINUOUS
from benchhealth.analytics.record.frames import benchmark_of_board, is_whole
from benchhealth.analytics.record.tables import with_missing
from benchhealth.analytics.record.tables.case import first_case
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS

_EVIDENCE = (
    ("n_models", "models"),
    ("headroom", "room"),
    ("resolution_top5", "apart"),
    ("proposed_breaks", "breaks"),
)


def verdict_changes(before: Tables, after: Tables) -> list[pl.DataFrame]:
    """Rows of the kinds stage, benchmark, flag and rules."""
    joined = _verdict_pairs(before, after)
    return [_stages(joined), _new(joined), *_flags(joined), _rules(before, after)]


def _verdict_pairs(before: Tables, after: Tables) -> pl.DataFrame:
    """Every whole benchmark's verdict now and before, and which of its evidence has changed."""
    earlier = before["verdict"].select("benchmark_id", was="stage", had="flags", rules_before="rules_version")
    current = after["verdict"].filter(is_whole()).select("benchmark_id", "stage", "flags", "rules_version")
    joined = current.join(earlier, on="benchmark_id", how="left")
    for indicator, name in _EVIDENCE:
        for tables, suffix in ((before, "_before"), (after, "")):
            computed = tables["indicator"].filter((pl.col("indicator") == indicator) & (pl.col("status") == "ok"))
            joined = joined.join(
                computed.select("benchmark_id", pl.col("value").alias(f"{name}{suffix}")), on="benchmark_id", how="left"
            )
    return joined


MORE_MODELS, FIRST_MODELS = "models", "first_models"
"""Codes of why a stage changed, in the order of NUMBERS."""


def _stage_causes() -> dict[str, pl.Expr]:
    """Why a stage changed: `names` say which of rules, proposed break, models, age, the top's pairs.

    `numbers` are the version of the rules, how many models there are, how many more, and how many of ten pairs differ.
    """
    models, before = pl.col("models").cast(pl.Int64), pl.col("models_before").cast(pl.Int64)
    more = models - before
    pairs = (pl.col("apart") * 10).round()
    causes = [
        pl.when(pl.col("rules_version") != pl.col("rules_before")).then(pl.lit("rules")),
        first_case(
            ("break_waits", pl.col("breaks") > pl.col("breaks_before").fill_null(0)),
            ("break_decided", pl.col("breaks") < pl.col("breaks_before")),
        ),
        first_case((FIRST_MODELS, before.is_null() & models.is_not_null()), (MORE_MODELS, more != 0)),
        pl.when((pl.col("was") == "emerging") & (pl.col("stage") != "emerging") & (more == 0)).then(pl.lit("age")),
        pl.when(pl.col("apart").ne_missing(pl.col("apart_before")) & pl.col("apart").is_not_null()).then(
            pl.lit("pairs")
        ),
    ]
    numbers = [pl.col("rules_version").cast(pl.Float64, strict=False), models, more, pairs]
    return {
        "case": pl.lit("stage_changed"),
        "names": pl.concat_list(causes).list.drop_nulls(),
        "numbers": pl.concat_list([number.cast(pl.Float64) for number in numbers]),
    }


def _stages(joined: pl.DataFrame) -> pl.DataFrame:
    return joined.filter(pl.col("stage") != pl.col("was")).select(
        "benchmark_id",
        kind=pl.lit("stage"),
        before="was",
        after="stage",
        value="room",
        value_before="room_before",
        n=pl.col("models").cast(pl.Int64),
        **_stage_causes(),
    )


def _new(joined: pl.DataFrame) -> pl.DataFrame:
    """Benchmarks that were not on record, where their stage is known."""
    return joined.filter(pl.col("was").is_null() & (pl.col("stage") != "unknown")).select(
        "benchmark_id",
        kind=pl.lit("benchmark"),
        after="stage",
        value="room",
        n=pl.col("models").cast(pl.Int64),
        case=pl.lit("new_benchmark"),
    )


def _flags(joined: pl.DataFrame) -> list[pl.DataFrame]:
    judged_before = joined.drop_nulls("was").with_columns(pl.col("flags", "had").fill_null([]))
    came = judged_before.select("benchmark_id", after=pl.col("flags").list.set_difference("had")).explode("after")
    went = judged_before.select("benchmark_id", before=pl.col("had").list.set_difference("flags")).explode("before")
    return [
        came.drop_nulls("after").with_columns(kind=pl.lit("flag"), case=pl.lit("newly_flagged")),
        went.drop_nulls("before").with_columns(kind=pl.lit("flag"), case=pl.lit("flagged_no_longer")),
    ]


def _rules(before: Tables, after: Tables) -> pl.DataFrame:
    versions = [
        tables["verdict"].select(pl.col("rules_version").drop_nulls().unique().sort().str.join(", "))["rules_version"]
        for tables in (before, after)
    ]
    was, current = (names[0] if len(names) else None for names in versions)
    rows = [{"kind": "rules", "before": was, "after": current}] if was and current and was != current else []
    changed = pl.DataFrame(rows, schema={"kind": pl.String, "before": pl.String, "after": pl.String})
    return changed.with_columns(case=pl.lit("rules_changed"))


_STATE = ["board_id", "model_id", "rank_low", "tier", "observed_at"]


def leader_changes(before: Tables, after: Tables) -> pl.DataFrame:
    """Rows of kind leader, for boards that said something new.

    A board whose scale, names, data or rules broke since then is not compared: the break is a change of its own. A
    model that is no longer known at all went by another name. Where the one before is listed no more, the change is
    beyond noise if nobody else can be first.
    """
    current, earlier = _newest(after["rank"]), _newest(before["rank"])
    first, was = _leaders(current), _leaders(earlier).rename({"model_id": "before", "observed_at": "seen_before"})
    moved = first.join(was.select("board_id", "before", "seen_before"), on="board_id").filter(
        pl.col("model_id") != pl.col("before"), pl.col("observed_at") > pl.col("seen_before")
    )
    names = model_names(after["model"]).drop("released_on")
    still = current.select("board_id", before="model_id", low_now="rank_low")
    joined = (
        moved.join(_broken(after, moved), on="board_id", how="anti")
        .join(still, on=["board_id", "before"], how="left")
        .join(names, on="model_id", how="left")
        .join(names.rename({"model_id": "before", "name": "name_before"}), on="before")
        .filter(pl.col("name").ne_missing(pl.col("name_before")))
        .with_columns(benchmark_id=benchmark_of_board())
        .filter(is_whole())
    )
    return joined.select(
        "benchmark_id",
        "board_id",
        "model_id",
        "before",
        kind=pl.lit("leader"),
        after="model_id",
        beyond_noise=pl.when(pl.col("low_now").is_not_null())
        .then(pl.col("low_now") > 1)
        .when(pl.col("rank_low").is_not_null())
        .then(pl.col("could_be_first") == 1),
        on_day=pl.col("observed_at").dt.date(),
        n=pl.col("tied_first"),
        case=pl.lit("first_since"),
        names=pl.concat_list(pl.coalesce("name", "model_id"), "name_before"),
    )


def _newest(rank: pl.DataFrame) -> pl.DataFrame:
    """The rows of `rank` at the newest state of every board."""
    newest = rank.filter(pl.col("observed_at") == pl.col("observed_at").max().over("board_id"))
    return newest.select(*_STATE, "rank").sort("board_id", "rank", "model_id")


def _leaders(newest: pl.DataFrame) -> pl.DataFrame:
    """Who is first on each board, how many could be by themselves, and how many are tied for first all at once."""
    could_be = newest.group_by("board_id").agg(
        could_be_first=(pl.col("rank_low") == 1).sum().cast(pl.Int64),
        tied_first=(pl.col("tier") == 1).sum().cast(pl.Int64),
    )
    first = newest.filter(pl.col("rank") == 1).unique("board_id", keep="first", maintain_order=True)
    return first.select(_STATE).join(could_be, on="board_id")


def _broken(after: Tables, moved: pl.DataFrame) -> pl.DataFrame:
    breaks = after["breakpoint"].select("board_id", "on_date").join(moved, on="board_id")
    in_between = pl.col("on_date").is_between(pl.col("seen_before").dt.date(), pl.col("observed_at").dt.date(), "right")
    return breaks.filter(in_between).select("board_id").unique()


LATE_REPORT = timedelta(days=183)

_CASES = {
    "best": "best_now",
    "best_late": "best_found_late",
    "best_lost": "best_taken_back",
    "rescale": "scale_moved",
    "condition": "condition_changed",
}
"""The case of table `change` for each kind of change of a best score."""


def best_changes(before: Tables, after: Tables) -> pl.DataFrame:
    """Rows of the kinds best, best_late, best_lost, rescale and condition, of whole benchmarks.

    `best` is a record: a better score under the same condition. `best_late` is a better one that is LATE_REPORT older
    than the day until which the benchmark was known, or not younger than the score it replaces: news of our knowledge
    and not of the world. `best_lost` is a worse one: the source corrected or took back what was best. Open-ended scores
    are refitted with every version, and those of a benchmark that is counted on move by design: there a new number of
    the same model, or a worse best of a bounded one, is none of these. One across a breakpoint of scale or rules is a
    `rescale`, never a record. Where the condition that a benchmark is judged by is another, the two are not compared
    (`condition`). A change is beyond noise where the 95% intervals of the two do not meet, and not known to be where
    one of them has none.
    """
    current, earlier = _best(after), _best(before)
    facts = after["benchmark"].select(
        "benchmark_id", "unit", "refresh", higher=pl.col("higher_is_better").fill_null(value=True)
    )
    until = before["verdict"].select("benchmark_id", known_before="known_until")
    joined = (
        current.join(earlier, on="benchmark_id", suffix="_before")
        .filter(is_whole())
        .join(facts, on="benchmark_id", how="left")
        .join(until, on="benchmark_id", how="left")
        .join(_breaks(after), on="benchmark_id", how="left")
        .join(model_names(after["model"]), on="model_id", how="left")
        .with_columns(kind=_kind())
        .drop_nulls("kind")
    )
    is_score = pl.col("kind").str.starts_with("best")
    return joined.select(
        "benchmark_id",
        "model_id",
        "kind",
        "value",
        "low",
        "high",
        "value_before",
        "low_before",
        "high_before",
        before=pl.when(pl.col("kind") == "condition").then("condition_before").otherwise("model_id_before"),
        after=pl.when(pl.col("kind") == "condition").then("condition").otherwise("model_id"),
        beyond_noise=pl.when(is_score).then(intervals_part()),
        on_day="dated_on",
        until_day="broke_on",
        case=pl.col("kind").replace_strict(_CASES, return_dtype=pl.String),
        names=pl.when(pl.col("kind") == "condition")
        .then(pl.concat_list("condition", "condition_before"))
        .otherwise(pl.concat_list(pl.coalesce("name", "model_id"))),
        numbers=pl.concat_list(
            pl.coalesce(pl.col("released_on").dt.year(), pl.col("dated_on").dt.year()).cast(pl.Float64)
        ),
    )


def _best(tables: Tables) -> pl.DataFrame:
    """Each benchmark's best score with its interval, the model, its day and the condition."""
    value = (pl.col("indicator") == "frontier") & (pl.col("status") == "ok")
    scores = tables["indicator"].filter(value).select("benchmark_id", "value", "low", "high")
    steps = tables["frontier"].drop_nulls("score")
    carried = steps.filter("carried").select("benchmark_id", "model_id", "condition", "score")
    dated = steps.filter(~pl.col("carried")).group_by("benchmark_id", "model_id", "score").agg(pl.col("dated_on").min())
    leaders = carried.join(dated, on=["benchmark_id", "model_id", "score"], how="left")
    return scores.join(leaders.unique("benchmark_id", keep="first", maintain_order=True), on="benchmark_id")


def _breaks(after: Tables) -> pl.DataFrame:
    """The last day on which the scale of a board of each benchmark broke."""
    return scale_breaks(after["breakpoint"]).group_by("benchmark_id").agg(broke_on=pl.col("on_date").max())


def _kind() -> pl.Expr:
    higher, lower = pl.col("value") > pl.col("value_before"), pl.col("value") < pl.col("value_before")
    better = pl.when("higher").then(higher).otherwise(lower)
    bounded = pl.col("unit").is_in(BOUNDED_UNITS)
    counted_on = pl.col("refresh").eq_missing(CONTINUOUS)
    same = pl.col("model_id") == pl.col("model_id_before")
    late = (pl.col("dated_on") <= pl.col("known_before") - LATE_REPORT) | (
        pl.col("dated_on") <= pl.col("dated_on_before")
    )
    return (
        pl.when(pl.col("condition").ne_missing(pl.col("condition_before")))
        .then(pl.lit("condition"))
        .when(pl.col("value") == pl.col("value_before"))
        .then(None)
        .when(pl.col("broke_on") > pl.col("known_before"))
        .then(pl.lit("rescale"))
        .when((~bounded.fill_null(value=False) & same) | (counted_on & (same | ~better)))
        .then(None)
        .when(~better)
        .then(pl.lit("best_lost"))
        .when(late)
        .then(pl.lit("best_late"))
        .otherwise(pl.lit("best"))
    )


CARRIED_OVER_FOR = timedelta(days=30)
"""Changes of earlier generations are carried over for this long: a reader wants what changed lately, and a generation
published twice from the same facts says nothing new and forgets nothing."""

KINDS = (
    *("stage", "benchmark", "flag", "rules"),
    *("leader", "best", "best_late", "best_lost", "rescale", "condition"),
    *("held", "source", "results", "correction", "break", "incident"),
)
"""Every kind of change in the table `change`."""

ORDER = ["kind", "benchmark_id", "board_id", "source_id", "model_id", "before", "after", "on_day"]


def change_table(  # noqa: PLR0913, PLR0917 - the tables that two generations are compared by
    previous: Previous,
    as_of: date,
    benchmark: pl.DataFrame,
    model: pl.DataFrame,
    verdict: pl.DataFrame,
    indicator: pl.DataFrame,
    frontier: pl.DataFrame,
    rank: pl.DataFrame,
    breakpoint: pl.DataFrame,
    incident: pl.DataFrame,
    source: pl.DataFrame,
    snapshot: pl.DataFrame,
    kept_out: pl.DataFrame,
    result: pl.LazyFrame,
) -> pl.DataFrame:
    """Table `change`: what this generation says that the one before did not."""
    if previous.name is None:
        result = result.clear()
    current = {
        "benchmark": benchmark,
        "model": model,
        "verdict": verdict,
        "indicator": indicator,
        "frontier": frontier,
        "rank": rank,
        "breakpoint": breakpoint,
        "incident": incident,
        "source": source,
        "snapshot": snapshot,
        "kept_out": kept_out,
        "result": result.select(RESULT_COMPARED).collect(),
    }
    return changes(previous, as_of, current)


def changes(previous: Previous, as_of: date, current: Tables) -> pl.DataFrame:
    """Table `change`: the differences of the tables COMPARED from the previous generation.

    `against` names the generation that it was not said by, `made_on` is the day of the assessment that says it.
    `text`, which is left to whoever makes sentences of the cases, follows the name of what changed; `before`, `after`
    and the numbers are by kind: stages with their headroom, best scores with their 95% intervals and models, models
    first on a board, states of sources. After the new rows, the previous generation's own changes of the last
    CARRIED_OVER_FOR. Without a previous generation there is no change.
    """
    if previous.name is None:
        return pl.DataFrame(schema=SCHEMA)
    before = {name: rows.collect() for name, rows in previous.tables.items()}
    compared = _all_changes(before, current)
    new = compared.with_columns(made_on=pl.lit(as_of), against=pl.lit(previous.name))
    return pl.concat([new.sort(ORDER, nulls_last=True), _carried_over(before, as_of)])


def _all_changes(before: Tables, after: Tables) -> pl.DataFrame:
    tables = [
        *verdict_changes(before, after),
        leader_changes(before, after),
        best_changes(before, after),
        *source_changes(before, after),
    ]
    return pl.concat([with_missing(rows, SCHEMA) for rows in tables])


def _carried_over(before: Tables, as_of: date) -> pl.DataFrame:
    return before[CARRIED_TABLE].filter(pl.col("made_on") >= as_of - CARRIED_OVER_FOR)
