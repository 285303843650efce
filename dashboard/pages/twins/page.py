"""Twins and contamination: does a second measurement of the same thing agree, and what is documented?"""

from collections.abc import Mapping
from typing import Any

import polars as pl
import streamlit as st

from dashboard.pages.twins import breakdown, order_transfer, words
from dashboard.pages.twins import tables as twins_tables
from dashboard.pages.twins.figures import residuals
from dashboard.pages.twins.figures import scatter as twin
from dashboard.published import generation, twin_pairs
from dashboard.published.generation import View
from dashboard.published.known import last_known
from dashboard.widgets import chart, empty, filters, links, tables
from dashboard.widgets.page import PageSpec
from dashboard.words.text import code, count, listed, markdown

Twin = Mapping[str, Any]


def render() -> None:
    """Draw the page."""
    view = generation.current()
    st.title("Twins: does a second measurement agree?", anchor=False)
    asked = st.query_params.get("twin")
    declared = twin_pairs.twins(view, {})
    if asked and asked not in set(declared["twin_id"]):
        empty.nothing(
            f"This generation holds no twin {code(asked)}.",
            f"It may have been renamed. [All twins]({links.address('twins')}) are listed on this page.",
        )
    elif declared.is_empty():
        empty.nothing(
            "No twin is on record.",
            "A twin is a second measurement of the same thing: a fresh sample, a harder variant, an independent rerun. "
            "They are declared in `data/registry/twin.csv`, each with its source.",
        )
    else:
        _twin_parts(view, declared)
    order_transfer.show(view)
    _reports(view)
    _labels(view)


def _twin_parts(view: View, declared: pl.DataFrame) -> None:
    chosen, on = st.columns([3, 1])
    with chosen:
        sides = (pl.coalesce(side, f"{side}_id") for side in ("original", "other"))
        titled = declared.select("twin_id", pl.format("{} and {}", *sides)).iter_rows()
        twin_id = filters.named("twin", "Twin", dict(titled))
    with on:
        scale = filters.one("scale", "Scale", twin_pairs.SCALES)
    found = twin_pairs.twins(view, {"scale": scale}).filter(pl.col("twin_id") == twin_id)
    if found.is_empty():
        empty.nothing(
            f"This twin has no {scale} scale.",
            "The probit and logit scales are for shares of items alone. Choose *linear* above.",
        )
    else:
        _one(view, found.row(0, named=True))
    _every(view, scale)


def _one(view: View, row: Twin) -> None:
    params = {"twin": row["twin_id"]}
    rows = twin_pairs.residuals(view, params)
    st.markdown(f"Kind of twin: **{markdown(row['kind'] or 'not stated')}**. {_sides(row)}{_note(row)}")
    if rows.is_empty():
        st.header(markdown(twin.finding(row)), anchor="twin")
        empty.nothing(
            "There is nothing to compare yet.",
            "The pair is declared, but no model has a result on both sides in the sources of this generation.",
        )
        return
    sources = _sources(view, row)
    chart.show(
        view,
        chart.Chart(
            key="twin",
            finding=twin.finding(row),
            alt=twin.alt_text(row, rows),
            figure=twin.figure(row, rows),
            table=twin_pairs.RESIDUALS,
            params=params,
            method="twins",
            sources=sources,
        ),
    )
    st.markdown(words.mechanisms(row))
    if rows["residual"].count() == 0:
        return
    chart.show(
        view,
        chart.Chart(
            key="residuals",
            finding=residuals.finding(row, rows),
            alt=residuals.alt_text(row, rows),
            figure=residuals.figure(row, rows),
            table=twin_pairs.RESIDUALS,
            params=params,
            method="residuals",
            sources=sources,
            column_config={"model": st.column_config.TextColumn("model", width=220)},
        ),
    )
    st.markdown(words.power(row))
    breakdown.show(view, row, sources)


def _sides(row: Twin) -> str:
    sides = [
        f"[{markdown(row[side])}]({links.address('benchmark', benchmark=row[side + '_id'])})"
        for side in ("original", "other")
    ]
    return f"Both sides: {listed(sides)}."


def _note(row: Twin) -> str:
    """What the registry says of the pair, and where that is from."""
    if not row["note"]:
        return ""
    address = row["source_url"] or ""
    link = f" ([reference](<{address}>))" if address.startswith(("https://", "http://")) else ""
    return f" The second: {markdown(row['note'])}{link}."


