"""Where state and facts live, and what time it is: read once, here, and passed on as arguments."""

import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Settings:
    """Everything the environment decides.

    `home` holds the warehouse, the raw bodies and the published generations; `registry` and `bundle` are the
    repository's own facts; `token` raises GitHub's hourly limit and is sent to its API alone; `report_url` is where
    *Something wrong?* on pages leads; `hosts` are the names under which the dashboard answers beside its own,
    `login` the secrets file of the login that it demands.
    """

    home: Path
    registry: Path
    bundle: Path
    token: str | None = field(repr=False)
    report_url: str | None = None
    hosts: str | None = None
    login: Path | None = None

    @classmethod
    def from_environment(cls) -> "Settings":
        """Settings from the variables BENCHHEALTH_HOME, _GITHUB_TOKEN, _REPORT_URL, _HOSTS and _LOGIN."""
        return cls(
            home=Path(os.environ.get("BENCHHEALTH_HOME") or "var").absolute(),
            registry=REPOSITORY / "data" / "registry",
            bundle=REPOSITORY / "data" / "snapshot",
            token=os.environ.get("BENCHHEALTH_GITHUB_TOKEN") or None,
            report_url=os.environ.get("BENCHHEALTH_REPORT_URL") or None,
            hosts=os.environ.get("BENCHHEALTH_HOSTS") or None,
            login=Path(login).absolute() if (login := os.environ.get("BENCHHEALTH_LOGIN")) else None,
        )


def now() -> datetime:
    """The present instant, naive UTC as everywhere in the warehouse."""
    return datetime.now(UTC).replace(tzinfo=None)
