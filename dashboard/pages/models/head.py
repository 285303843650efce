"""The first screen of a model: how often it is best, what is known of it, flags, and four tiles."""

import polars as pl
import streamlit as st

from benchhealth.analytics.corroboration.best_scores import STEP
from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.analytics.twins.pairs import SAMPLED
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.models import models, positions
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.widgets import tiles as widget
from benchhealth.dashboard.widgets.tiles import Tile
from benchhealth.dashboard.words.models import ends_text, gap_text, why_not_compared
from benchhealth.dashboard.words.numbers import UNKNOWN, fixed, month_of
from benchhealth.dashboard.words.sentences import Facts
from benchhealth.dashboard.words.text import count, markdown, words_within

RUNGS = {
    "report": "a report names it",
    "declared": "its maker declares overlap",
    "cutoff": "falls at its cutoff",
    "twin": "stands out on a twin",
    "anomaly": "stands out from fresh tests",
}
"""The finding of each rung of the ladder of contamination about a model, in words."""


def fates_of(view: View, model_id: str) -> dict[str, str]:
    """By benchmark, how others' results compare with the last best score that its maker reports: its class."""
    steps = view.table("corroboration").filter(pl.col("model_id") == model_id, pl.col("kind") == STEP)
    return dict(steps.sort("benchmark_id", "rank").select("benchmark_id", "class").iter_rows())


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
        f"beyond error on {summary['beyond'] or 'none'}, against {compared_with}{lacking_text}, until {until}"
        if summary["n"]
        else why_not_compared(facts["released_on"], clock)
    )
    return (
        Tile("leads", "Where is nobody ahead of it?", led, beyond_text),
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
        return f":gray[{UNKNOWN}]", "no such benchmark scored in percent has others to compare"
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
