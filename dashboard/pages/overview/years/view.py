"""The map through the years on the first page (`?at=2019-06`), and its two charts: one month, and a strip of six."""

from collections.abc import Mapping, Sequence
from datetime import date
from html import escape
from math import sqrt
from typing import Any

import orjson
import polars as pl
import streamlit as st

from benchhealth.analytics.aging.map_months import FIRST_YEAR
from benchhealth.analytics.record.frontier import RATING
from benchhealth.analytics.record.tables import STAGES
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.language import SHAPES
from benchhealth.dashboard.figures.palette import FONT, HEADING_FONT, Palette
from benchhealth.dashboard.pages.overview.figures.map import LITTLE, LITTLE_SAID, TICKS
from benchhealth.dashboard.pages.overview.finding import finding
from benchhealth.dashboard.pages.overview.years import figures
from benchhealth.dashboard.pages.overview.years.states import (
    TAIL_MONTHS,
    YEARS,
    axis_place,
    counts_by_month,
    ends,
    first_with_results,
    place_of,
    radius,
    states,
)
from benchhealth.dashboard.published.benchmarks import benchmarks, best_known
from benchhealth.dashboard.published.generation import ParameterError, Params, View
from benchhealth.dashboard.widgets import block, empty, links, provenance
from benchhealth.dashboard.words.first import in_use
from benchhealth.dashboard.words.numbers import day_of, percent
from benchhealth.dashboard.words.stages import ORDER, STAGE_WORDS
from benchhealth.dashboard.words.text import count, markdown, one_line, shorten, words_within

Counts = Mapping[str, int]
"""How many benchmarks are in each stage: a row of `states.counted`."""

AGES = ("", "no result for 6 months", "no result for 18 months")
"""The words for the age of the newest result, from fresh to old."""

LANE = ("released, no dated result yet", "released, no result")
"""The label of the lane, and the same where there is little space."""

NO_RESULT_THEN = "No benchmark had a dated result by then"
TAIL_EXPLAINED = "A tail is the fall of the last twelve months."


def month_name(day: date) -> str:
    """The month of a day in full: `June 2019`."""
    return f"{day:%B %Y}"


def month_title(counts: Counts, on: date) -> str:
    """How many benchmarks could tell models apart at the end of a past month."""
    if not counts["benchmarks"]:
        return f"{month_name(on)}: no benchmark had a dated result"
    return in_use.title(counts, about=month_name(on), past=True)


def not_measuring(counts: Counts, *, is_last: bool) -> str:
    """How many of the benchmarks in use did not tell models apart; with those of the title they are all in use."""
    if not counts["benchmarks"]:
        return f"{NO_RESULT_THEN}, by what is on record here."
    return f"{in_use.rest_sentence(counts, past=not is_last)} {TAIL_EXPLAINED}"


def basis(counts: Counts, on: date, *, is_last: bool, today_alone: int, curated: int) -> str:
    """By which rules and from which results the month is drawn, and how many benchmarks in use are not on it.

    `today_alone` is how many have a stage on the last day and none before; `curated` is how many benchmarks are
    counted in every month.
    """
    phrases = [
        f"By the rules of today, from results dated to {day_of(on)}, whenever they were seen, of the "
        f"{count(curated, 'benchmark')} that are curated today; in use is what was known within six months and still "
        "reported"
    ]
    if counts["open"]:
        phrases.append(f"{counts['open']} of these cannot be drawn, as no ceiling or no release is known")
    if is_last and today_alone:
        phrases.append(f"{today_alone}, ratings and those without dated results, have a stage on this day alone")
    return "; ".join(phrases)


def first_month_text(day: date) -> str:
    """The label of the link from a month without results to the first month that has some."""
    return f"First: {month_name(day)}"


def share_text(counts: Counts) -> str:
    """`7 of 12`: how many benchmarks measured, of how many that were in use."""
    return f"{counts['measuring']} of {counts['benchmarks']}"


def small_map_line(counts: Counts) -> str:
    """The line beside one of the small maps: how many benchmarks still measured at its date."""
    return f"{share_text(counts)} still measured"


def strip_alt(maps: Sequence[tuple[str, Counts]]) -> str:
    """The alternative text of the small maps."""
    return f"Small maps: {', '.join(f'{map_title} {small_map_line(counts)}' for map_title, counts in maps)}."


def strip_title(before: Counts, counts_now: Counts, year: int) -> str:
    """How many the map held at the end of a year, and holds today."""
    return f"{count(before['benchmarks'], 'benchmark')} in use at the end of {year}, {counts_now['benchmarks']} today"


def strip_subtitle(counts_now: Counts) -> str:
    """What the six small maps show and by which rules they are drawn."""
    return (
        f"{in_use.title(counts_now)}. The same map at the ends of years, by the rules "
        "of today from results dated until then; beside each year how many still measured, of those in use"
    )


STRIP_YEARS = (2012, 2016, 2020, 2022, 2024)
"""The ends of these years are drawn small, and the last day."""

NAME = 28
"""A label is cut after so many characters."""

