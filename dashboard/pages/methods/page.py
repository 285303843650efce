"""Methods: what every number means, where it comes from, and how a verdict follows; a topic at a time."""

from collections.abc import Callable, Mapping

import polars as pl
import streamlit as st

from benchhealth.analytics.forecast.candidates import HALF_SHIFT, RUNNING_MEAN
from benchhealth.analytics.forecast.skill import REGRESSION
from benchhealth.analytics.indicators import INDICATORS
from benchhealth.analytics.record.evidence import Indicator
from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.reproduction.claim import LARGEST_TOLERANCE
from benchhealth.analytics.verdict.rules import FLAG_RULES, REMARKS, STAGE_RULES
from benchhealth.analytics.verdict.threshold_stability import DRAWS, MOVED_BY
from benchhealth.analytics.verdict.thresholds import LIMITS, RULES_VERSION
from benchhealth.dashboard.pages.methods import stages
from benchhealth.dashboard.pages.methods.topics import GROUPS, TITLES, Group
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import PublishedTable, View, always
from benchhealth.dashboard.widgets import empty, filters, links, tables
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.widgets.shell import as_of
from benchhealth.dashboard.words import definitions
from benchhealth.dashboard.words.forecasts import record_sentence
from benchhealth.dashboard.words.methods.method_list import METHODS, Method
from benchhealth.dashboard.words.methods.shared_items import (
    OF_THE_LEADER,
    OVER_CLUSTERS,
    clustered_coverage,
    effect_sentence,
    leader_coverage,
)
from benchhealth.dashboard.words.methods.stages import LINES
from benchhealth.dashboard.words.numbers import with_minus_signs
from benchhealth.dashboard.words.prose.judged.verdicts import MEANING, definition
from benchhealth.dashboard.words.stages import FLAG_WORDS, STAGE_WORDS
from benchhealth.dashboard.words.terms import glossary
from benchhealth.dashboard.words.text import code, count, listed, markdown


@always
def _coverage(view: View) -> pl.DataFrame:
    """For each indicator how many benchmarks have a value, how many have none, and the most frequent reason."""
    missing = pl.col("status") != "ok"
    return (
        view.published.query("SELECT indicator, status, reason FROM indicator")
        .group_by("indicator")
        .agg(
            ok=(pl.col("status") == "ok").sum().cast(pl.Int64),
            insufficient=(pl.col("status") == "insufficient").sum().cast(pl.Int64),
            not_applicable=(pl.col("status") == "not_applicable").sum().cast(pl.Int64),
            reasons=pl.col("reason").filter(missing).unique(maintain_order=True).sort().head(6),
        )
        .sort("indicator")
    )


STABLE_SHARE = 0.95
"""A verdict counts as stable where it is the same in this many of the draws."""

THRESHOLDS = PublishedTable("thresholds", lambda _view, _params: definitions.thresholds())
COVERAGE = PublishedTable("coverage", lambda view, _params: _coverage(view))
SKILLS = PublishedTable("forecast-skills", lambda view, _params: view.table("forecast_skill"))
RELIABILITY = PublishedTable("forecast-reliability", lambda view, _params: view.table("forecast_reliability"))
ISSUED = PublishedTable("forecast-record", lambda view, _params: view.table("forecast_record"))


def draw(view: View) -> None:
    """Draw the page."""
    st.title(f"{count(len(TITLES), 'topic')} say what every number means", anchor=False)
    st.markdown(
        "These texts are those of the code that computes the numbers, so that the page cannot say anything else. "
        f"Rules of verdicts: version **{RULES_VERSION}**."
    )
    requested = st.query_params.get("topic")
    chosen = filters.id_picker(
        "topic", "Topic", TITLES, placeholder="Find an indicator, a method, a word", width=420, with_id=False
    )
    if chosen is not None:
        _topic(view, chosen)
    elif requested:
        empty.nothing(f"There is no topic {code(requested)}.", "All topics are listed below.")
    st.header("All topics", anchor="topics")
    for group in GROUPS:
        _topic_links(group)


def _topic_links(group: Group) -> None:
    """The topics of a group as links; the browser's own search finds them in closed groups too."""
    addresses = (
        f"[{markdown(title)}](<{links.address('methods', topic=anchor)}#{anchor}>)"
        for anchor, title in group.topics.items()
    )
    with st.expander(f"{group.title} ({len(group.topics)})"):
        st.markdown(" · ".join(addresses))


