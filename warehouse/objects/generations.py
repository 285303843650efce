"""Generations at an object address: immutable objects, and a small one that names the one in service."""

import hashlib
import logging
import re
import threading
import time
from dataclasses import asdict, dataclass
from json import dumps, loads
from pathlib import Path

from benchhealth.warehouse.keeping.editions import digest_of
from benchhealth.warehouse.locking import Locked
from benchhealth.warehouse.objects.bucket import Bucket, MovedError, ObjectsError
from benchhealth.warehouse.publish import KEEP, is_in_service, take_in
from benchhealth.warehouse.read import NAME, NoGeneration, current_path

LOGGER = logging.getLogger(__name__)
POINTER = "current.json"
_OBJECT = re.compile(r"gen-\d{8}T\d{6}Z-(\d+)-[0-9a-f]{12}\.duckdb")
"""`gen-<instant>-<counter>-<hash>.duckdb`; by the counter objects are in order of publication."""

_HASH = re.compile(r"[0-9a-f]{64}")

SECONDS_BETWEEN_LOOKS = 15.0
"""Seconds between two looks at the pointer."""


@dataclass(frozen=True)
class Pointer:
    """What is in service: the generation's name, the name of its object, the hash of its bytes and their number.

    Raises ValueError for values that cannot be those of a generation.
    """

    generation: str
    object: str
    sha256: str
    bytes: int

    def __post_init__(self) -> None:
        texts = (NAME, self.generation), (_OBJECT, self.object), (_HASH, self.sha256)
        if not all(isinstance(text, str) and pattern.fullmatch(text) for pattern, text in texts):
            raise ValueError("not the names and the hash of a generation")
        if type(self.bytes) is not int or self.bytes < 0:
            raise ValueError("not a number of bytes")


@dataclass(frozen=True)
class _SeenGeneration:
    pointer: Pointer
    etag: str


class Published:
    """The generations at an address, and how a home is kept in step with them."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket
        self._seen: _SeenGeneration | None = None
        self.address = bucket.address

    def hand_over(self, path: Path) -> None:
        """Upload a generation and put it in service, then delete all but the newest three.

        Raises Locked where another run has put one in service since this one last looked, ObjectsError; in both cases
        what was in service stays.
        """
        sha256 = digest_of(path)
        pointer = Pointer(path.stem, f"{path.stem}-{sha256[:12]}.duckdb", sha256, path.stat().st_size)
        self._bucket.put_file(pointer.object, path)
        try:
            self._bucket.put_if(POINTER, dumps(asdict(pointer)).encode(), etag=self._seen.etag if self._seen else None)
        except MovedError as error:
            raise Locked(f"another run published to {self._bucket.address} meanwhile; run the command again") from error
        self._delete_old(pointer.object)

    def _delete_old(self, in_service: str) -> None:
        """Delete old generations. The new one is in service already, so a failure is logged and raises nothing."""
        try:
            ours = {name: match[1] for name in self._bucket.names() if (match := _OBJECT.fullmatch(name))}
            for name in sorted(ours, key=lambda name: ours[name])[:-KEEP]:
                if name != in_service:
                    self._bucket.delete(name)
        except ObjectsError as error:
            LOGGER.warning("old generations stay at %s: %s", self._bucket.address, error)

    def fetch(self, home: Path) -> bool:
        """Put the generation in service at the address in service in this home too. Return whether it is a new one.

        Costs one small request where there is nothing new. Raises ObjectsError; the home is then as it was.
        """
        try:
            answer = self._bucket.get(POINTER, unless=self._seen.etag if self._seen else "")
        except FileNotFoundError:
            self._seen = None
            return False
        if answer is not None:
            self._seen = _SeenGeneration(_read_pointer(answer.body, self._bucket.address), answer.etag)
        assert self._seen is not None, "only a version that was seen is not answered again"
        pointer = self._seen.pointer
        if is_in_service(home, pointer.generation):
            return False
        try:
            take_in(home, pointer.generation, lambda target: self._download(pointer, target))
        except FileNotFoundError as error:
            raise ObjectsError(f"{self._bucket.address}/{pointer.object} is not there any more") from error
        LOGGER.info("took %s from %s", pointer.generation, self._bucket.address)
        return True

    def _download(self, pointer: Pointer, target: Path) -> None:
        digest = hashlib.sha256()
        with target.open("wb") as file:
            for piece in self._bucket.pieces(pointer.object, pointer.bytes):
                digest.update(piece)
                file.write(piece)
        if digest.hexdigest() != pointer.sha256:
            raise ObjectsError(f"{self._bucket.address}/{pointer.object} is not what {POINTER} says: another hash")


@dataclass(frozen=True)
class Trouble:
    """The reason why an address is not followed at present, and for how many seconds."""

    address: str
    why: str
    seconds: float


class Follower:
    """Keeps a home in step with an address from a thread; a store that fails or is slow changes nothing here."""

    def __init__(self, published: Published, home: Path, pause: float = SECONDS_BETWEEN_LOOKS) -> None:
        self._published = published
        self._home = home
        self._pause = pause
        self._ended = threading.Event()
        self._failing: tuple[str, float] | None = None

    def start(self) -> None:
        """Look once now where nothing is in service here, then from a thread, again and again."""
        try:
            current_path(self._home)
        except NoGeneration:
            self.look()
        threading.Thread(target=self._follow, name="generations", daemon=True).start()

    def stop(self) -> None:
        """Stop looking for new generations."""
        self._ended.set()

    def look(self) -> None:
        """Fetch the new generations. A failure is logged once, and once more when it is over.

        No failure ends the thread or the start: the dashboard serves what it has.
        """
        failing = self._failing
        try:
            self._published.fetch(self._home)
        except Exception as error:
            why, since = failing or ("", time.monotonic())
            reason = str(error) or type(error).__name__
            if reason != why:
                LOGGER.warning("the generation in service stays: %s", reason)
            self._failing = reason, since
        else:
            if failing:
                LOGGER.info("generations are reached again")
            self._failing = None

    def trouble(self) -> Trouble | None:
        """What went wrong with the last look; None where it went well."""
        failing = self._failing
        return failing and Trouble(self._published.address, failing[0], time.monotonic() - failing[1])

    def _follow(self) -> None:
        while not self._ended.is_set():
            self.look()
            self._ended.wait(self._pause)


def _read_pointer(body: bytes, address: str) -> Pointer:
    try:
        return Pointer(**loads(body))
    except (ValueError, TypeError, RecursionError) as error:  # no JSON, other fields, or what no generation can be
        raise ObjectsError(f"{address}/{POINTER} is no pointer to a generation: {body[:80]!r}") from error
