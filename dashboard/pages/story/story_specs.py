"""The five stories, in the order in which they are offered, and the picture of a frame as a chart."""

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.story.stories import gpqa, gsm8k, imagenet, lmarena, swe_bench
from benchhealth.dashboard.pages.story.story import Content, Story
from benchhealth.dashboard.published.generation import ParameterError, Params, View, required
from benchhealth.dashboard.words.stories.story_list import FRAME, FRAMES, STORIES, STORY

DECLARED: tuple[Story, ...] = (imagenet.STORY, swe_bench.STORY, lmarena.STORY, gsm8k.STORY, gpqa.STORY)
_BY_KEY = {story.key: story for story in DECLARED}


def story(view: View, key: str) -> Content:
    """The story of this key; raises ParameterError for an unknown one."""
    if key not in _BY_KEY:
        raise ParameterError(f"no story {key!r}; there are {', '.join(STORIES)}")
    return _BY_KEY[key].of(view)


def _picture(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    frames = story(view, required(params, STORY)).frames
    if not frames:
        return Nothing("The numbers of this story are not on record.", "A nightly run brings them.")
    frame_of = {str(number): frame for number, frame in frames.items()}
    text = params.get(FRAME) or next(iter(frame_of))
    if text in frame_of:
        return frame_of[text].chart(palette)
    if text in map(str, range(1, FRAMES + 1)):
        return Nothing("The numbers of this picture are not on record.", "A nightly run brings them.")
    raise ParameterError(f"frame is a number from 1 to {FRAMES}")


PICTURE = ChartSpec("story", _picture, (STORY, FRAME))
