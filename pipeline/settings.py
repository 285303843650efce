"""The settings of a process, read once from the environment and passed on as arguments; and the present instant."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
MB = 10**6
"""The number of bytes in a megabyte."""


class SettingError(ValueError):
    """A variable of the environment does not hold what it must."""


@dataclass(frozen=True)
class Keep:
    """How much of the past stays on the disk: the newest `generations`, and raw bodies that nothing needs any more.

    Such a body stays for `raw_days` after it was fetched, and as long as all bodies together take at most `raw_mb`
    megabytes. A log file and the one before it take `log_mb` megabytes together.
    """

    generations: int = 3
    raw_days: int = 365
    raw_mb: int = 2_000
    log_mb: int = 20

    @classmethod
    def from_environment(cls) -> "Keep":
        """From BENCHHEALTH_KEEP_GENERATIONS, _RAW_DAYS, _RAW_MB and _LOG_MB. Raises SettingError for no such number."""
        return cls(
            generations=_number("BENCHHEALTH_KEEP_GENERATIONS", cls.generations, least=1),
            raw_days=_number("BENCHHEALTH_KEEP_RAW_DAYS", cls.raw_days, least=0),
            raw_mb=_number("BENCHHEALTH_KEEP_RAW_MB", cls.raw_mb, least=0),
            log_mb=_number("BENCHHEALTH_KEEP_LOG_MB", cls.log_mb, least=1),
        )


def _number(name: str, default: int, *, least: int) -> int:
    setting = os.environ.get(name) or str(default)
    if not setting.isascii() or not setting.isdigit() or int(setting) < least:
        raise SettingError(f"{name} is {setting!r}: a whole number of at least {least} is needed")
    return int(setting)


@dataclass(frozen=True)
class Settings:
    """Everything the environment decides.

    `home` holds the warehouse, the raw bodies and the published generations; `registry` and `bundle` are the
    repository's own facts; `token` raises GitHub's hourly limit and is sent to its API alone; `report_url` is where
    *Something wrong?* on pages leads; `webhook` is told where a hand is needed, and is a secret; `keep` says how much
    of the past stays; `log` is the file that log lines go to, None where they go to standard error; `hosts` are the
    names under which the dashboard answers beside its own, `login` the secrets file of the login that it demands.
    `store` is where facts lie if not in the home (`pipeline.shared`), `store_data` the files of a lake, `lease_seconds`
    how long a run may be silent before others take its work over, `generations` the address where generations are
    published beside the home, `aws` the usual settings by which both are reached, and `address` where readers find
    the pages of this home, for what is cited. `is_chosen` says that somebody said where the home is.
    """

    home: Path
    registry: Path
    bundle: Path
    token: str | None = field(repr=False)
    report_url: str | None = None
    webhook: str | None = field(default=None, repr=False)
    keep: Keep = Keep()
    log: Path | None = None
    hosts: str | None = None
    login: Path | None = None
    store: str | None = None
    store_data: str | None = None
    lease_seconds: str | None = None
    generations: str | None = None
    aws: Mapping[str, str] = field(default_factory=dict, repr=False)
    address: str | None = None
    is_chosen: bool = True

    @classmethod
    def from_environment(cls) -> "Settings":
        """Settings from BENCHHEALTH_HOME, _GITHUB_TOKEN, _REPORT_URL, _WEBHOOK, _LOG, _HOSTS, _LOGIN, `Keep`
        and, for what is shared between machines, _STORE, _STORE_DATA, _LEASE_SECONDS, _GENERATIONS and AWS_*;
        _ADDRESS.

        Raises SettingError.
        """
        log = os.environ.get("BENCHHEALTH_LOG")
        return cls(
            home=Path(os.environ.get("BENCHHEALTH_HOME") or "var").absolute(),
            registry=REPOSITORY / "data" / "registry",
            bundle=REPOSITORY / "data" / "snapshot",
            token=os.environ.get("BENCHHEALTH_GITHUB_TOKEN") or None,
            report_url=os.environ.get("BENCHHEALTH_REPORT_URL") or None,
            webhook=os.environ.get("BENCHHEALTH_WEBHOOK") or None,
            keep=Keep.from_environment(),
            log=Path(log).absolute() if log else None,
            hosts=os.environ.get("BENCHHEALTH_HOSTS") or None,
            login=Path(login).absolute() if (login := os.environ.get("BENCHHEALTH_LOGIN")) else None,
            store=os.environ.get("BENCHHEALTH_STORE") or None,
            store_data=os.environ.get("BENCHHEALTH_STORE_DATA") or None,
            lease_seconds=os.environ.get("BENCHHEALTH_LEASE_SECONDS") or None,
            generations=os.environ.get("BENCHHEALTH_GENERATIONS") or None,
            address=_slashed(os.environ.get("BENCHHEALTH_ADDRESS") or ""),
            is_chosen=bool(os.environ.get("BENCHHEALTH_HOME")),
            aws={name: value for name, value in os.environ.items() if name.startswith("AWS_") and value},
        )


def _slashed(address: str) -> str | None:
    """An address with a slash at its end; None for none."""
    if address and not address.startswith(("http://", "https://")):
        raise SettingError(f"BENCHHEALTH_ADDRESS is {address!r}: an address of the form https://HOST/PATH is needed")
    return f"{address.rstrip('/')}/" if address else None


def now() -> datetime:
    """The present instant, naive UTC as everywhere in the warehouse."""
    return datetime.now(UTC).replace(tzinfo=None)  # noqa: TID251  (the one place that reads the clock)
