"""A story: five pictures with three sentences each, for readers without statistics."""

import re
from collections.abc import Iterator
from functools import partial
from math import hypot
from xml.etree import ElementTree

import plotly.graph_objects as go
import streamlit as st
from PIL import Image, ImageDraw, ImageFont

from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.figures.picture import Picture
from benchhealth.dashboard.pages.story.story import Content
from benchhealth.dashboard.pages.story.story_specs import DECLARED, PICTURE, story
from benchhealth.dashboard.published.generation import Params, View
from benchhealth.dashboard.report.letters import FILES, font_folder
from benchhealth.dashboard.report.still import WIDTH, svg
from benchhealth.dashboard.widgets import block, empty, links
from benchhealth.dashboard.widgets.page import PageSpec, Shared
from benchhealth.dashboard.widgets.replay import once
from benchhealth.dashboard.words.stories.story_list import FRAME, STORIES, STORY, lead, title
from benchhealth.dashboard.words.stories.story_list import PAGE as ADDRESS
from benchhealth.dashboard.words.text import capital, code, known_at_latest, markdown, one_line

SMALLEST_TEXT = 20
"""The smallest text in pixels; nothing smaller can be read where such pictures are shown."""

ROW = 23
"""Pixels of a row with a name; where there is less room names are left out."""

FINER = 2
"""The picture is drawn so many times as large, then scaled down: PIL's own lines are not anti-aliased."""

LOWEST = 150
"""Pixels of the figure's own height below which rows would run into one another."""

Line = tuple[float, float, float, float]

_HASH = re.compile(r"#[0-9A-Fa-f]{6}")
_ANCHORS = {"end": "rm", "middle": "mm", "start": "lm"}


def drawn_figure(figure: go.Figure, wide: int, high: int) -> Image.Image:
    """The figure in at most this width and height; a higher one is drawn without the labels that need the height."""
    low = max(LOWEST, round(WIDTH * high / wide))
    if figure.layout.height > low:
        figure = go.Figure(figure)
        figure.layout.height = low
        figure.layout.annotations = [note for note in figure.layout.annotations if note.ax is None]
        if len(figure.layout.yaxis.ticktext or ()) * ROW > high:
            figure.layout.yaxis.ticktext = figure.layout.yaxis.tickvals = ()
    root = ElementTree.fromstring(svg(figure, one_line, letter=SMALLEST_TEXT * 0.62 * WIDTH / wide))  # noqa: S314 - written here
    scale = min(wide / float(root.get("width", 1)), high / float(root.get("height", 1)))
    size = [round(float(root.get(name, 1)) * scale) for name in ("width", "height")]
    image = Image.new("RGB", (size[0] * FINER, size[1] * FINER), LIGHT.paper)
    draw = ImageDraw.Draw(image)
    for element in root:
        _draw_element(draw, element, scale * FINER)
    return image.resize((size[0], size[1]), Image.Resampling.LANCZOS)


def _draw_element(draw: ImageDraw.ImageDraw, element: ElementTree.Element, scale: float) -> None:
    def length(name: str) -> float:
        return float(element.get(name, 0)) * scale

    kind = element.tag.rpartition("}")[2]
    fill = _on_paper(element.get("fill", LIGHT.ink), float(element.get("fill-opacity", 1)))
    if kind == "line":
        colour = _on_paper(element.get("stroke", LIGHT.ink), float(element.get("stroke-opacity", 1)))
        ends = (length("x1"), length("y1"), length("x2"), length("y2"))
        for dash in _dashes(ends, [float(number) * scale for number in element.get("stroke-dasharray", "").split()]):
            draw.line(dash, fill=colour, width=max(1, round(length("stroke-width"))))
    elif kind == "circle":
        x, y, radius = length("cx"), length("cy"), length("r")
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill)
    elif kind == "rect":
        ends = (length("x"), length("y"), length("x") + length("width"), length("y") + length("height"))
        edge = element.get("stroke")
        draw.rectangle(ends, fill=fill, outline=edge, width=round(length("stroke-width")) if edge else 0)
    else:
        is_bold = element.get("font-weight") == "bold"
        face = ImageFont.truetype(str(font_folder() / FILES[is_bold]), SMALLEST_TEXT * FINER)
        anchor = _ANCHORS[element.get("text-anchor", "start")]
        draw.text((length("x"), length("y") - 3.6 * scale), element.text or "", font=face, fill=fill, anchor=anchor)


