"""Ways in which later versions of a file break, applied to the bytes of a real one; and ways in which homes do."""

import json
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchhealth.warehouse.read import CURRENT, PUBLISHED_FOLDER, current_path
from benchhealth.warehouse.store import DATABASE

DECIMAL = re.compile(rb"(?<![\w.+-])(\d{1,5}\.\d+)(?![\w.])")
RATING = re.compile(rb"(?<![\w./+-])(\d{3,4})(?![\w./-])")
KEY = re.compile(rb'"([A-Za-z][\w @%./()+-]*)"(\s*:)')
YAML_KEY = re.compile(rb"^([- ] )([a-z_0-9]+):", re.MULTILINE)
ENTRIES = re.compile(rb"\s*\{.*\}\s*\n\s*\{")
"""A file of a JSON object a line."""
CSV_KEPT = 3
"""One line in three of a table stays."""


def web_page(_body: bytes, _names: Iterable[str]) -> bytes:
    return b"<!DOCTYPE html><html><head><title>404</title></head><body>This page moved.</body></html>"


def nothing(_body: bytes, _names: Iterable[str]) -> bytes:
    return b""


def another_unit(body: bytes, _names: Iterable[str]) -> bytes:
    """Every score is a hundredth of what it was: percentages become fractions."""
    return _scores(body).sub(lambda found: f"{float(found[1]) / 100:.6f}".encode(), body)


def shifted(body: bytes, _names: Iterable[str]) -> bytes:
    """Every score is a seventh less than it was: the questions were changed."""
    return _scores(body).sub(lambda found: f"{float(found[1]) * 6 / 7:.3f}".encode(), body)


def _scores(body: bytes) -> re.Pattern[bytes]:
    return DECIMAL if DECIMAL.search(body) else RATING


def new_schema(body: bytes, _names: Iterable[str]) -> bytes:
    """Every key or column has another name, the content stays."""
    if body.lstrip()[:1] in b"[{":
        return KEY.sub(rb'"new_\1"\2', body)
    if YAML_KEY.search(body):
        return YAML_KEY.sub(rb"\1new_\2:", body)
    lines = body.splitlines(keepends=True)
    first = next(place for place, line in enumerate(lines) if is_header(lines, place))
    mark = b"|" if lines[first].lstrip().startswith(b"|") else b"\t" if b"\t" in lines[first] else b","
    head = mark.join(b" new " + cell.strip() if cell.strip() else cell for cell in lines[first].rstrip().split(mark))
    return b"".join([*lines[:first], head + b"\n", *lines[first + 1 :]])


def is_header(lines: list[bytes], place: int) -> bool:
    """The first line of a CSV file, or the line above the rule of a Markdown table."""
    table = any(line.startswith(b"|--") or line.startswith(b"|:-") or line.startswith(b"| -") for line in lines)
    if not table:
        return place == 0
    return place + 1 < len(lines) and re.match(rb"\|\s*:?-", lines[place + 1]) is not None


def reset(body: bytes, names: Iterable[str]) -> bytes:
    """The whole board begins anew: other models, other scores."""
    for name in sorted(set(names), key=len, reverse=True):
        body = body.replace(name.encode(), f"Zz{name[::-1].title()}9".encode()).replace(
            json.dumps(name)[1:-1].encode(), b"Zz" + json.dumps(name[::-1].title())[1:-1].encode()
        )
    return shifted(body, names)


def no_rows(body: bytes, _names: Iterable[str]) -> bytes:
    """The head of the table, and nothing under it."""
    start = body.lstrip()[:1]
    if start == b"[":
        return b"[]"
    if start == b"{":
        return b"{}"
    if YAML_KEY.search(body):
        return b"[]\n"
    lines = body.splitlines(keepends=True)
    first = next(place for place in range(len(lines)) if is_header(lines, place))
    rule = 2 if lines[first].lstrip().startswith(b"|") else 1
    return b"".join(lines[: first + rule])


def thinned(body: bytes, _names: Iterable[str]) -> bytes:
    """A table of lines loses two in three."""
    if ENTRIES.match(body):
        return b"".join(body.splitlines(keepends=True)[::CSV_KEPT])
    if body.lstrip()[:1] in b"[{":
        return json.dumps(_thin(json.loads(body))).encode()
    if YAML_KEY.search(body):
        entries = re.split(rb"^(?=- )", body, flags=re.MULTILINE)
        return b"".join(entries[:1] + entries[1::CSV_KEPT])
    lines = body.splitlines(keepends=True)
    first = next(place for place in range(len(lines)) if is_header(lines, place))
    rule = 2 if lines[first].lstrip().startswith(b"|") else 1
    return b"".join([*lines[: first + rule], *lines[first + rule :: CSV_KEPT]])


def _thin(value: object) -> object:
    """The longest list or mapping within, one entry in three kept."""
    if isinstance(value, list):
        return [_thin(entry) for entry in value[::CSV_KEPT]] if len(value) >= 10 else [_thin(one) for one in value]
    if isinstance(value, dict):
        items = list(value.items())
        return dict(items[::CSV_KEPT] if len(items) >= 20 else [(key, _thin(entry)) for key, entry in items])
    return value


BREAKAGES: tuple[Callable[[bytes, Iterable[str]], bytes], ...] = (
    web_page,
    nothing,
    another_unit,
    shifted,
    new_schema,
    reset,
    no_rows,
    thinned,
)


