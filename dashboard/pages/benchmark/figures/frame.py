"""What the curves of a benchmark share: the axes, the points of models, the lines that they are read against."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.corroboration.standing_results import SELF
from benchhealth.analytics.record.frontier import RATING
from benchhealth.dashboard.figures import language
from benchhealth.dashboard.figures.base import SVG_LIMIT, days, is_bounded, numbers, with_error
from benchhealth.dashboard.figures.lettering.axes import score_axis
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.words.numbers import day_of, score, score_beside, stated_day
from benchhealth.dashboard.words.settings import setting_text
from benchhealth.dashboard.words.text import count, plotly

Style = Mapping[str, object]
"""Properties of a line or a mark, under Plotly's names."""


class Size(NamedTuple):
    """The pixels of a picture and of the plot within it; `marks` is a factor on the size of its marks."""

    height: int
    plot_width: int
    plot_height: int
    marks: float = 1.0


ON_PAGE = Size(400, 960, 350)
LABEL_MARGIN = 104
BASES_OF_LOOKS = ("evaluation", "snapshot")
"""The bases of a date (`date_basis`) that are the day of a run or of reading a board."""

LATE_AFTER_RELEASE = timedelta(days=31)
"""A result later than this after its model's release does not show when models reached the score."""

DAYS_UNSEEN = 60
"""Days since the last look from which on the picture states that there are no data."""
NARROWEST_FOR_WORDS = 0.13
"""A grey field has room for words where it takes at least this share of the axis."""


def best_of_models(results: pl.DataFrame, facts: Facts) -> pl.DataFrame:
    """Each ranked model's best dated result, oldest first: `model`, `score`, `std_error`, `dated_on`, `side` ...

    Of equal scores the earliest counts; on the same day the one that others measured, as it confirms the maker's.
    """
    higher = facts["higher_is_better"] is not False
    dated = results.filter(pl.col("ranked") & pl.col("dated_on").is_not_null() & pl.col("score").is_not_null())
    merit = -pl.col("score") if higher else pl.col("score")
    unconfirmed = pl.col("side").ne_missing(pl.lit("others"))
    ordered = dated.sort(merit, "dated_on", unconfirmed, "source_id", "setting", maintain_order=True)
    best = ordered.unique("model_id", keep="first", maintain_order=True).sort("dated_on", "score", "model_id")
    return best.with_columns(**_drawn_on(best, facts, higher=higher))


def _drawn_on(best: pl.DataFrame, facts: Facts, *, higher: bool) -> dict[str, pl.Expr]:
    """The columns `drawn_on`, the day at which a result is drawn, and `of_look`, whether it is dated by a look alone.

    A source that runs many old models on one day, or reads a board on it, dates them all by that day, which is not
    progress. Such a result, if more than LATE_AFTER_RELEASE later than its model's release and no new best, is drawn at
    the release (at the benchmark's where that is later). Where the model's release is not known it is `of_look`.
    """
    if "released_on" not in best.columns:
        return {"drawn_on": pl.col("dated_on"), "of_look": pl.lit(value=False)}
    merit = pl.col("score") if higher else -pl.col("score")
    before = merit.cum_max().shift(1).fill_null(-np.inf)
    by_look = (pl.col("date_basis").is_in(BASES_OF_LOOKS) & (merit <= before)).fill_null(value=False)
    late = (pl.col("dated_on") > pl.col("released_on") + LATE_AFTER_RELEASE).fill_null(value=False)
    release = pl.max_horizontal("released_on", pl.lit(facts["released_on"], dtype=pl.Date))
    return {
        "drawn_on": pl.when(by_look & late).then(release).otherwise("dated_on"),
        "of_look": by_look & pl.col("released_on").is_null(),
    }


