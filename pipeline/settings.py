"""The settings of a process, read once from the environment and passed on as arguments; and the present instant."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
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
    """Everything that variables of the environment decide about a process; None where one is not set."""

    home: Path
    """The folder of the warehouse, of the raw bodies and of the published generations."""
    registry: Path
    """The folder of the curated facts."""
    bundle: Path
    """The folder of the facts that come with the program."""
    token: str | None = field(repr=False)
    """A token of GitHub, which raises the hourly limit of its API; sent to that API alone."""
    report_url: str | None = None
    """Where *Something wrong?* on the pages leads."""
    webhook: str | None = field(default=None, repr=False)
    """The address, a secret, that a message is sent to where the operator is needed."""
    keep: Keep = Keep()
    """How much of the past stays on the disk."""
    log: Path | None = None
    """The file that log lines go to; without it they go to standard error."""
    hosts: str | None = None
    """Names under which the dashboard answers beside its own."""
    login: Path | None = None
    """The file with the secrets of the login; without it the dashboard demands none."""
    store: str | None = None
    """Where facts lie if not in the home (`pipeline.remote`)."""
    store_data: str | None = None
    """Where the files of a shared store lie."""
    lease_seconds: str | None = None
    """How long a run may be silent before other runs take its work over."""
    generations: str | None = None
    """The address to which generations are published beside the home."""
    aws: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The usual settings of AWS, by which `store_data` and `generations` are reached."""
    address: str | None = None
    """Where readers find the pages of this home: the address in what is cited."""
    is_chosen: bool = True
    """Whether the home was named by somebody, and is not the default."""

    @classmethod
    def from_environment(cls) -> "Settings":
        """Read the variables of the environment, each BENCHHEALTH_ with the name of its setting, and those of AWS.

        Raises SettingError where one does not hold what it must.
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
            address=_with_final_slash(os.environ.get("BENCHHEALTH_ADDRESS") or ""),
            is_chosen=bool(os.environ.get("BENCHHEALTH_HOME")),
            aws={name: value for name, value in os.environ.items() if name.startswith("AWS_") and value},
        )


def _with_final_slash(address: str) -> str | None:
    """An address with a slash at its end; None for none."""
    if address and not address.startswith(("http://", "https://")):
        raise SettingError(f"BENCHHEALTH_ADDRESS is {address!r}: an address of the form https://HOST/PATH is needed")
    return f"{address.rstrip('/')}/" if address else None


def now() -> datetime:
    """The present instant, naive UTC as everywhere in the warehouse."""
    return datetime.now(UTC).replace(tzinfo=None)  # noqa: TID251  (the one place that reads the clock)


def end_of(day: date) -> datetime:
    """The last instant of a day, naive UTC."""
    return datetime.combine(day, time.max)
