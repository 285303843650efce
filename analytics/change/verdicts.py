"""Changes of verdicts: stages, flags, new benchmarks, the version of the rules."""

import polars as pl

from benchhealth.analytics.change.previous import Tables
from benchhealth.analytics.change.rows import counted, whole

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
    now = after["verdict"].filter(whole()).select("benchmark_id", "stage", "flags", "rules_version")
    joined = now.join(past, on="benchmark_id", how="left")
    for indicator, name in _EVIDENCE:
        for tables, suffix in ((before, "_before"), (after, "")):
            found = tables["indicator"].filter((pl.col("indicator") == indicator) & (pl.col("status") == "ok"))
            joined = joined.join(
                found.select("benchmark_id", pl.col("value").alias(f"{name}{suffix}")), on="benchmark_id", how="left"
            )
    return joined


def _why() -> pl.Expr:
    """In a few words what is another under a changed stage: the rules, the models, what the top can tell apart."""
    models = pl.col("models").cast(pl.Int64)
    more = models - pl.col("models_before").cast(pl.Int64)
    by_rules = pl.when(pl.col("rules_version") != pl.col("rules_before")).then(
        pl.format("judged by version {} of the rules", "rules_version")
    )
    by_break = (
        pl.when(pl.col("breaks") > pl.col("breaks_before").fill_null(0))
        .then(pl.lit("a proposed break of a board awaits a curator"))
        .when(pl.col("breaks") < pl.col("breaks_before"))
        .then(pl.lit("a curator has decided about a proposed break"))
    )
    by_models = (
        pl.when(pl.col("models_before").is_null() & models.is_not_null())
        .then(pl.format("first evidence: {}", counted(models, "model")))
        .when(more > 0)
        .then(pl.format("{} on record", counted(more, "more model", "more models")))
        .when(more < 0)
        .then(pl.format("{} on record", counted(-more, "model fewer", "models fewer")))
    )
    pairs = (pl.col("apart") * 10).round().cast(pl.Int64)
    by_top = pl.when(pl.col("apart").ne_missing(pl.col("apart_before")) & pl.col("apart").is_not_null()).then(
        pl.format("{} of 10 pairs of the top five differ", pairs)
    )
    by_age = pl.when((pl.col("was") == "emerging") & (pl.col("stage") != "emerging") & (more == 0)).then(
        pl.lit("out for long enough now, with as many models as before")
    )
    said = pl.concat_str(by_rules, by_break, by_models, by_age, by_top, separator="; ", ignore_nulls=True)
    return (
        pl.when(said == "")
        .then(pl.lit("results or facts behind it changed, of as many models as before"))
        .otherwise(said)
    )


def _stages(both: pl.DataFrame) -> pl.DataFrame:
    return both.filter(pl.col("stage") != pl.col("was")).select(
        "benchmark_id",
        kind=pl.lit("stage"),
        before="was",
        after="stage",
        value="room",
        value_before="room_before",
        n=pl.col("models").cast(pl.Int64),
        text=_why(),
    )


def _new(both: pl.DataFrame) -> pl.DataFrame:
    """Benchmarks that were not on record, where their stage is known."""
    return both.filter(pl.col("was").is_null() & (pl.col("stage") != "unknown")).select(
        "benchmark_id",
        kind=pl.lit("benchmark"),
        after="stage",
        value="room",
        n=pl.col("models").cast(pl.Int64),
        text=pl.format("new here, with {}", counted(pl.col("models").cast(pl.Int64).fill_null(0), "model")),
    )


def _flags(both: pl.DataFrame) -> list[pl.DataFrame]:
    known = both.drop_nulls("was").with_columns(pl.col("flags", "had").fill_null([]))
    came = known.select("benchmark_id", after=pl.col("flags").list.set_difference("had")).explode("after")
    went = known.select("benchmark_id", before=pl.col("had").list.set_difference("flags")).explode("before")
    return [
        came.drop_nulls("after").with_columns(kind=pl.lit("flag"), text=pl.lit("newly flagged")),
        went.drop_nulls("before").with_columns(kind=pl.lit("flag"), text=pl.lit("no longer flagged")),
    ]


def _rules(before: Tables, after: Tables) -> pl.DataFrame:
    versions = [
        tables["verdict"].select(pl.col("rules_version").drop_nulls().unique().sort().str.join(", "))["rules_version"]
        for tables in (before, after)
    ]
    was, now = (found[0] if len(found) else None for found in versions)
    rows = [{"kind": "rules", "before": was, "after": now}] if was and now and was != now else []
    made = pl.DataFrame(rows, schema={"kind": pl.String, "before": pl.String, "after": pl.String})
    text = pl.format("benchmarks are judged by version {} of the rules, where it was version {}", "after", "before")
    return made.with_columns(text=text)
