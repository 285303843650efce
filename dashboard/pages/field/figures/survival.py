"""Survival curves of cohorts of benchmarks: steps with their bands, and the finding as a sentence."""

from collections.abc import Sequence
from datetime import date

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.aging.hazards import COHORT
from benchhealth.analytics.aging.lives import OVERALL
from benchhealth.analytics.aging.survival import NAIVE
from benchhealth.analytics.answers.counts import Saturated
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.statistics.survival.kaplan_meier import HalfLife, half_life
from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.language import Drawing, laid_out, line_labels, reference, write
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.answers.counts import by_curator, while_watched
from benchhealth.dashboard.words.domains import group_name
from benchhealth.dashboard.words.first.findings import half_title
from benchhealth.dashboard.words.numbers import months, months_interval, probability
from benchhealth.dashboard.words.text import capital, count, data_to, known_at_latest, plotly

FATES_HEIGHT = 420
MARK = 60
"""The age in months at which the shares are given; the last observed one where that is earlier."""


def row_at_mark(rows: pl.DataFrame) -> Row:
    """The last row of the curve up to the age of MARK months."""
    curve = rows.sort("months")
    by_then = curve.filter(pl.col("months") <= MARK)
    return (by_then if by_then.height else curve.head(1)).row(-1, named=True)


def fates(rows: pl.DataFrame, counted: Saturated, until: date | None, palette: Palette) -> Chart | Nothing:
    """The shares of all benchmarks that have met either of two competing ends by age, from the table `survival`."""
    curve = rows.filter(pl.col("cohort") == OVERALL).sort("months")
    if curve.is_empty():
        return _nothing("What became of benchmarks cannot be drawn yet.")
    mark = row_at_mark(curve)
    age = min(MARK, int(curve["months"][-1]))
    saturated = while_watched(int(curve["events"].sum()), counted)
    ended = f"{saturated} and {curve['abandonments'].sum():,} abandoned"
    basis = f"{count(int(curve['n'][0]), 'benchmark')} that could be watched, {ended}"
    naive = 1 - float(mark["share"])
    figure = Drawing()
    ends = []
    longest = float(curve["months"][-1])
    for name, colour, dash in (("saturated", palette.accent, "solid"), ("abandoned", palette.ink3, "dash")):
        band(figure, curve.drop_nulls(f"{name}_low"), colour, palette, f"{name}_")
        _fate_line(figure, curve, pl.col(name), name, colour, dash)
        ends.append((longest, float(curve[name][-1]), name, colour))
    _fate_line(figure, curve, 1 - pl.col("share"), "saturated, were none abandoned", palette.ink3, "dot")
    ends.append((longest, 1 - float(curve["share"][-1]), "were none abandoned", palette.ink3))
    shares_laid_out(figure, longest, FATES_HEIGHT, palette)
    figure.update_layout(margin={"r": 20 + 7 * max(len(name) for _, _, name, _ in ends)})
    line_labels(figure, ends, (0, 1.02), FATES_HEIGHT - 34, palette)
    return Chart(
        title=f"{_share_interval(mark, 'saturated')} are saturated {age} months after release, "
        f"{_share_interval(mark, 'abandoned')} abandoned, estimated from {curve['n'][0]} watched benchmarks",
        subtitle=(
            f"Cumulative incidence by age over {basis}; at {age} months saturated "
            f"{_share_interval(mark, 'saturated')}, abandoned {_share_interval(mark, 'abandoned')}: no result for a "
            f"year. Dotted: had none of the {count(int(curve['n'][0]), 'benchmark')} been abandoned, {naive:.0%} would "
            f"be saturated{known_at_latest(until)}."
        ),
        figure=figure,
        rows=curve,
        alt=f"Rising steps with 95% bands: shares saturated and abandoned by months since release, {basis}.",
        known_until=until,
    )


def _share(row: Row, name: str) -> str:
    return f"{float(row[name]):.0%}"


def _share_interval(row: Row, name: str) -> str:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    if low is None or high is None:
        return _share(row, name)
    return f"{_share(row, name)} (95%: {low:.0%} to {high:.0%})"


def _fate_line(figure: go.Figure, curve: pl.DataFrame, value: pl.Expr, name: str, colour: str, dash: str) -> None:  # noqa: PLR0913, PLR0917
    rows = curve.with_columns(share=value)
    _steps(figure, rows, name, colour, dash, ("at_risk",), "%{y:.0%}<br>%{customdata[0]} watched")


MOST_CURVES = 6
"""How many curves are drawn, as many as can be distinguished; the table has all."""

BAND_OPACITY = 0.14
HEIGHT = 300

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
NO_DIFFERENCE_P = 0.05
"""Above this corrected p no difference between cohorts is reported."""


