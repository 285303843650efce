"""How far one benchmark's order of models is that of others: Kendall's tau of each pair with its interval."""

from datetime import date

import polars as pl

from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.forest import Mark, forest
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.known import known_at_latest
from benchhealth.dashboard.words.text import count, plotly, short, shorten

ROW_LIMIT = 40


def drawn_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows to draw, most alike first: all where they fit, else the two ends alike."""
    compared = rows.drop_nulls("kendall_tau")
    half = ROW_LIMIT // 2
    return compared if compared.height <= ROW_LIMIT else pl.concat([compared.head(half), compared.tail(half)])


def title(name: str, rows: pl.DataFrame) -> str:
    """The title: which other benchmark orders models most like this one."""
    compared = rows.drop_nulls("kendall_tau")
    if compared.is_empty():
        return f"Whether the order on {shorten(short(name), 34)} carries over is not known"
    own_name, best = short(name), short(compared["other"][0].split(": ")[-1])
    best = compared["other"][0] if best == own_name else best
    return f"The order on {shorten(own_name, 24)} is most like that on {shorten(best, 26)}"


def finding(name: str, rows: pl.DataFrame, until: date | None) -> str:
    """The sentence: how much of the order carries over at best, in the middle and at worst."""
    compared = rows.drop_nulls("kendall_tau")
    if compared.is_empty():
        return f"Whether the order on {name} carries over is not known: too few models in common with any other"
    if compared.height == 1:
        only = compared.row(0, named=True)
        over = f"over {count(only['n_models'], 'model')}{known_at_latest(until)}"
        return f"The order on {name} carries over to {only['other']} with tau {only['kendall_tau']:.2f} {over}"
    best, worst = compared.row(0, named=True), compared.row(-1, named=True)
    middle = compared.select(pl.col("kendall_tau").median()).item()
    return (
        f"The order on {name} carries over with a median tau of {middle:.2f} to "
        f"{count(compared.height, 'other benchmark')} with ten models in common or more: {best['kendall_tau']:.2f} to "
        f"{best['other']}, {worst['kendall_tau']:.2f} to {worst['other']}{known_at_latest(until)}"
    )


def chart(
    name: str, rows: pl.DataFrame, until: date | None, sources: list[SourceLine], palette: Palette
) -> Chart | Nothing:
    """The chart of Kendall's tau with each other benchmark, a row for each."""
    drawn = drawn_rows(rows)
    if drawn.is_empty():
        return Nothing(
            f"Whether the order on {plotly(name)} carries over is not known.",
            "It takes ten models that are listed under one name on both.",
        )
    compared = rows.drop_nulls("kendall_tau").height
    which = "all" if drawn.height == compared else "the most and the least alike"
    hovers = [
        f"<b>{plotly(row['other'])}</b><br>tau {row['kendall_tau']:.2f} over {count(row['n_models'], 'model')}"
        for row in drawn.iter_rows(named=True)
    ]
    part = pl.col("other").str.split(": ").list.last()
    labelled = drawn.with_columns(name=pl.when(pl.col("other").str.len_chars() > 26).then(part).otherwise("other"))
    mark = Mark("with 95% interval", value="kendall_tau")
    return Chart(
        title=title(name, rows),
        subtitle=f"{finding(name, rows, until)}. {drawn.height} of {compared} ({which}), with 95% intervals.",
        figure=forest(labelled, [mark], hovers, palette, axis="Kendall's tau: 1 the same order, 0 none", reference=0.0),
        rows=drawn,
        alt=f"Kendall's tau between the order of models on {name} and on each other benchmark, most alike first.",
        sources=sources,
        known_until=until,
    )