def unlisted_models(drawn: pl.DataFrame, placed: pl.DataFrame, unit: str | None) -> list[str]:
    """The models that no newest snapshot lists: of a rating, which only its newest list has, those without a place."""
    if unit == RATING:
        return drawn.join(placed, on="model_id", how="anti")["model_id"].unique().to_list()
    return placed.filter(~pl.col("listed"))["model_id"].to_list()


def listed_models(models: pl.DataFrame, unlisted: Sequence[str] | None) -> str:
    """How many models are drawn, and how many of them are listed no more, where that is known."""
    if unlisted is None:
        return f"{count(models.height, 'model')}, listed now or before"
    gone = models["model_id"].is_in(list(unlisted)).sum()
    return (
        f"{count(models.height, 'model')} ({gone:,} listed no more)" if gone else count(models.height, "listed model")
    )


def moved_sentence(models: pl.DataFrame) -> str:
    """How many marks are drawn at the release of their model, and how many are dated by a look alone; may be empty."""
    moved = models.filter(pl.col("drawn_on") != pl.col("dated_on")).height
    stand = "stands at its model's" if moved == 1 else "stand at their models'"
    sentence = f" {count(moved, 'mark')} dated by a later run or look {stand} release." if moved else ""
    small = models["of_look"].sum()
    return sentence + (f" Small: dated by a look alone ({small:,})." if small else "")


def y_range(facts: Facts, models: pl.DataFrame) -> tuple[float, float]:
    """The visible scores: from below the worst of the middle 98% to above the ceiling, or the best without one."""
    scores = models["score"].to_numpy()
    low, high = float(np.quantile(scores, 0.01)), float(scores.max())
    if is_bounded(facts["unit"]):
        low = min(low, *(facts[key] for key in ("floor", "human") if facts[key] is not None), high)
        high = max(high, *(facts[key] for key in ("ceiling", "human") if facts[key] is not None), low)
    pad = (high - low) * 0.06 or 0.01
    return low - pad, high + pad


