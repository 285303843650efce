"""An address s3://bucket/prefix: small questions to it, each with its own limit of time."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from benchhealth.warehouse.objects.access import Access, AddressError

TIMEOUT = "60s"
"""For one request; a piece of a generation is one."""
CONNECT_TIMEOUT = "5s"
RETRIES = 3
PIECE = 8 * 1024 * 1024
"""Bytes of a generation that are asked for at once."""


class ObjectsError(OSError):
    """The object store cannot be reached, or does not hold what it should."""


class MovedError(ObjectsError):
    """Another writer changed the object between our reading and our writing it."""


@dataclass(frozen=True)
class Answer:
    """An object's bytes, with its tag (ETag), which the next version does not share."""

    body: bytes
    etag: str


class Bucket:
    """The objects below an address; for many threads."""

    def __init__(self, address: str, access: Access) -> None:
        """Raises AddressError for what is no s3://bucket/prefix, ObjectsError where the client is not installed."""
        name, _, prefix = address.removeprefix("s3://").partition("/")
        if not address.startswith("s3://") or not name:
            raise AddressError(f"{address!r} is no object address; it should be s3://bucket/prefix")
        self.address = address.rstrip("/")
        self._client = _client()
        keys = {
            "access_key_id": access.key_id,
            "secret_access_key": access.secret_key,
            "session_token": access.token,
            "endpoint": access.endpoint,
        }
        self._store = import_module("obstore.store").S3Store(
            name,
            prefix=prefix.strip("/") or None,
            region=access.region,
            client_options={"allow_http": True, "timeout": TIMEOUT, "connect_timeout": CONNECT_TIMEOUT},
            retry_config={"max_retries": RETRIES},
            **{key: value for key, value in keys.items() if value},
        )

    def get(self, name: str, *, unless: str = "") -> Answer | None:
        """An object's bytes; None where it still is the version with the tag `unless`.

        Raises FileNotFoundError where there is no such object, ObjectsError.
        """
        with self._explained(name):
            try:
                answer = self._client.get(self._store, name, options={"if_none_match": unless} if unless else {})
                return Answer(bytes(answer.bytes()), str(answer.meta["e_tag"]))
            except self._client.exceptions.NotModifiedError:
                return None

    def pieces(self, name: str, size: int) -> Iterator[bytes]:
        """An object of that many bytes piece by piece, so that a slow answer costs one piece. Raises as `get`."""
        for start in range(0, size, PIECE):
            with self._explained(name):
                yield bytes(self._client.get_range(self._store, name, start=start, length=min(PIECE, size - start)))

    def put_file(self, name: str, path: Path) -> None:
        """Store a file whole. Raises ObjectsError."""
        with self._explained(name):
            self._client.put(self._store, name, path)

    def put_if(self, name: str, body: bytes, *, etag: str | None) -> None:
        """Store an object where the present one still has that tag, or where there is none (None).

        Raises MovedError where it is another one, ObjectsError.
        """
        with self._explained(name):
            self._client.put(self._store, name, body, mode={"e_tag": etag} if etag else "create", use_multipart=False)

    def names(self) -> list[str]:
        """The names of all objects here, sorted. Raises ObjectsError."""
        with self._explained(""):
            return sorted(
                listed["path"].rpartition("/")[2] for page in self._client.list(self._store) for listed in page
            )

    def delete(self, name: str) -> None:
        """Delete an object. Raises ObjectsError."""
        with self._explained(name):
            self._client.delete(self._store, name)

    @contextmanager
    def _explained(self, name: str) -> Iterator[None]:
        """Turn errors of the storage client into ObjectsError, with one line each."""
        wrong = self._client.exceptions
        where = f"{self.address}/{name}"
        try:
            yield
        except (ObjectsError, FileNotFoundError):
            raise
        except (wrong.PreconditionError, wrong.AlreadyExistsError) as error:
            raise MovedError(f"{where} was changed by another run meanwhile") from error
        except wrong.BaseError as error:
            why = str(error).partition("\n")[0]
            raise ObjectsError(f"{where} cannot be reached or used: {why}") from error


def _client() -> Any:  # noqa: ANN401 - a module that is an extra, and imported where it is asked for
    try:
        return import_module("obstore")
    except ImportError as error:
        raise ObjectsError(
            "an object address needs the package obstore: install benchhealth with its extra `lake`"
        ) from error
