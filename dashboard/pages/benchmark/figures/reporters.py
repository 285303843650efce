"""The documents of makers in time, with a mention of a benchmark or without."""

from collections.abc import Sequence
from datetime import date, timedelta

import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.base import days
from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.language import hovering, laid_out, named_rows
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.answers.said import Words
from benchhealth.dashboard.words.numbers import day_of, over_days
from benchhealth.dashboard.words.text import count, markdown, plotly

ROW = 24


def last_mentions(documents: pl.DataFrame) -> pl.DataFrame:
    """Of each maker with a mention the day of its `newest` document, whether that `shows` it, and the `last` that did.

    `documents`: `organisation`, `document`, `mentioned_on`, `mentions`.
    """
    by_maker = documents.sort("mentioned_on", "document").group_by("organisation", maintain_order=True)
    mentioning = by_maker.agg(
        last=pl.col("mentioned_on").filter("mentions").max(),
        newest=pl.col("mentioned_on").max(),
        mentions=pl.col("mentions").sum().cast(pl.Int64),
        documents=pl.len().cast(pl.Int64),
        shows=pl.col("mentions").filter(pl.col("mentioned_on") == pl.col("mentioned_on").max()).any(),
    ).drop_nulls("last")
    return mentioning.sort("shows", "last", "organisation", descending=[False, False, True])


def chart(
    documents: pl.DataFrame, answer: Words, known_until: date | None, sources: Sequence[SourceLine], palette: Palette
) -> Chart | Nothing:
    """One row a maker, its documents in time: filled where the benchmark is in them. Titled with the answer."""
    makers = last_mentions(documents)
    if makers.is_empty():
        return Nothing(markdown(f"{answer.question} {answer.tile}"), markdown(answer.paragraph))
    rows = documents.filter(pl.col("organisation").is_in(makers["organisation"].implode()))
    place = {maker: row_of + 1 for row_of, maker in enumerate(makers["organisation"])}
    figure = go.Figure()
    for mentions in (False, True):
        part = rows.filter(pl.col("mentions") == mentions)
        if part.is_empty():
            continue
        figure.add_scatter(
            x=days(part["mentioned_on"]),
            y=[place[maker] for maker in part["organisation"]],
            mode="markers",
            marker={
                "size": 10,
                "color": palette.accent if mentions else palette.paper,
                "line": {"width": 1.4, "color": palette.accent if mentions else palette.ink3},
            },
            **hovering(
                f"<b>{plotly(row['model'] or row['document'])}</b> · {plotly(row['organisation'])}<br>"
                f"{'reports it' if mentions else 'leaves it out'}<br>{day_of(row['mentioned_on'])}"
                for row in part.iter_rows(named=True)
            ),
        )
    laid_out(figure, palette, ROW * makers.height + 60)
    first, last = rows["mentioned_on"].min(), rows["mentioned_on"].max()
    assert isinstance(first, date)
    assert isinstance(last, date)
    pad = timedelta(days=max(20, (last - first).days // 40))
    named_rows(figure, map(plotly, place), place.values(), (0.3, makers.height + 0.7), palette)
    figure.update_xaxes(range=[first - pad, last + pad], hoverformat="%-d %b %Y")
    return Chart(
        title=f"{answer.question} {answer.tile}",
        subtitle=(
            f"{count(rows.height, 'document')} of {count(makers.height, 'maker')} {over_days(first, last)}: "
            "cards, reports and posts that were read. Filled: reports it. Open: leaves it out."
        ),
        figure=figure,
        rows=rows.select("organisation", "model", "document", "document_kind", "mentioned_on", "mentions", "url"),
        alt=f"{answer.alt} {rows['mentions'].sum()} of {rows.height} documents mention it.",
        sources=sources,
        known_until=known_until or last,
        method="makers_mentioning_12m",
    )
