"""A story: five pictures with three sentences each, for somebody who knows nothing about statistics."""

from functools import partial

import streamlit as st

from benchhealth.dashboard.figures.chart import Chart, Params
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.figures.picture import Picture
from benchhealth.dashboard.pages.story.declared import DECLARED, PICTURE, story
from benchhealth.dashboard.pages.story.figures.paint import painted
from benchhealth.dashboard.pages.story.story import Content
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import block, empty, links
from benchhealth.dashboard.widgets.page import PageSpec, Shared
from benchhealth.dashboard.widgets.replay import once
from benchhealth.dashboard.words.known import known_at_latest
from benchhealth.dashboard.words.stories.listed import FRAME, STORIES, STORY, lead
from benchhealth.dashboard.words.stories.listed import PAGE as ADDRESS
from benchhealth.dashboard.words.text import capital, code, markdown

TEXT, PICTURE_WIDTH = 330, 740
"""Shares of the page that text and picture take."""


def draw(view: View) -> None:
    """Draw the page."""
    key = st.query_params.get(STORY, "")
    if key not in STORIES:
        _unchosen(view, key)
        return
    content = story(view, key)
    links.tab_title(STORIES[key].name)
    _head(content, key)
    if not content.frames:
        empty.nothing("The numbers of this story are not on record.", f"[All stories]({ADDRESS})")
    for place, number in enumerate(content.frames, 1):
        _frame(view, key, content, number, place)
    st.header("Other stories", anchor="other-stories")
    _cards(view, excluded=key)


def _unchosen(view: View, key: str) -> None:
    st.title("Five stories about tests of AI", anchor=False)
    if key:
        empty.nothing(f"There is no story {code(key)}.", "Choose one of these.")
    _cards(view)


def _head(content: Content, key: str) -> None:
    """The title, what the reader needs to know, how to print and pass on, and a dot for each frame."""
    st.title(markdown(content.title), anchor=False)
    if not content.frames:
        return
    latest = max((frame.until for frame in content.frames.values() if frame.until is not None), default=None)
    pdf = f"{ADDRESS}.pdf?{STORY}={key}"
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"):
        st.markdown(
            f"{lead(len(content.frames))} :small[:gray[{capital(known_at_latest(latest).removeprefix('; '))}]]",
            width="content",
        )
        st.markdown(f":small[[Print, PDF](<{pdf}>)&ensp;[Link](<{links.permalink()}>)]", width="content")
    with st.container(key="story_dots"):
        dots = (
            f"[{number}]({links.address(ADDRESS, **{STORY: key, FRAME: str(number)})})" for number in content.frames
        )
        st.markdown(" ".join(dots), width="content")


def _frame(view: View, key: str, content: Content, number: int, place: int) -> None:
    """One picture with its words: which one it is of those shown, title, text, and how many of what until when."""
    frame, params = content.frames[number], {STORY: key, FRAME: str(number)}
    caption = frame.caption
    with st.container(key=f"frame_{number}"):
        left, right = st.columns([TEXT, PICTURE_WIDTH], gap="medium")
        left.markdown(
            f":small[:blue[{place} of {len(content.frames)}]]\n\n## {markdown(caption.title)}\n\n"
            f"{markdown(caption.text)}\n\n"
            f":small[:gray[{markdown(caption.source)} ·] [the numbers](<{frame.numbers}>)]"
        )
        chart = PICTURE.of(view, params, block.palette())
        if isinstance(chart, Chart):
            with right:
                once(view, PICTURE.key(params, block.palette()), lambda: _plot(chart, number))


def _plot(chart: Chart, number: int) -> None:
    st.plotly_chart(chart.figure, theme=None, config=dict(block.CONFIG), alt=chart.alt, key=f"plot_story_{number}")


def _cards(view: View, excluded: str = "") -> None:
    """The stories with frames, each with its moral."""
    shown = [declared.key for declared in DECLARED if declared.key != excluded and declared.of(view).frames]
    if not shown:
        return
    with st.container(key="stories"):
        for column, key in zip(st.columns(len(shown), border=True), shown, strict=True):
            moral = story(view, key).title.partition(": ")[2]
            to = links.address(ADDRESS, **{STORY: key})
            column.markdown(
                f"[**{markdown(STORIES[key].name)}**]({to})\n\n:small[{markdown(moral[:1].upper() + moral[1:])}]"
            )


def _shared(view: View, params: Params) -> Picture | None:
    """The title, what it asks, and the first picture; of a frame its own words and picture."""
    key = params.get(STORY)
    if not key:
        return None
    content = story(view, key)
    if not content.frames:
        return None
    frame = content.frames.get(int(params[FRAME]) if params.get(FRAME, "").isdecimal() else 0)
    asks = f"{STORIES[key].asks} {lead(len(content.frames))}"
    number, shown = (int(params[FRAME]), frame) if frame else next(iter(content.frames.items()))
    chart = PICTURE.of(view, {STORY: key, FRAME: str(number)}, LIGHT)
    return Picture(
        content.title if frame is None else frame.caption.title,
        asks if frame is None else frame.caption.text,
        source=f"benchhealth · {content.title if frame else STORIES[key].name} · {shown.caption.source}",
        art=partial(painted, chart.figure) if isinstance(chart, Chart) else None,
    )


PAGE = PageSpec(
    url_path=ADDRESS,
    title="Stories",
    draw=draw,
    charts=(PICTURE,),
    hidden=True,
    shared=Shared((STORY, FRAME), _shared),
)
