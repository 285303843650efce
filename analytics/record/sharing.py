"""On what terms a source's rows may leave this machine: decided here, once, from what the source's licence allows."""

from enum import Enum

import polars as pl

LICENCE_OF_IMPORTS = "your own"
"""The licence of what somebody imported: theirs, and nobody else's business."""

SHARE_ALIKE = ("CC-BY-SA", "ODbL")
"""How licences begin that allow passing on under the same licence alone."""


class Terms(Enum):
    """What may happen to the rows of a source, and to what is computed from them."""

    OPEN = "may leave"
    OWN_TERMS = "may leave under its own licence, in files of its own"
    CLOSED = "may not leave; our verdicts and indicators about its benchmarks may"
    IMPORTED = "nothing leaves"


def terms(licence: str, *, redistributable: bool) -> Terms:
    """The terms of a source of the catalogue, or of what was imported.

    `redistributable` says that the source is bundled with the project, in a file of its own. A share-alike licence
    allows passing on, bundled or not, but no mixing with others. Whatever is neither is closed: non-commercial
    licences, and sources that state none.
    """
    if licence == LICENCE_OF_IMPORTS:
        return Terms.IMPORTED
    if licence.startswith(SHARE_ALIKE):
        return Terms.OWN_TERMS
    return Terms.OPEN if redistributable else Terms.CLOSED


def with_terms(source: pl.DataFrame, its: Terms) -> list[str]:
    """The ids of those sources of the table `source` that have these terms, sorted."""
    rows = source.select("source_id", "licence", "redistributable").iter_rows()
    return sorted(key for key, licence, free in rows if terms(licence, redistributable=free) is its)
