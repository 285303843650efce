"""What items say: rows of `item_test` and the tables beside it, with the names that words need."""

import polars as pl

from benchhealth.analytics.record.by_item.item_results import NO_ITEMS, ItemResults
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.published.generation import ParameterError, Params, PublishedTable, View, recently
from benchhealth.dashboard.published.results import known_benchmark, model_names
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


KEY = ("benchmark_id", "source_id", "condition")
PAIRS = ("pairs", "pairs_apart", "pairs_apart_clustered")
_NAME_COLUMNS = {"first": "first_name", "second": "second_name", "missing_model": "missing_name"}


@recently
def test_of(view: View, benchmark_id: str) -> Row | None:
    """The test of a benchmark that most models answered, with names; None where none is known item by item."""
    rows = view.table("item_test").filter(pl.col("benchmark_id") == benchmark_id)
    if rows.is_empty():
        return None
    row = rows.sort("n_models", "n_items", *KEY[1:], descending=[True, True, False, False]).row(0, named=True)
    names = model_names(view)
    labels = {name_column: names.get(row[column], row[column]) for column, name_column in _NAME_COLUMNS.items()}
    return {**row, **labels, **_n_pairs(view, row)}


def _n_pairs(view: View, row: Row) -> Row:
    """How many pairs of the first ten differ beyond error on its board: columns of `board_card`."""
    of_board = view.table("board_card").filter(pl.col("board_id") == f"{row['source_id']}/{row['benchmark_id']}")
    newest = of_board.sort("observed_at").select(PAIRS).tail(1)
    return newest.row(0, named=True) if newest.height else dict.fromkeys(PAIRS)


def rows_of(view: View, table: str, row: Row) -> pl.DataFrame:
    """The rows of a table beside `item_test` that are of this test, without what names the test."""
    of_test = pl.all_horizontal(pl.col(name) == row[name] for name in KEY)
    return view.recent((table, *(row[name] for name in KEY)), lambda: view.table(table).filter(of_test).drop(KEY))


def with_items(view: View, number: int, other_than: str) -> list[tuple[str, str]]:
    """Benchmarks that are known item by item, as (id, name), those with most models first."""
    rows = view.table("item_test").filter(pl.col("benchmark_id") != other_than)
    most = rows.group_by("benchmark_id").agg(pl.col("n_models").max())
    names = view.table("benchmark").select("benchmark_id", name=pl.coalesce("name", "benchmark_id"))
    listed = most.join(names, on="benchmark_id").sort("n_models", "benchmark_id", descending=[True, False])
    return list(listed.select("benchmark_id", "name").head(number).iter_rows())


def candidates(view: View, params: Params) -> pl.DataFrame:
    """The items of a benchmark whose key may be wrong, by their names, those that most models choose first."""
    row = test_of(view, known_benchmark(view, params))
    if row is None:
        raise ParameterError("no results item by item")
    return rows_of(view, "item_candidate", row).sort("choosing", "item", descending=[True, False])


CANDIDATES = PublishedTable("item-candidates", candidates)
