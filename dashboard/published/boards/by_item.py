"""Results item by item of a generation."""

from benchhealth.analytics.record.by_item.item_results import NO_ITEMS, ItemResults
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.published.generation import View

_LISTS = "FROM item WHERE list_contains($lists, list_id) ORDER BY list_id, place"


def by_item(view: View, sql: str, **params: object) -> ItemResults:
    """The rows of the table `item_result` that the SQL selects, with the lists of items that they are over."""
    rows = view.query(sql, **params).match_to_schema(PUBLISHED["item_result"])
    lists = sorted(set(rows["list_id"]))
    if not lists:
        return NO_ITEMS
    return ItemResults(rows, view.query(_LISTS, lists=lists).match_to_schema(PUBLISHED["item"]))
