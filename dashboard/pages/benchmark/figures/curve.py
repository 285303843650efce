"""The curve of a benchmark: each model at its best, the best so far, and the lines that it is read against."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.base import days, is_bounded, numbers
from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.labels import Box, Point, placed_labels, step_boxes
from benchhealth.dashboard.figures.language import LABEL, ONLY_WIDE, Drawing, area, in_margin, led
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.pages.benchmark.figures import two_curves
from benchhealth.dashboard.pages.benchmark.figures.frame import (
    ON_PAGE,
    Size,
    add_error_band,
    add_model_points,
    add_proposed_break,
    add_reference_lines,
    add_unreachable_scores,
    add_unseen_time,
    best_of_models,
    drawable_faults,
    end_of_axis,
    listed_models,
    moved_sentence,
    set_axes,
    y_range,
)
from benchhealth.dashboard.pages.benchmark.figures.line import (
    best_so_far,
    cuts_of,
    marks,
    parted_sentence,
    with_measured_by_others,
)
from benchhealth.dashboard.published.results import best_on
from benchhealth.dashboard.words.forecasts import chance_text, either_first, record_sentence
from benchhealth.dashboard.words.measurers.houses import head_of
from benchhealth.dashboard.words.numbers import day_of, month_of, percent_interval, score
from benchhealth.dashboard.words.prose.record import NO_DATED_RESULT, NOTHING_TO_DRAW, nothing_before
from benchhealth.dashboard.words.text import count, model_within, names_within, plotly

SETTERS_NAMED = 8
"""Record-setters that are named, the latest first, where there is room."""

POINTS_AVOIDED = 500
"""How many points names must not cover; points within a few pixels of one another count as one."""

IN_MARGIN = 12
"""Letters of a condition's name beside its line; the full name is in the hover."""

NARROW_FAN = 0.005
"""A forecast interval that ends within this distance of the best is described by that distance."""

Spans = Sequence[tuple[date, date]]


@dataclass(frozen=True)
class CurveData:
    """The data of a curve: results and frontier in the condition that counts, and whatever is drawn beside them.

    `beside` are frontiers under other conditions. `spans`: the days within which scores of a board that moved share a
    scale (empty: all do); no line is drawn from one to the next. `forecast` and `issued`: the rows of that table and of
    `forecast_record` for it. `broken`: the day of the first proposed breakpoint that awaits a curator; the curve and
    the `results` stop before it. `sides`: what others measured and what makers claim, where the two are apart, in place
    of the best of all. `happened`: the dated incidents, which are marked. `skills`: the table `forecast_skill`.
    `faulty`: how many items are known to be so (`frame.counted_faults`).
    `breaks`: the breakpoints of the boards that the line is drawn from (`line.breaks_of`), at which it is parted.
    `size`: how large it is drawn, for which labels are placed. `unlisted`: the models that no source lists any more;
    None where that is not known.
    """

    results: pl.DataFrame
    steps: pl.DataFrame
    beside: pl.DataFrame
    spans: Spans = ()
    forecast: pl.DataFrame | None = None
    issued: pl.DataFrame | None = None
    broken: date | None = None
    sides: pl.DataFrame | None = None
    happened: pl.DataFrame | None = None
    skills: pl.DataFrame | None = None
    breaks: pl.DataFrame | None = None
    faulty: int = 0
    size: Size = ON_PAGE
    unlisted: Sequence[str] | None = None

    @property
    def moves(self) -> pl.DataFrame:
        """The dated steps of the frontier."""
        return self.steps.filter(~pl.col("carried"))

    @property
    def best(self) -> Facts:
        """The best score until the benchmark was last read, which may have no date."""
        return self.steps.row(-1, named=True)

    @property
    def fan(self) -> Facts | None:
        """The furthest forecast of the score: there is none where such forecasts did not prove skill."""
        if self.forecast is None:
            return None
        borne = self.forecast.drop_nulls("median").sort("target_on")
        return borne.row(-1, named=True) if borne.height else None


