"""Which file of a source a path is, and how a place in it and a published word are written in the project's tables."""

import re
from collections.abc import Mapping
from typing import TypeVar

from benchhealth.ingest.names.identity import printable
from benchhealth.ingest.rows import PayloadError

_WEIGHTS = re.compile(r"https://huggingface\.co/([^/?#\s]+)/[^/?#\s]+")
_PORTS = frozenset({"llava-hf", "spaces", "papers", "blog", "docs", "datasets", "collections"})
"""First parts of a path that name no owner: pages of the hub itself, and accounts that port models of others."""

_NOT_A_SLUG = re.compile(r"[^a-z0-9.]+")

Declared = TypeVar("Declared")


def declared_file(files: Mapping[str, Declared], path: str) -> Declared:
    """What a source declares of a file by its name, in whatever folder. Raises PayloadError where it declares none."""
    name = path.rsplit("/", 1)[-1]
    if name not in files:
        raise PayloadError(f"not a file of this source: {path}")
    return files[name]


def path_parts(pattern: re.Pattern[str], path: str) -> re.Match[str]:
    """The match of a whole path. Raises PayloadError where it is not of the `pattern`, and so none of the source's."""
    match = pattern.fullmatch(path)
    if match is None:
        raise PayloadError(f"not a file of this source: {path}")
    return match


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
