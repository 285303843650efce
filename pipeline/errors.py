"""The errors that a user can act on, gathered from every layer; anything else is a fault and shows its traceback."""

import errno
from concurrent.futures import BrokenExecutor

from benchhealth.dashboard.guard.faults import LoginError
from benchhealth.dashboard.guard.hosts import HostsError
from benchhealth.ingest.own_results.imports import ImportRefused
from benchhealth.pipeline.keeping.archive import BackupError
from benchhealth.pipeline.settings import SettingError
from benchhealth.warehouse.bundle import BundleError, NotRedistributable
from benchhealth.warehouse.check import CheckError
from benchhealth.warehouse.faults import FULL, MAKE_ROOM, DatabaseFault, masked, opening_advice
from benchhealth.warehouse.keeping.editions import EditionError
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.objects.access import AddressError
from benchhealth.warehouse.publish import PublishError
from benchhealth.warehouse.read import NoGeneration
from benchhealth.warehouse.registry import RegistryError
from benchhealth.warehouse.sharing.generation import NotShareable
from benchhealth.warehouse.sql import FactError


class UsageError(ValueError):
    """The command cannot be carried out as asked."""


LOCKED = Locked
USER_ERRORS = (
    AddressError,
    BackupError,
    BrokenExecutor,  # the second process of `init` was killed: too little memory
    CheckError,
    EditionError,
    DatabaseFault,  # no room to write, a damaged file, too little memory
    OSError,  # a home that cannot be written
    FactError,
    HostsError,
    LoginError,
    ImportRefused,
    Locked,
    NoGeneration,
    NotShareable,
    PublishError,
    RegistryError,
    SettingError,
    BundleError,
    NotRedistributable,
    UsageError,
)


def line(problem: Exception) -> str:
    """The error in one line: what is wrong, where, and (for what the system alone reports) what to do about it."""
    if isinstance(problem, OSError) and problem.errno in FULL:
        return masked(f"{problem}; {MAKE_ROOM}")
    if isinstance(problem, OSError) and problem.errno == errno.EROFS:
        return masked(
            f"{problem.filename} cannot be written ({problem.strerror}); {opening_advice(str(problem.strerror))}"
        )
    return masked(str(problem))
