"""Later versions of the real files, broken as real files break: each ends in a refusal or is held, with a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import pytest

from benchhealth.analytics.record.steps import KEY, REWRITE_AT_LEAST, SHARE_REWRITTEN
from benchhealth.ingest.rows import PayloadError
from benchhealth.ingest.run.drift import ROWS_LOST, Scales, drift
from benchhealth.ingest.run.records import BOUNDED
from benchhealth.ingest.run.walk import line_of
from benchhealth.ingest.source import BundledFile, GithubArchive
from benchhealth.warehouse.batch import Resolved
from tests.ingest.sources.payload_rows import BY_KEY, registry_units, resolved
from tests.ingest.sources.test_versions import Version, real, versions
from tests.support.breakage import BREAKAGES

pytestmark = real
FOLLOWED = [
    key
    for key, source in BY_KEY.items()
    if not all(
        isinstance(file, BundledFile) or (isinstance(file, GithubArchive) and file.folder) for file in source.files
    )
]
"""Sources read file by file: neither facts of papers, nor folders that are put together from an archive."""

ENOUGH = 15
"""A pattern needs rows: a file of three has none."""
FILES = 12
UNSEEN = {
    ("lmarena-agent", "shifted"): "its scale is open-ended and has its zero in the middle: a seventh of a small score "
    "is less than a day's refit, so that nothing is held"
}
"""Breaks that are stored, and why."""

THIN = ["evalplus", "bfcl", "vectara"]


@cache
def units() -> dict[str, str]:
    return registry_units()


def newest_of_each_line(key: str) -> list[Version]:
    """The newest version of each file, or of each line of dated files; the first dozen of a source of many."""
    newest: dict[str, Version] = {}
    for version in sorted(versions(key), key=lambda version: version.committed_on):
        newest[line_of(BY_KEY[key].files, version.path) or version.path] = version
    return [newest[line] for line in sorted(newest)][:FILES]


def fate(key: str, version: Version, now: Resolved, body: bytes) -> str:
    """What becomes of `body` as the next version of a file: why it is refused or held, empty if it would be stored.

    A reader that takes the unit from the numbers reads other bytes for the same facts; that is right as well.
    """
    try:
        later = resolved(key, version.path, body, version.committed_on)
    except PayloadError as error:
        return f"refused: {error}"
    units_now = dict(now.benchmarks.select("benchmark_id", "unit").iter_rows())
    bounded = {name for name, unit in {**units_now, **units()}.items() if unit in BOUNDED}
    findings = drift(now.results, later.results, source_id=key, scales=Scales(bounded), released=set())
    return "; ".join(map(str, findings)) or ("the same facts" if same(now, later) else "")


def same(now: Resolved, later: Resolved) -> bool:
    """Whether what the later bytes say was said before: all but a few results, each within half a point.

    Names have decimals too: where scores have none, a break of decimals gives other names to some models and no more.
    """
    shared = now.results.join(later.results, on=KEY, suffix="_later")
    alike = ((shared["score"] - shared["score_later"]).abs() < REWRITE_AT_LEAST).sum()
    is_there = shared.height >= (1 - ROWS_LOST) * later.results.height
    return is_there and int(alike) >= (1 - SHARE_REWRITTEN) * shared.height


def check(key: str, breaks: Callable[[bytes, Iterable[str]], bytes]) -> None:
    for version in newest_of_each_line(key):
        body = version.body()
        now = resolved(key, version.path, body, version.committed_on)
        if now.results.height < ENOUGH or now.results["model_id"].n_unique() < ENOUGH:
            continue
        assert fate(key, version, now, body) == "the same facts"
        broken = breaks(body, now.results["published_name"].to_list())
        if broken != body:
            assert len(fate(key, version, now, broken)) > len("refused: "), (version.path, breaks.__name__)


@pytest.mark.parametrize("breaks", BREAKAGES, ids=lambda breaks: breaks.__name__)
@pytest.mark.parametrize("key", THIN)
def test_a_broken_version_is_refused_or_held(key: str, breaks: Callable[[bytes, Iterable[str]], bytes]) -> None:
    check(key, breaks)


@pytest.mark.soak
@pytest.mark.parametrize("breaks", BREAKAGES, ids=lambda breaks: breaks.__name__)
@pytest.mark.parametrize("key", [key for key in FOLLOWED if key not in THIN])
def test_a_broken_version_of_any_source_is_refused_or_held(
    key: str, breaks: Callable[[bytes, Iterable[str]], bytes], request: pytest.FixtureRequest
) -> None:
    if why := UNSEEN.get((key, breaks.__name__)):
        request.applymarker(pytest.mark.xfail(reason=why, strict=True, raises=AssertionError))
    check(key, breaks)
