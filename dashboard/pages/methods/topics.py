"""The topics of the Methods page: the title of each, its group, and the source of its text."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchhealth.analytics.indicators import INDICATORS
from benchhealth.dashboard.words.methods.method_list import BY_GROUP

VERDICTS: Mapping[str, str] = {
    "verdict": "How a verdict comes about",
    "stages": "Stages",
    "flags": "Flags",
    "probability": "How sure a verdict is",
    "lines": "Errors of ceilings and human lines",
    "dormant": "Dormant is not saturated",
    "stale": "Stale is not dormant",
    "thresholds": "Limits of the rules",
}
WORDS: Mapping[str, str] = {
    "glossary": "Glossary",
    "not-said": "What we do not say",
    "reproduction": "Reproduction of published numbers",
    "indicators": "All indicators",
    "methods": "All methods",
}


@dataclass(frozen=True)
class Group:
    """A group of topics: their titles by anchor."""

    title: str
    topics: Mapping[str, str]


GROUPS: tuple[Group, ...] = (
    Group("Verdicts", VERDICTS),
    Group("Decide", {"desk": "How the desk decides"}),
    Group("Indicators", {indicator.key: indicator.title for indicator in INDICATORS}),
    *(Group(title, {method.anchor: method.title for method in methods}) for title, methods in BY_GROUP.items()),
    Group("Words", WORDS),
)
TITLES: Mapping[str, str] = {anchor: title for group in GROUPS for anchor, title in group.topics.items()}
"""The title of every topic, by its anchor."""
