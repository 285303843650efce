"""What the two sources of LMArena's Bradley-Terry ratings share: benchmarks, parts and the error of a rating.

Raw and style-controlled ratings come from the same votes but are two scales, and so two benchmarks. Ratings of one are
comparable within one file only: LMArena re-anchors its scale from time to time (2025-05, between 2025 and 2026).
"""

from ingest.formats.addresses import slug
from ingest.formats.numbers import UnreadableError, read_number
from ingest.rows import BenchmarkFact

RAW, STYLE_CONTROLLED = "lmarena-text-bt", "lmarena-text-style-control"
NAMES = {
    RAW: "LMArena text, Bradley-Terry ratings of raw votes",
    STYLE_CONTROLLED: "LMArena text, Bradley-Terry ratings with style control",
}
Z95 = 1.96


def part(benchmark: str, category: str, overall: str) -> str:
    """The benchmark_id of one category; `overall` is how this source calls the whole."""
    return benchmark if category == overall else f"{benchmark}/{slug(category)}"


def std_error(low: str, high: str) -> str:
    """Half the width of the published 95% interval over 1.96; unreadable bounds are passed on to be rejected."""
    try:
        return f"{(read_number(high) - read_number(low)) / 2 / Z95:.4f}"
    except UnreadableError:
        return f"{low} to {high}"


def fact(row: str, benchmark: str, category: str, overall: str) -> BenchmarkFact:
    """The benchmark of one category."""
    name = NAMES[benchmark]
    return BenchmarkFact(
        row=row,
        benchmark=part(benchmark, category, overall),
        name=name if category == overall else f"{name}: {category.replace('_', ' ')}",
        metric="Bradley-Terry rating",
        unit="rating",
        domain="human-preference",
        modality="text",
        paper_url="https://arxiv.org/abs/2403.04132",
    )
