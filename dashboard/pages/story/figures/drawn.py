"""What a picture of a story is: the figure, and the rows that it draws."""

from dataclasses import dataclass

import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.language import LABEL, Drawing, laid_out
from benchhealth.dashboard.figures.palette import Palette

TEXT = LABEL + 1
"""The size in pixels of text in a picture."""


@dataclass(frozen=True)
class Drawn:
    """A picture: its figure and the rows that are drawn, no more and no less."""

    figure: go.Figure
    rows: pl.DataFrame


def empty_plot(palette: Palette, height: int, **more: object) -> go.Figure:
    """A figure of this height, in pixels, whose axes are not drawn."""
    figure = laid_out(Drawing(), palette, height)
    figure.update_layout(**more)
    axis = {"showgrid": False, "showline": False, "showticklabels": False, "automargin": False}
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis)
    return figure


def text(colour: str, size: int = TEXT) -> dict[str, object]:
    """The font of a label: its size in pixels and its colour."""
    return {"size": size, "color": colour}
