"""Methods: what every number means, where it comes from, and how a verdict follows."""

import polars as pl
import streamlit as st

from analytics.indicators import INDICATORS
from analytics.record.evidence import Indicator
from analytics.verdict.thresholds import RULES_VERSION
from dashboard.published import generation
from dashboard.published.generation import View
from dashboard.published.tables import Params, PublishedTable
from dashboard.widgets import links
from dashboard.widgets.page import PageSpec
from dashboard.words import definitions
from dashboard.words.text import count, listed, markdown


def _thresholds_table(_view: View, _params: Params) -> pl.DataFrame:
    return definitions.thresholds()


def _coverage_table(view: View, _params: Params) -> pl.DataFrame:
    """For each indicator how many benchmarks have a value, how many have none, and the most frequent reason."""
    return view.kept("coverage", lambda: _coverage(view))


def _coverage(view: View) -> pl.DataFrame:
    missing = pl.col("status") != "ok"
    return (
        view.table("indicator")
        .group_by("indicator")
        .agg(
            ok=(pl.col("status") == "ok").sum().cast(pl.Int64),
            insufficient=(pl.col("status") == "insufficient").sum().cast(pl.Int64),
            not_applicable=(pl.col("status") == "not_applicable").sum().cast(pl.Int64),
            reasons=pl.col("reason").filter(missing).unique(maintain_order=True).sort().head(6),
        )
        .sort("indicator")
    )


THRESHOLDS = PublishedTable("thresholds", _thresholds_table)
COVERAGE = PublishedTable("coverage", _coverage_table)


def render() -> None:
    """Draw the page."""
    view = generation.current()
    st.title("Methods: what every number means", anchor=False)
    st.markdown(
        "[Verdicts](#verdict) · [Limits](#thresholds) · [Indicators](#indicators) · [Methods](#methods) · "
        "[Glossary](#glossary) · [What we do not say](#not-said) · [Reproduction](#reproduction)"
    )
    _verdicts()
    _limits(view)
    _indicators(view)
    _methods()
    _words()
    _reproduction(view)


def _verdicts() -> None:
    st.header("How a verdict comes about", anchor="verdict")
    st.markdown(
        f"Rules version **{RULES_VERSION}**. Stages and flags follow from the indicators by the rules below, and from "
        "nothing else. A rule about a number that is not known does not apply. After **±** stands the margin of a "
        "limit: a rule that applied at the end of last month applies until the number is past the limit by more than "
        "the margin, and one that did not apply begins to only when the number is as far on the other side. So a "
        "number that swings around a limit does not change the verdict every night."
    )
    st.subheader("Stages", anchor="stages")
    st.markdown("The first of these that applies:")
    st.markdown(definitions.stages_text())
    st.subheader("Flags", anchor="flags")
    st.markdown(definitions.flags_text())
    st.subheader("Dormant is not saturated", anchor="dormant")
    st.markdown(
        "A flat curve of a benchmark that everybody still reports says that models stopped improving on it. The same "
        "curve of one that nobody reports any more says nothing about the models. Curves are therefore extended to the "
        "day until which the benchmark is known, and both cases have words of their own."
    )
    st.subheader("Stale is not dormant", anchor="stale")
    st.markdown(
        "*Dormant* compares the newest dated result with the day until which the benchmark is **known**: months in "
        "which nobody looked do not count. *Stale* is about that day alone: where it is too long ago, we do not know "
        "whether anybody reports. A board or a collection is known until its upstream last answered (the date of the "
        "answer, which a cache or a mirror passes on); a copy that others made, a paper and a source that has ended "
        "are known until the newest version that they hold, however often they are fetched. What was already there at "
        "the first look at a file has no date: it counts for the best score, and for nothing in time."
    )


def _limits(view: View) -> None:
    st.header("Limits", anchor="thresholds")
    st.markdown("Every number in the rules, and why it is that.")
    st.markdown(
        "\n".join(
            f"- `{name}` = **{value:g}**: {markdown(reason or 'no reason is written down')}"
            for name, value, reason in definitions.thresholds().select("threshold", "value", "reason").iter_rows()
        )
    )
    st.markdown(f"[Download as CSV](<{THRESHOLDS.address({})}>), generation {view.name}.")


def _indicators(view: View) -> None:
    st.header("Indicators", anchor="indicators")
    st.markdown(
        "Each is computed for every benchmark. Where the facts do not allow it the value is empty and the status says "
        "*insufficient* or *not applicable*, with a reason. Intervals are 95%."
    )
    coverage = {row["indicator"]: row for row in _coverage_table(view, {}).iter_rows(named=True)}
    for indicator in INDICATORS:
        _indicator(indicator, coverage.get(indicator.key))
    st.markdown(f"[How many benchmarks have each, as CSV](<{COVERAGE.address({})}>), generation {view.name}.")


def _indicator(indicator: Indicator, covered: dict[str, object] | None) -> None:
    st.subheader(markdown(indicator.title), anchor=indicator.key)
    st.markdown(markdown(indicator.definition))
    if indicator.key in definitions.FORMULAS:
        st.latex(definitions.FORMULAS[indicator.key])
    st.markdown(
        f"`{indicator.key}` · unit: {markdown(definitions.UNITS[indicator.key])} · "
        f"reference: {definitions.linked(indicator.reference)}"
    )
    if covered is not None:
        st.markdown(_covered(covered))


def _covered(covered: dict[str, object]) -> str:
    reasons = covered["reasons"]
    said = f"Known for {covered['ok']:,} benchmarks here"
    lacking = f", insufficient for {covered['insufficient']:,}, not applicable to {covered['not_applicable']:,}"
    if not isinstance(reasons, list) or not reasons:
        return f"{said}{lacking}."
    return f"{said}{lacking}. Where it is empty: {listed([markdown(str(reason)) for reason in reasons], 'or')}."


def _methods() -> None:
    st.header("Methods", anchor="methods")
    st.markdown("These texts are those of the code that computes the numbers.")
    for method in definitions.METHODS:
        st.subheader(method.title, anchor=method.anchor)
        if method.formula is not None:
            st.latex(method.formula)
        st.markdown(definitions.method_text(method))


def _words() -> None:
    st.header("Glossary", anchor="glossary")
    st.markdown("\n".join(f"- **{word}**: {meaning}" for word, meaning in definitions.GLOSSARY.items()))
    st.header("What we do not say", anchor="not-said")
    st.markdown("\n".join(f"- {sentence}" for sentence in definitions.NOT_SAID))


def _reproduction(view: View) -> None:
    held = view.table("reproduction")["holds"]
    st.header("Reproduction of published numbers", anchor="reproduction")
    holding = f"{held.sum()} of {count(len(held), 'claim')} hold in this generation"
    st.markdown(
        "A claim is a number that others published about these benchmarks. It is written down with its unit, its "
        "source and how far ours may lie from it; ours is computed from the facts on record whenever a generation is "
        "built, and is empty where they do not hold what the claim is about. "
        f"{holding}: [all of them, with reasons where ours differs]({links.address('reproduction')})."
    )


PAGE = PageSpec(
    url_path="methods",
    title="Methods",
    render=render,
    tables=(THRESHOLDS, COVERAGE),
)
