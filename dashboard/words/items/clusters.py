"""What the clusters are called that the items of a test come in: subjects, repositories, contests."""

from collections.abc import Mapping

from benchhealth.dashboard.words.text import count

CLUSTER = "cluster"
"""What a cluster is called whose kind is not known."""

KINDS: Mapping[str, str] = {
    "mmlu-pro": "subject",
    "mmlu-redux": "subject",
    "swe-bench": "repository",
    "swe-bench-live": "repository",
    "livecodebench": "contest",
    "cifar": "class",
}
"""One cluster, by the source that says what each item belongs to."""

PLURALS: Mapping[str, str] = {"repository": "repositories", "class": "classes"}


def cluster_of(source_id: str | None) -> str:
    """The noun for one cluster of a source's items: `subject`, `repository`."""
    return KINDS.get(source_id or "", CLUSTER)


def clusters(kind: str) -> str:
    """The plural of the noun for a cluster: `subjects`, `repositories`."""
    return PLURALS.get(kind, f"{kind}s")


def cluster_count(number: int, kind: str) -> str:
    """A number of clusters with their noun: `14 subjects`, `12 repositories`."""
    return count(number, kind, clusters(kind))
