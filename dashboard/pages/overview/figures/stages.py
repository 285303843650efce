"""How many benchmarks are at which stage, and of how many nobody knows that now: the top of the overview."""

from datetime import date

import plotly.graph_objects as go
import polars as pl

from analytics.record.tables import STAGES
from analytics.verdict.thresholds import Thresholds
from dashboard.figures.base import laid_out, numbers
from dashboard.figures.colours import GREY, STAGE_COLOUR
from dashboard.words.stages import STAGE_MEANING, stage_label
from dashboard.words.text import count, day, listed

ORDER = ("discriminating", "compressing", "saturated", "emerging", "unknown")
SILENT = ("dormant", "stale")
"""Flags of a benchmark that nobody reports any more, or of which we do not know whether anybody does."""

UNSEEN = "not looked at"
"""Stands last, in place of the stage of a benchmark that was judged by what is too old to say what it is now."""

_UNSEEN_MEANING = "judged by what its sources said longer ago than half a year"
_VERB = {
    "discriminating": ("discriminates", "discriminate"),
    "compressing": ("is compressing", "are compressing"),
    "saturated": ("is saturated", "are saturated"),
    "emerging": ("is emerging", "are emerging"),
}
_ON_COLOUR = "#1B1F24"
assert set(ORDER) == set(STAGES)


def silent() -> pl.Expr:
    """Whether a benchmark has one of the SILENT flags."""
    return pl.col("flags").list.set_intersection(list(SILENT)).list.len() > 0


def unseen() -> pl.Expr:
    """Whether a benchmark has a stage and was not looked at since."""
    return pl.col("flags").list.contains("stale") & (pl.col("stage") != "unknown")


def alive(benchmarks: pl.DataFrame) -> pl.DataFrame:
    """The rows that are still measuring something: discriminating, and neither dormant nor stale."""
    return benchmarks.filter((pl.col("stage") == "discriminating") & ~silent())


def stage_counts(benchmarks: pl.DataFrame) -> pl.DataFrame:
    """Rows in a frame with `stage` and `flags`, counted, every stage once, the liveliest first and UNSEEN last.

    Columns: stage, benchmarks, `dormant` among them, meaning. The stages are of those that were looked at lately.
    """
    shown = pl.when(unseen()).then(pl.lit(UNSEEN)).otherwise("stage")
    dormant = pl.col("flags").list.contains("dormant")
    found = benchmarks.group_by(shown=shown).agg(number=pl.len(), quiet=dormant.sum())
    counted = {stage: (number, quiet) for stage, number, quiet in found.select("shown", "number", "quiet").iter_rows()}
    rows = [(stage, *counted.get(stage, (0, 0)), STAGE_MEANING[stage]) for stage in ORDER]
    rows.append((UNSEEN, counted.get(UNSEEN, (0, 0))[0], 0, _UNSEEN_MEANING))
    schema = {"stage": pl.String, "benchmarks": pl.Int64, "dormant": pl.Int64, "meaning": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def finding(counts: pl.DataFrame, as_of: date | None) -> str:
    """The sentence: of the benchmarks looked at lately, how many are alive, and what is the matter with the others."""
    number = dict(counts.select("stage", "benchmarks").iter_rows())
    looked_at = sum(number[stage] for stage in _VERB)
    since = day(looked_since(as_of))
    left = [f"{number['unknown']:,} {_are(number['unknown'])} unknown"] if number["unknown"] else []
    left += [f"{number[UNSEEN]:,} {_were(number[UNSEEN])} not looked at since"] if number[UNSEEN] else []
    if not looked_at:
        rest = f"; {listed(left)}" if left else ""
        return f"No benchmark here with evidence for a verdict was looked at since {since}{rest}"
    quiet = dict(counts.select("stage", "dormant").iter_rows())["discriminating"]
    living = number["discriminating"] - quiet
    others = [f"{number[stage]:,} {_VERB[stage][number[stage] != 1]}" for stage in _VERB if number[stage]]
    if number["discriminating"]:
        others = others[1:]
    if quiet:
        others.insert(0, f"{quiet:,} {_VERB['discriminating'][quiet != 1]} but {_are(quiet)} dormant")
    others += left
    rest = f"; {listed(others)}" if others else ""
    of = count(looked_at, "benchmark")
    return f"{living or 'None'} of {of} with evidence looked at since {since} {_are(living)} alive{rest}"


def looked_since(as_of: date | None) -> date | None:
    """The day since which a benchmark must have been looked at to be spoken of in the present."""
    if as_of is None:
        return None
    months = round(Thresholds().stale_months)
    since: date = pl.select(pl.lit(as_of).dt.offset_by(f"-{months}mo")).item()
    return since


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def alt_text(counts: pl.DataFrame) -> str:
    """What the bars show, in words."""
    said = [
        f"{stage} {number:,}{f', {quiet:,} of them dormant' if quiet else ''} ({meaning})"
        for stage, number, quiet, meaning in counts.iter_rows()
    ]
    return (
        "Bars of the number of benchmarks at each stage, hatched where dormant, grey where not looked at: "
        f"{listed(said)}."
    )


def figure(counts: pl.DataFrame) -> go.Figure:
    """One bar a stage, given by word, shape and colour; hatched is what nobody reports, the total stands at the end."""
    drawn = go.Figure([_bar(counts, quiet=False), _bar(counts, quiet=True), _key()])
    laid_out(drawn, height=270, bargap=0.25, barmode="stack", showlegend=True)
    drawn.update_yaxes(autorange="reversed", ticksuffix="  ")
    drawn.update_xaxes(visible=False, rangemode="tozero")
    drawn.update_layout(margin={"r": 48, "t": 4}, legend={"y": -0.04, "traceorder": "normal"})
    return drawn


def _bar(counts: pl.DataFrame, *, quiet: bool) -> go.Bar:
    stages = counts["stage"].to_list()
    colours = [STAGE_COLOUR.get(stage, GREY) for stage in stages]
    silent_ones = counts["dormant"]
    shown = silent_ones if quiet else counts["benchmarks"] - silent_ones
    totals = [f"{number:,}" for number in counts["benchmarks"]]
    inside = [f"{number:,}" if number and less else "" for number, less in zip(shown, silent_ones, strict=True)]
    hatched = {"shape": "/", "size": 7, "solidity": 0.35, "fgcolor": colours, "bgcolor": "rgba(0,0,0,0)"}
    plain = {"color": colours, "line": {"color": colours, "width": 1}}
    return go.Bar(
        y=[UNSEEN.capitalize() if stage == UNSEEN else stage_label(stage) for stage in stages],
        x=numbers(shown),
        orientation="h",
        marker={**plain, "pattern": {**hatched, "fillmode": "replace"}} if quiet else plain,
        text=totals if quiet else inside,
        textposition="outside" if quiet else "inside",
        insidetextanchor="middle",
        textangle=0,
        **({} if quiet else {"insidetextfont": {"color": _ON_COLOUR}}),
        cliponaxis=False,
        showlegend=False,
        customdata=counts["meaning"].to_list(),
        hovertemplate=f"%{{y}}, {'dormant' if quiet else 'others'}: %{{x}}<br>%{{customdata}}<extra></extra>",
    )


def _key() -> go.Bar:
    """What hatching means, in grey, as it holds for every colour."""
    hatched = {"shape": "/", "size": 7, "solidity": 0.35, "fillmode": "replace", "bgcolor": "rgba(0,0,0,0)"}
    look = {"color": GREY, "line": {"color": GREY, "width": 1}, "pattern": {**hatched, "fgcolor": GREY}}
    return go.Bar(x=[None], y=[None], name="dormant", marker=look)
