"""Stories by address, `/story.pdf?story=imagenet` and `/story.html`: three sheets of what may leave."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.story.story import Frame
from benchhealth.dashboard.pages.story.story_specs import PICTURE, story
from benchhealth.dashboard.published.generation import ParameterError, View, required
from benchhealth.dashboard.report import tree
from benchhealth.dashboard.serving.printed.reports import FORMS
from benchhealth.dashboard.serving.responses import endpoint
from benchhealth.dashboard.words.stories.story_list import FRAME, PAGE, STORY, lead, title
from benchhealth.dashboard.words.text import capital

ADDRESS = f"/{PAGE}.{{form:str}}"


SHEET = 2
"""How many frames of a story are printed on one sheet."""


def routes() -> list[Route]:
    """The route of printed stories."""
    return [Route(ADDRESS, _story_file)]


@endpoint
def _story_file(view: View, request: Request) -> Response:
    form = str(request.path_params["form"])
    if form not in FORMS:
        return PlainTextResponse("a story comes as html or pdf\n", status_code=404)
    shared = view.shared()
    media_type, write = FORMS[form]
    try:
        key = required(dict(request.query_params), STORY)
        body = shared.recent(
            ("printed story", key, form), lambda: write(story_report(shared, key, str(request.base_url)))
        )
    except ParameterError as error:
        return PlainTextResponse(f"{error}\n", status_code=404)
    headers = {"Content-Disposition": f'inline; filename="benchhealth-{key}.{form}"'}
    return Response(body, media_type=media_type, headers=headers)


def story_report(view: View, key: str, base: str = "") -> tree.Report:
    """The story as a report; the pages of its numbers are cited below `base`.

    Raises ParameterError for a story that there is not, or whose numbers are not on record.
    """
    shown_story = story(view, key)
    if not shown_story.frames:
        raise ParameterError(f"the numbers of the story {key!r} are not on record")
    story_title = title(key, shown_story.moral)
    pictures = [
        _picture(view, key, number, f"{index}. {frame.caption.title}")
        for index, (number, frame) in enumerate(shown_story.frames.items(), 1)
    ]
    front, back, later_pictures = pictures[:SHEET], pictures[SHEET : 2 * SHEET], pictures[2 * SHEET :]
    last: tuple[tree.Block, ...] = (*later_pictures, _numbers(list(shown_story.frames.values()), base), tree.INFERENCES)
    parts = [
        tree.Part(
            key,
            story_title,
            None,
            lead(len(shown_story.frames)),
            tuple(front),
            tuple(back) if later_pictures else (*back, *last),
        ),
    ]
    if later_pictures:
        parts.append(tree.Part(f"{key}, end", f"{story_title} (end)", None, "", last, ()))
    return tree.of_generation(view, story_title, tuple(parts))


def _picture(view: View, key: str, number: int, title: str) -> tree.Picture:
    chart = PICTURE.of(view, {STORY: key, FRAME: str(number)}, LIGHT)
    figure = chart.figure  # type: ignore[union-attr]
    caption = story(view, key).frames[number].caption
    return tree.Picture(
        title=title,
        subtitle=caption.text,
        alt=caption.alt,
        source=capital(caption.source),
        figure=figure,
    )


def _numbers(frames: Sequence[Frame], base: str) -> tree.Section:
    """A section that says for each frame where its numbers are to be had."""
    rows = [(f"{index}. {frame.caption.title}", tree.Link(f"{base}{frame.numbers}", f"{base}{frame.numbers}"))
            for index, frame in enumerate(frames, 1)]  # fmt: skip
    return tree.Section("The numbers", table=tree.Table(("Picture", "All of its numbers"), tuple(rows), (0.45, 0.55)))
