"""Ways in which later versions of a file break, applied to the bytes of a real one."""

import json
import re
from collections.abc import Callable, Iterable

DECIMAL = re.compile(rb"(?<![\w.+-])(\d{1,5}\.\d+)(?![\w.])")
RATING = re.compile(rb"(?<![\w./+-])(\d{3,4})(?![\w./-])")
KEY = re.compile(rb'"([A-Za-z][\w @%./()+-]*)"(\s*:)')
YAML_KEY = re.compile(rb"^([- ] )([a-z_0-9]+):", re.MULTILINE)
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
