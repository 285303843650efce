"""LLM Stats' names of benchmarks, as ids: the same for its own repository and for the crawl of its site.

A pair of its names is one benchmark only where `data/registry/published_benchmark.csv` says so. Names that stand for
several editions (gpqa, aime, livecodebench, arena-hard, bfcl, livebench, video-mme, osworld, mrcr, and hmmt-2025 beside
hmmt25, which both hold the contests of February and of November) or another scale (mt-bench) keep an id of their own.
"""

from benchhealth.ingest.formats.bodies import slug
from benchhealth.ingest.formats.upstream import NamedBenchmark, Scale, benchmarks_by_name, scales

KEY = "llm-stats"
_SHARES = Scale("", higher_is_better=True, unfit="")


def benchmark_of(published: str) -> NamedBenchmark:
    """Which benchmark a published name is, with the setting that stands in the name."""
    declared = benchmarks_by_name(KEY, "score").get(published)
    if declared is not None:
        return declared
    # Signs that tell two benchmarks apart would be lost in a slug: graphwalks-bfs-<128k and ->128k.
    spelt = published.replace("<", "under-").replace(">", "over-").replace("+", "-plus").replace("→", "-to-")
    return NamedBenchmark(f"{KEY}-{slug(spelt)}")


def unit_of(published: str) -> str:
    """The unit of a benchmark's scores: a share of 1 for all that have no scale of their own."""
    return _scale(published).unit or "fraction"


def has_own_scale(published: str) -> bool:
    """Whether the benchmark is published on a scale of its own, so that a score may be above 1."""
    return bool(_scale(published).unit)


def more_is_better(published: str) -> bool:
    """Whether a larger score is better on the benchmark of this published id."""
    return _scale(published).higher_is_better


def unfit(published: str) -> str:
    """Why scores under this name cannot be read, for example two scales under one name; empty where they can."""
    return _scale(published).unfit


def _scale(published: str) -> Scale:
    return scales(KEY).get(published, _SHARES)
