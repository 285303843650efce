"""Whose word about models counts how much: declared here as data, and nowhere else."""

from collections.abc import Mapping
from datetime import date

AUTHORITIES = ("models-dev",)
"""Lists that are kept to say who makes a model, whether its weights are open and where its training data end, the first
before the second. Their word on these goes before what boards say beside their scores. On days of release they are one
house among others. Of 76 models on whose day two other houses agree, models.dev has that day of 72%, Epoch of 87% (of
136), HELM of 79% (119), LLM Stats of 77% (118); of eight days of its own that were looked up two were right."""

HOUSES: Mapping[str, str] = {
    "epoch": "epoch",
    "epoch-hub": "epoch",
    "llm-stats": "llm-stats",
    "llm-stats-crawl": "llm-stats",
    "lmarena": "lmarena",
    "lmarena-tables": "lmarena",
    "lmarena-daily": "lmarena",
    "lmarena-early": "lmarena",
    "lmarena-agent": "lmarena",
}
"""Sources that repeat one another, each with the name of what they have in common: they agree with nobody but others.
A source that is not listed is its own house."""

RECORD = ("epoch", "helm-config", "llm-stats", "benchbench", "aider", "bigcodebench", "mteb", "models-dev", "open-llm")
"""Houses in the order in which they are believed where nothing else decides: first those that state a release, then
those that state a day on the way, last the Open LLM Leaderboard, whose day is an upload (`UPLOADS`). Houses that are
not listed come after them."""

UPLOADS = ("open-llm",)
"""Sources whose day of a model is that of its upload to a hub: a repository is made days before the announcement, or
years after it. It stands only where nobody else says a day."""

REPEATS_UPLOADS = ("epoch",)
"""Houses that take the day of an upload for some models: where theirs is the very day, it is that upload said again."""

HUB_BEGAN = date(2022, 3, 2)
"""The day that the hub gives of every repository that is older than its record of days: no day of anything."""


def house(source_id: str) -> str:
    """The house that a source speaks for: sources that repeat one another are one house."""
    return HOUSES.get(source_id, source_id)


def standing(source_id: str) -> int:
    """The place of a source among those that are believed where nothing else decides: 0 is best."""
    house_name = house(source_id)
    return RECORD.index(house_name) if house_name in RECORD else len(RECORD)
