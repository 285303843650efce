"""The map through the years on the first page (`?at=2019-06`), and its two charts: one month, and a strip of six."""

from collections.abc import Sequence
from datetime import date
from html import escape

import polars as pl
import streamlit as st

from benchhealth.analytics.aging.map_months import FIRST_YEAR
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, Params
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.overview.finding import finding
from benchhealth.dashboard.pages.overview.years import figures, sentences
from benchhealth.dashboard.pages.overview.years.payload import bases, payload, rests, strip_places
from benchhealth.dashboard.pages.overview.years.states import (
    counts_by_month,
    ends,
    first_with_results,
    place_of,
    states,
)
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.tables import ParameterError
from benchhealth.dashboard.widgets import block, empty, links, provenance
from benchhealth.dashboard.words.text import markdown, shorten

AT = "at"
METHOD = "map_month"
START, PLAY = f"{FIRST_YEAR}-01", f"Play {FIRST_YEAR} to now"
"""The month that the link to this map leads to, and the words of that link."""
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
    asked = params.get(AT, f"{days[-1]:%Y-%m}")
    place = place_of(asked, days)
    if place is None:
        raise ParameterError(f"no month {asked!r}; there are {days[0]:%Y-%m} to {days[-1]:%Y-%m}")
    rows = states(view).filter(pl.col("place") == place, pl.col("drawn") | pl.col("waits"))
    counts, on = counts_by_month(view).row(place, named=True), days[place]
    if rows.is_empty():
        return Nothing(f"{sentences.NO_RESULT_THEN}.", _first(view))
    title = finding(view)[0] if place == len(days) - 1 else sentences.title(counts, on)
    drawn = rows.filter("drawn").height
    return Chart(
        title=title,
        subtitle=f"{rests(view)[place]} {bases(view)[place]}.",
        figure=figures.month(rows, on, palette),
        rows=rows.select(SHOWN_COLUMNS),
        alt=f"{title}. {drawn} marks by year of release and what was left of the scale; {rests(view)[place]}",
        sources=provenance.every_source(view),
        known_until=on,
        method=METHOD,
    )


def _strip(view: View, _params: Params, palette: Palette) -> Chart | Nothing:
    days, rows, counts = ends(view), states(view), counts_by_month(view).to_dicts()
    places = [
        place
        for place in strip_places(days)
        if rows.filter(pl.col("place") == place, pl.col("drawn") | pl.col("waits")).height
    ]
    if not places:
        return NOTHING
    seen = rows.filter(pl.col("place").is_in(places), pl.col("drawn") | pl.col("waits"))
    panels = [
        (f"<b>{_head(place, days)}</b> {sentences.share(counts[place])}", days[place],
         seen.filter(pl.col("place") == place))
        for place in places
    ]  # fmt: skip
    earlier = places[min(1, len(places) - 1)]
    return Chart(
        title=sentences.strip_title(counts[earlier], counts[-1], days[earlier].year),
        subtitle=sentences.strip_subtitle(counts[-1]),
        figure=figures.strip(panels, palette),
        rows=seen.select(SHOWN_COLUMNS),
        alt=sentences.strip_alt([(_head(place, days), counts[place]) for place in places]),
        sources=provenance.every_source(view),
        known_until=days[-1],
        method=METHOD,
    )


def _head(place: int, days: Sequence[date]) -> str:
    return "now" if place == len(days) - 1 else str(days[place].year)


def _first(view: View) -> str:
    """A link, in markdown, to the first month with a dated result; a sentence where there is none."""
    first = first_with_results(view)
    if first is None:
        return "No benchmark has a dated result."
    day = ends(view)[first]
    return f"[{sentences.first_month_text(day)}]({links.address('.', at=f'{day:%Y-%m}')})"


MONTH = ChartSpec("years", _month, (AT,))
STRIP = ChartSpec("years-strip", _strip)


def link_to_first_month(view: View) -> list[tuple[str, str]]:
    """The link from the map of today to this one, as (words, address); empty where no month can be shown."""
    return [(f"▶ {PLAY}", links.address(".", at=START))] if ends(view) else []


def show(view: View, asked: str) -> None:
    """Lay out the map at the end of the month `asked`, with its slider, and the strip of six small maps below.

    What is sent to the browser is the same for every month: the script `serving/years.js` reads the month from the
    address, draws it, and changes the address as the slider moves. For no such month, the page says which there are.
    """
    days = ends(view)
    if place_of(asked, days) is None:
        st.title("The map through the years", anchor=False)
        until = f"It has those of {days[0]:%Y-%m} to {days[-1]:%Y-%m}." if days else NOTHING.advice
        today = f"[The map of today]({links.address('.')})"
        empty.nothing(
            f"The map has no month {markdown(shorten(asked, 20))}.", f"{until} {_first(view) if days else ''} {today}"
        )
        return
    month_chart = MONTH.of(view, {AT: asked}, block.palette())
    with st.container(key=f"chart_{MONTH.name}", gap="xsmall"):
        drawn = payload(view, finding(view)[0], block.palette())
        hidden = f'<div class="years-payload" hidden>{escape(drawn, quote=False)}</div>'
        st.html(f'<div class="years" id="{MONTH.name}">{hidden}</div>')
        if isinstance(month_chart, Chart):
            block.toolbar(view, MONTH, {AT: asked}, month_chart)
    six = STRIP.of(view, {}, block.palette())
    if isinstance(six, Chart):
        with st.container(key=f"chart_{STRIP.name}", gap="xsmall"):
            block.title(six, STRIP.name)
            st.html('<div class="years-strip"></div>')
            block.toolbar(view, STRIP, {}, six)
