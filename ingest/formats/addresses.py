"""How a place in a file and a published word are written in the project's own tables."""

import re

from benchhealth.ingest.names.identity import printable

_WEIGHTS = re.compile(r"https://huggingface\.co/([^/?#\s]+)/[^/?#\s]+")
_PORTS = frozenset({"llava-hf", "spaces", "papers", "blog", "docs", "datasets", "collections"})
"""What stands where an owner would: pages of the hub itself, and who ports what others made to its library."""

_NOT_A_SLUG = re.compile(r"[^a-z0-9.]+")


def pointer(*steps: object) -> str:
    """The address of a value in a JSON document: `/data/3/score`, as RFC 6901 writes it."""
    return "".join("/" + printable(str(step)).replace("~", "~0").replace("/", "~1") for step in steps)


def owner_of(link: str) -> str:
    """Who published the weights that a link leads to, by their repository; empty where it leads elsewhere."""
    match = _WEIGHTS.match(link.strip())
    return match[1] if match and match[1] not in _PORTS else ""


def slug(words: str) -> str:
    """A published word as it stands in a benchmark_id: `AMPS_Hard` is `amps-hard`, empty where nothing is left."""
    return _NOT_A_SLUG.sub("-", words.casefold()).strip("-.")


def as_text(value: object) -> str:
    """A JSON scalar as the text that was published, empty for null; what is no scalar is named by its kind."""
    if isinstance(value, str):
        return value if value.isascii() and value.isprintable() else printable(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return {"dict": "(an object)", "list": "(a list)"}.get(type(value).__name__, str(value))
