"""What the reader brought: models and twins that nobody else has."""

import polars as pl

from analytics.record.sharing import Terms, with_terms
from dashboard.published.generation import View

_MODELS = """
    SELECT model_id FROM (SELECT model_id, source_id FROM result JOIN snapshot USING (snapshot_id))
    GROUP BY model_id HAVING bool_and(list_contains($own, source_id))
"""


def sources(view: View) -> list[str]:
    """The sources that were imported, of which something is stored."""
    spoken = view.table("source").filter(pl.col("last_observed_at").is_not_null())
    return with_terms(spoken, Terms.IMPORTED)


def models(view: View) -> frozenset[str]:
    """The models of which nobody else has a result."""

    def found() -> frozenset[str]:
        brought = sources(view)
        return frozenset(view.query(_MODELS, own=brought)["model_id"]) if brought else frozenset()

    return view.kept("own models", found)


def twins(view: View) -> list[str]:
    """The twins that were declared with the results."""
    return view.table("twin_gap").filter(pl.col("twin_id").str.starts_with("import-"))["twin_id"].to_list()