def _topic(view: View, anchor: str) -> None:
    indicators = {indicator.key: indicator for indicator in INDICATORS}
    methods = {method.anchor: method for method in METHODS}
    with st.container(border=True):
        st.header(markdown(TITLES[anchor]), anchor=anchor)
        if anchor in _TEXTS:
            st.markdown(_TEXTS[anchor]())
        elif anchor in _SPECIAL:
            _SPECIAL[anchor](view)
        elif anchor in indicators:
            _indicator(view, indicators[anchor])
        else:
            _method(methods[anchor])
        st.markdown(f":small[[Link to this topic](<{links.permalink(anchor)}>)]")


def _to(anchor: str, label: str) -> str:
    """A link to another topic of this page, in markdown."""
    return f"[{label}](<{links.address('methods', topic=anchor)}#{anchor}>)"


def _stages(_view: View) -> None:
    st.markdown("The first of these that applies:")
    st.markdown(definitions.stages_text())


def _limits(view: View) -> None:
    st.markdown("Every number in the rules, and why it is that.")
    st.markdown(
        "\n".join(
            f"- {markdown(name.replace('_', ' '))} = **{with_minus_signs(f'{value:g}')}**: "
            f"{markdown(reason or 'no reason is written down')}"
            for name, value, reason in definitions.thresholds().select("threshold", "value", "reason").iter_rows()
        )
    )
    st.markdown(_stability(view))
    st.markdown(f"{links.csv('Download as CSV', THRESHOLDS.address({}))}, generation {view.name}.")


def _stability(view: View) -> str:
    """How many verdicts on curated benchmarks depend on the limits, and on which."""
    curated = view.table("benchmark").filter("curated", is_whole())
    rows = view.table("verdict_stability").join(curated, on="benchmark_id", how="semi")
    if rows.is_empty():
        return "No verdict could be tried under other limits."
    stable = rows.filter(pl.col("same") >= STABLE_SHARE).height
    hanging = (
        rows.explode("hangs_on")
        .drop_nulls("hangs_on")
        .group_by("hangs_on")
        .len()
        .sort(["len", "hangs_on"], descending=[True, False])
    )
    named = listed([f"{name.replace('_', ' ')} ({n})" for name, n in hanging.iter_rows()])
    return (
        f"**Does a verdict depend on one limit?** All limits were moved at once by up to {MOVED_BY:.0%}, {DRAWS} "
        "times: "
        f"of {rows.height} curated benchmarks {stable} keep their stage in at least {STABLE_SHARE:.0%} of the draws, "
        "as of "
        f"{as_of(view)}. Moved alone by {MOVED_BY:.0%}, these change the stage of so many: {markdown(named) or 'none'}."
    )


def _all_indicators(view: View) -> None:
    st.markdown(
        "Each is computed for every benchmark. Where the facts do not allow it the value is empty and the status says "
        "*insufficient* or *not applicable*, with a reason. Intervals are 95%."
    )
    st.markdown(f"{links.csv('How many benchmarks have each, as CSV', COVERAGE.address({}))}, generation {view.name}.")


def _indicator(view: View, indicator: Indicator) -> None:
    """Definition, formula, unit, reference, the rules that read it, and where it is not known."""
    st.markdown(markdown(with_minus_signs(indicator.definition)))
    if indicator.key in definitions.FORMULAS:
        st.latex(definitions.FORMULAS[indicator.key])
    if indicator.key in OF_THE_LEADER:
        st.markdown(leader_coverage())
    unit, reference = markdown(definitions.UNITS[indicator.key]), definitions.markdown_link(indicator.reference)
    st.markdown(f"Unit: {unit}. Reference: {reference}.")
    st.markdown(_rules(indicator.key))
    covered = {row["indicator"]: row for row in _coverage(view).iter_rows(named=True)}.get(indicator.key)
    if covered is not None:
        st.markdown(_coverage_text(covered))
    st.markdown(f":small[:gray[In data and addresses it is called] {code(indicator.key)}]")


def _rules(key: str) -> str:
    """Which stages, flags and remarks read the indicator."""
    in_code = f"`{key}`"
    stages = [
        STAGE_WORDS[stage]
        for stage, cases in STAGE_RULES
        if any(in_code in definition(rule, LIMITS) for case in cases for rule in case.rules)
    ]
    flags = [FLAG_WORDS[rule.name] for rule in FLAG_RULES if in_code in definition(rule, LIMITS)]
    remarks = [MEANING[rule.name] for rule in REMARKS if in_code in definition(rule, LIMITS)]
    used = [
        *([f"the {'stages' if stages[1:] else 'stage'} *{listed(stages)}*"] if stages else []),
        *([f"the {'flags' if flags[1:] else 'flag'} *{listed(flags)}*"] if flags else []),
        *([f"the remark *{markdown(listed(remarks))}*"] if remarks else []),
    ]
    if not used:
        return "No rule of a verdict reads it: it is shown for what it says itself."
    return f"It is read by {listed(used)}; the numbers in their rules are under {_to('thresholds', 'limits')}."


