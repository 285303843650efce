"""ImageNet: scores fall on new photographs, the order stays."""

from functools import partial

from benchhealth.dashboard.pages.story.stories.frames import of_pair, pairs_frame, rise_frame, side_by_side, two_tests
from benchhealth.dashboard.pages.story.story import Content, Frame, Pair, Story, content, facts_of, pair_of, rise_of
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.words.stories import imagenet as words
from benchhealth.dashboard.words.text import count

BENCHMARK = "imagenet"
PAPER, ALL = "imagenet-to-v2-recht", "imagenet-to-v2"
"""The models of the paper that made the new test, and all models measured on both since."""

OLD, NEW = "old photographs", "new photographs"


def _content(view: View) -> Content:
    rise, paper, all_models = rise_of(view, BENCHMARK, ceiling=True), pair_of(view, PAPER, ALL), pair_of(view, ALL)
    first = None if rise is None else rise_frame(view, BENCHMARK, rise, words.rise(rise[0]))
    if paper is None:
        return content(words.moral(None), first)
    twin = paper.twin
    last = None
    if all_models is not None:
        bars = pairs_frame(all_models.twin, count(all_models.twin.compared, "model"))
        last = of_pair(all_models, words.trust(all_models.twin), bars, "kendall_tau")
    return content(
        words.moral(twin),
        first,
        _new_test_frame(view, paper),
        of_pair(paper, words.lower(twin), partial(side_by_side, paper, OLD, NEW, "score")),
        of_pair(paper, words.order_caption(twin), partial(side_by_side, paper, OLD, NEW, "place"), "kendall_tau"),
        last,
    )


def _new_test_frame(view: View, paper: Pair) -> Frame | None:
    twin, facts = paper.twin, facts_of(view, BENCHMARK)
    since = facts.get("released_on")
    if twin.items is None or twin.other_items is None or twin.other_on is None:
        return None
    draw = two_tests(
        (f"The {OLD}{f', {since.year}' if since else ''}", f"{twin.items:,}, used for years", twin.items),
        (f"The {NEW}, {twin.other_on.year}", f"{twin.other_items:,}, never seen", twin.other_items),
        1000,
    )
    return of_pair(paper, words.new_test(twin), draw)


STORY = Story("imagenet", _content)
