"""The first screen of a model: how often it is best, what is known of it, flags, and four tiles."""

from collections import Counter
from collections.abc import Mapping

import polars as pl
import streamlit as st

from benchhealth.analytics.corroboration.best_scores import STEP
from benchhealth.analytics.corroboration.classes import CONFIRMED, CONTRADICTED, LOWER
from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.analytics.twins.pairs import SAMPLED
from benchhealth.dashboard.pages.models.distance_words import ends_text, gap_text, why_not_compared
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.models import models, positions
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.widgets import tiles as widget
from benchhealth.dashboard.widgets.tiles import Tile
from benchhealth.dashboard.words.numbers import UNKNOWN, fixed, month_of
from benchhealth.dashboard.words.sentences import Facts
from benchhealth.dashboard.words.text import count, known_at_latest, markdown, model_within, words_within

RUNGS = {
    "report": "a report names it",
    "declared": "its maker declares overlap",
    "cutoff": "falls at its cutoff",
    "twin": "stands out on a twin",
    "anomaly": "stands out from fresh tests",
}
"""The finding of each rung of the ladder of contamination about a model, in words."""


def title(facts: Facts, summary: Facts | None, clock: str) -> str:
    """The finding: of how many benchmarks with others to compare it was, or is, the best, and where beyond error."""
    name = model_within(facts["name"], 44)
    if summary is None:
        return f"{name} has no result on a curated benchmark"
    if not summary["n"]:
        return f"{name}: {why_not_compared(facts['released_on'], clock)}"
    best = f"{summary['best'] or 'none'} of {count(summary['n'], 'benchmark')}"
    beyond_text = f", beyond error on {summary['beyond'] or 'none'}" if summary["best"] else ""
    verb = "was the best of its day on" if clock == "then" else "is the best on"
    return f"{name} {verb} {best}{beyond_text}"


def lead(rows: pl.DataFrame, fates: Mapping[str, str], clock: str) -> str:
    """Where it leads, what others measured there and found, and where nobody else measured it.

    `rows` are those of `published.models.positions`, all of the page; `fates` the classes of best scores that its
    maker reports, by benchmark (`fates_of`).
    """
    leads = rows.filter(pl.col(f"behind_{clock}") <= 0)
    by_others = leads.filter(pl.col("reporter") != "self")
    n_led_alone, n_maker_alone = leads.height - by_others.height, rows.filter(pl.col("reporter") == "self").height
    by_fate = Counter(fates.get(benchmark_id) for benchmark_id in by_others["benchmark_id"])
    counted = ((by_fate[CONFIRMED], "as high as its maker"), (by_fate[LOWER] + by_fate[CONTRADICTED], "lower"))
    outcomes = " and ".join(f"{number} {outcome}" for number, outcome in counted if number)
    led = ""
    if leads.height:
        verb = "led" if clock == "then" else "leads"
        alone_text = f"; on {n_led_alone} nobody else did" if n_led_alone else ""
        led = (
            f"It {verb} {count(leads.height, 'benchmark')}, of which others measured "
            f"{by_others.height or 'none'}{f' ({outcomes})' if outcomes else ''}{alone_text}. "
        )
    until = latest(rows["known_until"])
    benchmarks = count(rows.height, "curated benchmark")
    alone_on = f"Of the {benchmarks} on which it has results its maker alone reports {n_maker_alone or 'none'}"
    return f"{led}{alone_on}{known_at_latest(until)}."


def fates_of(view: View, model_id: str) -> dict[str, str]:
    """By benchmark, how others' results compare with the last best score that its maker reports: its class."""
    steps = view.table("corroboration").filter(pl.col("model_id") == model_id, pl.col("kind") == STEP)
    return dict(steps.sort("benchmark_id", "rank").select("benchmark_id", "class").iter_rows())


def model_line(facts: Facts) -> str:
    """The maker, weights and release of a model in one line."""
    weights = {True: "open weights", False: "closed weights", None: "weights not known"}[facts["open_weights"]]
    since = f"out since {month_of(facts['released_on'])}" if facts["released_on"] else "release not known"
    return " · ".join((facts["organisation"] or "maker not known", weights, since))


def rival_link(view: View, facts: Facts, clock: str) -> str:
    """A link to the model that it is most often compared with, as markdown; empty where there is none."""
    rivals = positions(view, facts["model_id"]).drop_nulls(f"rival_{clock}")
    if rivals.is_empty():
        return ""
    rival = rivals.group_by(f"rival_{clock}", f"rival_{clock}_name").len().sort("len", f"rival_{clock}").row(-1)
    url = links.address("models", model=facts["model_id"], other=rival[0])
    return f"[beside {markdown(words_within(rival[1] or rival[0], 40))}]({url})"


