"""The changes of some months: which, six counts, and a list of each kind."""

from collections.abc import Mapping

import streamlit as st

from benchhealth.dashboard.pages.changes.edition import LINES, more, section, tile
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.dashboard.published.happened import months
from benchhealth.dashboard.published.happened.changes import changes
from benchhealth.dashboard.widgets import filters, tiles
from benchhealth.dashboard.words.happened import months as words
from benchhealth.dashboard.words.text import count

PERIOD, EDITION = "period", "edition"
SHOWN_STAGES = 14
EARLIER = 3


def span_in_address(view: View) -> months.Span:
    """The months of the address; those shown by default where it names none that can be read."""
    last_day = months.known_day(view)
    try:
        return months.span_of(st.query_params.get(months.MONTH, ""), last_day)
    except ParameterError:
        return months.span_of("", last_day)


def choose(view: View) -> tuple[months.Span, bool]:
    """Let the reader choose: the months, and whether the last generation is shown in their place."""
    last_day, span = months.known_day(view), span_in_address(view)
    latest = months.span_of("", last_day)
    has_edition = changes(view).height > 0
    is_edition = has_edition and st.query_params.get(PERIOD) == EDITION
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="months"):
        if not is_edition:
            _month_button(
                "‹", "left", "One month back", span.moved(-1), on=span.first > (months.first_month(view) or span.first)
            )
            options = _options(view, span, latest)
            filters.id_picker(months.MONTH, "Months", options, placeholder=None, width=230, with_id=False)
            _month_button("›", "right", "One month on", span.moved(1), on=span.last < latest.last)
        _periods(span, latest, is_edition=is_edition, has_edition=has_edition)
        if not has_edition:
            st.markdown(
                ":small[:gray[Since the last generation: none yet]]",
                width="content",
                help="A generation is compared with the one in service before it; this is the first.",
            )
    return span, is_edition


def _options(view: View, span: months.Span, latest: months.Span) -> Mapping[str, str]:
    """Every span of as many months as are shown now, by its end; the latest first."""
    oldest = months.first_month(view) or latest.first
    length = span.months
    ends = [
        months.months_later(latest.last, -months_back)
        for months_back in range((latest.last.year - oldest.year) * 12 + 12)
    ]
    spans = [months.Span(months.months_later(end, 1 - length), end) for end in ends if end >= oldest]
    return {month_span.address: words.month_range(month_span) for month_span in _in_order(spans, latest, span)}


def _in_order(spans: list[months.Span], latest: months.Span, span: months.Span) -> list[months.Span]:
    """The spans with the default one first, as an address omits it, and with the requested one."""
    first_spans = [latest] if latest.months == span.months else [latest, *([] if span in spans else [span])]
    return [*first_spans, *(month_span for month_span in spans if month_span not in first_spans)]


def _month_button(sign: str, key: str, label: str, target: months.Span, *, on: bool) -> None:
    def go() -> None:
        st.query_params[months.MONTH] = target.address

    st.button(sign, key=f"month_{key}", help=label, on_click=go, disabled=not on, shortcut=key)


def _periods(span: months.Span, latest: months.Span, *, is_edition: bool, has_edition: bool) -> None:
    """The choice of three months, one, or the changes of the last generation; each has its own address."""
    three_months, one_month = "Three months", "One month"
    current = EDITION if is_edition else {months.BY_DEFAULT: three_months, 1: one_month}.get(span.months)
    box = "period_box"
    st.session_state[box] = "Since the last generation" if current == EDITION else current

    def write_address() -> None:
        picked = st.session_state[box]
        st.query_params.pop(PERIOD, None)
        if picked == "Since the last generation":
            st.query_params[PERIOD] = EDITION
        elif picked in (three_months, one_month):
            first = months.months_later(span.last, 1 - months.BY_DEFAULT) if picked == three_months else span.last
            chosen = months.Span(first, span.last)
            if chosen == latest:
                st.query_params.pop(months.MONTH, None)
            else:
                st.query_params[months.MONTH] = chosen.address

    options = [three_months, one_month, *(["Since the last generation"] if has_edition else [])]
    st.segmented_control(
        "Period", options, key=box, on_change=write_address, label_visibility="collapsed", width="content"
    )


def show(changed: months.SpanChanges) -> None:
    """Six tiles, each leading to its section where there is one; what changed in two columns; silent sources."""
    kinds = (changed.stages, changed.best, changed.first, changed.breaks, changed.new, changed.silent)
    colours = ("", "blue", "blue", "orange", "", "orange")
    tiles.show(
        [
            tile(*counted, colour, leads=rows.height > 0)
            for counted, rows, colour in zip(words.tiles(changed), kinds, colours, strict=True)
        ]
    )
    left, right = st.columns(2, gap="medium")
    with left:
        section(words.stages_title(changed), "stage", changed.stages, lines=SHOWN_STAGES)
        if note := words.folded_note(changed):
            more("folded", changed.folded, note)
    with right:
        section(words.first_title(changed), "first-places", changed.first, words.first_note(changed))
        section(f"Not compared across {count(changed.breaks.height, 'break')}", "breaks", changed.breaks)
    of_left, of_right = (sum(min(len(rows), LINES) for rows in lists) for lists in (kinds[:1], (kinds[2], kinds[3])))
    with left if of_left <= of_right else right:
        section(f"{count(changed.new.height, 'new benchmark')}", "new", changed.new)
    section(f"{count(changed.silent.height, 'source')} without news", "silent", changed.silent)


def digest(span: months.Span) -> None:
    """Links to the printable page of a month, and to the feed with the same text."""
    month = months.Span(span.last, span.last)
    url = f"digest.html?{months.MONTH}={month.address}"
    earlier = " · ".join(
        f"[{words.month_range(earlier_month)}](digest.html?{months.MONTH}={earlier_month.address})"
        for earlier_month in words.months_before(month, EARLIER)
    )
    with st.container(key="digest", border=True, gap="small"):
        st.header("A month on one page", anchor="digest")
        st.markdown(
            f"To print, to forward, to read on a phone: [{words.month_range(month)}](<{url}>), or earlier: {earlier}. "
            "The [feed](feed.xml) holds the same text, an entry a month."
        )
