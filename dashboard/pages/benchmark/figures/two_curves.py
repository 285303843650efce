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
    if moves.height:
        x = np.array([moves["dated_on"][-1], end if is_own else last["dated_on"]], dtype="datetime64[D]")
        quiet_line(figure, x, np.full(2, last["score"], np.float32), color=palette.accent, **dash)


def _band(figure: go.Figure, sides: pl.DataFrame, facts: Facts, end: date, palette: Palette) -> None:
    """The field between the two steps, from the first day on which both have one."""
    moves = sides.filter(~pl.col("carried")).sort("dated_on", maintain_order=True)
    levels = pl.DataFrame({"dated_on": sorted({*moves["dated_on"], end})}, schema={"dated_on": pl.Date})
    for side in (OTHERS, MAKERS):
        steps = moves.filter(pl.col("reporter") == side).select("dated_on", pl.col("score").alias(side))
        levels = levels.join_asof(steps, on="dated_on")
    better = pl.max_horizontal if facts["higher_is_better"] is not False else pl.min_horizontal
    levels = levels.drop_nulls().with_columns(better(OTHERS, MAKERS).alias(MAKERS))
    # a step keeps its level up to the next: every corner but the first and the last is listed twice
    on, low, high = (np.repeat(levels[name].to_numpy(), 2) for name in ("dated_on", OTHERS, MAKERS))
    if on.size:
        x, y = np.concatenate([on[1:], on[:0:-1]]), np.concatenate([high[:-1], low[-2::-1]])
        area(figure, x, y.astype(np.float32), palette.faint(palette.accent, 0.12))
