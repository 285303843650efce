"""Charts of the top: how long stays last, at which ranks models move, and diversity against sensitivity."""

from datetime import date

import plotly.graph_objects as go
import polars as pl

from analytics.multi_task.first_place import MEAN
from dashboard.figures.base import laid_out, level, numbers
from dashboard.figures.colours import BLUE, CATEGORICAL, GREY, ORANGE, VERMILLION
from dashboard.pages.churn.tables import DEPTH_NAMES, medians
from dashboard.words.known import known_at_latest
from dashboard.words.text import count, day, listed, plotly

Watch = tuple[date, date]
"""The first and the last day on which a board was seen."""

BAND_OPACITY = 0.12
MOST_NAMED = 6
"""Names of models or tasks that a sentence still holds; the table has them all."""


def stays_finding(rows: pl.DataFrame, watch: Watch) -> str:
    """The sentence: the median stay at each depth with its interval, and where more than half outlast the watch."""
    found = medians(rows)
    ended = [f"{_median(row)} in {_depth(row)}" for row in found.drop_nulls("median").iter_rows(named=True)]
    open_ended = [_depth(row) for row in found.filter(pl.col("median").is_null()).iter_rows(named=True)]
    said = [f"half of the stays that were seen to begin last longer than {listed(ended)}"] if ended else []
    said += [f"more than half of those in {listed(open_ended)} outlast what was watched"] if open_ended else []
    return f"Between {day(watch[0])} and {day(watch[1])}, {'; '.join(said)}"


def _depth(row: dict[str, int]) -> str:
    k = row["k"]
    place = "first place" if k == 1 else f"the {DEPTH_NAMES.get(k, f'top {k}')}"
    return f"{place} ({count(row['watched'], 'stay')})"


def _median(row: dict[str, float | None]) -> str:
    high = "and more" if row["high"] is None else f"to {row['high']:.0f}"
    return f"{row['median']:.0f} days (95%: {row['low'] or 0:.0f} {high})"


def stays_alt(rows: pl.DataFrame) -> str:
    """What the steps show, in words."""
    parts = [
        f"{DEPTH_NAMES.get(row['k'], row['k'])}: {count(row['ended'], 'stay')} ended, {row['left_out']} left out that "
        "were under way when the board was first seen"
        for row in medians(rows).iter_rows(named=True)
    ]
    return f"Falling steps of the share of stays that last longer, by days, with 95% bands. {'; '.join(parts)}."


def stays_figure(rows: pl.DataFrame) -> go.Figure:
    """Steps and bands for each depth, in percent."""
    drawn = go.Figure()
    for (k,), colour in zip(rows.select("k").unique(maintain_order=True).rows(), CATEGORICAL, strict=False):
        curve = rows.filter(pl.col("k") == k).sort("days")
        name = DEPTH_NAMES.get(k, f"top {k}")
        drawn.add_traces(_band(curve, name, colour))
        drawn.add_trace(
            go.Scatter(
                x=numbers(curve["days"]),
                y=numbers(curve["share"] * 100),
                name=name,
                legendgroup=name,
                mode="lines",
                line={"color": colour, "width": 2.2, "shape": "hv"},
                customdata=curve.select("at_risk", "events").rows(),
                hovertemplate="%{x:.0f} days: %{y:.0f}% stay longer<br>%{customdata[0]} watched, %{customdata[1]} ended"
                f"<extra>{name}</extra>",
            )
        )
    level(drawn, 50, "half", GREY, "dot")
    laid_out(drawn, height=360)
    drawn.update_yaxes(title="Stays that last longer, %", range=[0, 102], zeroline=False)
    drawn.update_xaxes(title={"text": "Days", "standoff": 4}, rangemode="tozero", zeroline=False)
    return drawn.update_layout(legend={"y": -0.24})


