"""One dated version of one file: found, saved, or stored."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from benchhealth.ingest.network.payload import Payload

DELETED_REASON = "HTTP status 404"
"""What the ledger says of a version that its commit deleted."""

HELD_PREFIX = "held: "
"""How the reason of a version begins that is kept out of service; every reason but this and REFUSED is a fault."""

REFUSED = "refused for good: "
"""How the reason of a version begins that a curator refused in `data/registry/refused.csv`."""


@dataclass(frozen=True)
class Version:
    """One dated version of one file. `payload` is set where its bytes came with something larger."""

    url: str
    path: str
    board_id: str
    commit: str
    committed_at: datetime
    payload: Payload | None = None


@dataclass(frozen=True)
class Saved:
    """A version whose bytes are kept but whose facts are not stored; `reason` is why, where parsing failed."""

    url: str
    path: str
    commit: str
    committed_at: datetime
    sha256: str
    fetched_at: datetime
    reason: str

    @property
    def held(self) -> bool:
        """Whether the version can be read and is kept out of service until a curator has looked."""
        return self.reason.startswith(HELD_PREFIX)

    @property
    def refused(self) -> bool:
        """Whether a curator refused the version for good: nobody has to look at it."""
        return self.reason.startswith(REFUSED)

    @property
    def state(self) -> str:
        """What the ledger calls a version that is kept out for its reason."""
        return "held" if self.held else "refused" if self.refused else "failed"

    @property
    def file(self) -> str:
        """The address of the file without the version."""
        return timeless(self.url, self.commit)


@dataclass(frozen=True)
class Stored:
    """A version whose facts are stored; `file` is its address without the version."""

    observed_at: datetime
    file: str
    sha256: str
    snapshot_id: str


def snapshot_id(source_id: str, path: str, commit: str) -> str:
    """The id of one version of one file: the same on every machine and in every run."""
    return hashlib.sha256("\n".join((source_id, path, commit)).encode()).hexdigest()[:16]


def timeless(url: str, ref: str) -> str:
    """The address of a file without the version in it."""
    return url.replace(f"/{ref}/", "/*/", 1)
