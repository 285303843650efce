"""The numbers of one model on one benchmark, each with where it is printed."""

import polars as pl

from benchhealth.dashboard.published.files.places import file_address
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.models import known_model
from benchhealth.dashboard.published.results import known_benchmark
from benchhealth.dashboard.published.tables import Params, PublishedTable

_NUMBERS = """
    SELECT d.*, s.url AS file_url, s.ref
    FROM differing_number d LEFT JOIN snapshot s USING (snapshot_id)
    WHERE d.benchmark_id = $benchmark AND d.model_id = $model ORDER BY d.place
"""


def numbers(view: View, params: Params) -> pl.DataFrame:
    """The rows of `differing_number` of the model and benchmark that the parameters name, with `url`.

    `url` is where a person sees the row: the page that it cites, or the file at its commit and line.
    """
    asked = {"benchmark": known_benchmark(view, params), "model": known_model(view, params)}
    return view.recent(("numbers of", *asked.values()), lambda: _with_addresses(view.query(_NUMBERS, **asked)))


def _with_addresses(rows: pl.DataFrame) -> pl.DataFrame:
    addresses = [file_address(url, row) for url, row in rows.select("file_url", "source_row").iter_rows()]
    return rows.with_columns(url=pl.Series(addresses, dtype=pl.String)).drop("file_url")


NUMBERS = PublishedTable("differing-numbers", numbers)