def _band(curve: pl.DataFrame, name: str, colour: str) -> list[go.Scatter]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    look = {"mode": "lines", "legendgroup": name, "showlegend": False, "hoverinfo": "skip"}
    line = {"width": 0, "shape": "hv", "color": colour}
    fill = f"rgba({red},{green},{blue},{BAND_OPACITY})"
    days = numbers(curve["days"])
    return [
        go.Scatter(x=days, y=numbers(curve["high"] * 100), line=line, **look),
        go.Scatter(x=days, y=numbers(curve["low"] * 100), line=line, fill="tonexty", fillcolor=fill, **look),
    ]


def movement_finding(rows: pl.DataFrame, watch: Watch) -> str:
    """The sentence: how far models move within a month from the first place and from the last ranks."""
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    over = f"between {day(watch[0])} and {day(watch[1])}"
    moved = (
        f"Within a month a model moves on average {first['move']:.1f} ranks from rank {_ranks(first)} ({_over(first)})"
    )
    if rows.height == 1:
        return f"{moved}, {over}"
    return (
        f"{moved} and {last['move']:.1f} from rank {_ranks(last)} ({_over(last)}), {over}; among those that stay, "
        f"{first['reordered']:.1f} and {last['reordered']:.1f}"
    )


def _over(row: dict[str, int]) -> str:
    return f"over {count(row['pairs'], 'pair')} of months"


def movement_alt(rows: pl.DataFrame) -> str:
    """What the points show, in words."""
    parts = [f"rank {_ranks(row)}: {row['move']:.1f}, {row['gone']:.0%} gone" for row in rows.iter_rows(named=True)]
    return (
        "Points of the mean number of ranks that models move between the ends of two months, by the rank they start "
        "from, with 95% intervals over pairs of months, and open points of the same among models on both days alone, "
        f"without the places that entrants take. {'; '.join(parts)}."
    )


def movement_figure(rows: pl.DataFrame) -> go.Figure:
    """A point for each band of ranks, all movement and that among those that stay."""
    bands = [_ranks(row) for row in rows.iter_rows(named=True)]
    above, below = rows["high"] - rows["move"], rows["move"] - rows["low"]
    errors = {"type": "data", "symmetric": False, "array": numbers(above), "arrayminus": numbers(below)}
    said = [
        f"rank {_ranks(row)}: {row['move']:.2f} ranks a month<br>{row['gone']:.0%} no longer listed<br>"
        f"{row['n']:,} models over {count(row['pairs'], 'pair')} of months"
        for row in rows.iter_rows(named=True)
    ]
    drawn = go.Figure(
        [
            go.Scatter(
                x=bands,
                y=numbers(rows["move"]),
                name="all movement",
                mode="lines+markers",
                line={"color": BLUE, "width": 1.5},
                marker={"size": 8, "color": BLUE},
                error_y={**errors, "thickness": 1.4, "width": 4, "color": BLUE},
                customdata=said,
                hovertemplate="%{customdata}<extra></extra>",
            ),
            go.Scatter(
                x=bands,
                y=numbers(rows["reordered"]),
                name="among those that stay",
                mode="lines+markers",
                line={"color": ORANGE, "width": 1.5, "dash": "dot"},
                marker={"size": 8, "symbol": "circle-open", "color": ORANGE},
                hovertemplate="rank %{x}: %{y:.2f}<extra>among those that stay</extra>",
            ),
        ]
    )
    laid_out(drawn, height=340)
    highest = float(pl.concat([rows["move"], rows["high"].drop_nulls()]).max() or 1.0)  # type: ignore[arg-type]
    drawn.update_yaxes(title="Ranks moved in a month", range=[-0.04 * highest, 1.08 * highest], zeroline=False)
    drawn.update_xaxes(title={"text": "Rank at the start", "standoff": 4}, type="category")
    return drawn.update_layout(legend={"y": -0.26})


def _ranks(row: dict[str, int | None]) -> str:
    if row["rank_to"] is None:
        return f"{row['rank_from']}+"
    return f"{row['rank_from']}" if row["rank_from"] == row["rank_to"] else f"{row['rank_from']}–{row['rank_to']}"


