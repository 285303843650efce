"""Which benchmarks truly have little room left, and which only seem to, through tools, attempts, subsets or judges."""

from datetime import date

import polars as pl

from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.forest import Mark, forest
from benchhealth.dashboard.figures.lettering.axes import share_axis
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.benchmarks import last_known
from benchhealth.dashboard.published.generation import Params, PublishedTable, View, always
from benchhealth.dashboard.words.columns import texts
from benchhealth.dashboard.words.stages import STAGE_WORDS
from benchhealth.dashboard.words.text import count, known_at_latest, listed, markdown, plotly, short

CEILINGS_DRAWN = 25
CEILINGS_NAMED = 12
LITTLE = LIMITS.exhausted_headroom
WITHIN = Mark("in the condition it is judged by", "headroom", None, None)
RAW = Mark("all results as one curve", "headroom_raw", None, None, "diamond-open", "ink3")


@always
def ceilings(view: View) -> pl.DataFrame:
    """Each benchmark with its headroom within its condition and over all results, widest difference first.

    `changes`: whether its stage would differ if all results were one curve. The curated ones come first.
    """
    names = view.table("benchmark").select("benchmark_id", "name", is_curated="curated")
    difference = (pl.col("headroom") - pl.col("headroom_raw")).fill_null(0.0)
    return (
        view.table("condition_headroom")
        .filter(is_whole())
        .join(names, on="benchmark_id", how="left")
        .with_columns(name=pl.coalesce("name", "benchmark_id"), changes=pl.col("stage") != pl.col("stage_raw"))
        .with_columns(difference=difference)
        .sort("is_curated", "difference", "benchmark_id", descending=[True, True, False])
        .drop("curated")
    )


CEILINGS = PublishedTable("ceilings", lambda view, _params: ceilings(view))


def chart(view: View, _params: Params, palette: Palette) -> Chart | Nothing:
    """Both kinds of headroom, a row a benchmark: the widest differences of those with several conditions."""
    mixed = ceilings(view).filter(pl.col("is_curated") & (pl.col("others") > 0))
    drawn, until = mixed.drop_nulls(["headroom", "headroom_raw"]).head(CEILINGS_DRAWN), last_known(view)
    if drawn.is_empty():
        return Nothing(
            "No curated benchmark has results under two conditions.", "It takes results that state their condition."
        )
    changed = mixed.filter("changes").height
    verb = "has" if changed == 1 else "have"
    figure = forest(
        drawn.with_columns(texts(drawn["name"], short)),
        (WITHIN, RAW),
        [_hover(row) for row in drawn.iter_rows(named=True)],
        palette,
        axis="",
    )
    widest = float(drawn.select(pl.max_horizontal("headroom", "headroom_raw").max()).item())
    span = (-0.02, widest + 0.03)
    figure.update_xaxes(range=list(span), **share_axis(*span))
    note = f"the {drawn.height} with the widest difference are drawn" if drawn.height < mixed.height else "all drawn"
    return Chart(
        title=(
            f"{changed or 'None'} of {count(mixed.height, 'benchmark')} {verb} another stage when conditions are kept "
            "apart"
        ),
        subtitle=(
            f"Share of the scale left. Filled: in the condition a benchmark is judged by; open: all results as one "
            f"curve. {mixed.height} curated benchmarks with several conditions, {note}{known_at_latest(until)}."
        ),
        figure=figure,
        rows=drawn,
        alt="For each benchmark the share of its scale that is left within the condition it is judged by, and that "
        "over all results. Where they are apart, another condition makes the ceiling.",
        known_until=until,
    )


def little(view: View, until: date | None) -> str:
    """The benchmarks that have little room left within their condition."""
    with_headroom = ceilings(view).filter(pl.col("is_curated") & pl.col("headroom").is_not_null())
    with_little = with_headroom.filter(pl.col("headroom") < LITTLE).sort("headroom", "benchmark_id")
    sentence = (
        f"Of {count(with_headroom.height, 'curated benchmark')} whose headroom is known, {with_little.height} have "
        f"less than {LITTLE:.0%} of the scale left within the condition they are judged by"
    )
    if with_little.is_empty():
        return f"{sentence}{known_at_latest(until)}."
    named = [markdown(name) for name in with_little["name"].head(CEILINGS_NAMED)]
    more = [f"{with_little.height - CEILINGS_NAMED} more"] if with_little.height > CEILINGS_NAMED else []
    return f"{sentence}: {listed([*named, *more])}{known_at_latest(until)}."


def changed_stages(view: View, until: date | None) -> str:
    """One line for each benchmark whose stage changes, with what makes the difference; empty where none does."""
    rows = ceilings(view).filter("changes", pl.col("made_by").is_not_null())
    if rows.is_empty():
        return ""
    lines = "\n".join(f"- {_line(row)}" for row in rows.head(CEILINGS_DRAWN).iter_rows(named=True))
    return f"Another stage when conditions are kept apart{known_at_latest(until)}:\n\n{lines}"


def _stage(stage: object) -> str:
    return STAGE_WORDS[str(stage)].lower()


def _line(row: dict[str, object]) -> str:
    room = "" if row["headroom"] is None else f", {row['headroom']:.0%} of the scale left"
    raw = "" if row["headroom_raw"] is None else f", {row['headroom_raw']:.0%} left"
    return (
        f"**{markdown(str(row['name']))}**: {_stage(row['stage'])} under *{markdown(str(row['condition']))}*{room}; "
        f"{_stage(row['stage_raw'])} with *{markdown(str(row['made_by']))}*{raw}."
    )


def _hover(row: dict[str, object]) -> str:
    made_by = f"<br>made by: {plotly(str(row['made_by']))}" if row["made_by"] else ""
    return (
        f"<b>{plotly(str(row['name']))}</b><br>{plotly(str(row['condition']))}: {row['headroom']:.0%} left, "
        f"{_stage(row['stage'])}<br>all results: {row['headroom_raw']:.0%} left, {_stage(row['stage_raw'])}{made_by}"
    )