def drawn_cohorts(rows: pl.DataFrame) -> list[str]:
    """The cohorts that are drawn: those with the most deaths, in the order of their names."""
    deaths = rows.group_by("cohort").agg(pl.col("events").sum()).sort("events", "cohort", descending=[True, False])
    return sorted(
        deaths["cohort"].head(MOST_CURVES).to_list(),
        key=lambda name: (not _short(name).startswith("to "), name),
    )


def contrast(rows: pl.DataFrame, until: date | None) -> str | None:
    """The median life from saturated benchmarks alone, beside the estimate; None where either is unknown."""
    dead, overall = (rows.filter(pl.col("cohort") == name) for name in (NAIVE, OVERALL))
    naive, right = half_life(dead), half_life(overall)
    if naive.months is None or right.months is None:
        return None
    return (
        f"Counting only the {count(int(dead['n'][0]), 'benchmark')} that saturated while watched gives a median life "
        f"of {months(naive.months)} {_interval(naive)}. With those that live on, "
        f"{count(int(overall['n'][0]), 'benchmark')} in all, and each counted from when it was watched, it is "
        f"{months(right.months)} {_interval(right)}"
        f"{known_at_latest(until)}."
    )


def lives(rows: pl.DataFrame, counted: Saturated, until: date | None, palette: Palette) -> Chart | Nothing:
    """All benchmarks in one curve, half marked."""
    curve = rows.filter(pl.col("cohort") == OVERALL).sort("months")
    if curve.is_empty():
        return _nothing()
    half = half_life(curve)
    figure = Drawing()
    band(figure, curve, palette.accent, palette)
    _line(figure, curve, "all", palette.accent, "solid")
    steps_laid_out(figure, curve, palette)
    if half.months is not None:
        mark_half(figure, half.months, months(half.months), palette)
    n, deaths = int(curve["n"][0]), int(curve["events"].sum())
    watched = count(n, "watched benchmark")
    bounds = "" if half.months is None else f" Half of the {n} benchmarks are saturated {_median_age(half)}."
    return Chart(
        title=half_title(rows),
        subtitle=(
            f"Share not yet saturated, by Kaplan and Meier's estimate with late entry. Of {watched}, {deaths:,} "
            f"saturated while watched. These are {by_curator(deaths, counted)}.{bounds}{data_to(until)}"
        ),
        figure=figure,
        rows=curve,
        alt=f"Falling steps with their 95% band: of {watched}, {deaths:,} saturated while watched, "
        f"{float(curve['share'][-1]):.0%} are left at the end.",
        known_until=until,
    )


def cohort_title(hazards: pl.DataFrame) -> str:
    """Whether cohorts of release years differ, by a test corrected for multiple comparisons; with its least p."""
    q = hazards.filter(covariate=COHORT, status="ok")["q_value"].min()
    if not isinstance(q, float):
        return "Too few benchmarks saturated to compare cohorts of release"
    if q <= NO_DIFFERENCE_P:
        return f"Cohorts of release differ in how long they last (corrected p {probability(q)})"
    return f"Newer benchmarks are not found to be saturated sooner (corrected p {probability(q)} at the least)"


def _in_no_curve(rows: pl.DataFrame, overall: pl.DataFrame, counted: Saturated) -> str:
    """How many benchmarks saturated while watched, and how many of them no cohort has, and why."""
    deaths = int(overall["events"].sum())
    lacking = deaths - int(rows["events"].sum())
    all_saturated = while_watched(deaths, counted)
    if lacking <= 0:
        return f" In all {all_saturated}."
    return f" Of all {all_saturated}, {lacking} are left out: of their kind too few benchmarks were watched."


def cohorts(  # noqa: PLR0913, PLR0917
    rows: pl.DataFrame,
    total: pl.DataFrame,
    title: str,
    counted: Saturated,
    until: date | None,
    palette: Palette,
) -> Chart | Nothing:
    """The curves of the cohorts of one way to divide benchmarks; `total` is the curve of all of them."""
    if rows.is_empty():
        return _nothing()
    names = drawn_cohorts(rows)
    undrawn = rows["cohort"].n_unique() - len(names)
    left = f" {count(undrawn, 'cohort')} with fewer deaths only in the table." if undrawn else ""
    counts = ". ".join(
        f"{capital(_short(name))}: {cohort['events'].sum()} of {count(int(cohort['n'][0]), 'benchmark')} saturated "
        f"while watched, half {_median_age(half_life(cohort))}"
        for name in names
        for cohort in [rows.filter(pl.col("cohort") == name)]
    )
    return Chart(
        title=title,
        subtitle=f"Share not yet saturated by months since release. {counts}.{_in_no_curve(rows, total, counted)}{left}"
        f"{data_to(until)}",
        figure=_curves(rows, names, palette),
        rows=rows.filter(pl.col("cohort").is_in(names)),
        alt=f"Falling steps of the share of benchmarks not yet saturated by months since release: {counts}.{left}",
        known_until=until,
    )


