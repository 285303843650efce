"""The two curves of a benchmark: what others measured, solid; what makers claim, open above it; the band between."""

from datetime import date, timedelta

import numpy as np
import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.corroboration.running_bests import BEHIND_DAYS
from benchhealth.dashboard.figures.language import area, in_margin, quiet_line
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.pages.benchmark.figures.frame import add_running_best, best_mark
from benchhealth.dashboard.words.numbers import day_of, score
from benchhealth.dashboard.words.prose.corroboration import ahead

OTHERS, MAKERS = "third_party", "self"
_END = ("reporter", "score", "dated_on")
_VERBS = {OTHERS: "measured", MAKERS: "claimed"}


def marks_sentence(models: pl.DataFrame) -> str:
    """Whose numbers are filled and whose are open, with how many these are."""
    makers, nobody = (models["side"] == MAKERS).sum(), models["side"].null_count()
    is_open = {f"reported by its maker ({makers})": makers, f"nobody says who measured ({nobody})": nobody}
    kinds = ", or ".join(kind for kind, n_models in is_open.items() if n_models)
    return "Filled: measured by others." + (f" Open: {kinds}." if kinds else "")


def title(sides: pl.DataFrame, facts: Facts) -> str:
    """The finding: how far makers' reports are ahead of what others measured."""
    ends = {reporter: (best, on) for reporter, best, on in sides.filter("carried").select(*_END).iter_rows()}
    (measured, looked), (claimed, reported) = ends[OTHERS], ends[MAKERS]
    stopped = reported - looked > timedelta(days=BEHIND_DAYS)
    return ahead(
        measured,
        claimed,
        higher_is_better=facts["higher_is_better"] is not False,
        silent_since=looked if stopped else None,
    )


def legend(sides: pl.DataFrame) -> str:
    """What the two lines are, and until when each side has reported."""
    until = dict(sides.filter("carried").select("reporter", "dated_on").iter_rows())
    condition = sides.filter(pl.col("carried"), pl.col("reporter") == MAKERS)["condition"][0]
    return (
        f" Solid: the best that others measured (last on {day_of(until[OTHERS])}). Dashed: the best that makers report "
        f"(last on {day_of(until[MAKERS])}; condition now: {condition}). Between the two: claimed, not measured "
        "by others."
    )


def silent(sides: pl.DataFrame) -> str:
    """The note for the time after which nobody but the makers measured."""
    last = sides.filter(pl.col("carried"), pl.col("reporter") == OTHERS)["dated_on"][0]
    return f"others: none after {day_of(last)}"


def draw(figure: go.Figure, sides: pl.DataFrame, facts: Facts, palette: Palette) -> None:
    """Both lines with their ends named, and the band between them, until the last day of either."""
    end = max(sides["dated_on"])
    _band(figure, sides, facts, end, palette)
    for reporter in (MAKERS, OTHERS):
        rows = sides.filter(pl.col("reporter") == reporter)
        _line(figure, rows, reporter, facts, end, palette)
        last = rows["score"][-1]
        in_margin(figure, last, f"{_VERBS[reporter]} {score(last, facts['unit'])}", palette.accent)


def _line(  # noqa: PLR0913, PLR0917
    figure: go.Figure, rows: pl.DataFrame, reporter: str, facts: Facts, end: date, palette: Palette
) -> None:
    moves = rows.filter(~pl.col("carried"))
    is_own = reporter == MAKERS
    dash = {"dash": "dot" if is_own else "solid", "width": 1.6 if is_own else 2.4}
    marker = best_mark(palette, is_open=is_own)
    kind = f"best {_VERBS[reporter]}"
    add_running_best(figure, moves, facts["unit"], palette.accent, kind, "condition", line=dash, marker=marker)
    last = rows.row(-1, named=True)
    until = max(last["dated_on"], end) if is_own else last["dated_on"]
    if moves.height:
        x, y = (
            np.array([moves["dated_on"][-1], until], dtype="datetime64[D]"),
            np.array([last["score"]] * 2, np.float32),
        )
        quiet_line(figure, x, y, color=palette.accent, **dash)


def _band(figure: go.Figure, sides: pl.DataFrame, facts: Facts, end: date, palette: Palette) -> None:
    """The field between the two steps, from the first day on which both have one."""
    sign = 1 if facts["higher_is_better"] is not False else -1
    moves = {
        reporter: sides.filter(pl.col("reporter") == reporter, ~pl.col("carried")).sort("dated_on")
        for reporter in (OTHERS, MAKERS)
    }
    if any(rows.is_empty() for rows in moves.values()):
        return
    start = max(min(rows["dated_on"].to_list()) for rows in moves.values())
    step_days = {start, end, *(day for rows in moves.values() for day in rows["dated_on"].to_list())}
    on = sorted(day for day in step_days if start <= day <= end)
    low, high = (
        [float(moves[side].filter(pl.col("dated_on") <= day)["score"][-1]) for day in on] for side in (OTHERS, MAKERS)
    )
    high = [max(first * sign, second * sign) * sign for first, second in zip(low, high, strict=True)]
    # a step keeps its level up to the next: every corner but the first and the last is listed twice
    corners = [day for day in on for _ in (0, 1)][1:]
    upper = [value for value in high for _ in (0, 1)][:-1]
    lower = [value for value in low for _ in (0, 1)][:-1]
    x = np.array([*corners, *reversed(corners)], dtype="datetime64[D]")
    y = np.array([*upper, *reversed(lower)], dtype=np.float32)
    area(figure, x, y, palette.faint(palette.accent, 0.12))