STATE = 6
"""How many numbers describe the state of a mark."""

GONE, WAITING, DRAWN = range(3)
"""Whether a mark is absent, waits in the lane, or is on the map."""


def strip_places(days: Sequence[date]) -> list[int]:
    """The indices of the small maps' days among the ends of months."""
    return [index for index, day in enumerate(days) if (day.year in STRIP_YEARS and day.month == 12) or day == days[-1]]


def payload(view: View, title_now: str, palette: Palette) -> str:
    """All that `serving/years.js` draws, as JSON; `title_now` is the first page's finding, which the last month has."""
    return view.recent(("years", palette.dark), lambda: orjson.dumps(_payload(view, title_now, palette)).decode())


def _payload(view: View, title_now: str, palette: Palette) -> dict[str, Any]:
    days, rows = ends(view), counts_by_month(view).to_dicts()
    strip = strip_places(days)
    return {
        "first": f"{days[0]:%Y-%m}",
        "names": [month_name(day) for day in days],
        "now": f"now: {day_of(days[-1])}",
        "titles": [*(month_title(row, row["on"]) for row in rows[:-1]), title_now],
        "rests": rests(view),
        "bases": bases(view),
        "earliest": first_with_results(view),
        "earliest_said": first_month_text(days[first_with_results(view) or 0]),
        "stock": [[row[stage] for row in rows] for stage in ORDER],
        "days": [round(axis_place(day), 4) for day in days],
        "marks": _marks(view),
        "strip": [
            [index, "now" if index == len(days) - 1 else str(days[index].year), small_map_line(rows[index])]
            for index in strip
        ],
        "years": [[round(axis_place(date(year, 1, 1)), 4), str(year)] for year in YEARS],
        "ticks": [[round(sqrt(tick), 4), percent(tick)] for tick in TICKS],
        "little": [round(sqrt(LITTLE), 4), LITTLE_SAID],
        "tail": TAIL_MONTHS,
        "lane": LANE,
        "stages": [[STAGE_WORDS[stage], SHAPES[stage], palette.stages[stage].mark] for stage in STAGES],
        "order": [STAGES.index(stage) for stage in ORDER],
        "ages": AGES,
        "colours": _colours(palette),
        "faces": [FONT, HEADING_FONT],
    }


def _colours(palette: Palette) -> Mapping[str, str]:
    return {
        **{name: getattr(palette, name) for name in ("paper", "card", "fill", "line", "grid", "ink", "ink2", "ink3")},
        "accent": palette.accent,
        "grey": palette.stages["unknown"].mark,
        "red": palette.stages["saturated"].text,
        "year": palette.watermark,
    }


def rests(view: View) -> list[str]:
    """For each month, the sentence on the benchmarks that do not tell models apart."""
    rows = counts_by_month(view).to_dicts()
    return [not_measuring(row, is_last=index == len(rows) - 1) for index, row in enumerate(rows)]


def bases(view: View) -> list[str]:
    """For each month, the sentence on how many dated results and benchmarks its map is drawn from."""
    rows = counts_by_month(view).to_dicts()
    of_today = states(view).filter("counts", pl.col("place") == len(rows) - 1)
    today_alone = of_today.filter(pl.col("result_on").is_null() | (pl.col("unit") == RATING)).height
    curated = view.table("map_month")["benchmark_id"].n_unique()
    return [
        basis(row, row["on"], is_last=index == len(rows) - 1, today_alone=today_alone, curated=curated)
        for index, row in enumerate(rows)
    ]


def _marks(view: View) -> list[list[Any]]:
    """Each benchmark: id, label, name, place across, rank among those to be named, and its changes in one list.

    A change is seven numbers: the month; GONE, WAITING or DRAWN; the stage; thousandths of the root of what is left;
    pixels across; the age of the newest result; whether at least so much is left.
    """
    order = {key: rank for rank, key in enumerate(best_known(benchmarks(view).filter("curated"))["benchmark_id"])}
    marks = []
    for (key,), rows in states(view).group_by("benchmark_id", maintain_order=True):
        first = rows.row(0, named=True)
        changes = _changes(rows)
        if changes and first["released_on"] is not None:
            label = words_within(first["label"], NAME)
            x = round(axis_place(first["released_on"]), 4)
            marks.append([key, label, one_line(first["name"]), x, order[key], changes])
    return marks


def _changes(rows: pl.DataFrame) -> list[int]:
    changes: list[int] = []
    before: tuple[int, ...] = (GONE,)
    for row in rows.iter_rows(named=True):
        state = _state(row)
        if state != before:
            changes += (row["place"], *state, *(0,) * (STATE - len(state)))
            before = state
    return changes


def _state(row: Mapping[str, Any]) -> tuple[int, ...]:
    if row["drawn"]:
        room = round(1000 * sqrt(max(0.0, row["headroom"])))
        size = round(2 * radius(row["models"]))
        return (DRAWN, STAGES.index(row["stage"]), room, size, row["age"], int(row["at_least"]))
    return (WAITING,) if row["waits"] else (GONE,)


