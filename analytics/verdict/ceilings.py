"""Which benchmarks truly have little room left, and which ceilings tools, attempts, subsets or judges make."""

from dataclasses import replace
from datetime import date
from typing import NamedTuple

import polars as pl

from benchhealth.analytics.record.conditions.recognise import EVERY_BENCHMARK, UNSTATED
from benchhealth.analytics.record.current import leaderboard, newest
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.frontier import frontier, history_of
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.saturation.activity import N_MODELS
from benchhealth.analytics.saturation.headroom import HEADROOM, HEADROOM_OF_CEILING, HUMAN_MARGIN
from benchhealth.analytics.saturation.resolution import RESOLUTION, SPREAD
from benchhealth.analytics.saturation.staleness import SINCE_ADVANCE, TRIES_SINCE_ADVANCE
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.analytics.verdict.verdict import judge

OF_THE_CURVE = (
    HEADROOM,
    HEADROOM_OF_CEILING,
    HUMAN_MARGIN,
    RESOLUTION,
    SPREAD,
    N_MODELS,
    SINCE_ADVANCE,
    TRIES_SINCE_ADVANCE,
)
"""The indicators of verdicts that follow from the curve and the leaderboard."""

OF_THE_CONDITION = ("condition_stated", "models_elsewhere")
_SCHEMA = PUBLISHED["condition_headroom"]


def raw_evidence(evidence: Evidence, mixed: pl.LazyFrame, curated_breakpoint: pl.DataFrame) -> Evidence:
    """The evidence about benchmarks of several conditions, as if all their results could be compared."""
    all_results = mixed.collect()
    history = history_of(all_results, evidence.as_of)
    return replace(
        evidence,
        facts=evidence.facts.join(all_results, on="benchmark_id", how="semi", maintain_order="left"),
        board=leaderboard(newest(all_results)),
        history=history,
        frontier=frontier(all_results, history, curated_breakpoint, evidence.known_until),
        frontier_by_others=None,
        board_by_others=None,
    )


class RawVerdict(NamedTuple):
    """What would be said of benchmarks of several conditions if all their results could be compared."""

    evidence: Evidence
    indicator: pl.DataFrame
    verdict: pl.DataFrame


def judged_raw(
    raw_evidence: Evidence, indicator: pl.DataFrame, thresholds: Thresholds, as_of: date, sides_before: pl.DataFrame
) -> RawVerdict:
    """Raw verdicts: what follows from the curve in table `indicator` gives way to what `raw_evidence` says."""
    from_the_curve = [curve_indicator.rows(raw_evidence) for curve_indicator in OF_THE_CURVE]
    changed = pl.concat(from_the_curve).join(raw_evidence.known_until, on="benchmark_id", how="left")
    unchanged = indicator.filter(
        ~pl.col("indicator").is_in([*(curve_indicator.key for curve_indicator in OF_THE_CURVE), *OF_THE_CONDITION])
    ).join(raw_evidence.facts, on="benchmark_id", how="semi")
    raw = pl.concat([unchanged.select(changed.columns), changed]).join(
        raw_evidence.known_until, on="benchmark_id", how="left"
    )
    return RawVerdict(raw_evidence, raw, judge(raw, thresholds, as_of, sides_before))


def condition_headroom(frames: Frames, raw: RawVerdict, indicator: pl.DataFrame, verdict: pl.DataFrame) -> pl.DataFrame:
    """Table `condition_headroom`: each benchmark with results, judged in its condition and with all thrown together.

    `headroom` and `stage` are those of the condition it is judged by; `headroom_raw` and `stage_raw` what they would be
    if results under all conditions were one curve. `made_by` names what the leader over all conditions has that the
    condition does not (a search agent, several attempts, a subset), or what it lacks, and `kinds` what that is about;
    null where the leader is of the same condition. Where chance is not known (`chance_known`) headroom is counted from
    the worst possible score; it is null on an open-ended scale.
    """
    led = raw.evidence.frontier.filter("carried").select("benchmark_id", raw_condition="condition")
    rows = (
        raw.evidence.reference.join(_headroom(indicator, "headroom"), on="benchmark_id", how="left")
        .join(verdict.select("benchmark_id", "stage"), on="benchmark_id", how="left")
        .join(_headroom(raw.indicator, "headroom_raw").drop("has_chance"), on="benchmark_id", how="left")
        .join(raw.verdict.select("benchmark_id", stage_raw="stage"), on="benchmark_id", how="left")
        .join(led, on="benchmark_id", how="left")
    )
    is_single = pl.col("n_conditions") <= 1
    of_condition = {"headroom_raw": "headroom", "stage_raw": "stage", "raw_condition": "condition"}
    filled = rows.with_columns(
        *(
            pl.when(is_single).then(alternative).otherwise(name).alias(name)
            for name, alternative in of_condition.items()
        ),
        others=pl.col("n_conditions") - 1,
        chance_known="has_chance",
    )
    return _with_makers(filled, frames.condition).select(_SCHEMA.names()).cast(_SCHEMA).sort("benchmark_id")


def _headroom(indicator: pl.DataFrame, name: str) -> pl.DataFrame:
    headrooms = indicator.filter(pl.col("indicator").is_in([HEADROOM.key, HEADROOM_OF_CEILING.key]), status="ok")
    chance = headrooms.filter(indicator=HEADROOM.key).select("benchmark_id", value="value")
    worst = headrooms.filter(indicator=HEADROOM_OF_CEILING.key).select("benchmark_id", from_worst="value")
    joined = chance.join(worst, on="benchmark_id", how="full", coalesce=True)
    return joined.select(
        "benchmark_id", pl.coalesce("value", "from_worst").alias(name), has_chance=pl.col("value").is_not_null()
    )


def _with_makers(rows: pl.DataFrame, table: pl.DataFrame) -> pl.DataFrame:
    """The rows with `made_by`, the words that only their own condition has, and `kinds`, what these words are about."""
    raw, of_condition = pl.col("raw_condition").str.split(", "), pl.col("condition").str.split(", ")
    without = pl.format("without {}", of_condition.list.set_difference(raw).list.sort().list.join(", "))
    differing = rows.with_columns(
        parts=raw.list.set_difference(of_condition).list.sort(),
        without=pl.when(of_condition.list.set_difference(raw).list.len() > 0).then(without),
    )
    words = differing["parts"].explode().drop_nulls().unique().to_list()
    kinds = {word: kind_of(word, table) for word in words}
    named = pl.col("parts").list.eval(pl.element().replace_strict(kinds, default=None, return_dtype=pl.String))
    return differing.with_columns(
        made_by=pl.when(pl.col("parts").list.len() > 0).then(pl.col("parts").list.join(", ")).otherwise("without"),
        kinds=named.list.drop_nulls().list.unique().list.sort(),
    )


def kind_of(word: str, table: pl.DataFrame) -> str | None:
    """What a word of a condition is about; of words with a placeholder the longest that fits."""
    if word == UNSTATED:
        return UNSTATED
    exact = table.filter(pl.col("condition") == word).sort(pl.col("benchmark_id") == EVERY_BENCHMARK)
    if not exact.is_empty():
        return str(exact["kind"][0])
    before = pl.col("condition").str.strip_suffix("{}")
    fitting = table.filter(pl.col("condition").str.ends_with("{}"), pl.lit(word).str.starts_with(before))
    longest = fitting.sort(before.str.len_chars(), descending=True)
    return str(longest["kind"][0]) if not longest.is_empty() else None