def end_of_axis(known_until: date | None, as_of: date | None, models: pl.DataFrame, until: date | None = None) -> date:
    """The last day of the axis: the assessment, or an earlier one where that would leave most of the picture empty.

    It is no earlier than `until`, the end of a forecast.
    """
    newest, oldest = models["dated_on"].max(), models["drawn_on"].min()
    last_known = known_until or newest
    assert isinstance(last_known, date)
    assert isinstance(oldest, date)
    after_last = timedelta(days=max(90, (last_known - oldest).days // 4))
    end = (
        min(as_of, last_known + after_last) if as_of is not None and as_of > last_known else last_known + after_last / 4
    )
    return end if until is None else max(end, until)


def set_axes(  # noqa: PLR0913, PLR0917
    figure: go.Figure,
    facts: Facts,
    first: date,
    end: date,
    scores: tuple[float, float],
    palette: Palette,
    size: Size = ON_PAGE,
) -> None:
    """Set the axes to the days `first` to `end` and the range of `scores`, and scale marks drawn so far to `size`."""
    language.laid_out(figure, palette, size.height)
    for trace in figure.data:
        if size.marks != 1 and trace.marker.size is not None:
            trace.marker.size = np.multiply(trace.marker.size, size.marks)
    pad = (end - first) * 0.03 + timedelta(days=10)
    language.set_layout(
        figure,
        xaxis={"range": [first - pad, end], "hoverformat": "%-d %b %Y"},
        yaxis={"range": list(scores), **score_axis(*scores, facts["unit"])},
        margin={"l": 4, "r": LABEL_MARGIN, "t": 8, "b": 4},
    )


def add_model_points(figure: go.Figure, models: pl.DataFrame, facts: Facts, palette: Palette) -> None:
    """Filled where others measured, open where the maker reports or the measurer is unknown; WebGL for thousands."""
    for side, provenance in (
        ("others", "measured by others"),
        (SELF, "reported by its maker"),
        (None, "handed in or passed on; nobody says who measured"),
    ):
        fill = palette.faint(palette.ink3, 0.55) if side == "others" else palette.paper
        rows = models.filter(pl.col("side").eq_missing(pl.lit(side)))
        if rows.is_empty():
            continue
        kind = go.Scattergl if models.height > SVG_LIMIT else go.Scatter
        figure.add_trace(
            kind(
                x=days(rows["drawn_on"]),
                y=numbers(rows["score"]),
                mode="markers",
                marker={
                    "size": np.where(rows["of_look"].to_numpy(), 3.5, 7.0).astype(np.float32),
                    "color": fill,
                    "line": {"color": palette.ink3, "width": 1.2},
                },
                **language.on_hover(
                    (point_hover(row, facts, provenance) for row in rows.iter_rows(named=True)),
                    language.OPENS_MODEL,
                    rows["model_id"],
                ),
            )
        )


def best_mark(palette: Palette, *, is_open: bool) -> Style:
    """The mark of a step of the running best: open where others did not measure it."""
    fill = palette.paper if is_open else palette.accent
    return {"size": 8, "color": fill, "line": {"color": palette.accent, "width": 1.6}}


def add_running_best(  # noqa: PLR0913, PLR0917
    figure: go.Figure,
    moves: pl.DataFrame,
    unit: str | None,
    colour: str,
    kind: str,
    condition_column: str = "",
    **styles: Style,
) -> None:
    """Add a line through the steps of a running best, with a mark at each; `kind` names the best at the pointer.

    `condition_column` is the column with the condition where the pointer shows that too; `styles` are those of the
    `line` and the `marker`.
    """
    figure.add_scatter(
        x=days(moves["dated_on"]),
        y=numbers(moves["score"]),
        mode="lines+markers",
        line={"shape": "hv", "color": colour, **styles["line"]},
        marker={"size": 8, "color": colour, **styles.get("marker", {})},
        **language.on_hover(
            (
                f"<b>{plotly(row['model'] or row['model_id'])}</b><br>{score(row['score'], unit)}, {kind}<br>"
                f"{plotly(row[condition_column] or '') + ', ' if condition_column else ''}"
                f"{stated_day(row['dated_on'], row['date_precision'])}"
                for row in moves.iter_rows(named=True)
            ),
            language.OPENS_MODEL,
            moves["model_id"],
        ),
    )


def point_hover(row: Facts, facts: Facts, measured: str) -> str:
    """The text at a point: model, score, setting, who measured it, when, and the source."""
    setting = f"<br>{plotly(setting_text(row['setting']))}" if row["setting"] else ""
    score_text = with_error(row["score"], facts["unit"], row["std_error"])
    return (
        f"<b>{plotly(row['model'])}</b><br>{score_text}{setting}<br>{measured} · "
        f"{stated_day(row['dated_on'], row['date_precision'])}, {plotly(row['source_id'])}"
    )


def add_unseen_time(  # noqa: PLR0913
    figure: go.Figure,
    known_until: date | None,
    end: date,
    as_of: date | None,
    palette: Palette,
    *,
    first: date,
    note: str = "",
) -> None:
    """Add the grey field from the day until which the benchmark is known to `end`: no source was read then.

    `end` is the end of the axis, or the assessment where a forecast goes on from there. The field has words where it is
    wide enough on an axis that begins on the day `first`.
    """
    if known_until is None or end <= known_until:
        return
    language.field(figure, palette.fill, (known_until, end))
    is_long_unseen = as_of is not None and (as_of - known_until).days > DAYS_UNSEEN
    lines = [f"no data<br>since {day_of(known_until)}" if is_long_unseen else "", plotly(note)]
    text = "<br><br>".join(line for line in lines if line)
    if text and (end - known_until) > NARROWEST_FOR_WORDS * (end - first):
        middle = known_until + (end - known_until) / 2
        language.write(figure, text, (middle, 0.3), palette.ink3, 11.5, yref="paper", opacity=language.ONLY_WIDE)


def add_proposed_break(figure: go.Figure, on: date, end: date, palette: Palette) -> None:
    """Mark the day of a proposed breakpoint with a dashed line and its words, and the time after it in grey."""
    language.field(figure, palette.fill, (on, end))
    line = {"color": palette.ink3, "width": 1.2, "dash": "dash"}
    figure.add_shape(type="line", x0=on, x1=on, yref="paper", y0=0, y1=1, line=line)
    at_top = {"yref": "paper", "xanchor": "right", "yanchor": "top", "align": "right"}
    language.write(figure, "proposed break,<br>awaits a curator", (on, 1), palette.ink3, 11.5, **at_top)


def add_reference_lines(  # noqa: PLR0913
    figure: go.Figure,
    facts: Facts,
    best_row: Facts | None,
    y_range: tuple[float, float],
    palette: Palette,
    *,
    plot_height: float = ON_PAGE.plot_height,
) -> None:
    """Add the lines of ceiling, people and chance, and name them and the best score in the margin."""
    unit = facts["unit"]
    low, high = y_range
    best = None if best_row is None else best_row["score"]
    for key, name, dashed in (("ceiling", "ceiling", False), ("human", "people", True), ("floor", "chance", False)):
        level = facts[key]
        if level is not None and low <= level <= high:
            language.reference(figure, level, f"{name} {score_beside(level, unit, best)}", palette, dashed=dashed)
    if best_row is not None:
        best_text = score_beside(best, unit, facts["ceiling"], facts["human"])
        language.in_margin(figure, best_row["score"], f"best {best_text}", palette.accent, bold=True)
    language.spread_margin_labels(figure, y_range, plot_height)


def counted_faults(audits: pl.DataFrame, items: int | None, labels: str | None = None) -> int:
    """How many items were found faulty: the most that one check counted, never scaled up to all items.

    `audits` are rows of the table `incident` with `kind`, `share` and the number of items checked `n`. A check of more
    items than the benchmark has covers other items too and is left out. Where answers are hidden (`labels`), what
    others checked is not of the test.
    """
    if labels == "hidden":
        return 0
    is_of_these_items = (pl.col("kind") == "audit") & (pl.col("n") <= (items or 0))
    most_faulty = audits.filter(is_of_these_items).select((pl.col("share") * pl.col("n")).round()).to_series().max()
    return int(most_faulty) if isinstance(most_faulty, float) else 0


def add_unreachable_scores(
    figure: go.Figure, faulty: int, facts: Facts, scores: tuple[float, float], palette: Palette
) -> None:
    """Tint the scores that no model can reach without being counted right on items that are known to be faulty."""
    if not faulty:
        return
    reachable = (facts["n_items"] - faulty) / facts["n_items"]
    language.field(figure, palette.stages["compressing"].background, y=(reachable, scores[1]), name="wash")
    language.in_margin(figure, reachable, count(faulty, "faulty item"), palette.doubt)


def drawable_faults(faulty: int, facts: Facts) -> int:
    """The number of faulty items, or 0 where the score is not a share of a known number of items."""
    if not faulty:
        return 0
    is_share = is_bounded(facts["unit"]) and facts["higher_is_better"] is not False
    return faulty if is_share and facts["n_items"] and faulty < facts["n_items"] else 0


def add_error_band(
    figure: go.Figure, moves: pl.DataFrame, indicators: Mapping[str, Facts], facts: Facts, palette: Palette
) -> None:
    """Add the interval of today's best, from the day of the last advance beyond error."""
    best, advance = indicators.get("frontier"), indicators.get("months_since_advance")
    if not best or best["low"] is None or best["status"] != "ok" or facts["known_until"] is None:
        return
    since = moves["dated_on"].max() if len(moves) else facts["known_until"]
    if advance and advance["status"] == "ok":
        since = advance["on_day"] or since
    language.field(
        figure, palette.faint(palette.accent, 0.14), (since, facts["known_until"]), (best["low"], best["high"])
    )
