"""The line below a chart: whose numbers these are, and until when."""

from datetime import date

import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.chart import Chart, SourceLine


def line(*titles: str) -> str:
    day = date(2026, 8, 22)
    sources = [SourceLine(title, "https://example.org", day) for title in titles]
    return Chart("T", "S", go.Figure(), pl.DataFrame(), "", day, sources, "headroom").source_text()


def test_sources_are_named_each_once_and_many_are_counted() -> None:
    assert line("Lab A: a board") == "Lab A · data to 22 Aug 2026"
    assert line("Lab A: a board", "Lab B, scores") == "Lab A, Lab B · data to 22 Aug 2026"
    assert line("Lab A, a board", "Lab A, scores") == "Lab A (2 sources) · data to 22 Aug 2026"
    assert line(*"ABCD") == "4 sources · data to 22 Aug 2026"
