"""Names that a registry of names takes for one and this record holds apart: ranked claims for a curator, who decides.

Models are found by the id that their name has here, benchmarks by their id, their id without the source's key, or their
name in the form of an id. Registries file settings, parts and editions under one entry, so that a claim is a reason to
look and no more.
"""

import polars as pl

from benchhealth.analytics.record.frames import Frames, is_whole
from benchhealth.analytics.record.tables import as_published


def claimed_aliases(frames: Frames) -> pl.DataFrame:
    """The published table `claimed_alias`: pairs of ids that a source lists as one, those with most results first.

    `id` is the one of the two with more results; `names` and `other_names` are the spellings under the registry's entry
    `listed` by which they were found. Parts of benchmarks are left out.
    """
    listed = (
        frames.listed_name.join(_own_keys(frames), on=["entity", "key"])
        .group_by("source_id", "entity", "listed", "id")
        .agg(names=pl.col("name").unique().sort(), n_results=pl.col("n").first())
    )
    pairs = listed.join(listed, on=["source_id", "entity", "listed"], suffix="_other").filter(
        (pl.col("n_results") > pl.col("n_results_other"))
        | ((pl.col("n_results") == pl.col("n_results_other")) & (pl.col("id") < pl.col("id_other")))
    )
    named = pairs.rename({"id_other": "other_id", "names_other": "other_names", "n_results_other": "n_other_results"})
    order = ["n_other_results", "n_results", "entity", "id", "other_id", "listed", "source_id"]
    return as_published(named, "claimed_alias").sort(order, descending=[True, True, False, False, False, False, False])


def _own_keys(frames: Frames) -> pl.DataFrame:
    """Every `key` under which a model or benchmark with `n` results may be found here, with its `id`, by `entity`."""
    results = frames.result.filter(pl.col("kind") == "model")
    models = results.group_by(id="model_id").agg(n=pl.len()).collect().with_columns(key="id", entity=pl.lit("model"))
    of_whole = results.filter(is_whole())
    counted = of_whole.group_by(id="benchmark_id").agg(n=pl.len()).collect()
    named = counted.join(frames.benchmark.select(id="benchmark_id", name="name"), on="id", how="left")
    sources = frames.source["source_id"].drop_nulls().unique().sort()
    keys = [pl.col("id"), _slug(pl.col("name"))]
    benchmarks = pl.concat([named.select("id", "n", key=key) for key in keys])
    without_source = pl.concat(
        [
            named.filter(pl.col("id").str.starts_with(f"{source}-")).select(
                "id", "n", key=pl.col("id").str.strip_prefix(f"{source}-")
            )
            for source in sources
        ]
        or [benchmarks.clear()]
    )
    all_benchmarks = pl.concat([benchmarks, without_source]).with_columns(entity=pl.lit("benchmark"))
    columns = ["entity", "key", "id", "n"]
    return pl.concat([models.select(columns), all_benchmarks.select(columns)]).drop_nulls("key").unique(columns[:3])


def _slug(words: pl.Expr) -> pl.Expr:
    """A name as it stands in an id: small letters and digits, other signs as hyphens."""
    return words.str.to_lowercase().str.replace_all(r"[^a-z0-9.]+", "-").str.strip_chars("-.")
