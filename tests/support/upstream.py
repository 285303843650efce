"""Real upstream files, where the checkout has them beside it: `../shared`. Tests that need them skip elsewhere."""

import csv
import gzip
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"

needs_upstream = pytest.mark.skipif(not (SHARED / "upstream" / "index.jsonl").exists(), reason="no ../shared/upstream")


class Version(NamedTuple):
    """One version of one file; `committed_at` is in UTC without a time zone."""

    committed_at: datetime
    commit: str
    body: bytes

    def table(self) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.body.decode("utf-8-sig"))))

    def json(self) -> Any:  # noqa: ANN401 - whatever the file holds
        return json.loads(self.body)


def versions(repo: str, path: str) -> list[Version]:
    """Every stored version of a file, oldest first."""
    return sorted(_versions(repo, path))


def _versions(repo: str, path: str) -> Iterator[Version]:
    with (SHARED / "upstream" / "index.jsonl").open(encoding="utf-8") as index:
        for line in index:
            entry = json.loads(line)
            if entry["repo"] == repo and entry["path"] == path:
                digest = entry["sha256"]
                stored = SHARED / "upstream" / "blobs" / digest[:2] / f"{digest}.gz"
                committed_at = datetime.fromisoformat(entry["committed_at"]).astimezone(UTC).replace(tzinfo=None)
                yield Version(committed_at, entry["commit"], gzip.decompress(stored.read_bytes()))
