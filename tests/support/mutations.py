"""Payloads as broken hosts, careless curators and hostile ones would send them: a body, changed by chance."""

import csv
import io
import json
import random
import re
from collections.abc import Callable, Sequence

MARKS = re.compile(rb"([\n,:|{}\[\]\t])")
"""What stands between the cells, keys, values and lines of most formats."""

DEEP = 1_000
"""Beyond what recursion reaches, and not so far that every reader of YAML takes a second over it."""

LONG = 5_000

SNIPPETS = (
    *(b"", b"\x00", b"\xff", b"\xed\xa0\x80", b'"', b"'", b",", b"\n", b"\r", b"\r\n", b"\t", b"{", b"}", b"[", b"]"),
    *(b"NaN", b"Infinity", b"-1e999", b"1e-999", b"99999999999999999999", b"-0", b"0x1F", b"1_000", b"1,013.01"),
    *(b"null", b"true", b"~", b"[[[[", b"\\ud800", b"\\u0000", b"&a [*a]", b"!!python/object:os.system", b"- - -"),
    *("±".encode(), "\u202e".encode(), "٣".encode(), "½".encode(), "\u200b".encode(), "\u2126".encode(), "🦜".encode()),
    *(b"2024-02-30", b"9999-12-31", b"0000-00-00", b"1e5%", b"50%%", b"5-shot", b"../../etc/passwd", b"|", b"|---|"),
    *(b"=HYPERLINK(1)", b"<script>x</script>", b"</td>", b"<!-- ", b"%00", b"$x$", b"{{7*7}}", b"A" * LONG, b"9" * 400),
)
AGAIN = (
    b" ",
    b"\t",
    b"#",
    b"(",
    b"[",
    b"[]",
    b"<a ",
    b"|-",
    b"| ",
    b"-",
    b"*",
    b"_",
    b"a_",
    b"a-",
    b",",
    b".",
    b"0",
    b"a ",
    b"+/",
)
"""What is repeated thousands of times: a pattern that looks for it anew from every place takes its time."""
"""Cells and scraps that some reader somewhere has stumbled over."""

VALUES: tuple[object, ...] = (
    *(None, True, False, 0, -1, 1, 10**30, -(10**30), 0.1, 1e308, float("nan"), float("inf"), float("-inf"), 101, 1.5),
    *("", " ", "-", "n/a", "NaN", "1e999", "12", "12%", "2024-01-01", "2024-13-01", "x" * LONG, "\x00", "\ud800"),
    *("\u202egpt", "٣٤", "../../x", "=1+1", "<b>x</b>", "true", [], {}, [[]], [None], {"": None}, {"a": {"b": []}}),
    *([1, 2, 3], ["x"], [{"name": "a"}], {"0": 1}, {"score": "1", "model": ["a"]}),
)
"""Values of every type, to stand where another is expected."""

WEB_PAGES = (b"<!DOCTYPE html><html><body>404</body></html>", b"<html><head>x", b"<?xml version='1.0'?><e/>")

Change = Callable[[bytes, random.Random], bytes]


def mutated(body: bytes, chance: random.Random) -> bytes:
    """The body after one to three changes; now and then one that leaves nothing of it."""
    if chance.random() < 0.02:
        return instead(body, chance)
    if body.lstrip()[:1] in (b"{", b"[") and chance.random() < 0.6:
        return of_values(body, chance)
    for _ in range(chance.choice((1, 1, 2, 3))):
        body = chance.choice(CHANGES)(body, chance)
    return body


def instead(body: bytes, chance: random.Random) -> bytes:
    """Something else than the body: nothing, a web page, noise, another encoding, depth without end."""
    deep = chance.choice((b"[", b"{", b'{"a":', b"- ", b"a:\n ", b"(", b"'"))
    return chance.choice(
        (
            *WEB_PAGES,
            *(b"", b" ", b"\n\n", b"\x00", b"\xef\xbb\xbf", b"[]", b"{}", b"null", b'""', b"0", b"NaN", b",", b"|"),
            chance.randbytes(chance.randint(1, 200)),
            body.decode("utf-8", "replace").encode("utf-16"),
            deep * DEEP,
            deep * DEEP + body,
            b'{"a":' * 300 + b"1" + b"}" * 300,
            b"\xef\xbb\xbf" * 2 + body,
            b"PK\x03\x04" + body,
            b"\x1f\x8b" + body,
        )
    )


