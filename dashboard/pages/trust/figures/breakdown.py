"""The gap of one twin broken down: by group of models, by the year of models, and by effective robustness."""

import polars as pl

from benchhealth.analytics.twins.uncertainty import FEWEST_RELEASED, FEWEST_YEARS
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.forest import Mark, forest
from benchhealth.dashboard.figures.over_years import over_years
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.figures.twin import Twin, other_named, unit
from benchhealth.dashboard.words.numbers import signed
from benchhealth.dashboard.words.text import count, known, plotly, shorten

GROUP_LIMIT = 30
_KIND = {"organisation": "organisation", "weights": "kind of weights", "family": "family"}


def largest(rows: pl.DataFrame) -> pl.DataFrame:
    """The groups to draw, by their shrunk means: those of most models, and the one that the title names."""
    named = furthest(rows)
    title = pl.lit(value=False) if named is None else pl.col("group") == named["group"]
    first = rows.with_columns(title=title).sort("title", "n_models", "group", descending=[True, True, False])
    return first.head(GROUP_LIMIT).drop("title").sort("shrunk", "group")


def furthest(rows: pl.DataFrame) -> Twin | None:
    """The group furthest beyond error from its expectation: the lowest, else the highest; None where none is."""
    below, above = rows.filter(pl.col("high") < 0).sort("shrunk"), rows.filter(pl.col("low") > 0).sort("shrunk")
    if below.height:
        return below.row(0, named=True)
    return above.row(-1, named=True) if above.height else None


def group_finding(twin: Twin, rows: pl.DataFrame, division: str) -> str:
    """The sentence: which groups are off what the twin leads to expect, after shrinking groups of few models."""
    sure = rows.filter((pl.col("high") < 0) | (pl.col("low") > 0))
    if rows["low"].count() == 0:
        return f"Too few models of a group to tell one {_KIND[division]} from another"
    named = furthest(rows)
    of_groups = f"{count(rows.height, 'group')} of {count(int(rows['n_models'].sum()), 'result')}"
    if named is None:
        none = f"By {_KIND[division]}, of {of_groups} none stands out: every interval holds what is expected"
        return none + known(twin["known_until"])
    end = "lowest" if named["high"] < 0 else "highest"
    return (
        f"By {_KIND[division]}: {sure.height:,} of {of_groups} off what is expected, "
        f"{named['group']} {end} by {signed(named['shrunk'])} {unit(twin)}{known(twin['known_until'])}"
    )


def group_title(rows: pl.DataFrame, division: str) -> str:
    """The title: the group of models that differs from its expectation, if one does."""
    group = furthest(rows)
    if group is None:
        return f"By {_KIND[division]}, none is found to be off what is expected"
    direction = "below" if group["high"] < 0 else "above"
    return f"{shorten(group['group'], 34)} lies furthest {direction} what is expected"


def groups(twin: Twin, rows: pl.DataFrame, division: str, palette: Palette) -> Chart | Nothing:
    """A row for each group: filled as shrunk, open as measured."""
    drawn = largest(rows)
    if drawn.is_empty():
        return Nothing("These models are not grouped.", "Neither makers, weights nor families of them are known.")
    hovers = [
        f"<b>{plotly(row['group'])}</b>, {count(row['n_models'], 'result')}<br>{signed(row['mean_residual'])} as "
        f"measured, {signed(row['shrunk'])} shrunk"
        for row in drawn.iter_rows(named=True)
    ]
    marks = (
        Mark("as measured", "mean_residual", None, None, "circle-open", "ink3"),
        Mark("shrunk, with 95% interval", "shrunk"),
    )
    drawn_note = "all" if drawn.height == rows.height else "those of most models, and the one in the title"
    axis = f"On the second, less expected, {unit(twin)}"
    return Chart(
        title=group_title(rows, division),
        subtitle=(
            f"{group_finding(twin, rows, division)}. {drawn.height} of {count(rows.height, 'group')} ({drawn_note}). "
            "Filled: "
            "drawn towards the mean of all by as much as each is uncertain, with 95% intervals; open: as measured."
        ),
        figure=forest(drawn.with_columns(name="group"), marks, hovers, palette, axis=axis, reference=0.0),
        rows=drawn,
        alt=f"Mean difference of the models of each {_KIND[division]} between {twin['other']} and what is expected.",
        known_until=twin["known_until"],
    )


def age_finding(twin: Twin) -> str:
    """The sentence: whether the gap grows with the models' release, where enough of them have one."""
    drift, low, high = (twin[f"per_year{end}"] for end in ("", "_low", "_high"))
    if drift is None:
        return (
            f"Whether the gap is another for later models is not known: of {count(twin['n_models'], 'result')} "
            f"{twin['n_released']:,} are of models with a known day of release, and it takes {FEWEST_RELEASED} over "
            f"{FEWEST_YEARS} years; the points are by release or first listing{known(twin['known_until'])}"
        )
    slope = f"{signed(drift)} [{signed(low)}, {signed(high)}] {unit(twin)} a year"
    models = f"{count(twin['n_released'], 'result')} of models released in {twin['first_year']} to {twin['last_year']}"
    interval = f"{slope}, over {models}{known(twin['known_until'])}"
    if low > 0:
        return f"The gap is larger for models released later: {interval}"
    if high < 0:
        return f"The gap is smaller for models released later: {interval}"
    return f"The gap is not found to be another for models released later: {interval}"


def age_title(twin: Twin) -> str:
    """A title on whether models that were released later lose more or less."""
    if twin["per_year"] is None:
        return "Whether the gap is another for later models is not known"
    if twin["per_year_low"] > 0:
        return f"Models released later lose more on {other_named(twin)}"
    if twin["per_year_high"] < 0:
        return f"Models released later lose less on {other_named(twin)}"
    return "The gap is not found to be another for models released later"


def ages(twin: Twin, rows: pl.DataFrame, clock: str, palette: Palette) -> Chart | Nothing:
    """The mean gap over years, by the calendar or by the original's age."""
    if rows.is_empty():
        return Nothing(
            "No gap over time is drawn.", "The models of this twin are of one date or of none that is known."
        )
    when = "full years after the release of the original" if clock == "age" else "the year of the models"
    line = Mark("mean gap", "gap")
    return Chart(
        title=age_title(twin),
        subtitle=(
            f"{age_finding(twin)}. Mean gap by {when}, with 95% intervals; a model's year is that of its release, or "
            "else of its first listing; models without either are left out."
        ),
        figure=over_years(
            [(line, rows.select("gap", "low", "high", year="at", n="n_models"))], palette, zero="no gap", noun="results"
        ),
        rows=rows,
        alt=f"Mean gap between {twin['original']} and {twin['other']} by {when}.",
        known_until=twin["known_until"],
    )
