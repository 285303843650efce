"""How the tables of a generation are computed from one another, in text and as a picture.

`python -m benchhealth.analytics.described` prints the one, with `--svg` the other.
"""

import sys
from collections.abc import Callable

from benchhealth.analytics.drawing import drawn
from benchhealth.analytics.graph import ENTRIES, GIVEN
from benchhealth.analytics.record.tables import COMPLETED, DERIVED
from benchhealth.analytics.schedule import Field


def described() -> str:
    """The graph in text, a line for each entry: whether it is a published table, its name, its inputs, its function."""
    published = {*DERIVED, *COMPLETED}
    lines = [f"given {', '.join(GIVEN)}"]
    for entry in ENTRIES:
        mark = "table" if entry.name in published else "step "
        lines.append(f"{mark} {entry.name} <- {', '.join(entry.inputs) or 'nothing'} [{_where(entry.function)}]")
    return "\n".join(lines)


def _where(function: Callable[..., object]) -> str:
    if isinstance(function, Field):
        return "a field of it"
    room = function.__module__.removeprefix("benchhealth.analytics.")
    return f"{room}.{function.__name__}"


def picture() -> str:
    """The graph of steps and tables as the SVG of docs/graph.svg."""
    return drawn({entry.name: entry.inputs for entry in ENTRIES}, (*DERIVED, *COMPLETED))


if __name__ == "__main__":
    print(picture() if sys.argv[1:] == ["--svg"] else described(), end="" if sys.argv[1:] else "\n")
