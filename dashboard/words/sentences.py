"""What is said about a benchmark in plain words: pages escape it for markdown, printed reports for their own format."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from dashboard.figures.base import score_text
from dashboard.words.known import known
from dashboard.words.text import count, day

Facts = Mapping[str, Any]


def about(facts: Facts) -> list[tuple[str, str]]:
    """What the benchmark is, in pairs of label and text; the unknown is left out, the ceiling's basis is not."""
    unit = facts["unit"]
    pairs = [
        ("metric", facts["metric"]),
        ("items", facts["n_items"] and f"{facts['n_items']:,}"),
        ("released", facts["released_on"] and day(facts["released_on"])),
        ("chance", None if facts["floor"] is None else score_text(facts["floor"], unit)),
        ("ceiling", _ceiling(facts)),
        ("human", None if facts["human"] is None else score_text(facts["human"], unit)),
        ("labels", facts["labels"]),
        ("refresh", facts["refresh"]),
        ("domain", facts["domain"]),
    ]
    return [(label, said) for label, said in pairs if said]


def twin_said(row: Facts) -> str:
    """Kind, gap, slope and order of one twin, to follow the names of its two sides."""
    if row["gap"] is None:
        return f"({row['kind']}): too few models on both to compare."
    lower = "lower" if row["gap"] >= 0 else "higher"
    order = "" if row["kendall_tau"] is None else f"; order kept: tau {row['kendall_tau']:.2f} overall"
    top = "" if row["kendall_tau_top"] is None else f", {row['kendall_tau_top']:.2f} at the top"
    slope = (
        ""
        if row["slope"] is None or row["slope_low"] is None
        else f"; slope {row['slope']:.2f} [{row['slope_low']:.2f}, {row['slope_high']:.2f}]"
    )
    return (
        f"({row['kind']}): scores are {abs(row['gap']):.1f} points {lower} on the second, over "
        f"{count(row['n_models'], 'result')} on both{slope}{order}{top}{known(row['known_until'])}."
    )


def churn_said(step: Facts) -> str:
    """What one comparison of a leaderboard found, and what noise alone would have changed."""
    if step["spans_breakpoint"]:
        return "the source changed its scale, names, data or rules, so no churn is computed across it."
    renamed = f"{step['renamed']} {'was' if step['renamed'] == 1 else 'were'} renamed"
    said = f"{step['entered']} entered the top {step['k']}, {step['left']} left, {renamed}"
    if step["expected_turnover"] is None:
        return f"{said}."
    return (
        f"{said}; of {step['k']} places {step['turnover']:.0%} were replaced, noise alone would replace "
        f"{step['expected_turnover']:.0%}."
    )


def growth_words(indicators: pl.DataFrame) -> pl.DataFrame:
    """The growth class of each benchmark (`benchmark_id`, `growth`), of the rows of the indicator table that are ok."""
    return indicators.filter(pl.col("indicator") == "growth").select(
        "benchmark_id", growth=pl.col("reason").str.split(": ").list.first()
    )


def growth_said(rows: Mapping[str, Facts]) -> str:
    """How the best score grew and what was tried since its last advance; `rows` are indicators by name."""
    growth, since, tries = (rows.get(key) for key in ("growth", "months_since_advance", "tries_since_advance"))
    parts = []
    if growth is not None:
        is_computed = growth["status"] == "ok"
        parts.append(f"Growth: {growth['reason']}." if is_computed else f"Growth unknown: {growth['reason']}.")
    if since is not None and tries is not None and since["status"] == tries["status"] == "ok":
        parts.append(
            f"Last advance beyond error {count(round(since['value']), 'month')} before the day until which this is "
            f"known{_known_on(tries)}; since then {count(round(tries['value']), 'model')} tried "
            f"({count(tries['n'], 'result')})."
        )
    elif tries is not None:
        parts.append(f"Last advance beyond error unknown: {tries['reason']}.")
    return " ".join(parts)


def _known_on(row: Facts) -> str:
    return f", {day(row['known_until'])}" if row["known_until"] else ""


def basis(facts: Facts) -> str:
    """Where the facts of a benchmark are from, and how sure its curator is of them."""
    if not facts["curated"]:
        return "facts as a source states them; no curator has looked at them"
    sure = facts["confidence"]
    return f"facts curated, with a source for each; the curator's confidence in them is {sure or 'not stated'}"


def _ceiling(facts: Facts) -> str | None:
    if facts["ceiling"] is None:
        return None
    basis = f" ({facts['ceiling_basis']})" if facts["ceiling_basis"] else ""
    return f"{score_text(facts['ceiling'], facts['unit'])}{basis}"
