"""Which sources are believed about models, and in which order: declared here as data, and nowhere else."""

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
"""The house (the common origin) of sources that repeat one another: their agreement is no second confirmation. A source
that is not listed is its own house."""

RANKED = ("epoch", "helm-config", "llm-stats", "benchbench", "aider", "bigcodebench", "mteb", "models-dev", "open-llm")
"""Houses in the order in which they are believed where nothing else decides: first those that state a release, then
those that state a day on the way, last the Open LLM Leaderboard, whose day is an upload (`UPLOADS`). Houses that are
not listed come after them."""

UPLOADS = ("open-llm",)
"""Sources whose day of a model is that of its upload to a hub: a repository is made days before the announcement, or
years after it. It stands only where nobody else says a day."""

REPEATS_UPLOADS = ("epoch",)
"""Houses that take the day of an upload for some models: the same day from them is a repetition of that upload."""

PRINT_LICENCE = ("lmarena",)
"""Houses that print a licence in every row: where one no longer says that weights are closed, it takes that back."""

HUB_BEGAN = date(2022, 3, 2)
"""The day that the hub gives for every repository older than its records: it is the day of no upload."""


def house(source_id: str) -> str:
    """The house that a source speaks for: sources that repeat one another are one house."""
    return HOUSES.get(source_id, source_id)


def standing(source_id: str) -> int:
    """The rank of a source in RANKED: 0 is believed first."""
    house_name = house(source_id)
    return RANKED.index(house_name) if house_name in RANKED else len(RANKED)