def _coverage_text(covered: Mapping[str, object]) -> str:
    reasons = covered["reasons"]
    opening = f"**Known limits.** Known for {covered['ok']:,} benchmarks here"
    lacking = f", insufficient for {covered['insufficient']:,}, not applicable to {covered['not_applicable']:,}"
    if not isinstance(reasons, list) or not reasons:
        return f"{opening}{lacking}."
    return f"{opening}{lacking}. Where it is empty: {listed([markdown(str(reason)) for reason in reasons], 'or')}."


def _method(method: Method) -> None:
    if method.formula is not None:
        st.latex(method.formula)
    st.markdown(definitions.method_text(method))
    if method.anchor == "design_effects":
        st.markdown(_design_effects(generation.current()))
    if method.anchor == "leader":
        st.markdown(leader_coverage())
    if method.anchor in OVER_CLUSTERS:
        st.markdown(clustered_coverage())


def _design_effects(view: View) -> str:
    """The effect of shared items on each test whose outcomes are known by item."""
    named = view.table("benchmark").select("benchmark_id", "name")
    rows = view.table("design_effect").join(named, on="benchmark_id", how="left", maintain_order="left")
    return "\n".join(f"- {effect_sentence(row)}" for row in rows.iter_rows(named=True))


def _forecast_skill(view: View) -> None:
    """The method, then its results: skill by kind of benchmarks and part, and whether probabilities are calibrated."""
    _method(next(method for method in METHODS if method.anchor == "forecast_skill"))
    skills = view.table("forecast_skill")
    st.markdown(_proven_skill(skills))
    rows = skill_rows(skills)
    if rows.height:
        tables.grid(
            rows, key="skill", alt="Skill of forecasts by part, kind of benchmarks and horizon", visible_rows=16
        )
    bins = reliability_rows(view.table("forecast_reliability"))
    if bins.height:
        st.markdown(
            "**Do chances come true as often as they say?** Of each fifth of the chances given in the backtest: how "
            "many, what they said on average, and how often a stronger model was tested, with its 95% interval."
        )
        tables.grid(bins, key="reliability", alt="Chances given and how often they came true", visible_rows=16)
    st.markdown(
        f"{links.csv('All methods as CSV', SKILLS.address({}))}, [chances](<{RELIABILITY.address({})}>), "
        f"[every forecast issued](<{ISSUED.address({})}>): "
        f"{record_sentence(view.table('forecast_record'))}. Generation {view.name}."
    )


def _proven_skill(skills: pl.DataFrame) -> str:
    proven = skills.filter("holds").select("part", "population", "horizon_months").sort(pl.all())
    if proven.is_empty():
        return "No forecast had proven skill on any kind of benchmarks, so none is published."
    lines = [f"- {part}, {population}, {months} months ahead" for part, population, months in proven.rows()]
    return "\n".join(["What had proven skill, and is published:", "", *lines])


def skill_rows(skills: pl.DataFrame) -> pl.DataFrame:
    """The forecasts that would be published: a row for each part, kind of benchmarks and horizon."""
    interval = pl.format("{} to {}", pl.col("skill_low").round(2), pl.col("skill_high").round(2))
    return (
        skills.filter(pl.col("method").is_in([REGRESSION, HALF_SHIFT, RUNNING_MEAN]))
        .sort("part", "population", "horizon_months")
        .select(
            pl.col("part").alias("what"),
            pl.col("population").alias("benchmarks"),
            pl.col("horizon_months").alias("months ahead"),
            pl.col("n").alias("forecasts"),
            pl.col("n_benchmarks").alias("of benchmarks"),
            pl.col("skill").round(2),
            interval.alias("95% interval"),
            pl.col("brier").round(3).alias("Brier score"),
            pl.col("brier_of_base_rate").round(3).alias("of the earlier rate"),
            pl.col("coverage80").round(2).alias("coverage of 0.8"),
            pl.col("coverage80_moved").round(2).alias("where something moved"),
            pl.when("holds").then(pl.lit("yes")).otherwise(pl.lit("no")).alias("published"),
        )
    )