def title(  # noqa: PLR0913, PLR0917
    facts: Facts,
    steps: pl.DataFrame,
    models: int,
    since_advance: Facts | None,
    tries: Facts | None,
    sources: Sequence[SourceLine] = (),
) -> str:
    """The finding: the last advance beyond error and the results since, or how the best score changed.

    Where all that is drawn is of one source, the title names its list: a model that is not on it may be better.
    """
    tried = tries["value"] if tries and tries["status"] == "ok" else None
    is_rated = tries is not None and tries["status"] == "not_applicable"
    if since_advance and since_advance["status"] == "ok" and (tried or is_rated):
        when = month_of(since_advance["on_day"])
        tries_text = f"; {count(round(tried), 'model')} tried" if tried else ""
        listed = f" on the list of {head_of(sources[0].title)}" if len(sources) == 1 else ""
        return f"Nobody{listed} has beaten the best of {when} beyond error{tries_text}"
    moves = steps.filter(~pl.col("carried"))
    unit, undated = facts["unit"], best_on(steps) is None
    ends = moves.select("score", "dated_on")[[0, -1]].iter_rows()
    first, last = (f"{score(value, unit)} in {month_of(on)}" for value, on in ends)
    best = f"The best, {score(steps['score'][-1], unit)}, has no day"
    if moves.height == 1 and models == 1 and not undated:
        return f"One model has a result: {first}"
    if moves.height == 1:
        return f"{best}; the only dated step is {first}" if undated else f"{first} is still the best"
    moved = "rose" if moves["score"][-1] >= moves["score"][0] else "fell"
    if undated:
        return f"{best}; dated results {moved} from {first} to {last}"
    return f"The best of {count(models, 'model')} {moved} from {first} to {last}"


def _finding(
    facts: Facts, drawn: CurveData, models: int, indicators: Mapping[str, Facts], sources: Sequence[SourceLine]
) -> str:
    """The title: that makers' reports are ahead of what others measured, else how the best score changed."""
    if drawn.sides is not None:
        return two_curves.title(drawn.sides, facts)
    since, tries = (indicators.get(key) for key in ("months_since_advance", "tries_since_advance"))
    return title(facts, drawn.steps, models, since, tries, sources)


def chart(  # noqa: PLR0913, PLR0917
    facts: Facts,
    drawn: CurveData,
    indicators: Mapping[str, Facts],
    sources: Sequence[SourceLine],
    as_of: date | None,
    palette: Palette,
) -> Chart | Nothing:
    """The curve of the benchmark with everything that is drawn on it; `indicators` are rows by their names."""
    models, steps = best_of_models(drawn.results, facts), drawn.steps
    if models.is_empty() or drawn.moves.is_empty():
        if drawn.broken is not None:
            return Nothing(*nothing_before(drawn.broken))
        return Nothing(*(NO_DATED_RESULT if facts["known_until"] else NOTHING_TO_DRAW))
    figure, last, fan = Drawing(), drawn.best, drawn.fan
    scores, faulty = y_range(facts, models), drawable_faults(drawn.faulty, facts)
    if faulty:
        scores = scores[0], max(scores[1], 1.005)
    reach = [*([] if fan is None else [fan["target_on"]]), *([] if drawn.sides is None else drawn.sides["dated_on"])]
    end = end_of_axis(facts["known_until"], as_of, models, max(reach, default=None))
    side_days = [] if drawn.sides is None else drawn.sides["dated_on"].to_list()
    first = min(*models["drawn_on"].to_list(), *steps["dated_on"].to_list(), *side_days)
    add_model_points(figure, models, facts, palette)
    if drawn.sides is None:
        _other_conditions(figure, drawn, facts, palette)
        moves = with_measured_by_others(drawn.moves, drawn.results)
        best_so_far(figure, moves, drawn.spans, drawn.breaks, facts, palette)
    else:
        two_curves.draw(figure, drawn.sides, facts, palette)
    if drawn.broken is not None:
        add_proposed_break(figure, drawn.broken, max(end, as_of or end), palette)
    elif fan and as_of is not None:
        add_unseen_time(figure, facts["known_until"], min(end, as_of), None, palette, first=first)
    else:
        known_until, assessed_on = facts["known_until"], as_of if drawn.sides is None else None
        note = _no_fan(facts, drawn, indicators) if drawn.sides is None else two_curves.silent(drawn.sides)
        add_unseen_time(figure, known_until, end, assessed_on, palette, first=first, note=note)
    add_error_band(figure, drawn.moves, indicators, facts, palette)
    if fan:
        _fan(figure, last, fan, palette)
    _records(figure, drawn, models, scores, end, facts, palette)
    set_axes(figure, facts, first, end, scores, palette, drawn.size)
    add_unreachable_scores(figure, faulty, facts, scores, palette)
    named_best = last if drawn.sides is None and last["carried"] else None
    add_reference_lines(figure, facts, named_best, scores, palette, plot_height=drawn.size.plot_height)
    if drawn.happened is not None:
        marks(figure, drawn.happened.filter(pl.col("on_date").is_between(first, end)), scores, palette)
    return Chart(
        title=_finding(facts, drawn, models.height, indicators, sources),
        subtitle=(
            f"Best dated result of each of {listed_models(models, drawn.unlisted)}, until "
            f"{day_of(facts['known_until'])}. "
            f"{two_curves.marks_sentence(models)}"
            f"{' Line: best so far.' if drawn.sides is None else two_curves.legend(drawn.sides)}"
            f"{_without_day(drawn)}{moved_sentence(models)}"
            f"{parted_sentence(drawn.breaks) if drawn.sides is None else ''}{_broken_sentence(drawn)}"
            f"{f' Amber: not reached without passing one of {faulty:,} items found faulty.' if faulty else ''}"
            f"{_fan_sentence(fan, drawn, facts)}"
        ),
        figure=figure,
        rows=_rows(models, drawn),
        alt=_alt(facts, models, drawn),
        sources=sources,
        known_until=facts["known_until"],
    )


