"""How the tables of a generation are computed from one another, in text and as a picture.

`python -m benchhealth.analytics.described` prints the one, with `--svg` the other.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from html import escape

from benchhealth.analytics.graph import ENTRIES, GIVEN
from benchhealth.analytics.record.tables import COMPLETED, DERIVED
from benchhealth.analytics.schedule import Field

WIDE, HIGH = 230, 26
"""Pixels from one column, and from one row, to the next."""
_BOX, _TALL = 176, 20
_STYLE = (
    "text{font:11px sans-serif;fill:#1f2933}rect{fill:#fff;stroke:#7b8794;rx:3}.table{fill:#e3f0ff;stroke:#1b5fa8}"
    ".given{fill:#f1f1ee;stroke:#7b8794}path{fill:none;stroke:#9aa5b1;stroke-opacity:.55}"
)


def picture() -> str:
    """The graph of steps and tables as the SVG of docs/graph.svg; what no entry makes is given from outside."""
    inputs = {entry.name: entry.inputs for entry in ENTRIES}
    columns = list(enumerate(_columns(inputs)))
    corners = {
        name: (20 + column * WIDE, 20 + row * HIGH) for column, names in columns for row, name in enumerate(names)
    }
    width, height = len(columns) * WIDE + 20, max((len(names) for _, names in columns), default=0) * HIGH + 20
    lines = [
        _edge(corners[input_name], corners[name]) for name, input_names in inputs.items() for input_name in input_names
    ]
    boxes = [
        _box(name, column, "given" if name not in inputs else "table" if name in (*DERIVED, *COMPLETED) else "step")
        for name, column in corners.items()
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            "<title>How the tables of a generation are computed from one another</title>",
            f"<style>{_STYLE}</style>",
            *lines,
            *boxes,
            "</svg>",
            "",
        ]
    )


def _columns(inputs: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The names by how many steps are before each, those that are given first."""
    depth: dict[str, int] = {}

    def deep(name: str) -> int:
        if name not in depth:
            depth[name] = 1 + max((deep(input_name) for input_name in inputs[name]), default=0) if name in inputs else 0
        return depth[name]

    for name in inputs:
        deep(name)
    columns: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for name, column in depth.items():
        columns[column].append(name)
    return columns


def _edge(begin: tuple[int, int], end: tuple[int, int]) -> str:
    (x, y), (to_x, to_y) = (begin[0] + _BOX, begin[1] + _TALL // 2), (end[0], end[1] + _TALL // 2)
    middle = (x + to_x) // 2
    return f'<path d="M{x} {y}C{middle} {y} {middle} {to_y} {to_x} {to_y}"/>'


def _box(name: str, corner: tuple[int, int], kind: str) -> str:
    box = f'<rect class="{kind}" x="{corner[0]}" y="{corner[1]}" width="{_BOX}" height="{_TALL}"/>'
    return f'{box}<text x="{corner[0] + 8}" y="{corner[1] + 14}">{escape(name)}</text>'


def graph_text() -> str:
    """The graph in text, a line for each entry: whether it is a published table, its name, its inputs, its function."""
    published = {*DERIVED, *COMPLETED}
    lines = [f"given {', '.join(GIVEN)}"]
    for entry in ENTRIES:
        mark = "table" if entry.name in published else "step "
        lines.append(
            f"{mark} {entry.name} <- {', '.join(entry.inputs) or 'nothing'} [{_function_address(entry.function)}]"
        )
    return "\n".join(lines)


def _function_address(function: Callable[..., object]) -> str:
    if isinstance(function, Field):
        return "a field of it"
    room = function.__module__.removeprefix("benchhealth.analytics.")
    return f"{room}.{function.__name__}"


if __name__ == "__main__":
    print(picture() if sys.argv[1:] == ["--svg"] else graph_text(), end="" if sys.argv[1:] else "\n")
