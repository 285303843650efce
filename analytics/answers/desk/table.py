"""The table `decision`: for every use and curated whole benchmark the rules, numbers, costs and reservations."""

import polars as pl

from benchhealth.analytics.answers.cases import AssessedTables
from benchhealth.analytics.answers.desk.rules import ELSEWHERE, ROLES, RULES, likeness, outcomes, reservations, weights
from benchhealth.analytics.models.position import listed_by_others
from benchhealth.analytics.record.frames import Frames, is_whole
from benchhealth.analytics.record.origins.sides import is_by_others
from benchhealth.analytics.record.tables import PUBLISHED

OF_RUN = ("cost of the whole run", "cost of the run", "dollars for the whole run")
OF_ITEM = ("cost of a task", "dollars a question")
"""What sources call the dollars of one run over all items, and those of one item of it; other metrics are no cost."""


def run_costs(frames: Frames, facts: pl.DataFrame) -> pl.DataFrame:
    """`run_cost`, the median of what runs over all items cost in dollars, over `priced_runs` of them, by benchmark.

    A cost is a result of the part `<benchmark>/cost` or the like, at the prices of its day; that of one item is counted
    as many times as the benchmark has items. A cost of 0 is none.
    """
    metrics = [*OF_RUN, *OF_ITEM]
    costs = facts.filter(pl.col("metric").is_in(metrics), pl.col("unit") == "dollars").select(
        "benchmark_id", "metric", of=pl.col("benchmark_id").str.replace(r"/[^/]+$", "")
    )
    items = facts.select(of="benchmark_id", n_items="n_items")
    runs = (
        frames.result.join(costs.lazy(), on="benchmark_id")
        .filter("stands", pl.col("score") > 0)
        .select("of", "metric", "score")
        .collect()
        .join(items, on="of", how="left")
    )
    of_run = pl.col("metric").is_in(OF_RUN)
    priced = runs.with_columns(cost=pl.col("score") * pl.when(of_run).then(1).otherwise("n_items"), of_run=of_run)
    return (
        priced.drop_nulls("cost")
        .group_by(benchmark_id="of")
        .agg(run_cost=pl.col("cost").median(), priced_runs=pl.len().cast(pl.Int64))
        .sort("benchmark_id")
    )


PUBLIC = "public"
"""State of the labels: anybody can read them, so that a run needs nobody else."""


class DecisionError(AssertionError):
    """A benchmark could be recommended without a stated likeness, or without anything that speaks against it."""


def decisions(  # noqa: PLR0913, PLR0917 - the tables that a decision rests on
    assessed: AssessedTables,
    answer: pl.DataFrame,
    standing: pl.DataFrame,
    position: pl.DataFrame,
    board: pl.DataFrame,
    measuring_party: pl.DataFrame,
    frames: Frames,
) -> pl.DataFrame:
    """Table `decision`, a row for each role and curated whole benchmark, by role in the order of its weights.

    `rule_<rule>` is the code by which the rule is failed and null where it is not; `failed` is the first of them.
    What depends on a reader's question (domain, day, budget, whether results must be of others) is left to
    `choose.decide`. Raises DecisionError where what could be recommended has no likeness or no reservation.
    """
    about = _about(assessed, answer).join(
        _independent(standing, position, board), on="benchmark_id", how="left", maintain_order="left"
    )
    facts = (
        about.join(_houses(measuring_party), on="benchmark_id", how="left", maintain_order="left")
        .join(run_costs(frames, assessed.full_evidence.facts), on="benchmark_id", how="left", maintain_order="left")
        .with_columns(
            pl.col("by_others", "houses").fill_null(0),
            laptop=~pl.col("answer_kind").is_in(ELSEWHERE) & (pl.col("labels") == PUBLIC),
        )
    )
    tried = facts.with_columns(**{f"rule_{rule}": code for rule, code in outcomes().items()}, likeness=likeness())
    judged = tried.with_columns(failed=pl.coalesce(f"rule_{rule}" for rule in RULES))
    return checked_table(pl.concat([_of_role(judged, role) for role in ROLES]))


