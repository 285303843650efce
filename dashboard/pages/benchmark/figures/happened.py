"""Marks of incidents along the foot of the curve, each with its words in the hover."""

import numpy as np
import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.base import days
from benchhealth.dashboard.figures.language import hovering
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.prose.incidents import HEADS, what_happened, when
from benchhealth.dashboard.words.text import plotly

WRAP = 60
"""Characters of a line in a hover."""


def marks(figure: go.Figure, rows: pl.DataFrame, scores: tuple[float, float], palette: Palette) -> None:
    """A small diamond on the day of each incident; nothing where there is none."""
    if rows.is_empty():
        return
    low, high = scores
    figure.add_scatter(
        x=days(rows["on_date"]),
        y=np.full(rows.height, low + 0.02 * (high - low), dtype=np.float32),
        mode="markers",
        marker={"symbol": "diamond-open", "size": 9, "color": palette.ink2, "line": {"width": 1.6}},
        **hovering(
            f"<b>{plotly(HEADS[row['kind']])}</b>, {when(row)}<br>{_wrapped(what_happened(row))}"
            for row in rows.iter_rows(named=True)
        ),
    )


def _wrapped(text: str) -> str:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > WRAP:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "<br>".join(plotly(line) for line in lines)