def _sources(view: View, row: Twin) -> list[chart.SourceLine]:
    """The sources that the pair is read from; where the registry names none, all that hold results of both sides."""
    both = view.query(
        """
        SELECT s.source_id, max(s.observed_at) AS observed_at FROM result r JOIN snapshot s USING (snapshot_id)
        WHERE r.benchmark_id IN ($original, $other)
        GROUP BY s.source_id HAVING count(DISTINCT r.benchmark_id) = $sides ORDER BY s.source_id
        """,
        original=row["original_id"],
        other=row["other_id"],
        sides=len({row["original_id"], row["other_id"]}),
    )
    declared = [name for name in (row["source_id"], row["other_source_id"]) if name]
    if declared:
        both = both.filter(pl.col("source_id").is_in(declared))
    titled = both.join(view.table("source").select("source_id", "title", "homepage"), on="source_id", how="left")
    return [
        chart.SourceLine(title or source_id, homepage or "", observed_at)
        for source_id, title, homepage, observed_at in titled.sort("source_id")
        .select("source_id", "title", "homepage", "observed_at")
        .iter_rows()
    ]


def _every(view: View, scale: str) -> None:
    rows = twin_pairs.twins(view, {"scale": scale})
    st.header("All twins", anchor="all")
    without = [markdown(name) for name in rows.filter(pl.col("n_models") == 0)["twin_id"]]
    missing = f" No model connects {listed(without)} yet." if without else ""
    st.markdown(f"{count(rows.height, 'twin')} on the {scale} scale. A gap above 0: lower on the second.{missing}")
    opened = [
        f"{links.address('twins', twin=twin_id)}#{links.fragment(twin_id)}" for twin_id in rows["twin_id"].to_list()
    ]
    config = st.column_config
    tables.grid(
        rows.select(
            pl.Series("twin", opened, dtype=pl.String),
            "kind",
            "n_models",
            "gap",
            "slope",
            interval=tables.spans(rows, "slope_low", "slope_high", ".3f"),
            r2="r2",
            tau="kendall_tau",
            tau_top="kendall_tau_top",
            flagged=pl.when(pl.col("tested") > 0).then(pl.col("flagged")),
            cause="cause",
        ),
        key="twins",
        alt="Every twin with gap, slope, order kept and flagged models",
        config={
            "twin": config.LinkColumn("Twin", display_text=r"#(.*)$", pinned=True, width=205, alignment="left"),
            "kind": config.TextColumn("Kind", width=125),
            "n_models": config.NumberColumn("Results on both", format="localized", width=115),
            "gap": config.NumberColumn("Gap", format="%.2f", width=65, help="Points, or units of the scale"),
            "slope": config.NumberColumn("Slope", format="%.3f", width=65),
            "interval": config.TextColumn("95% interval", width=115, help="Of the slope"),
            "r2": config.NumberColumn("R²", format="%.3f", width=60),
            "tau": config.NumberColumn("Tau", format="%.2f", width=55, help="Kendall's tau of the two orders, -1 to 1"),
            "tau_top": config.NumberColumn("Tau at the top", format="%.2f", width=120),
            "flagged": config.NumberColumn("Flagged", width=80),
            "cause": config.TextColumn("What the gap can be", width=190),
        },
    )
    st.markdown(f"[Download as CSV](<{twin_pairs.TWINS.address({'scale': scale})}>), generation {view.name}.")


def _reports(view: View) -> None:
    rows = twin_pairs.reports(view, {})
    st.header("Documented contamination", anchor="reports")
    if rows.is_empty():
        empty.nothing("No report is on record.", "None found is no proof of absence.")
        return
    benchmarks = rows["benchmark_id"].n_unique()
    st.markdown(
        f"{count(rows.height, 'published measurement')} of overlap with training material, for "
        f"{count(benchmarks, 'benchmark')}. Methods differ, so shares of different methods do not compare; a benchmark "
        "that is not listed has not been shown to be free of overlap."
    )
    tables.show(
        view,
        tables.percents(
            rows.select("benchmark", "subject", "subject_kind", "split", "share", "method", "reference_url"), "share"
        ),
        twin_pairs.REPORTS,
        {},
        key="reports",
        alt="Documented contamination reports, the largest share first",
        config={
            "benchmark": st.column_config.TextColumn("benchmark", pinned=True, width=150),
            "share": st.column_config.NumberColumn("share of items", format=tables.PERCENT, width=110),
            "subject_kind": "kind",
            "method": st.column_config.TextColumn("method", width=360),
            "reference_url": st.column_config.LinkColumn("reference", display_text="open", width=90),
        },
    )


def _labels(view: View) -> None:
    rows = twin_pairs.visibility(view, {})
    st.header("Who can see the labels", anchor="labels")
    if rows.is_empty():
        empty.nothing("No benchmark is on record.", "The registry and the sources name them.")
        return
    st.markdown(words.labels(rows, last_known(view)))
    tables.show(view, rows, twin_pairs.VISIBILITY, {}, key="labels", alt="Benchmarks by the visibility of their labels")


PAGE = PageSpec(
    url_path="twins",
    title="Twins",
    render=render,
    tables=(
        twin_pairs.TWINS,
        twin_pairs.RESIDUALS,
        twin_pairs.GROUPS,
        twin_pairs.AGES,
        twin_pairs.ROBUSTNESS,
        twins_tables.TRANSFERS,
        twin_pairs.REPORTS,
        twin_pairs.VISIBILITY,
    ),
)