def flags(view: View, model_id: str) -> None:
    """Draw what stands out about the model, a badge each, with a link to the evidence."""
    risk = view.rows("contamination_risk", model_id=model_id, level="high").filter(pl.col("rung").is_in(list(RUNGS)))
    names = dict(view.table("benchmark").select("benchmark_id", pl.coalesce("name", "benchmark_id")).iter_rows())
    of_new_items = view.table("twin").filter(pl.col("kind").is_in(SAMPLED))["twin_id"].unique().implode()
    residual = view.table("twin_residual").filter(
        (pl.col("model_id") == model_id) & pl.col("flagged") & pl.col("twin_id").is_in(of_new_items)
    )
    badges = [
        (
            f"⚑ {RUNGS[rung]}: {names.get(benchmark_id, benchmark_id)}",
            links.address("benchmark", benchmark=benchmark_id),
        )
        for benchmark_id, rung in risk.select("benchmark_id", "rung").unique().sort("benchmark_id", "rung").iter_rows()
    ]
    if residual.height and "twin" not in risk["rung"]:
        badges.append((f"⚑ lower than expected on {count(residual.height, 'twin')} of new items", "#twins"))
    if not badges:
        return
    with st.container(horizontal=True, gap="xsmall"):
        for text, url in badges[:4]:
            st.markdown(f":gray-badge[[{markdown(words_within(text, 60))}](<{url}>)]", width="content")


def tiles(view: View, facts: Facts, summary: Facts, clock: str) -> None:
    """Four fixed questions, all about the curated benchmarks that it has results on."""
    widget.show(answer_tiles(view, facts, summary, clock))


def answer_tiles(view: View, facts: Facts, summary: Facts, clock: str) -> tuple[Tile, ...]:
    """Where it leads, how far behind it is on either kind of items, and who measured it."""
    compared_with = "the best of its day" if clock == "then" else "the best of today"
    until = month_of(latest(positions(view, facts["model_id"])["known_until"]))
    led = f"{summary['best']} of {summary['n']}" if summary["n"] else f":gray[{UNKNOWN}]"
    lacking = summary["benchmarks"] - summary["n"]
    lacking_text = f"; too few others on {lacking} more" if lacking else ""
    beyond_text = (
        f"beyond error on {summary['beyond'] or 'none'}, against {compared_with}{lacking_text}"
        if summary["n"]
        else why_not_compared(facts["released_on"], clock)
    )
    return (
        Tile("leads", "Where is nobody ahead of it?", led, f"{beyond_text}, until {until}"),
        Tile("seen", "Gap on items it could have seen", *_gap(summary, "seen", compared_with, until)),
        Tile("fresh", "Gap on fresh or private items", *_gap(summary, "fresh", compared_with, until)),
        Tile("measured", "Who measured?", *_measured_by(summary)),
    )


def overall(view: View, facts: Facts) -> str:
    """Its ability on the common scale, whose population is another: uncurated benchmarks too, all models."""
    if facts["place"] is None:
        return ""
    placed = models(view)["place"].drop_nulls().len()
    rested = view.table("capability").filter(pl.col("model_id") == facts["model_id"])["n_benchmarks"][0]
    ends = f"{fixed(facts['ability_low'], 2)} to {fixed(facts['ability_high'], 2)}"
    value = fixed(facts["ability"], 2)
    return (
        f"Over all {count(rested, 'benchmark')} that connect it with others, uncurated ones too, its ability is "
        f"{value} ({ends}), place {facts['place']:,} of {placed:,} models."
    )


def _gap(summary: Facts, kind: str, compared_with: str, until: str) -> tuple[str, str]:
    gap = summary[f"{kind}_gap"]
    if gap is None:
        return f":gray[{UNKNOWN}]", "no such benchmark with others to compare"
    ends = ends_text(summary[f"{kind}_low"], summary[f"{kind}_high"])
    interval = f"({ends} points)" if ends else "(too few for an interval)"
    distance, median = gap_text(gap), f"median of {count(summary[f'n_{kind}'], 'benchmark')} {interval}, until {until}"
    if distance.startswith("level"):
        return "None", f"level with {compared_with}, {median}"
    return distance.removesuffix(" behind"), f"behind {compared_with}, {median}"


def _measured_by(summary: Facts) -> tuple[str, str]:
    by_maker, by_others = summary["by_self"], summary["by_others"]
    unstated = summary["benchmarks"] - by_maker - by_others
    if by_maker == summary["benchmarks"]:
        return "Its maker alone", f"nobody else measured it on any of the {by_maker}"
    unstated_text = f"; on {unstated} nobody says who measured" if unstated else ""
    return f"{by_others or 'None'} by others", f"{by_maker or 'none'} by its maker alone{unstated_text}"
