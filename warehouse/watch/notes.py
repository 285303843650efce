"""Small files of a home that any process may read at any time: replaced in one step, never half written."""

import errno
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import MISSING, asdict, fields, is_dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar, get_args, get_origin, get_type_hints


class Record(Protocol):
    """Any dataclass whose fields are plain values, so that it can be written as JSON."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


Kept = TypeVar("Kept", bound=Record)


class UnreadableNote(ValueError):  # noqa: N818  it says what happened
    """A small file of the home does not hold what was once written to it."""


def write(path: Path, record: Record) -> None:
    """Put the record in place of what the file held. Raises OSError where the home cannot be written to."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        fresh.write_text(json.dumps(asdict(record), default=_json_value, indent=1))
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink()
        raise


def write_over(path: Path, record: Record, size: int) -> None:
    """Put the record where the file lies, filled up to `size` bytes: on a full disk that needs no room.

    A reader may see half of it for an instant. Raises OSError where the bytes were not taken.
    """
    text = json.dumps(asdict(record), default=_json_value, ensure_ascii=False).encode(errors="replace")
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o640)
    try:
        body = text.ljust(max(size, os.fstat(descriptor).st_size))
        written = os.pwrite(descriptor, body, 0)
        if written < len(body):
            raise OSError(errno.ENOSPC, f"{written} of {len(body)} bytes were taken", str(path))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read(path: Path, kind: type[Kept]) -> Kept | None:
    """The record in the file; None where there is no file.

    Raises UnreadableNote for anything but such a record, OSError where the file may not be read.
    """
    try:
        stored = json.loads(path.read_text())
        return _record(stored, kind)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnreadableNote(f"{path} is no record of this program ({error}); it may be deleted") from error


def _json_value(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"not a plain value: {value!r}")


def _record(stored: Mapping[str, Any], kind: type[Kept]) -> Kept:
    """What has a default may be missing: an earlier edition did not say it."""
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind) if field.name in stored or field.default is MISSING]
    return kind(**{name: _value(stored[name], hints[name]) for name in names})


def _value(stored: Any, hint: Any) -> Any:  # noqa: ANN401  what JSON holds
    """The value as the type hint has it; those that the records here use."""
    arguments: tuple[Any, ...] = get_args(hint)
    if stored is None:
        if type(None) not in arguments:
            raise ValueError("a value is missing")
        return None
    if type(None) in arguments:
        (hint,) = (argument for argument in arguments if argument is not type(None))
        return _value(stored, hint)
    if hint is datetime:
        return datetime.fromisoformat(stored)
    if get_origin(hint) is tuple:
        return tuple(_value(argument, arguments[0]) for argument in stored)
    if is_dataclass(hint) and isinstance(hint, type):
        return _record(stored, hint)
    if not isinstance(stored, (int, float) if hint is float else hint):
        raise ValueError(f"{stored!r} is no {hint.__name__}")
    return stored