def _rows(models: pl.DataFrame, drawn: CurveData) -> pl.DataFrame:
    """All that is drawn: models, the best so far, that of other conditions, the fan."""
    dated = ("dated_on", "date_precision", "date_basis")
    of_model = ("model", "score", "std_error", *dated, "reporter", "side", "setting")
    line = ("model", "score", "dated_on", "condition")
    named = pl.coalesce("model", "model_id").alias("model")
    frames = [
        models.select(
            pl.lit("best of the model").alias("what"), *of_model, "source_id", "url", "source_row", "drawn_on"
        ),
        drawn.steps.with_columns(named).select(pl.lit("best so far").alias("what"), *line),
        drawn.beside.with_columns(named).select(pl.lit("best under another condition").alias("what"), *line),
    ]
    if drawn.sides is not None:
        is_claimed = pl.col("reporter") == two_curves.MAKERS
        label = pl.when(is_claimed).then(pl.lit("best claimed")).otherwise(pl.lit("best measured"))
        frames.append(drawn.sides.with_columns(named).select(label.alias("what"), *line, "reporter"))
    if drawn.fan:
        fan = drawn.fan
        ends = {"what": "forecast", "score": fan["median"]} | {
            name: fan[name] for name in ("low80", "high80", "chance")
        }
        frames.append(pl.DataFrame([{**ends, "dated_on": fan["target_on"]}]))
    return pl.concat(frames, how="diagonal")


def _alt(facts: Facts, models: pl.DataFrame, drawn: CurveData) -> str:
    unit, last, on = facts["unit"], drawn.best, best_on(drawn.steps)
    when = f"in {month_of(on)}" if on else "on a day not known"
    described = [f"best {score(last['score'], unit)} by {last['model'] or last['model_id']} {when}"]
    for key, name in (("ceiling", "ceiling"), ("human", "human line"), ("floor", "chance")):
        if facts[key] is not None:
            described.append(f"{name} {score(facts[key], unit)}")
    return f"Scores of {count(models.height, 'model')} on {facts['name']} by date: {', '.join(described)}."


def _without_day(drawn: CurveData) -> str:
    """A sentence where the best score has no date, so that no step of the line leads to it."""
    if best_on(drawn.steps):
        return ""
    return " The best itself was there at the first look and has no day."


def _broken_sentence(drawn: CurveData) -> str:
    """A sentence where the curve stops before a proposed breakpoint."""
    if drawn.broken is None:
        return ""
    return f" It stops before {day_of(drawn.broken)}: a proposed break of a board awaits a curator."


def _fan_sentence(fan: Facts | None, drawn: CurveData, facts: Facts) -> str:
    """The fan in words: where the best would be, on what condition, and how those issued before came out."""
    if fan is None:
        return ""
    farthest = max(abs(fan[end] - drawn.best["score"]) for end in ("low80", "high80"))
    if not is_bounded(facts["unit"]):
        where = "between its ends"
    elif farthest < NARROW_FAN:
        where = f"within {max(0.1, math.ceil(farthest * 1000) / 10):.1f} points of today's"
    else:
        where = f"at {percent_interval(fan['low80'], fan['high80'])}"
    record = "" if drawn.issued is None else f" Its record: {record_sentence(drawn.issued)}."
    first = "" if drawn.skills is None else f" {either_first(drawn.skills, fan['population'])}."
    return (
        f"{first} Fan, 80% interval: the best score is expected {where} in {month_of(fan['target_on'])} if a stronger "
        f"model is tested ({chance_text(fan['chance'])}).{record}"
    )


def _no_fan(facts: Facts, drawn: CurveData, indicators: Mapping[str, Facts]) -> str:
    """The note in place of a forecast: that there is none, and whether an open-ended scale is why."""
    row = indicators.get("forecast_12_months")
    if drawn.fan or row is None:
        return ""
    return "no forecast" if is_bounded(facts["unit"]) else "no forecast: open-ended"


