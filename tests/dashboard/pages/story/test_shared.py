"""What a link to a story shows: its words, and its figure painted within the room that there is."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.figures.picture import png
from benchhealth.dashboard.pages.story.page import PAGE, _dashes, drawn_figure
from benchhealth.dashboard.pages.story.story import Story
from benchhealth.dashboard.pages.story.story_specs import DECLARED
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import ParameterError, View
from tests.support.soaking import some

PAPER = tuple(int(LIGHT.paper[start : start + 2], 16) for start in (1, 3, 5))


@pytest.fixture(scope="module")
def view(bundled_home: Path) -> Iterator[View]:
    generation.use(bundled_home)
    yield generation.current()


@pytest.mark.parametrize("story", some(DECLARED, plain=DECLARED[:1]), ids=lambda story: story.key)
def test_each_frame_is_painted_within_its_room(story: Story, view: View) -> None:
    for frame in story.of(view).frames.values():
        image = drawn_figure(frame.chart(LIGHT).figure, 1072, 300)
        assert image.width <= 1072 and image.height <= 300
        ink = (np.abs(np.asarray(image).astype(int) - PAPER).max(axis=2) > 20).mean()
        assert ink > 0.005, frame.caption.title


def test_a_link_has_the_words_of_its_frame_or_of_the_whole(view: View) -> None:
    assert PAGE.shared is not None
    shared = view.shared()
    frame = PAGE.shared.of(shared, {"story": "gsm8k", "frame": "4"})
    assert frame is not None and frame.title == "14 of 63 models lost more than chance explains"
    picture = PAGE.shared.of(shared, {"story": "gsm8k"})
    assert (
        picture is not None and picture.title.startswith("GSM8K: scores held") and "five pictures" in picture.subtitle
    )
    assert len(png(frame)) < 300_000
    assert PAGE.shared.of(shared, {}) is None
    odd = PAGE.shared.of(shared, {"story": "gsm8k", "frame": "99"})
    assert odd is not None and odd.title == picture.title
    with pytest.raises(ParameterError):
        PAGE.shared.of(shared, {"story": "nope"})


def test_dashes_lie_on_their_line_and_end_with_it() -> None:
    assert list(_dashes((0, 0, 10, 0), [])) == [(0, 0, 10, 0)]
    assert list(_dashes((0, 0, 10, 0), [4, 2])) == [(0, 0, 4, 0), (6, 0, 10, 0)]