@dataclass(frozen=True)
class Damage:
    """One way in which a home is damaged: `apply` does it and returns the file that a message should name.

    `part` is what is hit: facts, generation, link or body.
    """

    name: str
    part: str
    apply: Callable[[Path], Path]

    @property
    def leaves_in_service(self) -> bool:
        """Whether the generation that was in service still is."""
        return self.part in ("facts", "body")

    @property
    def leaves_any(self) -> bool:
        """Whether a generation is there still, this one or one before it."""
        return not self.name.startswith("published")


def write_garbage(file: Path, share_before: float) -> None:
    """Garbage in the file, `at` from 0 (its beginning) to 1 (its end); more than a block, which may be half empty."""
    with file.open("r+b") as opened:
        opened.seek(int(file.stat().st_size * share_before))
        opened.write(b"garbage!" * 50_000)


def at_table(file: Path, table: str) -> float:
    """Where rows of a table surely lie, from 0 (the file's beginning) to 1; 0 where it has none that are stored."""
    return block_of(file, table) / file.stat().st_size


def block_of(file: Path, table: str) -> int:
    """The byte at which a block with rows of a table begins: after three headers, some blocks are free. 0 for none."""
    with duckdb.connect(file, read_only=True) as connection:
        used = f"SELECT min(block_id) FROM pragma_storage_info('{table}') WHERE block_id >= 0"
        (block,) = connection.sql(used).fetchone() or (None,)
        (size,) = connection.sql("SELECT block_size FROM pragma_database_size()").fetchone() or (0,)
    return 0 if block is None else int(3 * 4096 + block * size)


def _facts(home: Path) -> Path:
    return home / DATABASE


def _body(home: Path) -> Path:
    return min((home / "raw").glob("*/*.gz"))


def _link(home: Path) -> Path:
    return home / PUBLISHED_FOLDER / CURRENT


def _with_garbage(find: Callable[[Path], Path], share_before: float) -> Callable[[Path], Path]:
    def apply(home: Path) -> Path:
        file = find(home)
        write_garbage(file, share_before)
        return file

    return apply


def _in_table(table: str) -> Callable[[Path], Path]:
    def apply(home: Path) -> Path:
        write_garbage(_facts(home), at_table(_facts(home), table))
        return _facts(home)

    return apply


def _cut(find: Callable[[Path], Path], share: float) -> Callable[[Path], Path]:
    def apply(home: Path) -> Path:
        file = find(home)
        with file.open("r+b") as opened:
            opened.truncate(int(file.stat().st_size * share))
        return file

    return apply


def _gone(find: Callable[[Path], Path]) -> Callable[[Path], Path]:
    def apply(home: Path) -> Path:
        file = find(home)
        file.unlink()
        return file

    return apply


def _folder_instead(find: Callable[[Path], Path]) -> Callable[[Path], Path]:
    def apply(home: Path) -> Path:
        file = find(home)
        file.unlink()
        file.mkdir()
        (file / "stray").touch()
        return file

    return apply


def _garbage_as_wal(home: Path) -> Path:
    """What a power cut may leave of transactions that were not in the database yet."""
    wal = home / f"{DATABASE}.wal"
    wal.write_bytes(b"garbage!" * 1_000)
    return wal


def _dangling(home: Path) -> Path:
    _link(home).unlink()
    _link(home).symlink_to("gen-20200101T000000Z-000099.duckdb")
    return _link(home)


def _file_for_link(home: Path) -> Path:
    _link(home).unlink()
    _link(home).write_bytes(b"no link")
    return _link(home)


def _no_folder(home: Path) -> Path:
    shutil.rmtree(home / PUBLISHED_FOLDER)
    return home / PUBLISHED_FOLDER


def _file_for_folder(home: Path) -> Path:
    _no_folder(home).write_bytes(b"no folder")
    return home / PUBLISHED_FOLDER


DAMAGES: tuple[Damage, ...] = (
    Damage("facts: garbage at the beginning", "facts", _with_garbage(_facts, 0.0)),
    Damage("facts: garbage among the results", "facts", _in_table("result")),
    Damage("facts: garbage in the ledger", "facts", _in_table("ledger")),
    Damage("facts: cut in half", "facts", _cut(_facts, 0.5)),
    Damage("facts: empty", "facts", _cut(_facts, 0.0)),
    Damage("facts: gone", "facts", _gone(_facts)),
    Damage("facts: a folder in their place", "facts", _folder_instead(_facts)),
    Damage("facts: a WAL of garbage", "facts", _garbage_as_wal),
    Damage("generation: garbage at the beginning", "generation", _with_garbage(current_path, 0.0)),
    Damage("generation: garbage in the middle", "generation", _with_garbage(current_path, 0.5)),
    Damage("generation: cut in half", "generation", _cut(current_path, 0.5)),
    Damage("generation: gone", "generation", _gone(current_path)),
    Damage("link: gone", "link", _gone(_link)),
    Damage("link: names nothing", "link", _dangling),
    Damage("link: a file in its place", "link", _file_for_link),
    Damage("link: a folder in its place", "link", _folder_instead(_link)),
    Damage("published: gone", "link", _no_folder),
    Damage("published: a file in its place", "link", _file_for_folder),
    Damage("body: garbage", "body", _with_garbage(_body, 0.0)),
    Damage("body: cut in half", "body", _cut(_body, 0.5)),
    Damage("body: gone", "body", _gone(_body)),
)
"""Every file of a home that has facts, a generation in service and a raw body, damaged in the ways that disks know."""