def _fan(figure: go.Figure, last: Facts, fan: Facts, palette: Palette) -> None:
    """The interval that 80% of such forecasts held, from the best of the day on which it was made."""
    on, start = fan["target_on"], fan["made_on"]
    x = np.array([start, on, on, start], dtype="datetime64[D]")
    y = np.array([last["score"], fan["high80"], fan["low80"], last["score"]], dtype=np.float32)
    area(figure, x, y, palette.faint(palette.accent, 0.16))
    in_margin(figure, fan["high80"], f"{month_of(on)}, 80%", palette.accent)


def beside_lines(conditions: Sequence[str]) -> list[str]:
    """Short names of conditions, of about `IN_MARGIN` letters, without the phrases that all of them share.

    No two are alike: those cut to the same letters keep their ends, and are numbered where these are the same as well.
    """
    phrases = [condition.split(", ") for condition in conditions]
    shared = set.intersection(*map(set, phrases)) if len(phrases) > 1 else set()
    distinct = [", ".join(phrase for phrase in line_phrases if phrase not in shared) for line_phrases in phrases]
    labels = [name or condition for name, condition in zip(distinct, conditions, strict=True)]
    return names_within(labels, IN_MARGIN)


def _other_conditions(figure: go.Figure, drawn: CurveData, facts: Facts, palette: Palette) -> None:
    """The best so far under each other condition, thin and dotted; its name is in the hover and above."""
    conditions = drawn.beside["condition"].unique(maintain_order=True).to_list()
    for condition, name in zip(
        conditions, beside_lines([str(condition_id) for condition_id in conditions]), strict=True
    ):
        rows = drawn.beside.filter(pl.col("condition").eq_missing(condition))
        figure.add_scatter(
            x=days(rows["dated_on"]),
            y=numbers(rows["score"]),
            mode="lines",
            line={"shape": "hv", "color": palette.ink3, "width": 1.2, "dash": "dot"},
            hovertemplate=f"best under another condition: {plotly(str(condition))}<extra></extra>",
        )
        in_margin(
            figure,
            rows["score"][-1],
            f"{plotly(name)} {score(rows['score'][-1], facts['unit'])}",
            palette.ink3,
        )


def _records(  # noqa: PLR0913, PLR0917
    figure: go.Figure,
    drawn: CurveData,
    models: pl.DataFrame,
    y_range: tuple[float, float],
    end: date,
    facts: Facts,
    palette: Palette,
) -> None:
    """Names at the record-setters, of each model at its last record."""
    moves = drawn.moves.sort("dated_on", descending=True).with_row_index("at")
    first = min(*models["drawn_on"].to_list(), *moves["dated_on"].to_list())
    span = max(1, (end - first).days)
    (low, high), wide, tall = y_range, drawn.size.plot_width, drawn.size.plot_height

    def point_at(day: date, value: float, text: str = "") -> Point:
        return Point((day - first).days / span * wide, (value - low) / (high - low) * tall, 5, text)

    is_last = pl.col("model_id").is_first_distinct() | pl.col("model_id").is_null()
    named = moves.filter(is_last).head(SETTERS_NAMED)
    wanted = [
        point_at(row["dated_on"], row["score"], model_within(row["model"] or row["model_id"], 28))
        for row in named.iter_rows(named=True)
    ]
    points = [point_at(*row) for row in moves.join(named, on="at", how="anti").select("dated_on", "score").iter_rows()]
    all_points = [point_at(*row) for row in models.select("drawn_on", "score").iter_rows()]
    crowd = list({(round(spot.x / 9), round(spot.y / 9)): spot for spot in all_points}.values())[-POINTS_AVOIDED:]
    rows = list(moves.iter_rows(named=True))
    known_until = facts["known_until"] or end
    ends = [(known_until, moves["score"][0]), *((row["dated_on"], row["score"]) for row in rows)]
    line = step_boxes([(point.x, point.y) for point in (point_at(*corner) for corner in reversed(ends))])
    for _, curve in drawn.beside.group_by("condition", maintain_order=True):
        line += step_boxes(
            [(spot.x, spot.y) for spot in (point_at(*row) for row in curve.select("dated_on", "score").iter_rows())]
        )
    if drawn.sides is None:
        line += [Box(spot.x - 1, 0, spot.x + 1, tall) for spot in (point_at(on, low) for on in cuts_of(drawn.breaks))]
    for label in placed_labels([*wanted, *points, *crowd], Box(-30, 0, wide, tall), LABEL, line):
        row, point = named.row(label.index, named=True), wanted[label.index]
        name, line_colour = f"<b>{plotly(point.text)}</b>", palette.line if label.leader else None
        shift = label.x - point.x, -(label.y - point.y)
        place = row["dated_on"], row["score"]
        led(figure, name, place, shift, palette.accent, line_colour, standoff=6, opacity=ONLY_WIDE)