AT = "at"
START, PLAY = f"{FIRST_YEAR}-01", f"Play {FIRST_YEAR} to now"
"""The month that the link to this map leads to, and its text."""
SHOWN_COLUMNS = (
    *("benchmark_id", "name", "on", "stage", "released_on", "headroom", "at_least", "models", "result_on"),
    *("counts", "measures"),
)
"""The columns of `states` that are handed out as the rows of a chart."""
NOTHING = Nothing("No month is known.", "The next assessment computes what stood on the map in each.")


def _month(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    days = ends(view)
    if not days:
        return NOTHING
    month = params.get(AT, f"{days[-1]:%Y-%m}")
    index = place_of(month, days)
    if index is None:
        raise ParameterError(f"no month {month!r}; there are {days[0]:%Y-%m} to {days[-1]:%Y-%m}")
    rows = states(view).filter(pl.col("place") == index, pl.col("drawn") | pl.col("waits"))
    counts, on = counts_by_month(view).row(index, named=True), days[index]
    if rows.is_empty():
        return Nothing(f"{NO_RESULT_THEN}.", _first(view))
    title = finding(view)[0] if index == len(days) - 1 else month_title(counts, on)
    drawn = rows.filter("drawn").height
    return Chart(
        title=title,
        subtitle=f"{rests(view)[index]} {bases(view)[index]}.",
        figure=figures.month(rows, on, palette),
        rows=rows.select(SHOWN_COLUMNS),
        alt=f"{title}. {drawn} marks by year of release and what was left of the scale; {rests(view)[index]}",
        known_until=on,
    )


def _strip(view: View, _params: Params, palette: Palette) -> Chart | Nothing:
    days, rows, counts = ends(view), states(view), counts_by_month(view).to_dicts()
    indices = [
        index
        for index in strip_places(days)
        if rows.filter(pl.col("place") == index, pl.col("drawn") | pl.col("waits")).height
    ]
    if not indices:
        return NOTHING
    drawn = rows.filter(pl.col("place").is_in(indices), pl.col("drawn") | pl.col("waits"))
    panels = [
        (f"<b>{_head(index, days)}</b> {share_text(counts[index])}", days[index],
         drawn.filter(pl.col("place") == index))
        for index in indices
    ]  # fmt: skip
    earlier = indices[min(1, len(indices) - 1)]
    return Chart(
        title=strip_title(counts[earlier], counts[-1], days[earlier].year),
        subtitle=strip_subtitle(counts[-1]),
        figure=figures.strip(panels, palette),
        rows=drawn.select(SHOWN_COLUMNS),
        alt=strip_alt([(_head(index, days), counts[index]) for index in indices]),
        known_until=days[-1],
    )


def _head(index: int, days: Sequence[date]) -> str:
    return "now" if index == len(days) - 1 else str(days[index].year)


def _first(view: View) -> str:
    """A link, in markdown, to the first month with a dated result; a sentence where there is none."""
    first = first_with_results(view)
    if first is None:
        return "No benchmark has a dated result."
    day = ends(view)[first]
    return f"[{first_month_text(day)}]({links.address('.', at=f'{day:%Y-%m}')})"


MONTH = ChartSpec("years", _month, (AT,), method="map_month", sources=provenance.everywhere)
STRIP = ChartSpec("years-strip", _strip, method="map_month", sources=provenance.everywhere)


def link_to_first_month(view: View) -> list[tuple[str, str]]:
    """The link from the map of today to this one, as (words, address); empty where no month can be shown."""
    return [(f"▶ {PLAY}", links.address(".", at=START))] if ends(view) else []


def show(view: View, month: str) -> None:
    """Lay out the map at the end of the `month`, with its slider, and the strip of six small maps below.

    What is sent to the browser is the same for every month: the script `serving/years.js` reads the month from the
    address, draws it, and changes the address as the slider moves. For no such month, the page says which there are.
    """
    days = ends(view)
    if place_of(month, days) is None:
        st.title("The map through the years", anchor=False)
        until = f"It has those of {days[0]:%Y-%m} to {days[-1]:%Y-%m}." if days else NOTHING.advice
        today = f"[The map of today]({links.address('.')})"
        empty.nothing(
            f"The map has no month {markdown(shorten(month, 20))}.", f"{until} {_first(view) if days else ''} {today}"
        )
        return
    month_chart = MONTH.of(view, {AT: month}, block.palette())
    with st.container(key=f"chart_{MONTH.name}", gap="xsmall"):
        drawn = payload(view, finding(view)[0], block.palette())
        hidden = f'<div class="years-payload" hidden>{escape(drawn, quote=False)}</div>'
        st.html(f'<div class="years" id="{MONTH.name}">{hidden}</div>')
        if isinstance(month_chart, Chart):
            block.toolbar(view, MONTH, {AT: month}, month_chart)
    six = STRIP.of(view, {}, block.palette())
    if isinstance(six, Chart):
        with st.container(key=f"chart_{STRIP.name}", gap="xsmall"):
            block.title(six, STRIP.name)
            st.html('<div class="years-strip"></div>')
            block.toolbar(view, STRIP, {}, six)
