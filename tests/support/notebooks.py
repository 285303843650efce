"""The notebooks of the documentation, run as a reader would, in a process of their own; and as pages of Markdown.

`python -m tests.support.notebooks FOLDER [NAME]...` runs all, or these, and writes a page each into the folder.
Whatever a cell raises ends it.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from nbformat import NotebookNode

NOTEBOOKS = Path(__file__).parents[2] / "docs" / "notebooks"
SECONDS = 900
"""For one cell: the longest assesses all bundled facts, on a machine that others use too."""

SHOWN = ("text/markdown", "text/html", "text/plain")
FIGURE = "application/vnd.plotly.v1+json"


def named() -> list[str]:
    """The names of all notebooks, in their order."""
    return sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))


def executed(name: str) -> NotebookNode:
    """The notebook with what its cells print. Raises CellExecutionError where one fails."""
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    with TemporaryDirectory() as folder:
        kernel = KernelManager(kernel_name="python3", transport="ipc", ip=f"{folder}/kernel")
        return NotebookClient(notebook, km=kernel, timeout=SECONDS).execute()


def as_markdown(notebook: NotebookNode) -> str:
    """The notebook as a page: cells with what they print below them."""
    parts: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        else:
            parts.append(f"```python\n{cell.source}\n```")
            parts += [shown for output in cell.outputs if (shown := _output(output))]
    return "\n\n".join(parts) + "\n"


def _output(output: Mapping[str, Any]) -> str:
    if output["output_type"] == "stream":
        return _lines(output["text"])
    data = output.get("data", {})
    if FIGURE in data:
        return f"> A figure: {data[FIGURE]['layout']['meta']['alt']}"
    kind = next((kind for kind in SHOWN if kind in data), None)
    if kind is None:
        return ""
    return str(data[kind]) if kind != "text/plain" else _lines(data[kind])


def _lines(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"


def main() -> None:
    """As the module says."""
    folder, *names = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name in names or named():
        (Path(folder) / f"{name}.md").write_text(as_markdown(executed(name)), encoding="utf-8")
        print(name, flush=True)


if __name__ == "__main__":
    main()
