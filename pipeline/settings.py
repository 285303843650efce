"""Where state and facts live, and what time it is: read once, here, and passed on as arguments."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Settings:
    """Everything the environment decides.

    `home` holds the warehouse, the raw bodies and the published generations; `registry` and `bundle` are the
    repository's own facts; `token` raises GitHub's hourly limit and is sent to its API alone; `report_url` is where
    *Something wrong?* on pages leads. `store` is where facts lie if not in the home (`pipeline.shared`), `store_data`
    the files of a lake, `lease_seconds` how long a run may be silent before others take its work over, `generations`
    the address where generations are published beside the home, and `aws` the usual settings by which both are reached.
    """

    home: Path
    registry: Path
    bundle: Path
    token: str | None
    report_url: str | None = None
    store: str | None = None
    store_data: str | None = None
    lease_seconds: str | None = None
    generations: str | None = None
    aws: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def from_environment(cls) -> "Settings":
        """Settings from BENCHHEALTH_* and, for what is shared between machines, AWS_*."""
        return cls(
            home=Path(os.environ.get("BENCHHEALTH_HOME") or "var").absolute(),
            registry=REPOSITORY / "data" / "registry",
            bundle=REPOSITORY / "data" / "snapshot",
            token=os.environ.get("BENCHHEALTH_GITHUB_TOKEN") or None,
            report_url=os.environ.get("BENCHHEALTH_REPORT_URL") or None,
            store=os.environ.get("BENCHHEALTH_STORE") or None,
            store_data=os.environ.get("BENCHHEALTH_STORE_DATA") or None,
            lease_seconds=os.environ.get("BENCHHEALTH_LEASE_SECONDS") or None,
            generations=os.environ.get("BENCHHEALTH_GENERATIONS") or None,
            aws={name: value for name, value in os.environ.items() if name.startswith("AWS_")},
        )


def now() -> datetime:
    """The present instant, naive UTC as everywhere in the warehouse."""
    return datetime.now(UTC).replace(tzinfo=None)
