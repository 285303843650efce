"""The topics of the Methods page: what each is called, what it stands with, and where its text is from."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchhealth.analytics.indicators import INDICATORS
from benchhealth.dashboard.words import definitions
from benchhealth.dashboard.words.methods.forecasts import FORECASTS
from benchhealth.dashboard.words.methods.goodhart import GOODHART
from benchhealth.dashboard.words.methods.record import RECORD
from benchhealth.dashboard.words.methods.renewal import RENEWAL
from benchhealth.dashboard.words.methods.shared_items import SHARED_ITEMS

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
_FIRST_OF: Mapping[str, str] = {
    "Errors and ranks": "errors",
    "Churn at the top": "churn",
    "Twins": "twins",
    "Contamination": "contamination",
    "Transfer and aging": "transfer",
    "Many tests": "false_discoveries",
}
"""With which method each group begins, in the order of `definitions.METHODS`."""


@dataclass(frozen=True)
class Group:
    """Topics that stand together: their titles by anchor."""

    title: str
    topics: Mapping[str, str]


def _methods() -> list[Group]:
    """The methods between the record and Goodhart, cut where each group begins."""
    apart = {entry[0] for entry in (*RECORD, *FORECASTS, *SHARED_ITEMS, *RENEWAL, *GOODHART)}
    begins = {anchor: title for title, anchor in _FIRST_OF.items()}
    groups: list[tuple[str, dict[str, str]]] = []
    for method in definitions.METHODS:
        if method.anchor in apart:
            continue
        if method.anchor in begins:
            groups.append((begins[method.anchor], {}))
        groups[-1][1][method.anchor] = method.title
    return [Group(title, topics) for title, topics in groups]


GROUPS: tuple[Group, ...] = (
    Group("Verdicts", VERDICTS),
    Group("Decide", {"desk": "How the desk decides"}),
    Group("Indicators", {indicator.key: indicator.title for indicator in INDICATORS}),
    Group("The record", {entry[0]: entry[1] for entry in RECORD}),
    *_methods(),
    Group("Shared items", {entry[0]: entry[1] for entry in SHARED_ITEMS}),
    Group("Forecasts", {entry[0]: entry[1] for entry in FORECASTS}),
    Group("Static and dynamic", {entry[0]: entry[1] for entry in RENEWAL}),
    Group("Goodhart effects", {entry[0]: entry[1] for entry in GOODHART}),
    Group("Words", WORDS),
)
TITLES: Mapping[str, str] = {anchor: title for group in GROUPS for anchor, title in group.topics.items()}
"""The title of every topic, by its anchor."""
