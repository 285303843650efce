"""The errors that a user can act on, gathered from every layer; anything else is a fault and shows its traceback."""

from concurrent.futures import BrokenExecutor

from ingest.imports import ImportRefused
from warehouse.check import CheckError
from warehouse.facts import DatabaseFault
from warehouse.locking import Locked
from warehouse.publish import PublishError
from warehouse.read import NoGeneration
from warehouse.registry import RegistryError
from warehouse.sharing.generation import NotShareable
from warehouse.snapshot import BundleError, NotRedistributable
from warehouse.store import FactError


class UsageError(ValueError):
    """The command cannot be carried out as asked."""


LOCKED = Locked
USER_ERRORS = (
    BrokenExecutor,  # the second process of `init` was killed: too little memory
    CheckError,
    DatabaseFault,  # a full disk, a file that is no database
    OSError,  # a home that cannot be written
    FactError,
    ImportRefused,
    Locked,
    NoGeneration,
    NotShareable,
    PublishError,
    RegistryError,
    BundleError,
    NotRedistributable,
    UsageError,
)
