"""The top models of a board with their errors and the ranks that these allow."""

from collections.abc import Sequence

import polars as pl

from benchhealth.analytics.statistics.errors import Z95
from benchhealth.dashboard.figures.base import is_bounded, with_error
from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.effort import beside
from benchhealth.dashboard.figures.language import (
    LABEL,
    OPENS_MODEL,
    Drawing,
    hovering,
    laid_out,
    named_rows,
    quiet_line,
)
from benchhealth.dashboard.figures.lettering.axes import score_axis
from benchhealth.dashboard.figures.lettering.names import told_apart
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.words.boards.ties import TIED, tied_first_sentence
from benchhealth.dashboard.words.numbers import day_of, score
from benchhealth.dashboard.words.ranks import both, how_compared, span
from benchhealth.dashboard.words.text import count, model_within, plotly, without_maker

MODELS_SHOWN = 18
TICKS = 3
"""How many steps of the axis have room on a phone, beside names and ranks."""
ROW = 22


def title(every: pl.DataFrame, rows: pl.DataFrame, facts: Facts) -> str:
    """The finding: how many of the models could be first, or who leads where no error is known.

    `rows` are those of `every` that filters keep: their ranks are those among all.
    """
    best = rows.row(0, named=True)
    if best["rank_low_joint"] is None:
        leads = f"{model_within(best['model'], 34)} is listed first with {score(best['score'], facts['unit'])}"
        return f"{leads}; errors are not known"
    tied = rows.filter(pl.col("rank_low_joint") == 1)
    if tied.is_empty():
        return f"{model_within(best['model'], 34)} is the first of these, at place {_ranks(best)} of {every.height}"
    if rows.height == every.height:
        return tied_first_sentence(tied.height, tied["model"].to_list())
    return f"{tied.height} of these {rows.height} {'is' if tied.height == 1 else 'are'} {TIED}"


def _ranks(row: Facts) -> str:
    return span(row["rank_low_joint"], row["rank_high_joint"])


def chart(
    facts: Facts, all_models: pl.DataFrame, matching: pl.DataFrame, sources: Sequence[SourceLine], palette: Palette
) -> Chart | Nothing:
    """The top of a board: of all its models those that filters keep, with `error` and `organisation`."""
    if matching.is_empty():
        return Nothing(
            "None of these models is listed here.",
            f"0 of {all_models.height:,} match. Take a filter off above.",
        )
    rows = matching.head(MODELS_SHOWN)
    figure, most = Drawing(), 1.0 if is_bounded(facts["unit"]) else float("inf")
    names = told_apart([without_maker(name) for name in rows["model"]], 32)
    settings = rows["setting"].to_list()
    places = list(range(rows.height, 0, -1))
    for place, row in zip(places, rows.iter_rows(named=True), strict=True):
        first = row["rank_low_joint"] == 1
        colour = palette.accent if first else palette.ink3
        if row["error"] is not None:
            ends = [row["score"] - Z95 * row["error"], min(row["score"] + Z95 * row["error"], most)]
            quiet_line(figure, ends, [place, place], width=5, color=palette.faint(colour, 0.45))
    could = rows["rank_low_joint"].fill_null(0).to_list()
    figure.add_scatter(
        x=rows["score"].to_list(),
        y=places,
        mode="markers",
        marker={
            "size": 9,
            "color": [palette.accent if low == 1 else palette.paper for low in could],
            "line": {"color": [palette.accent if low == 1 else palette.ink3 for low in could], "width": 1.5},
        },
        **hovering((_hover(row, facts) for row in rows.iter_rows(named=True)), OPENS_MODEL, rows["model_id"]),
    )
    laid_out(figure, palette, ROW * rows.height + 58)
    across = _range(rows, facts)
    labelled = [beside(plotly(name), setting, palette.ink3) for name, setting in zip(names, settings, strict=True)]
    named_rows(figure, labelled, places, (0.3, rows.height + 0.7), palette, showgrid=False)
    axis = score_axis(across[0], across[1], facts["unit"], TICKS)
    figure.update_xaxes(showgrid=True, range=across, tickangle=0, **axis)
    figure.update_layout(margin={"l": 4, "r": 88, "t": 24, "b": 4})
    figure.add_annotation(
        xref="paper", yref="paper", x=1, y=1, text="rank could be", xanchor="left", yanchor="bottom", xshift=6,
        showarrow=False, font={"size": 11.5, "color": palette.ink3},
    )  # fmt: skip
    for place, row in zip(places, rows.iter_rows(named=True), strict=True):
        low = row["rank_low_joint"]
        figure.add_annotation(
            xref="paper", x=1, y=place, xanchor="left", xshift=6, showarrow=False,
            text="not known" if low is None else _ranks(row),
            font={"size": LABEL, "color": palette.ink2 if low == 1 else palette.ink3},
        )  # fmt: skip
    finding, seen_on = title(all_models, matching, facts), max(rows["observed_at"].to_list())
    chosen_among = "" if matching.height == all_models.height else f"{matching.height:,} chosen among "
    under = f", {all_models['condition'][0]}" if all_models["condition"][0] else ""
    return Chart(
        title=finding,
        subtitle=(
            f"The first {rows.height} of {chosen_among}{count(all_models.height, 'model')} on {day_of(seen_on)}"
            f"{under}: score with its 95% error, and the ranks that the errors allow all at once"
            f"{how_compared(all_models)}. Filled: {TIED}."
        ),
        figure=figure,
        rows=rows,
        alt=f"{finding} of {all_models.height}: {', '.join(names[:3])} lead.",
        sources=sources,
        known_until=max((source.known_until for source in sources if source.known_until), default=facts["known_until"]),
        method="rank",
    )


def _range(rows: pl.DataFrame, facts: Facts) -> list[float]:
    """From the lowest to the highest end of an error bar, with a little room."""
    wide = Z95 * pl.col("error").fill_null(0.0)
    low, high = rows.select(
        (pl.col("score") - wide).min().alias("low"), (pl.col("score") + wide).max().alias("high")
    ).row(0)
    pad = (high - low) * 0.03 or 0.01
    return [low - pad, min(high, 1.0) + pad if is_bounded(facts["unit"]) else high + pad]


def _hover(row: Facts, facts: Facts) -> str:
    score_text = with_error(row["score"], facts["unit"], row["error"])
    ranks = "" if row["rank_low"] is None else f"<br>{both(row)}"
    maker = plotly(row["organisation"] or "maker not known")
    return f"<b>{plotly(row['model'])}</b> · {maker}<br>{score_text}{ranks}<br>{day_of(row['observed_at'])}"
