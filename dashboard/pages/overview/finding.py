"""The finding of the first page about all curated benchmarks, and the sources that it is from."""

from typing import NamedTuple

from benchhealth.dashboard.published.answers import saturated_of
from benchhealth.dashboard.published.benchmarks import (
    assessed_on,
    benchmarks,
    family,
    fresh_since,
    in_use_by_stage,
    is_alive,
    is_doubted,
    is_fresh,
    is_in_use,
)
from benchhealth.dashboard.published.generation import View, always
from benchhealth.dashboard.words.first import in_use


class Finding(NamedTuple):
    """The title of the page, the line that completes it, and how both are counted, as markdown."""

    title: str
    rest: str
    how: str


@always
def finding(view: View) -> Finding:
    """How many of the curated benchmarks in use still measure, and what the others are."""
    rows = benchmarks(view)
    curated = rows.filter("curated", "of_curated")
    counts = in_use_by_stage(curated)
    fresh = curated.filter(is_fresh())
    left = in_use.Left(
        curated=curated.height,
        not_looked_at=curated.height - fresh.height,
        not_reported=fresh.height - in_use.in_use(counts),
        unsure=curated.filter(is_in_use(), is_doubted()).height,
        families=curated.filter(is_alive()).select(family()).n_unique(),
        saturated=saturated_of(view).saturated,
        every=rows.height,
    )
    method = in_use.how_we_count(counts, left, fresh_since(view), assessed_on(view))
    return Finding(in_use.title(counts), in_use.rest_sentence(counts), method)
