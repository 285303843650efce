"""Who made a model of which no source says it: by its repository, a maker before its name, or how its id begins.

`CohereLabs/cohere-transcribe-03-2026` stands in a repository of Cohere's, and ForecastBench writes the maker before
its own systems: `xAI: Grok 4.20 (Beta, C)`. Whose a product is that is only served (`grok-beta`), maker.csv says.
Only owners of the closed list count (`analytics.record.words`): anybody else may have put up a copy, or be a person.
"""

import polars as pl

from benchhealth.analytics.record.frames import MODEL_CLAIM
from benchhealth.analytics.record.tables.columns import TEXT
from benchhealth.analytics.record.words import in_words, spelt

_REPOSITORY = r"^([^/\s]+)/[^/]+$"
_MAKER_BEFORE = {"forecastbench": r"^([^:/()]+): \S", "vectara": r"^([A-Za-z0-9]+)[ -]\S"}
"""How sources print a maker before the name: `xAI: Grok 4.20` (where the team made it), `Intel Neural Chat 7B`."""

_HOSTS = ("fireworks", "fireworksai", "huggingface", "together", "togetherai")
"""Owners of the list that serve models of others under their own name as well."""

MAKER = pl.Schema({"organisation": TEXT, "pattern": TEXT, "note": TEXT, "source_url": TEXT})
"""Whose models have ids that fit a pattern: products that are served, and what the keepers of a board trained."""


def owned(printed: pl.DataFrame, claims: pl.DataFrame, words: pl.DataFrame, makers: pl.DataFrame) -> pl.DataFrame:
    """Claims (schema MODEL_CLAIM) of an organisation for models of `printed` that have none in `claims`.

    `printed` has `model_id`, `published_name`, `source_id`, `observed_at` and `source_url`; `words` has schema WORD and
    `makers` MAKER, whose word goes first. A model that stands under two owners of the list gets none.
    """
    organisations = words.filter(pl.col("kind") == "organisation").select(key=spelt(pl.col("spelling")))
    unsaid = printed.join(claims.filter(pl.col("organisation").is_not_null()), on="model_id", how="anti")
    before = [
        pl.when(pl.col("source_id") == source_id).then(pl.col("published_name").str.extract(pattern))
        for source_id, pattern in _MAKER_BEFORE.items()
    ]
    by_id = [
        pl.when(pl.col("model_id").str.contains(pattern)).then(pl.lit(maker))
        for maker, pattern in makers.select("organisation", "pattern").iter_rows()
    ]
    printed_owner = pl.col("published_name").str.extract(_REPOSITORY)
    owners = (
        unsaid.with_columns(organisation=pl.coalesce(*by_id, printed_owner, *before))
        .with_columns(key=spelt(pl.col("organisation")))
        .filter(~pl.col("key").is_in(_HOSTS))
        .join(organisations.unique(), on="key", how="semi")
    )
    agreed = in_words(owners, words).filter(
        pl.col("organisation").is_not_null(), pl.col("organisation").n_unique().over("model_id") == 1
    )
    newest = agreed.sort("observed_at", "source_id", "source_url").unique(
        ["model_id", "source_id"], keep="last", maintain_order=True
    )
    return newest.select("model_id", "organisation", "source_id", "observed_at", "source_url").match_to_schema(
        MODEL_CLAIM, missing_columns="insert"
    )
