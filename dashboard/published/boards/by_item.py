"""Reads the results of single items from a published generation."""

from benchhealth.analytics.record.by_item.item_results import NO_ITEMS, ItemResults
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.items.clusters import cluster_of

_CLUSTERED = """
    SELECT source_id FROM (
        SELECT i.source_id FROM item i JOIN item_result r USING (list_id)
        WHERE r.benchmark_id = $benchmark AND i.cluster IS NOT NULL
        UNION ALL SELECT source_id FROM design_effect WHERE benchmark_id = $benchmark AND clusters IS NOT NULL
    ) LIMIT 1
"""
_LISTS = "FROM item WHERE list_contains($lists, list_id) ORDER BY list_id, place"


def by_item(view: View, sql: str, **params: object) -> ItemResults:
    """The rows of the table `item_result` that the SQL selects, with the lists of items that they are over."""
    rows = view.query(sql, **params).match_to_schema(PUBLISHED["item_result"])
    lists = sorted(set(rows["list_id"]))
    if not lists:
        return NO_ITEMS
    return ItemResults(rows, view.query(_LISTS, lists=lists).match_to_schema(PUBLISHED["item"]))


def cluster_name(view: View, benchmark_id: str) -> str:
    """What one cluster of the items of a benchmark is called, by the source that says what they belong to."""
    sources = view.query(_CLUSTERED, benchmark=benchmark_id)
    return cluster_of(None if sources.is_empty() else str(sources.item(0, 0)))