def checked_table(table: pl.DataFrame) -> pl.DataFrame:
    """The checked table. Raises DecisionError where a row that fails nothing has no likeness or no reservation."""
    bare = table.filter(
        pl.coalesce(*(f"rule_{rule}" for rule in RULES if rule != "independence")).is_null(),
        pl.col("likeness").is_null() | (pl.col("reservations").list.len().fill_null(0) == 0),
    )
    if bare.height:
        raise DecisionError(f"nothing is said for or against {', '.join(bare['benchmark_id'].unique().sort())}")
    return table


def _of_role(judged: pl.DataFrame, role: str) -> pl.DataFrame:
    """The rows of one role in the order of its weights, equal ones by id."""
    weighed = weights()[role]
    rows = judged.with_columns(role=pl.lit(role), reservations=reservations(pl.lit(role)))
    return (
        rows.sort(*weighed, "benchmark_id", descending=[*[True] * len(weighed), False], nulls_last=True)
        .with_columns(place=pl.int_range(1, pl.len() + 1))
        .match_to_schema(PUBLISHED["decision"], extra_columns="ignore", integer_cast="upcast")
    )


def _about(assessed: AssessedTables, answer: pl.DataFrame) -> pl.DataFrame:
    """For each curated whole benchmark what it is, and what the answers to four questions say."""
    facts = assessed.rows.filter(pl.col("curated").fill_null(value=False), is_whole())
    doubted = pl.col("between").list.len() > 0
    verdict = assessed.verdict.select("benchmark_id", verdict_stage="stage", doubted=doubted)
    rows = (
        facts.join(verdict, on="benchmark_id", how="left", maintain_order="left")
        .join(assessed.of("self_reported_share", own="value"), on="benchmark_id", how="left", maintain_order="left")
        .select(
            *("benchmark_id", "construct", "answer_kind", "modality", "labels", "n_items", "is_dormant", "own"),
            *("known_until", "condition", "domain", "domain_group", "doubted"),
            stage=pl.coalesce("verdict_stage", "stage"),
            models=pl.col("n_models").fill_null(0).cast(pl.Int64),
        )
    )
    worse = pl.col("claimed") <= pl.col("measured")
    columns_of = {
        "room": (
            *(pl.col("case").alias("room_case"), pl.col("value").alias("room"), pl.col("bound").alias("room_bound")),
            *(pl.col("low").alias("room_low"), pl.col("high").alias("room_high")),
            (~worse).alias("claims_more"),
        ),
        "order": (
            pl.col("reply").alias("order_reply"),
            pl.col("count").alias("pairs_apart"),
            pl.col("n").alias("pairs"),
        ),
        "labels": (pl.col("case").alias("labels_case"), pl.col("value").alias("flawed"), pl.col("n").alias("checked")),
        "reporters": (pl.col("count").alias("makers"),),
    }
    for question, columns in columns_of.items():
        of_question = answer.filter(pl.col("question") == question).select("benchmark_id", *columns)
        rows = rows.join(of_question, on="benchmark_id", how="left", maintain_order="left")
    return rows


def _independent(standing: pl.DataFrame, position: pl.DataFrame, board: pl.DataFrame) -> pl.DataFrame:
    """`by_others`, the listed models that others measured in the condition that decides, and until when they are known.

    The day is that until which those boards are known that hold one of these results.
    """
    counted = position.filter(listed_by_others()).select("benchmark_id", "model_id", "condition")
    until = (
        standing.filter(is_by_others())
        .join(counted, on=["benchmark_id", "model_id", "condition"], how="semi")
        .select("benchmark_id", "source_id")
        .unique()
        .join(board, on=["benchmark_id", "source_id"])
        .group_by("benchmark_id")
        .agg(independent_until=pl.col("known_until").max())
    )
    models = counted.group_by("benchmark_id").agg(by_others=pl.len().cast(pl.Int64))
    return models.join(until, on="benchmark_id", how="left")


def _houses(measuring_party: pl.DataFrame) -> pl.DataFrame:
    """How many named houses measured models of others."""
    named = measuring_party.filter(pl.col("house") != "")
    return named.group_by("benchmark_id").agg(houses=pl.col("house").n_unique().cast(pl.Int64))
