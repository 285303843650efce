"""What the Twins page says beside its charts: what could lie behind a gap, what a twin could show, who sees labels."""

from datetime import date

import polars as pl

from benchhealth.analytics.twins.uncertainty import SAMPLED
from benchhealth.dashboard.figures.twin import Twin
from benchhealth.dashboard.words.known import known, known_at_latest
from benchhealth.dashboard.words.numbers import fixed
from benchhealth.dashboard.words.text import count, markdown

BASES = {
    "items": "its interval from {families} of models and the items themselves",
    "measured": "its interval from {families} of models, widened by what shared items do elsewhere",
    "families": "its interval from {families} of models",
}
"""The phrase for what the interval of a slope rests on."""


def mechanisms(row: Twin) -> str:
    """What three mechanisms would look like in the chart, and what this twin shows."""
    over = count(row["n_models"] or 0, "result")
    slope, offset, single = "not known here", "not known here", "not tested here"
    if row["fair_slope"] is not None:
        interval = f"[{row['fair_slope_low']:.2f}, {row['fair_slope_high']:.2f}]"
        noise = "" if row["noise"] is None else ", the noise in the original's scores taken off"
        basis = BASES[row["slope_basis"]].format(families=count(row["families"], "family", "families"))
        slope = f"here {row['fair_slope']:.2f} {interval} on the {row['slope_scale']} scale over {over}{noise}; {basis}"
    if row["gap"] is not None:
        interval = "" if row["gap_low"] is None else f" [{fixed(row['gap_low'], 2)}, {fixed(row['gap_high'], 2)}]"
        offset = f"mean gap here {row['gap']:.2f}{interval} over {over}"
    if row["tested"]:
        single = f"{row['flagged']:,} of {row['tested']:,} flagged here"
    named = ""
    if row["sentence"]:
        paper = "[Recht et al. 2019](<https://arxiv.org/abs/1902.10811>)"
        named = f"**What the gap can be called** (after {paper}): {markdown(row['sentence'])}\n\n"
    return (
        f"{named}**What could lie behind a gap, and how it would look{known(row['known_until'])}:**\n"
        f"- *Tuning to the test set by everyone* would flatten the line: the better a model, the more it loses, slope "
        f"below 1 ({slope}).\n"
        f"- *Another mix of items* would shift or tilt the whole line, and leave the order alone ({offset}).\n"
        f"- *Items seen in training by some* would leave single models below the line ({single}).\n\n"
        "None of the three proves a cause, and they can occur together."
    )


_OF_NEW_ITEMS = (
    "Items seen in training are one cause among several: tuning to the format, another prompt, or luck, which 5% of "
    "the flags are expected to be."
)
_OF_OTHERS = (
    "It is a hint at most: items, marking or preparation differ on purpose, and only a fresh sample or a live split "
    "can show that items were seen."
)


def power(row: Twin) -> str:
    """What the twin could show, and what a flag says and does not."""
    sentence = row["power_sentence"]
    shown = f"**What this twin could show{known(row['known_until'])}.** {markdown(sentence)}\n\n" if sentence else ""
    return (
        f"{shown}*Scores lower on the twin than models with its score* is all that a flag says. "
        f"{_OF_NEW_ITEMS if row['kind'] in SAMPLED else _OF_OTHERS}"
    )


def labels(rows: pl.DataFrame, until: date | None) -> str:
    """How many benchmarks have public labels; `rows` has the number of benchmarks for each word."""
    number = dict(rows.select("labels", "benchmarks").iter_rows())
    unknown, every = number.get("unknown", 0), rows["benchmarks"].sum()
    return (
        f"Of {count(every - unknown, 'benchmark')} for which it is known, {number.get('public', 0):,} have public "
        f"labels; for {unknown:,} more it is not known{known_at_latest(until)}. Public labels make training on them "
        "possible, no more."
    )
