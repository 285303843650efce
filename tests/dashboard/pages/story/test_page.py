"""The page of a story where facts lack: what is left out is counted, and what there is not is said."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.figures.chart import Nothing
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.story import page
from benchhealth.dashboard.pages.story.story import Frame, _furthest, _n_swapped_pairs, content
from benchhealth.dashboard.pages.story.story_specs import DECLARED, PICTURE, story
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.generation import ParameterError
from benchhealth.dashboard.words.stories.story_list import STORIES
from tests.support.rendered_page import markup, publish_tables, rendered, text


def test_a_story_whose_numbers_lack_says_so(small_home: Path) -> None:
    app = rendered(page, small_home, story="imagenet")
    assert "ImageNet: how scores rose" in text(app) and "not on record" in text(app)
    assert "A story in" not in text(app)


def test_a_story_that_there_is_not_is_said_so(small_home: Path) -> None:
    app = rendered(page, small_home, story="snow-white")
    assert "There is no story" in text(app) and "snow-white" in text(app)
    generation.use(small_home)
    view = generation.current()
    with pytest.raises(ParameterError, match="there are imagenet"):
        story(view, "snow-white")
    assert isinstance(PICTURE.of(view, {"story": "gsm8k", "frame": "2"}, LIGHT), Nothing)


def test_every_story_is_declared_and_listed() -> None:
    assert [one.key for one in DECLARED] == list(STORIES)


def test_frames_keep_their_numbers_where_one_is_left_out() -> None:
    one = Frame.__new__(Frame)
    assert list(content("Title", one, None, one).frames) == [1, 3]


@pytest.fixture(scope="module")
def rise_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generation in which GPQA Diamond has a curve, and nothing else is known of it."""
    from datetime import date

    row = {"benchmark_id": "gpqa-diamond", "name": "GPQA", "unit": "percent", "floor": 0.25, "n_items": 198,
           "known_until": date(2026, 8, 22), "curated": True, "higher_is_better": True}  # fmt: skip
    steps = [(date(2024, 3, 1), 0.5, False), (date(2025, 3, 1), 0.75, False), (date(2026, 8, 22), 0.75, True)]
    frontier = [
        {"benchmark_id": "gpqa-diamond", "dated_on": on, "score": score, "model_id": f"m{index}", "carried": carried,
         "condition": "standard", "date_precision": "day"}
        for index, (on, score, carried) in enumerate(steps)
    ]  # fmt: skip
    tables = {
        "benchmark": pl.DataFrame([row], schema=PUBLISHED["benchmark"]),
        "frontier": pl.DataFrame(frontier, schema=PUBLISHED["frontier"]),
    }
    return publish_tables(tmp_path_factory.mktemp("rise"), tables)


def test_one_picture_is_counted_as_one(rise_alone: Path) -> None:
    app = rendered(page, rise_alone, story="gpqa-diamond")
    text_shown = text(app)
    assert "A story in one picture, two minutes." in text_shown and "1 of 1" in text_shown
    assert "In 12 months the best went from 50 to 75 of 100 questions" in text_shown
    assert "Data to Aug 2026 at the latest" in text_shown
    assert "the numbers](<benchmark?benchmark=gpqa-diamond#curve>)" in markup(app)
    assert [dot for dot in ("frame=1", "frame=2") if dot in markup(app)] == ["frame=2"], "it is the second of five"


def test_pairs_that_swap_and_places_that_are_lost_are_counted() -> None:
    models = pl.DataFrame({"original": [90.0, 80.0, 70.0, 70.0], "other": [60.0, 65.0, 50.0, 55.0]})
    assert _n_swapped_pairs(models) == (6, 1), "the first two swapped; a tie on one side is no swap"
    assert _furthest(models) == 1
    assert _furthest(models.select(original="original", other=pl.Series([10.0, 20.0, 30.0, 40.0]))) == 3


def test_words_of_a_frame_are_shown_as_text(rise_alone: Path) -> None:
    generation.use(rise_alone)
    frame = story(generation.current(), "gpqa-diamond").frames[2]
    hostile = replace(frame, caption=replace(frame.caption, title="# **x** [y](z)"))
    assert hostile.chart(LIGHT).title == "# **x** [y](z)", "plain until it is shown"
