"""Which stories there are: their addresses, what each is about, and the question that it answers."""

from collections.abc import Mapping
from dataclasses import dataclass

PAGE = "story"
STORY, FRAME = "story", "frame"
"""The parameters of an address: the story, and the frame of it."""

FRAMES = 5
"""Pictures of a story; one whose numbers are not known is left out."""

_COUNTED = {1: "one picture", 2: "two pictures", 3: "three pictures", 4: "four pictures", 5: "five pictures"}


@dataclass(frozen=True)
class ListedStory:
    """A story as lists have it: the benchmark that it is about, its short name, and what it asks."""

    benchmark_id: str
    name: str
    asks: str


STORIES: Mapping[str, ListedStory] = {
    "imagenet": ListedStory("imagenet", "ImageNet", "What happened on new photographs?"),
    "swe-bench-verified": ListedStory("swe-bench-verified", "SWE-bench Verified", "Measured or claimed?"),
    "lmarena": ListedStory("lmarena-text", "LMArena", "Who is really first?"),
    "gsm8k": ListedStory("gsm8k", "GSM8K", "Who stood out on fresh sums?"),
    "gpqa-diamond": ListedStory("gpqa-diamond", "GPQA Diamond", "How fast did models pass experts?"),
}
"""The stories in the order in which the pages offer them."""


def pictures(number: int) -> str:
    """The number of pictures of a story, in words."""
    return _COUNTED[number]


def lead(number: int) -> str:
    """The sentence below the title of a story."""
    return f"A story in {pictures(number)}, two minutes. You need to know nothing about statistics."


def title(key: str, moral: str) -> str:
    """The title of a story: what it is about, and its moral."""
    return f"{STORIES[key].name}: {moral}"


def found_as(story: ListedStory) -> str:
    """The name under which the search lists a story."""
    return f"{story.name}, a story in pictures"


def of_benchmark(benchmark_id: str) -> str | None:
    """The story about a benchmark, by its id; None where there is none."""
    return next((key for key, story in STORIES.items() if story.benchmark_id == benchmark_id), None)
