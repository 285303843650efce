"""How to cite a chart or a table, and how to take its rows: text, BibTeX, and lines for pandas, polars, R and SQL."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from benchhealth.dashboard.words.numbers import day_of

AUTHOR = "The benchhealth contributors"


@dataclass(frozen=True)
class Cited:
    """What is cited: the text of its citation, its title, and the addresses of the view and of its rows as CSV.

    `key` tells it from others of the generation; `known_until` is the day of the newest data, null where none is known.
    """

    text: str
    title: str
    key: str
    generation: str
    known_until: date | None
    page: str
    csv: str


def ways(cited: Cited) -> list[tuple[str, str]]:
    """What each way is called, and its lines; `csv` has no quotes in it, as addresses are encoded."""
    return [
        ("Text", cited.text),
        ("BibTeX", _bibtex(cited)),
        ("pandas", f'import pandas as pd\nrows = pd.read_csv("{cited.csv}")'),
        ("polars", _polars(cited.csv)),
        ("R", f'rows <- read.csv("{cited.csv}")'),
        ("SQL (DuckDB)", f"FROM read_csv('{cited.csv}', sample_size = -1);"),
    ]


def _polars(csv: str) -> str:
    """Given an address, polars asks for parts of the file, which are not served; so the whole is handed to it."""
    return (
        "import polars as pl\nfrom urllib.request import urlopen\n"
        f'rows = pl.read_csv(urlopen("{csv}").read(), infer_schema_length=None)'
    )


def as_text(named: Iterable[tuple[str, str]]) -> str:
    """All of it as one text, in which `# ` begins the name of each way."""
    return "\n\n".join(f"# {name}\n{lines}" for name, lines in named) + "\n"


_SPECIAL = re.compile(r"[&%$#_{}~^\\]")
_ESCAPED = {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}


def latex(text: str) -> str:
    """The text with what LaTeX takes for a command written as itself."""
    return _SPECIAL.sub(lambda found: _ESCAPED.get(found[0], f"\\{found[0]}"), text)


def _bibtex(cited: Cited) -> str:
    key = re.sub(r"[^A-Za-z0-9]+", "-", f"benchhealth-{cited.key}-{cited.generation}").strip("-")
    year = [] if cited.known_until is None else [("year", f"{cited.known_until.year}")]
    until = "" if cited.known_until is None else f"Data to {day_of(cited.known_until)}. "
    fields = [
        ("author", f"{{{AUTHOR}}}"),
        ("title", f"{{benchhealth: {latex(cited.title)}}}"),
        *year,
        ("note", f"{until}Generation {latex(cited.generation)}. Data: \\url{{{cited.csv}}}"),
        ("url", cited.page),
    ]
    return "\n".join([f"@misc{{{key},", *(f"  {name} = {{{value}}}," for name, value in fields), "}"])