def _dashes(ends: Line, pattern: list[float]) -> Iterator[Line]:
    """The line whole, or cut into dashes by a pattern of their length and gap."""
    x0, y0, x1, y1 = ends
    long = hypot(x1 - x0, y1 - y0)
    if not pattern or not long:
        yield ends
        return
    dash, gap = pattern
    for index in range(int(long // (dash + gap)) + 1):
        begin, end = (min(1.0, (index * (dash + gap) + offset) / long) for offset in (0.0, dash))
        yield (x0 + begin * (x1 - x0), y0 + begin * (y1 - y0), x0 + end * (x1 - x0), y0 + end * (y1 - y0))


def _on_paper(colour: str, opacity: float) -> str:
    """The colour as it looks on paper at this opacity."""
    if not _HASH.fullmatch(colour):
        return LIGHT.ink
    inks, papers = ([int(text[start : start + 2], 16) for start in (1, 3, 5)] for text in (colour, LIGHT.paper))
    red, green, blue = (round(ink * opacity + paper * (1 - opacity)) for ink, paper in zip(inks, papers, strict=True))
    return f"#{red:02x}{green:02x}{blue:02x}"


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
    for position, number in enumerate(content.frames, 1):
        _frame(view, key, content, number, position)
    st.header("Other stories", anchor="other-stories")
    _cards(view, excluded=key)


def _unchosen(view: View, key: str) -> None:
    st.title("Five stories about tests of AI", anchor=False)
    if key:
        empty.nothing(f"There is no story {code(key)}.", "Choose one of these.")
    _cards(view)


def _head(content: Content, key: str) -> None:
    """The title, what the reader needs to know, how to print and pass on, and a dot for each frame."""
    st.title(markdown(title(key, content.moral)), anchor=False)
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


def _frame(view: View, key: str, content: Content, number: int, position: int) -> None:
    """One picture with its words: its number, title, text, and what was counted until when."""
    frame, params = content.frames[number], {STORY: key, FRAME: str(number)}
    caption = frame.caption
    with st.container(key=f"frame_{number}"):
        left, right = st.columns([TEXT, PICTURE_WIDTH], gap="medium")
        left.markdown(
            f":small[:blue[{position} of {len(content.frames)}]]\n\n## {markdown(caption.title)}\n\n"
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
    keys = [declared.key for declared in DECLARED if declared.key != excluded and declared.of(view).frames]
    if not keys:
        return
    with st.container(key="stories"):
        for column, key in zip(st.columns(len(keys), border=True), keys, strict=True):
            moral = story(view, key).moral
            url = links.address(ADDRESS, **{STORY: key})
            column.markdown(
                f"[**{markdown(STORIES[key].name)}**]({url})\n\n:small[{markdown(moral[:1].upper() + moral[1:])}]"
            )


def _share_finding(view: View, params: Params) -> Picture | None:
    """The title, its question, and the first picture; for a frame, its own words and picture."""
    key = params.get(STORY)
    if not key:
        return None
    content = story(view, key)
    if not content.frames:
        return None
    frame = content.frames.get(int(params[FRAME]) if params.get(FRAME, "").isdecimal() else 0)
    asks = f"{STORIES[key].asks} {lead(len(content.frames))}"
    number, first_frame = (int(params[FRAME]), frame) if frame else next(iter(content.frames.items()))
    chart = PICTURE.of(view, {STORY: key, FRAME: str(number)}, LIGHT)
    story_title = title(key, content.moral)
    return Picture(
        story_title if frame is None else frame.caption.title,
        asks if frame is None else frame.caption.text,
        source=f"benchhealth · {story_title if frame else STORIES[key].name} · {first_frame.caption.source}",
        art=partial(drawn_figure, chart.figure) if isinstance(chart, Chart) else None,
    )


PAGE = PageSpec(
    url_path=ADDRESS,
    title="Stories",
    draw=draw,
    charts=(PICTURE,),
    hidden=True,
    shared=Shared((STORY, FRAME), _share_finding),
)
