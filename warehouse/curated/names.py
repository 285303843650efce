"""Curated names of models: aliases that a curator decided, former names of an upstream, and names to show."""

import polars as pl

from benchhealth.analytics.record.names.display import MODEL_NAME
from benchhealth.analytics.record.names.owners import MAKER
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.columns import COUNT, NUMBER, TEXT, by_type
from benchhealth.warehouse.curated.checked import PATTERN_RULE, CuratedFile, Rule, one_of

ALIAS = pl.Schema({**PUBLISHED["alias"], "reason": TEXT, "source_url": TEXT})
RENAMED = by_type(
    (TEXT, "source_id published_name model_id basis"), (COUNT, "n_cells"), (NUMBER, "difference"), (TEXT, "source_url")
)
"""Former names of models. `basis` says how that is known (a key of `_REASONS`), `difference` by how many points scores
under the former and the present name differ, on average over the `n_cells` scores that both have."""

_REASONS = {
    "table": "renamed by the library: its own table of former names says so",
    "scores": "renamed by the library: one architecture, and the same scores under both names",
    "same name": "the library's former name, and the same accuracy on ImageNet",
}

ALIAS_FILE = CuratedFile(
    "alias.csv",
    ALIAS,
    key=("source_id", "published_name"),
    required=("published_name", "model_id", "reason", "source_url"),
    indispensable=True,
)
RENAMED_FILE = CuratedFile(
    "renamed.csv",
    RENAMED,
    key=("source_id", "published_name"),
    required=tuple(RENAMED),
    rules=(one_of("basis", *_REASONS),),
)

MAKER_FILE = CuratedFile("maker.csv", MAKER, key=("organisation",), required=tuple(MAKER), rules=(PATTERN_RULE,))

MODEL_NAME_FILE = CuratedFile(
    "model_name.csv",
    MODEL_NAME,
    key=("model_id",),
    required=tuple(MODEL_NAME),
    rules=(
        Rule("name", pl.col("name").str.to_lowercase().is_duplicated(), "is the name of another model too"),
        Rule("name", pl.col("name").str.contains("/", literal=True), "names a host or a folder"),
    ),
)


def with_renamed(alias: pl.DataFrame, renamed: pl.DataFrame) -> pl.DataFrame:
    """The aliases, then the former names that no alias is about; schema ALIAS, an empty text where no setting is."""
    former = renamed.join(alias, on=["source_id", "published_name"], how="anti", maintain_order="left").with_columns(
        reason=pl.col("basis").replace_strict(_REASONS), setting=pl.lit("")
    )
    decided = alias.with_columns(pl.col("setting").fill_null(""))
    return pl.concat([decided, former.select(ALIAS.names())])