def _nothing(reason: str = "No survival curve can be drawn yet.") -> Nothing:
    return Nothing(reason, "It takes five benchmarks with a day of release, a chance level and dated results.")


def _curves(rows: pl.DataFrame, names: list[str], palette: Palette) -> go.Figure:
    """Steps of each named cohort, the last with its band."""
    figure, ends = Drawing(), []
    for index, name in enumerate(names):
        curve = rows.filter(pl.col("cohort") == name).sort("months")
        is_last = index == len(names) - 1
        colour = palette.accent if is_last else palette.ink3
        dash = "solid" if is_last else DASHES[(index + 1) % len(DASHES)]
        if is_last:
            band(figure, curve, colour, palette)
        _line(figure, curve, name, colour, dash)
        ends.append((float(curve["months"][-1]), float(curve["share"][-1]), plotly(_short(name), 24), colour))
    steps_laid_out(figure, rows, palette)
    figure.update_layout(margin={"r": 20 + 7 * max(len(name) for _, _, name, _ in ends)})
    line_labels(figure, ends, (0, 1.02), HEIGHT - 34, palette)
    figure.update_annotations(bgcolor=palette.paper)  # an end may lie on another line
    return figure


def steps_laid_out(figure: go.Figure, rows: pl.DataFrame, palette: Palette) -> None:
    """The axes of falling curves by `months`, half of the share as a line."""
    shares_laid_out(figure, float(rows["months"].max() or 12), HEIGHT, palette)  # type: ignore[arg-type]
    reference(figure, 0.5, "", palette, dashed=True)


def shares_laid_out(figure: go.Figure, longest: float, height: int, palette: Palette) -> None:
    """The axes of shares by months, up to the `longest` time."""
    laid_out(figure, palette, height)
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%", nticks=5)
    ages = range(0, int(longest) + 1, 12 if longest <= 60 else 24 if longest <= 120 else 48)
    text = ["0", *(months(age) for age in ages[1:])]
    figure.update_xaxes(range=[0, longest * 1.02], tickvals=list(ages), ticktext=text, ticklabelstandoff=6)


def mark_half(figure: go.Figure, age: float, text: str, palette: Palette) -> None:
    """A dotted line down from the half of the curve, with its time."""
    line = {"color": palette.ink3, "width": 1, "dash": "dot"}
    figure.add_shape(type="line", x0=age, x1=age, y0=0, y1=0.5, line=line)
    write(figure, f"<b>{text}</b>", (age, 0.06), palette.ink, xanchor="right", xshift=-6)


def _line(figure: go.Figure, curve: pl.DataFrame, name: str, colour: str, dash: str) -> None:
    says = "%{y:.0%} not yet saturated<br>%{customdata[0]} watched, %{customdata[1]} saturated while watched"
    _steps(figure, curve, plotly(_short(name)), colour, dash, ("at_risk", "events"), says)


def _steps(  # noqa: PLR0913, PLR0917
    figure: go.Figure, curve: pl.DataFrame, name: str, colour: str, dash: str, columns: Sequence[str], says: str
) -> None:
    """Steps of the `share` by `months`; at the pointer each `says` that, and the values of these `columns`."""
    figure.add_scatter(
        x=numbers(curve["months"]),
        y=numbers(curve["share"]),
        name=name,
        mode="lines",
        line={"color": colour, "dash": dash, "width": 2, "shape": "hv"},
        customdata=curve.select(columns).rows(),
        hovertemplate=f"<b>{name}</b><br>%{{x:.0f}} months: {says}<extra></extra>",
    )


def band(figure: go.Figure, curve: pl.DataFrame, colour: str, palette: Palette, prefix: str = "") -> None:
    """The 95% band of a curve of steps: its columns `low` and `high`, behind the prefix `prefix`."""
    look = {"mode": "lines", "hoverinfo": "skip", "line": {"width": 0, "shape": "hv", "color": colour}}
    months, fill = numbers(curve["months"]), palette.faint(colour, BAND_OPACITY)
    figure.add_scatter(x=months, y=numbers(curve[f"{prefix}high"]), **look)
    figure.add_scatter(x=months, y=numbers(curve[f"{prefix}low"]), fill="tonexty", fillcolor=fill, **look)


def _short(cohort: str) -> str:
    kind, _, value = cohort.rpartition(": ")
    return group_name(value) if kind == "domain" else value


def _median_age(median_life: HalfLife) -> str:
    return (
        "at no age yet"
        if median_life.months is None
        else f"{months(median_life.months)} {_interval(median_life)} after release"
    )


def _interval(median_life: HalfLife) -> str:
    """The 95% interval of the half, as far as it is known."""
    if median_life.low is not None and median_life.high is not None:
        return f"(95%: {months_interval(median_life.low, median_life.high)})"
    low = "?" if median_life.low is None else months(median_life.low)
    return (
        f"(95%: from {low}, without an upper end)"
        if median_life.high is None
        else f"(95%: up to {months(median_life.high)})"
    )
