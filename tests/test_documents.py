"""What documents promise of themselves: README is short, its picture small, links lead somewhere, commands exist."""

import re
import shlex
from inspect import signature
from pathlib import Path

import pytest
from PIL import Image

from benchhealth.pipeline import cli

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "data" / "README.md"])
LINK = re.compile(r"\[[^\]]*\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)")
FENCED = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAM = ".venv/bin/benchhealth"
IMAGE_BYTES = 200_000


def anchors(document: Path) -> set[str]:
    """The addresses of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", document.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(document: Path) -> list[str]:
    """The links of a document to a file or a heading that is not there."""
    broken = []
    for path, anchor in LINK.findall(FENCED.sub("", document.read_text())):
        target = document.parent / path if path else document
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(f"{path}#{anchor}")
    return broken


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_a_heading(document: Path) -> None:
    assert broken_links(document) == []


def test_a_link_that_leads_nowhere_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One heading\n[a](page.md#one-heading) [b](#two) [c](none.md) [d](https://example.org/none)\n")
    assert broken_links(page) == ["#two", "none.md#"]


def test_readme_is_read_in_a_few_minutes() -> None:
    assert len((ROOT / "README.md").read_text().split()) <= 800


def test_the_picture_of_readme_is_a_first_page_of_a_desk_and_small() -> None:
    (path,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", (ROOT / "README.md").read_text())
    assert (ROOT / path).stat().st_size < IMAGE_BYTES
    with Image.open(ROOT / path) as picture:
        assert picture.width == 1280


def printed_commands() -> list[str]:
    """Each command with its arguments that a document tells its reader to type; several on one line apart."""
    blocks = [block for document in DOCUMENTS for block in SHELL.findall(document.read_text())]
    lines = [command for block in blocks for line in block.splitlines() for command in line.split("&&")]
    return sorted({command.strip() for command in lines if command.strip().startswith(PROGRAM)})


@pytest.mark.parametrize("command", printed_commands())
def test_the_program_understands_every_command_of_a_document(command: str) -> None:
    cli._parser().parse_args(shlex.split(command, comments=True)[1:])


def test_every_option_is_a_parameter_of_the_function_that_its_command_runs() -> None:
    choices = next(action.choices for action in cli._parser()._actions if isinstance(action.choices, dict))
    assert len(choices) == 21
    for name, parser in choices.items():
        options = {action.dest for action in parser._actions} - {"help"}
        parameters = list(signature(cli.function_of(parser.get_default("run"))).parameters)[1:]
        assert sorted(options) == sorted(parameters), name


def test_readme_prints_commands() -> None:
    assert sum(command.startswith(f"{PROGRAM} difference") for command in printed_commands()) >= 1
