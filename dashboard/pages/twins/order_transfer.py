"""Whether an order of models carries over from one benchmark to others."""

import streamlit as st

from dashboard.pages.twins import tables as twins_tables
from dashboard.pages.twins.figures import order_transfer as figures
from dashboard.published.generation import View
from dashboard.published.known import last_known
from dashboard.widgets import chart, empty, filters
from dashboard.words.text import count, listed, markdown


def show(view: View) -> None:
    """The section with its choice of benchmark."""
    st.header("Does an order carry over to other benchmarks?", anchor="transfer")
    originals = twins_tables.originals(view)
    if not originals:
        empty.nothing(
            "No two benchmarks can be compared.",
            "It takes ten models that are listed under one name on two benchmarks that are described in the registry.",
        )
        return
    names = dict(view.table("benchmark").select("benchmark_id", "name").iter_rows())
    chosen = filters.named("from", "From", {one: names.get(one) or one for one in originals})
    params = {"from": chosen}
    rows = twins_tables.transfers(view, params)
    name = names.get(chosen) or chosen
    if rows["kendall_tau"].count():
        chart.show(
            view,
            chart.Chart(
                key="transfers",
                finding=figures.finding(name, rows, last_known(view)),
                alt=figures.alt_text(name, rows),
                figure=figures.figure(rows),
                table=twins_tables.TRANSFERS,
                params=params,
                method="transfer",
            ),
        )
    unknown = rows.filter(rows["kendall_tau"].is_null())
    if not unknown.is_empty():
        pairs = [f"{markdown(other)} ({count(n, 'model')})" for other, n in unknown.select("other", "n_models").rows()]
        st.markdown(f"Not known, with fewer than ten models in common or no order on one side: {listed(pairs)}.")
