"""Rung 5: does a second measurement of the same thing agree?"""

import polars as pl

from benchhealth.analytics.contamination.findings import Rung, RungInputs, in_schema, judged
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.twins.gap import detectable
from benchhealth.analytics.twins.pairs import SAMPLED

POINTS = 100.0


def find(inputs: RungInputs) -> pl.DataFrame:
    """Models that score higher on an original than its twin of new items predicts.

    After Recht et al. 2019, arXiv:1902.10811, and Zhang et al. 2024, arXiv:2405.00332. What more than two fifths of the
    models have in common, the line has too: a leak to everybody shows in the gap of the twin and not here. Other
    causes: tuning to the original's format, luck of the sample.
    """
    pairs = excesses(inputs)
    return judged(pairs, RUNG.key, "high") if pairs.height else in_schema(pairs, RUNG.key)


def excesses(inputs: RungInputs) -> pl.DataFrame:
    """Each tested model of each fresh twin's original, in the shape of `judged`.

    A model with several results (settings, several twins) is there once, by the smallest p-value times their number
    (Bonferroni); its q is of that result, and holds over all of them as it is.
    """
    kinds = inputs.twin.filter((pl.col("scale") == "linear") & pl.col("kind").is_in(SAMPLED)).select(
        "twin_id", "original_id", "other_id", "kind", "n_models"
    )
    declared = inputs.twin_pair.select("twin_id", "test", "source_url").unique("twin_id", keep="first")
    about = inputs.facts.select("benchmark_id", "sign", "floor", "ceiling", "bounded")
    best = pl.coalesce("ceiling", pl.when(pl.col("sign") > 0).then(1.0).otherwise(0.0)) * POINTS
    tested = (
        inputs.twin_residual.drop_nulls("p_value")
        .join(kinds, on="twin_id")
        .join(declared, on="twin_id", how="left")
        .join(about, left_on="original_id", right_on="benchmark_id")
        .filter("bounded", pl.col("excess").is_not_null())
        .with_columns(
            room=(best - pl.col("original")) * pl.col("sign"),
            below=pl.col("residual") * pl.col("sign"),
            least=pl.when(pl.col("sign") > 0).then(pl.col("floor").fill_null(0.0)).otherwise(1.0) * POINTS,
        )
        .pipe(_leak)
    )
    count = pl.len().over("original_id", "model_id")
    first = (
        tested.with_columns(results=count)
        .sort("original_id", "model_id", "p_value", "twin_id", "original")
        .unique(["original_id", "model_id"], keep="first", maintain_order=True)
    )
    half = Z95 * pl.col("std_error")
    most = (pl.col("original") - pl.col("least")) * pl.col("sign")
    return first.select(
        pl.col("original_id").alias("benchmark_id"),
        "model_id",
        value=pl.col("excess"),
        low=pl.col("excess") - half,
        high=pl.min_horizontal(pl.col("excess") + half, most),
        p_value=(pl.col("p_value") * pl.col("results")).clip(0, 1),
        q_value=pl.col("q_value"),
        detectable=pl.when(pl.col("leak").is_between(0, 1)).then("leak"),
        leak_error="leak_error",
        n=pl.col("n_models"),
        source_url="source_url",
        **Case("than_twin_predicts", other_id="other_id", kind="kind", numbers=("below",)).columns(),
    )


def _leak(tested: pl.DataFrame) -> pl.DataFrame:
    """With `leak_error`, the standard error of the share of items that a model knows, and `leak`, the share that is
    flagged with probability WANTED among as many tests as the twin has.

    A leak of all items brings the `room` left on the original, and of that on the twin what the line of the test does
    (`slope`).
    """
    twins = tested.group_by("twin_id", "test").agg(tests=pl.len()).sort("twin_id")
    needed = [detectable(1.0, tests, test) for _, test, tests in twins.iter_rows()]
    brings = pl.col("slope") * pl.col("room")
    error = pl.when(brings > 0).then(pl.col("std_error") / brings)
    with_needed = tested.join(twins.select("twin_id", needed=pl.Series(needed, dtype=pl.Float64)), on="twin_id")
    return with_needed.with_columns(leak_error=error, leak=error * pl.col("needed"))


RUNG = Rung("twin", "Twin of new items", is_test=True, find=find)
