"""One name to show for each model: as a curator read it in the maker's documents, else a published spelling of its id.

An id carries no setting and no host (`ingest.names`), so that a spelling of it carries none either: `GPT 5.4 (High)` is
no spelling of `gpt-5.4-2026-03-05`, `GPT-5.4` is one, less the date.
"""

import polars as pl

from benchhealth.analytics.record.tables.columns import TEXT
from benchhealth.analytics.record.words import spelt

MODEL_NAME = pl.Schema({"model_id": TEXT, "name": TEXT, "source_url": TEXT})
"""The curated names, each with where it was read."""

_DATE = r"[-_ @(]*(?:20[12]\d-?[01]\d(?:-?[0-3]\d)?|[01]\d-20[12]\d)\)?$"
"""The date that ends a name: 2024-08-06, 20240806, 2024-08, 08-2024."""

_OWNER = r"^[^/\s]+/"
"""Whose repository a name stands in: `meta-llama/` of `meta-llama/Llama-3.2-1B`."""

_OF_QWEN = r"^(?:Qwen|QwQ|QVQ)[\w.-]*(?: [\w.-]+)+$"
"""A name of Qwen's with spaces: the maker writes a hyphen between all its parts (Qwen3-VL-235B-A22B-Instruct)."""

_BRACKET = r"\s*\([^()]*\)\s*$"
"""What a board adds in brackets: ` (FC)`, ` (Prompt)`."""


def display_names(ids: pl.Series, spellings: pl.DataFrame, curated: pl.DataFrame) -> pl.DataFrame:
    """`model_id` and `name` of each of the ids, sorted by id; no two names are equal, capitals or not.

    `spellings` has `model_id` and `name`: every name under which anybody prints the model, also without the owner of
    the repository and without the bracket that ends it. A curated name stands. Of the spellings of an id the one
    without a date is taken if no other model has the like, else the one with it, else the only name that is printed
    (see `_sole`), else the id. Of several one with capitals goes first, then one that is printed so, then the shorter.
    What Qwen makes has hyphens throughout, as its maker writes.
    """
    models = pl.DataFrame({"model_id": ids}).unique().sort("model_id")
    printed = spellings.drop_nulls().unique().join(models, on="model_id", how="semi")
    unowned = pl.concat([printed, printed.with_columns(pl.col("name").str.replace(_OWNER, ""))]).unique()
    candidates = pl.concat(
        [unowned.with_columns(cut=False), unowned.with_columns(pl.col("name").str.replace(_BRACKET, ""), cut=True)]
    )
    plain = _best(candidates, _undated(pl.col("model_id")), _undated(pl.col("name")), "plain")
    full = _best(candidates, pl.col("model_id"), pl.col("name"), "full")
    named = (
        models.join(curated.select("model_id", curated="name"), on="model_id", how="left")
        .join(plain, on="model_id", how="left")
        .join(full, on="model_id", how="left")
        .join(_sole(printed), on="model_id", how="left")
        .with_columns(
            full=pl.coalesce("full", "only", "model_id"),
            # Whose date is dropped would otherwise be called as a model that has none.
            like=spelt(pl.coalesce("curated", _undated(pl.col("model_id")))),
        )
        .with_columns(alone=(pl.len().over("like") == 1) | pl.col("curated").is_not_null())
        .with_columns(
            name=_hyphened(pl.coalesce("curated", pl.when("alone").then("plain"), "full")),
        )
    )
    return _distinct(named).select("model_id", "name").sort("model_id")


def _hyphened(name: pl.Expr) -> pl.Expr:
    """The name as Qwen writes it, if it is one of Qwen's; a version behind a space (Qwen 2.5 7B) is left as it is."""
    is_qwens = name.str.contains(_OF_QWEN) & ~name.str.contains(r"^Qwen \d")
    return pl.when(is_qwens).then(name.str.replace_all(" ", "-", literal=True)).otherwise(name)


def _undated(name: pl.Expr) -> pl.Expr:
    """The name without the date that it ends with, or the whole where nothing else is left."""
    short = name.str.replace(_DATE, "")
    return pl.when(short == "").then(name).otherwise(short)


def _best(candidates: pl.DataFrame, key: pl.Expr, name: pl.Expr, column: str) -> pl.DataFrame:
    """For each model the best of the names that spell its key, as `column`."""
    like = candidates.with_columns(key=spelt(key), spelling=name.str.strip_chars()).filter(
        (pl.col("spelling") != "") & (spelt(pl.col("spelling")) == pl.col("key"))
    )
    lower = ~pl.col("spelling").str.contains(r"\p{Lu}")
    order = like.sort("model_id", lower, "cut", pl.col("spelling").str.len_chars(), "spelling")
    best = order.unique("model_id", keep="first", maintain_order=True)
    return best.select("model_id", pl.col("spelling").alias(column))


def _sole(printed: pl.DataFrame) -> pl.DataFrame:
    """`only` of models that are printed under one name alone.

    A name with each word of the id and more adds what the id leaves out, such as a setting or a host: it is no name of
    the model.
    """
    sole_names = printed.filter(pl.len().over("model_id") == 1, pl.col("name").str.strip_chars() != "")
    words = sole_names.with_columns(word=pl.col("model_id").str.to_lowercase().str.split("-")).explode("word")
    has_all = pl.col("name").str.to_lowercase().str.contains(pl.col("word"), literal=True).all()
    return words.group_by("model_id", "name").agg(more=has_all).filter(~pl.col("more")).select("model_id", only="name")


def _distinct(named: pl.DataFrame) -> pl.DataFrame:
    """The models with names that differ in more than capitals: of equal ones all that no curator chose get their id."""
    fixed = pl.col("curated").is_not_null()
    for fallback in (pl.col("model_id"), pl.format("{} ({})", "name", "model_id")):
        is_repeated = pl.len().over(pl.col("name").str.to_lowercase()) > 1
        named = named.with_columns(name=pl.when(is_repeated & ~fixed).then(fallback).otherwise("name"))
    return named