def tasks_finding(rows: pl.DataFrame, until: date | None) -> str:
    """The sentence: on how many boards leaving out one task changes who is first."""
    compared = rows.drop_nulls("fewest_tasks").height
    lone = rows.filter(pl.col("fewest_tasks") == 1).height
    by_one = rows.filter(pl.col("fewest_models") == 1).height
    said = (
        f"Leaving out a single task puts another model first on {lone:,} of {count(rows.height, 'board')} of many tasks"
    )
    more = f", some choice of tasks on {compared:,}"
    return f"{said}{more}; leaving out a single other model does on {by_one:,}{known_at_latest(until)}"


def tasks_alt(rows: pl.DataFrame) -> str:
    """What the points show, in words."""
    measured = rows.drop_nulls("cardinal_sensitivity")
    return (
        f"Points of {count(measured.height, 'board')}: how much their tasks disagree (1 minus Kendall's W with ties "
        "corrected) against how far the order moves under the worst task weights found and, crosses, under the worst "
        "company of other models. Boards whose tasks disagree more move further."
    )


def tasks_figure(rows: pl.DataFrame, chosen: str) -> go.Figure:
    """A point for each board and sensitivity; the chosen board ringed."""
    drawn = go.Figure()
    for column, name, look in (
        ("cardinal_sensitivity", "to task weights", ("circle", BLUE)),
        ("ordinal_sensitivity", "to other models", ("x-thin", ORANGE)),
    ):
        measured = rows.drop_nulls([column, "tie_corrected"])
        symbol, colour = look
        drawn.add_trace(
            go.Scatter(
                x=numbers(measured["tie_corrected"]),
                y=numbers(measured[column]),
                name=name,
                mode="markers",
                marker={"symbol": symbol, "size": 8, "color": colour, "line": {"color": colour, "width": 1.6}},
                customdata=[plotly(name) for name in measured["board_id"]],
                hovertemplate="%{customdata}<br>diversity %{x:.2f}, sensitivity %{y:.2f}<extra></extra>",
            )
        )
    one = rows.filter(pl.col("board_id") == chosen).drop_nulls("tie_corrected")
    ends = [
        (row["tie_corrected"], row[name])
        for row in one.iter_rows(named=True)
        for name in _SENSITIVITIES
        if row[name] is not None
    ]
    if ends:
        x, y = (pl.Series([end[at] for end in ends]) for at in (0, 1))
        ring = {"symbol": "circle-open", "size": 16, "color": VERMILLION, "line": {"width": 2}}
        drawn.add_trace(
            go.Scatter(
                x=numbers(x), y=numbers(y), name=plotly(chosen, 34), mode="markers", marker=ring, hoverinfo="skip"
            )
        )
    laid_out(drawn, height=400)
    drawn.update_xaxes(title={"text": "Diversity: how much tasks disagree", "standoff": 4}, range=[-0.03, 1.03])
    drawn.update_yaxes(title="Sensitivity of the order", range=[-0.04, 1.04])
    return drawn.update_layout(legend={"y": -0.22})


_SENSITIVITIES = ("cardinal_sensitivity", "ordinal_sensitivity")


def subset_sentence(row: dict[str, object]) -> str:
    """What to leave out for another to be first, the fewest there are."""
    what, how = ("task", "mean score") if row["order_by"] == MEAN else ("other model", "mean win rate")
    if row["challenger"] is None:
        return f"No choice of {what}s takes first place by {how} from {row['first']}."
    names = [str(name) for name in row["left_out"]]  # type: ignore[attr-defined]
    left_out = [name.split("/", 1)[-1] for name in names] if row["order_by"] == MEAN else names
    shown = ", ".join(left_out[:MOST_NAMED]) + (" …" if len(left_out) > MOST_NAMED else "")
    fewer = "" if len(left_out) == 1 else ", and fewer will not do"
    above = f"{row['challenger']} is above {row['first']}, which is first by {how} with all of them{fewer}"
    by_some = f"{count(int(str(row['flips'])), 'model')} could be put above it so."
    return f"Leave out {count(len(left_out), what)} of {row['of']} ({shown}) and {above}. {by_some}"
