"""Changes of verdicts: stages, flags, new benchmarks, the version of the rules."""

import polars as pl

from benchhealth.analytics.change.previous import Tables
from benchhealth.analytics.record.frames import is_whole

_EVIDENCE = (
    ("n_models", "models"),
    ("headroom", "room"),
    ("resolution_top5", "apart"),
    ("proposed_breaks", "breaks"),
)


def verdict_changes(before: Tables, after: Tables) -> list[pl.DataFrame]:
    """Rows of the kinds stage, benchmark, flag and rules."""
    both = _both(before, after)
    return [_stages(both), _new(both), *_flags(both), _rules(before, after)]


def _both(before: Tables, after: Tables) -> pl.DataFrame:
    """Every whole benchmark's verdict now, what it was, and what of its evidence is another."""
    past = before["verdict"].select("benchmark_id", was="stage", had="flags", rules_before="rules_version")
    now = after["verdict"].filter(is_whole()).select("benchmark_id", "stage", "flags", "rules_version")
    joined = now.join(past, on="benchmark_id", how="left")
    for indicator, name in _EVIDENCE:
        for tables, suffix in ((before, "_before"), (after, "")):
            computed = tables["indicator"].filter((pl.col("indicator") == indicator) & (pl.col("status") == "ok"))
            joined = joined.join(
                computed.select("benchmark_id", pl.col("value").alias(f"{name}{suffix}")), on="benchmark_id", how="left"
            )
    return joined


MORE_MODELS, FIRST_MODELS = "models", "first_models"
"""Parts of why a stage is another, in the order of NUMBERS."""


def _why() -> dict[str, pl.Expr]:
    """What is another under a changed stage: `names` say which of rules, proposed break, models, age, the top's pairs.

    `numbers` are the version of the rules, how many models there are, how many more, and how many of ten pairs differ.
    """
    models, before = pl.col("models").cast(pl.Int64), pl.col("models_before").cast(pl.Int64)
    more = models - before
    pairs = (pl.col("apart") * 10).round()
    parts = [
        pl.when(pl.col("rules_version") != pl.col("rules_before")).then(pl.lit("rules")),
        pl.when(pl.col("breaks") > pl.col("breaks_before").fill_null(0))
        .then(pl.lit("break_waits"))
        .when(pl.col("breaks") < pl.col("breaks_before"))
        .then(pl.lit("break_decided")),
        pl.when(before.is_null() & models.is_not_null())
        .then(pl.lit(FIRST_MODELS))
        .when(more != 0)
        .then(pl.lit(MORE_MODELS)),
        pl.when((pl.col("was") == "emerging") & (pl.col("stage") != "emerging") & (more == 0)).then(pl.lit("age")),
        pl.when(pl.col("apart").ne_missing(pl.col("apart_before")) & pl.col("apart").is_not_null()).then(
            pl.lit("pairs")
        ),
    ]
    numbers = [pl.col("rules_version").cast(pl.Float64, strict=False), models, more, pairs]
    return {
        "case": pl.lit("stage_changed"),
        "names": pl.concat_list(parts).list.drop_nulls(),
        "numbers": pl.concat_list([number.cast(pl.Float64) for number in numbers]),
    }


def _stages(both: pl.DataFrame) -> pl.DataFrame:
    return both.filter(pl.col("stage") != pl.col("was")).select(
        "benchmark_id",
        kind=pl.lit("stage"),
        before="was",
        after="stage",
        value="room",
        value_before="room_before",
        n=pl.col("models").cast(pl.Int64),
        **_why(),
    )


def _new(both: pl.DataFrame) -> pl.DataFrame:
    """Benchmarks that were not on record, where their stage is known."""
    return both.filter(pl.col("was").is_null() & (pl.col("stage") != "unknown")).select(
        "benchmark_id",
        kind=pl.lit("benchmark"),
        after="stage",
        value="room",
        n=pl.col("models").cast(pl.Int64),
        case=pl.lit("new_benchmark"),
    )


def _flags(both: pl.DataFrame) -> list[pl.DataFrame]:
    judged_before = both.drop_nulls("was").with_columns(pl.col("flags", "had").fill_null([]))
    new_flags = judged_before.select("benchmark_id", after=pl.col("flags").list.set_difference("had")).explode("after")
    went = judged_before.select("benchmark_id", before=pl.col("had").list.set_difference("flags")).explode("before")
    return [
        new_flags.drop_nulls("after").with_columns(kind=pl.lit("flag"), case=pl.lit("newly_flagged")),
        went.drop_nulls("before").with_columns(kind=pl.lit("flag"), case=pl.lit("flagged_no_longer")),
    ]


def _rules(before: Tables, after: Tables) -> pl.DataFrame:
    versions = [
        tables["verdict"].select(pl.col("rules_version").drop_nulls().unique().sort().str.join(", "))["rules_version"]
        for tables in (before, after)
    ]
    was, now = (names[0] if len(names) else None for names in versions)
    rows = [{"kind": "rules", "before": was, "after": now}] if was and now and was != now else []
    made = pl.DataFrame(rows, schema={"kind": pl.String, "before": pl.String, "after": pl.String})
    return made.with_columns(case=pl.lit("rules_changed"))