def reliability_rows(bins: pl.DataFrame) -> pl.DataFrame:
    """The probabilities by fifths, each beside how often such events happened."""
    percent = ("from_chance", "to_chance", "expected", "observed", "observed_low", "observed_high")
    in_percent = bins.with_columns((pl.col(percent) * 100).round(0).cast(pl.Int64))
    return in_percent.sort("population", "horizon_months", "from_chance").select(
        pl.col("population").alias("benchmarks"),
        pl.col("horizon_months").alias("months ahead"),
        pl.format("{} to {}%", "from_chance", "to_chance").alias("chance"),
        pl.col("n").alias("given"),
        pl.format("{}%", "expected").alias("said on average"),
        pl.format("{}%", "observed").alias("came true"),
        pl.format("{} to {}%", "observed_low", "observed_high").alias("95% interval"),
    )


def _reproduction(view: View) -> None:
    claim = view.table("reproduction").filter(pl.col("class") == "recomputed")
    holding = f"{claim['holds'].sum()} of {count(claim['holds'].drop_nulls().len(), 'recomputed statistic')} hold"
    st.markdown(
        "Claims are of four classes, never counted as one. **Recomputed**: a statistic that others printed, computed "
        "again from many results. **Looked up**: one printed score, found again in the record; it tests names, not "
        "methods. **Ours**: computed here, printed by nobody, so there is nothing to hold it against. **Cited**: "
        "printed from a table that is not on record. Each names the paper, the table or place, what was opened to "
        "read it, its tolerance and the tolerance's reason, and how many results ours was computed from. A tolerance "
        f"is at most {LARGEST_TOLERANCE:.0%} of the way from the printed number to what no effect, or another method, "
        "would give, which is named beside it: a wider one holds whatever is computed. A claim is "
        "written down only after its source was opened, and one that fails stays, with the reason where it is known; "
        f"[what was considered and not computed]({links.address('reproduction')}#left-out) is listed with what is "
        f"missing. {holding} in this generation: [all of them, by class]({links.address('reproduction')})."
    )


_TEXTS: Mapping[str, Callable[[], str]] = {
    "verdict": lambda: (
        f"{_to('stages', 'Stages')} and {_to('flags', 'flags')} follow from the indicators by rules, and from nothing "
        "else. A rule about a number that is not known does not apply. After **±** stands the margin of a limit: a "
        "rule that applied at the end of last month applies until the number is past the limit by more than the "
        "margin, and one that did not apply begins to only when the number is as far on the other side. So a number "
        "that swings around a limit does not change the verdict every night."
    ),
    "flags": definitions.flags_text,
    "dormant": lambda: (
        "A flat curve of a benchmark that everybody still reports says that models stopped improving on it. The same "
        "curve of one that nobody reports any more says nothing about the models. Curves are therefore extended to the "
        "day until which the benchmark is known, and both cases have words of their own."
    ),
    "stale": lambda: (
        "*Dormant* compares the newest dated result with the last day of our **data** on the benchmark: months "
        "without data do not count. *Stale* is about that day alone: where it is too long ago, we do not know "
        "whether anybody reports. Data of a board or a collection reach to the last answer of its upstream (the date "
        "of the answer, which a cache or a mirror passes on); those of a copy that others made, of a paper and of a "
        "source that has ended reach to the newest version inside, however often they are fetched. What was already "
        "there at the first look at a file has no date: it counts for the best score, and for nothing in time."
    ),
    "methods": lambda: "Each has its formula, its reference and its edge cases. They are listed by subject below.",
    "glossary": lambda: (
        "On every page the first use of a term is underlined with dots. Point at it, tap it, or press `?`, which "
        "explains one after another.\n\n" + glossary.as_markdown()
    ),
    "not-said": lambda: "\n".join(f"- {sentence}" for sentence in definitions.NOT_SAID),
    "lines": lambda: LINES,
}
"""The topics that consist of one text."""

_SPECIAL: Mapping[str, Callable[[View], None]] = {
    "stages": _stages,
    "probability": stages.probability,
    "desk": stages.desk,
    "thresholds": _limits,
    "indicators": _all_indicators,
    "reproduction": _reproduction,
    "forecast_skill": _forecast_skill,
    "verdict_revision": stages.taken_back,
    "forecast_held": stages.backcast_rules,
}
"""Topics that read the generation, and a method with its results."""


PAGE = PageSpec(
    url_path="methods",
    title="Methods",
    draw=draw,
    tables=(THRESHOLDS, COVERAGE, SKILLS, RELIABILITY, stages.CALIBRATION, stages.COUNTS, stages.FORECAST_HELD, ISSUED),
    section="Data",
)
