"""The names of the groups of domains."""

from collections.abc import Mapping

NAMES: Mapping[str, str] = {
    "knowledge": "Knowledge and reasoning",
    "mathematics": "Mathematics",
    "code": "Code",
    "agents": "Agents and tools",
    "science": "Science",
    "language": "Language",
    "vision": "Vision and video",
    "series": "Speech and time series",
}
"""By id, in the order in which readers see them; the ids are those of `analytics.record.words`."""


def group_name(text: str) -> str:
    """The name of a group in place of its id; any other text stays."""
    return NAMES.get(text, text)


def domain(group: str | None) -> str:
    """The name of a group, or that the benchmark is in none."""
    return NAMES.get(group or "", "Not grouped")
