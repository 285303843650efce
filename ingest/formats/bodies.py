"""The forms that bodies come in: strict CSV, JSON, YAML and TOML, with the address of every record and value kept."""

import csv
import io
import json
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, TypeVar

import yaml

from benchhealth.ingest.names.identity import printable
from benchhealth.ingest.rows import PayloadError

MOST_LINES = 500_000
MOST_COLUMNS = 10_000
LARGEST_YAML = 4 * 2**20
"""Ten and more times what any table here has: what is larger is not one of them, and would take memory and hours."""

Entry = Mapping[str, object]
"""An object of a JSON or YAML document: its values by key."""

_AFTER_BLANKS = re.compile(r"[ \t\r\n]*")


class Record(NamedTuple):
    """One line of a table: its number in the file, its cells by column, and what is wrong with it (or empty)."""

    line: int
    cells: dict[str, str]
    problem: str


def read_text(body: bytes) -> str:
    """Decode UTF-8 (with or without a mark). Raises PayloadError for anything else, for nothing, and for a web page."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PayloadError(f"not UTF-8: {error.reason} at byte {error.start}") from error
    start = text.lstrip()[:200].casefold()
    if not start:
        raise PayloadError("empty")
    if start.startswith(("<!doctype", "<html", "<head", "<?xml")):
        raise PayloadError("a web page, not a table")
    return text


def read_csv(body: bytes, required: Collection[str], *, delimiter: str = ",", empty: str = "") -> list[Record]:
    """Read a table whose first line names at least the `required` columns, each once; cells end at `delimiter`.

    Blank lines are skipped. A line with too few or too many cells is a record with a problem, to be rejected.
    Raises PayloadError where the bytes are not such a table, and where there is no line and `empty` says what that is.
    """
    reader = csv.reader(io.StringIO(read_text(body), newline=""), delimiter=delimiter, strict=True)
    records: list[Record] = []
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(header, required)
        line = reader.line_num + 1
        for cells in reader:
            if len(records) >= MOST_LINES:
                raise PayloadError(f"more than {MOST_LINES} lines")
            if any(cell.strip() for cell in cells):
                wrong = len(cells) != len(header)
                problem = f"{len(cells)} cells under {len(header)} columns" if wrong else ""
                padded = cells + [""] * (len(header) - len(cells))
                records.append(Record(line, dict(zip(header, padded, strict=False)), problem))
            line = reader.line_num + 1
    except csv.Error as error:
        raise PayloadError(f"not a table: {error} near line {reader.line_num}") from error
    if empty and not records:
        raise PayloadError(empty)
    return records


def _check_header(header: list[str], required: Collection[str]) -> None:
    if len(header) > MOST_COLUMNS:
        raise PayloadError(f"{len(header)} columns")
    missing = [name for name in required if name not in header]
    if missing:
        raise PayloadError(f"columns not found: {', '.join(missing)}; the first line is {header[:12]!r}")
    repeated = sorted(name for name, times in Counter(header).items() if name and times > 1)[:5]
    if repeated:
        raise PayloadError(f"columns named twice: {', '.join(repeated)}")


def read_json(body: bytes) -> object:
    """Read JSON with its numbers as the text that was published. Raises PayloadError, also for a key given twice."""
    try:
        return json.loads(
            read_text(body), parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_each_key_once
        )
    except (json.JSONDecodeError, RecursionError) as error:
        raise PayloadError(f"not JSON: {error}") from error


def read_object(body: bytes, otherwise: str) -> dict[str, object]:
    """Read JSON that is an object with at least one key. Raises PayloadError, with `otherwise` where it is none."""
    document = read_json(body)
    if not isinstance(document, dict) or not document:
        raise PayloadError(otherwise)
    return document


def value_at(document: object, *keys: str) -> object:
    """The value under these keys, each inside the one before; None where one of them is not there."""
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document


def object_at(document: object, *keys: str) -> Entry:
    """The object under these keys, the document itself without keys; an empty one where there is none."""
    value = value_at(document, *keys)
    return value if isinstance(value, dict) else {}


def list_of(value: object, otherwise: str) -> list[object]:
    """A list with at least one element. Raises PayloadError, with `otherwise`, where it is none."""
    if not isinstance(value, list) or not value:
        raise PayloadError(otherwise)
    return value


def objects_of(value: object, otherwise: str, *fields: str) -> list[Entry]:
    """A list with at least one element, all of them objects with these fields. Raises PayloadError like `list_of`."""
    listed = list_of(value, otherwise)
    entries: list[Entry] = [entry for entry in listed if isinstance(entry, dict) and entry.keys() >= set(fields)]
    if len(entries) < len(listed):
        raise PayloadError(otherwise)
    return entries


def read_json_list(body: bytes) -> Iterator[object]:
    """The elements of a JSON list as `read_json` reads them, one at a time: a long list is never in memory as a whole.

    Raises PayloadError where the bytes are no such list, also after some elements.
    """
    text = read_text(body)
    decoder = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_each_key_once)
    position = _AFTER_BLANKS.match(text, 0).end()  # type: ignore[union-attr]  # it matches the empty text too
    if text[position] != "[":
        raise PayloadError("not a list")
    mark = "["
    while mark != "]":
        position = _AFTER_BLANKS.match(text, position + 1).end()  # type: ignore[union-attr]
        if mark == "[" and text[position : position + 1] == "]":
            mark = "]"
            continue
        try:
            element, position = decoder.raw_decode(text, position)
        except (json.JSONDecodeError, RecursionError) as error:
            raise PayloadError(f"not JSON: {error}") from error
        yield element
        position = _AFTER_BLANKS.match(text, position).end()  # type: ignore[union-attr]
        mark = text[position : position + 1]
        if mark not in (",", "]"):
            raise PayloadError(f"not JSON: no comma at character {position}")
    if text[position + 1 :].strip():
        raise PayloadError("not JSON: more than one list")


def read_yaml(body: bytes) -> object:
    """Read YAML as text, lists and mappings, with every scalar as it was published. Raises PayloadError."""
    if len(body) > LARGEST_YAML:
        raise PayloadError(f"YAML of {len(body)} bytes")
    try:
        # BaseLoader builds nothing but text, lists and mappings.
        return yaml.load(read_text(body), Loader=yaml.BaseLoader)  # noqa: S506
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        if isinstance(error, PayloadError):
            raise
        raise PayloadError(f"not YAML: {str(error)[:200]}") from error


def read_toml(body: bytes) -> dict[str, object]:
    """Read TOML; bare days are dates, as the format has it. Raises PayloadError where the bytes are not TOML."""
    try:
        return tomllib.loads(read_text(body))
    except tomllib.TOMLDecodeError as error:
        raise PayloadError(f"not TOML: {error}") from error
    except RecursionError as error:
        raise PayloadError("not TOML: too deeply nested") from error


def _each_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keyed = dict(pairs)
    # All keys at once: a file may have as many objects as numbers.
    letters = "".join(keyed)
    if not letters.isascii() and any("\ud800" <= letter <= "\udfff" for letter in letters):
        raise PayloadError("a key that is not text: half a surrogate pair")
    if len(keyed) != len(pairs):
        times = Counter(key for key, _ in pairs)
        raise PayloadError(f"keys given twice: {sorted(key for key in times if times[key] > 1)[:5]}")
    return keyed


_WEIGHTS = re.compile(r"https://huggingface\.co/([^/?#\s]+)/[^/?#\s]+")
_PORTS = frozenset({"llava-hf", "spaces", "papers", "blog", "docs", "datasets", "collections"})
"""First parts of a path that name no owner: pages of the hub itself, and accounts that port models of others."""

_NOT_A_SLUG = re.compile(r"[^a-z0-9.]+")

Declared = TypeVar("Declared")


def declared_file(files: Mapping[str, Declared], path: str) -> Declared:
    """What a source declares of a file by its name, in whatever folder. Raises PayloadError where it declares none."""
    name = path.rsplit("/", 1)[-1]
    if name not in files:
        raise PayloadError(f"not a file of this source: {path}")
    return files[name]


def path_parts(pattern: re.Pattern[str], path: str) -> re.Match[str]:
    """The match of a whole path. Raises PayloadError where it is not of the `pattern`, and so none of the source's."""
    match = pattern.fullmatch(path)
    if match is None:
        raise PayloadError(f"not a file of this source: {path}")
    return match


def pointer(*steps: object) -> str:
    """The address of a value in a JSON document: `/data/3/score`, as RFC 6901 writes it."""
    return "".join("/" + printable(str(step)).replace("~", "~0").replace("/", "~1") for step in steps)


def owner_of(link: str) -> str:
    """Who published the weights that a link leads to, by their repository; empty where it leads elsewhere."""
    match = _WEIGHTS.match(link.strip())
    return match[1] if match and match[1] not in _PORTS else ""


def slug(words: str) -> str:
    """A published word as it stands in a benchmark_id: `AMPS_Hard` is `amps-hard`, empty where nothing is left."""
    return _NOT_A_SLUG.sub("-", words.casefold()).strip("-.")


def as_text(value: object) -> str:
    """A JSON scalar as the text that was published, empty for null; what is no scalar is named by its kind."""
    if isinstance(value, str):
        return value if value.isascii() and value.isprintable() else printable(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return {"dict": "(an object)", "list": "(a list)"}.get(type(value).__name__, str(value))