def flipped(body: bytes, chance: random.Random) -> bytes:
    """Some bits are others."""
    changed = bytearray(body)
    for _ in range(chance.randint(1, 4)):
        if changed:
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def inserted(body: bytes, chance: random.Random) -> bytes:
    """A scrap stands in place of some bytes."""
    position = chance.randint(0, len(body))
    what = chance.random()
    if what < 0.1:
        scrap = chance.choice(AGAIN) * (LONG // 2) + chance.choice(SNIPPETS)[:9]
    else:
        scrap = chance.choice(SNIPPETS) if what < 0.7 else chance.randbytes(chance.randint(0, 4))
    return body[:position] + scrap + body[position + chance.randint(0, 6) :]


def cut(body: bytes, chance: random.Random) -> bytes:
    """The body ends early, begins late, or lacks something in between."""
    one, other = sorted((chance.randint(0, len(body)), chance.randint(0, len(body))))
    return chance.choice((body[:one], body[one:], body[:one] + body[other:]))


def doubled(body: bytes, chance: random.Random) -> bytes:
    """The body, or a part of it, comes twice."""
    one, other = sorted((chance.randint(0, len(body)), chance.randint(0, len(body))))
    return chance.choice((body + body, body[:other] + body[one:]))


def rearranged(body: bytes, chance: random.Random) -> bytes:
    """A piece between two marks is dropped, doubled, exchanged, replaced, or the last one."""
    pieces = MARKS.split(body)
    one, other = chance.randrange(len(pieces)), chance.randrange(len(pieces))
    what = chance.randrange(6)
    if what == 0:
        del pieces[one]
    elif what == 1:
        pieces.insert(other, pieces[one])
    elif what == 2:
        pieces[one], pieces[other] = pieces[other], pieces[one]
    elif what == 3:
        del pieces[one:]
    else:
        pieces[one] = chance.choice(SNIPPETS)
    return b"".join(pieces)


def of_lines(body: bytes, chance: random.Random) -> bytes:
    """Lines are lost, doubled, exchanged, indented, or end in another way."""
    lines = body.splitlines(keepends=True) or [b""]
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    what = chance.randrange(6)
    if what == 0:
        del lines[one]
    elif what == 1:
        lines.insert(other, lines[one])
    elif what == 2:
        lines[one], lines[other] = lines[other], lines[one]
    elif what == 3:
        lines[one] = chance.choice((b" ", b"\t", b"  - ", b"#", b"> ")) + lines[one]
    elif what == 4:
        return body.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\n", b"\x0b", b"\xe2\x80\xa8")))
    else:
        lines[one:] = lines[:one][::-1]
    return b"".join(lines)


def of_cells(body: bytes, chance: random.Random) -> bytes:
    """A table whose columns were dropped, doubled, renamed or exchanged, or whose cells are of another kind."""
    mark = max((",", "\t", "|"), key=lambda each: body.count(each.encode()))
    rows = [line.split(mark) for line in body.decode("utf-8", "replace").split("\n")]
    wide = max(len(row) for row in rows)
    one, other, what = chance.randrange(wide), chance.randrange(wide), chance.randrange(5)
    if what == 4:
        row = chance.choice(rows)
        row[chance.randrange(len(row))] = _as_text(chance.choice(VALUES))
    for row in rows:
        if max(one, other) >= len(row):
            continue
        if what == 0:
            del row[one]
        elif what == 1:
            row.insert(other, row[one])
        elif what == 2:
            row[one], row[other] = row[other], row[one]
        elif what == 3 and row is not rows[0]:
            row[one] = _as_text(chance.choice(VALUES))
    return "\n".join(mark.join(row) for row in rows).encode("utf-8", "surrogatepass")


def of_values(body: bytes, chance: random.Random) -> bytes:
    """JSON of which some values are of another type, or gone; JSON is YAML as well. Other bodies as `inserted`."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return inserted(body, chance)
    for _ in range(chance.randint(1, 3)):
        document = _changed(document, chance)
    return json.dumps(document, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")


def _changed(value: object, chance: random.Random) -> object:
    if not isinstance(value, dict | list) or not value or chance.random() < 0.04:
        return chance.choice(VALUES)
    if isinstance(value, list):
        position = chance.randrange(len(value))
        changed = (
            value[:position]
            + ([] if chance.random() < 0.1 else [_changed(value[position], chance)])
            + value[position + 1 :]
        )
        return [*changed, value[position]] if chance.random() < 0.1 else changed
    key = chance.choice(list(value))
    if chance.random() < 0.05:
        return {name: one for name, one in value.items() if name != key}
    if chance.random() < 0.03:
        return {("" if name == key else name): one for name, one in value.items()}
    return value | {key: _changed(value[key], chance)}


def _as_text(value: object) -> str:
    if isinstance(value, str):
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow([value])
        return line.getvalue()
    return json.dumps(value)


CHANGES: Sequence[Change] = (
    flipped,
    inserted,
    inserted,
    cut,
    doubled,
    rearranged,
    rearranged,
    of_lines,
    of_cells,
    of_cells,
    of_values,
    of_values,
    of_values,
)
