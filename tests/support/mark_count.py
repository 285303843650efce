"""What a figure draws, counted: its marks and bars, apart from lines, bands and texts."""

import math
from collections.abc import Iterable

import plotly.graph_objects as go


def mark_count(figure: go.Figure) -> int:
    """How many marks and bars have a place on both axes."""
    return sum(
        _is_there(x) and _is_there(y)
        for trace in figure.data
        if trace.type == "bar" or "markers" in (trace.mode or "")
        for x, y in zip(_cells(trace.x), _cells(trace.y), strict=True)
    )


def _cells(cells: Iterable[object] | None) -> list[object]:
    return [] if cells is None else list(cells)


def _is_there(cell: object) -> bool:
    return cell is not None and not (isinstance(cell, float) and math.isnan(cell))
