"""The parts of a benchmark's page that are words and tables: verdict, facts, evidence, twins, indicators."""

import polars as pl
import streamlit as st

from dashboard.published import twin_pairs
from dashboard.published.generation import View
from dashboard.published.results import known_benchmark
from dashboard.published.tables import Params, PublishedTable
from dashboard.widgets import empty, links, tables
from dashboard.words import definitions
from dashboard.words.sentences import Facts, about, basis, growth_said, twin_said
from dashboard.words.stages import FLAG_MEANING, FLAG_WORDS, STAGE_MEANING, STAGE_WORDS
from dashboard.words.text import code, count, markdown


def indicators(view: View, params: Params) -> pl.DataFrame:
    """All indicators of a benchmark: value, interval, n, status and the reason for it."""
    benchmark_id = known_benchmark(view, params)
    return view.table("indicator").filter(pl.col("benchmark_id") == benchmark_id).drop("benchmark_id")


def evidence(view: View, params: Params) -> pl.DataFrame:
    """The documented reports of contamination of a benchmark."""
    benchmark_id = known_benchmark(view, params)
    return view.table("contamination_report").filter(pl.col("benchmark_id") == benchmark_id).drop("benchmark_id")


def twins(view: View, benchmark_id: str) -> pl.DataFrame:
    """The twins that a benchmark is the original or the other of, on the linear scale."""
    either = (pl.col("original_id") == benchmark_id) | (pl.col("other_id") == benchmark_id)
    return twin_pairs.twins(view, {}).filter(either).sort("twin_id")


INDICATORS = PublishedTable("indicators", indicators)
EVIDENCE = PublishedTable("contamination", evidence)


def reasons(view: View, facts: Facts, verdict: Facts) -> None:
    """The stage and flags with their meaning, every rule that applied, and what is missing where none did."""
    stage = str(verdict["stage"])
    flags = "".join(f" **{FLAG_WORDS[flag].capitalize()}**: {FLAG_MEANING[flag]}." for flag in verdict["flags"])
    st.markdown(f"**{STAGE_WORDS[stage]}**: {STAGE_MEANING[stage]}.{flags}")
    if verdict["reasons"]:
        st.markdown("Why:\n" + "\n".join(f"- {definitions.explained(reason)}" for reason in verdict["reasons"]))
    rows = indicators(view, {"benchmark": facts["benchmark_id"]})
    grown = growth_said({row["indicator"]: row for row in rows.iter_rows(named=True)})
    if grown:
        st.markdown(f"{markdown(grown)} [How growth is classified]({links.address('methods')}#growth)")
    if stage == "unknown":
        _missing(view, facts)


def _missing(view: View, facts: Facts) -> None:
    """What would have to be known for a verdict."""
    lacking = indicators(view, {"benchmark": facts["benchmark_id"]}).filter(
        pl.col("indicator").is_in(["n_models", "headroom", "resolution_top5"]) & (pl.col("status") != "ok")
    )
    items = [
        f"- `{name}`: {markdown(reason or status)}"
        for name, reason, status in lacking.select("indicator", "reason", "status").iter_rows()
    ]
    if items:
        empty.nothing("What is missing for a verdict", "\n".join(items))


def facts_line(facts: Facts) -> None:
    """What the benchmark is, in one paragraph; what is not known is left out, the ceiling's basis is not."""
    parts = [f"{label} **{markdown(said)}**" for label, said in about(facts)]
    st.markdown(" · ".join([*parts, f"id {code(facts['benchmark_id'])}"]))
    paper = facts["paper_url"] or ""
    link = f" [Paper](<{paper}>)" if paper.startswith(("http://", "https://")) else ""
    said = basis(facts)
    st.markdown(f"{said[:1].upper()}{said[1:]}.{link}")
    command = f"benchhealth report --benchmark {facts['benchmark_id']} --output report.pdf"
    st.markdown(f"To print or to pass on, two pages: {code(command)}")


def twin_lines(view: View, facts: Facts) -> None:
    """Each twin in a sentence, with a link to its page."""
    found = twins(view, facts["benchmark_id"])
    st.header("Twins", anchor="twins")
    if found.is_empty():
        st.markdown("No second measurement of the same thing is on record.")
        return
    for row in found.iter_rows(named=True):
        address = links.address("trust", benchmark=facts["benchmark_id"], twin=row["twin_id"])
        st.markdown(f"- {_twin_sentence(row)} [See this twin]({address})")


def _twin_sentence(row: Facts) -> str:
    """Gap, slope and order of one twin."""
    pair = f"**{markdown(row['original'] or row['original_id'])}** and **{markdown(row['other'] or row['other_id'])}**"
    return f"{pair} {markdown(twin_said(row))}"


def evidence_table(view: View, facts: Facts) -> None:
    """Documented contamination with its method and address."""
    params = {"benchmark": facts["benchmark_id"]}
    rows = evidence(view, params)
    st.header("Contamination evidence", anchor="contamination")
    labels = facts["labels"]
    st.markdown(
        (f"Test labels are **{markdown(labels)}**. " if labels else "Whether test labels are public is unknown. ")
        + "A report says what was found where; none found is no proof of absence."
    )
    address = links.address("trust", benchmark=facts["benchmark_id"], more="ladder")
    st.markdown(f"[Every rung of evidence]({address})")
    if rows.is_empty():
        st.markdown("No documented report is on record.")
        return
    tables.show(
        view,
        tables.percents(rows, "share"),
        EVIDENCE,
        params,
        key="contamination",
        alt="Documented contamination reports",
        config={
            "share": st.column_config.NumberColumn("share of items", format=tables.PERCENT),
            "subject_kind": "kind",
            "reference_url": st.column_config.LinkColumn("reference", display_text="open"),
        },
    )


def indicator_table(view: View, facts: Facts) -> None:
    """Every indicator with its status and reason."""
    params = {"benchmark": facts["benchmark_id"]}
    rows = indicators(view, params)
    st.header("All indicators", anchor="indicators")
    computed = rows.filter(pl.col("status") == "ok").height
    st.markdown(
        f"{computed} of {count(rows.height, 'indicator')} could be computed; where one could not, the value is empty "
        f"and the reason says why. [Definitions]({links.address('methods')}#indicators)"
    )
    lacking = pl.format("{}: {}", pl.col("status").str.replace("_", " "), pl.col("reason").fill_null(""))
    units = {"indicator": list(definitions.UNITS), "unit": list(definitions.UNITS.values())}
    tables.show(
        view,
        rows.with_columns(tables.spans(rows, "low", "high", ",.4g"))
        .join(pl.DataFrame(units), on="indicator", how="left", maintain_order="left")
        .select(
            "indicator",
            "value",
            "interval",
            "n",
            reason=pl.when(pl.col("status") == "ok").then("reason").otherwise(lacking),
            unit="unit",
        ),
        INDICATORS,
        params,
        key="indicators",
        alt="Indicators of this benchmark with value, unit, interval, number of observations, and reason or basis",
        config={
            "indicator": st.column_config.TextColumn("indicator", pinned=True, width=200),
            "value": st.column_config.NumberColumn("value", format="%.4g", width=68),
            "interval": st.column_config.TextColumn("95% interval", width=100),
            "n": st.column_config.NumberColumn("n", format="localized", width=62, help="What it rests on"),
            "reason": st.column_config.TextColumn("reason or basis", width=255),
            "unit": st.column_config.TextColumn("unit", width=165),
        },
        visible_rows=12,
        wrapped=True,
    )
