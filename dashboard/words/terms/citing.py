"""How to cite a chart or a table, and how to take its rows: text, BibTeX, and lines for pandas, polars, R and SQL."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import count, listed
from benchhealth.warehouse.keeping.editions import NAME

ALL_SOURCES = "all sources"

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


def citation_forms(cited: Cited) -> list[tuple[str, str]]:
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
    return _SPECIAL.sub(lambda match: _ESCAPED.get(match[0], f"\\{match[0]}"), text)


def _bibtex(cited: Cited) -> str:
    key = re.sub(r"[^A-Za-z0-9]+", "-", f"benchhealth-{cited.key}-{cited.generation}").strip("-")
    year = [] if cited.known_until is None else [("year", f"{cited.known_until.year}")]
    until = "" if cited.known_until is None else f"Data to {day_of(cited.known_until)}. "
    fields = [
        ("author", f"{{{AUTHOR}}}"),
        ("title", f"{{benchhealth: {latex(cited.title)}}}"),
        *year,
        ("note", f"{until}{latex(published_as(cited.generation))}. Data: \\url{{{cited.csv}}}"),
        ("url", cited.page),
    ]
    return "\n".join([f"@misc{{{key},", *(f"  {name} = {{{value}}}," for name, value in fields), "}"])


def published_as(name: str) -> str:
    """What readers call a published state of the data: a generation, or the edition of a month, which is kept."""
    return f"Edition {name.removeprefix(NAME)}" if name.startswith(NAME) else f"Generation {name}"


def citation(finding: str, until: date | None, sources: str, generation: str, address: str = "") -> str:
    """A reference in one line; `sources` is as `drawn_from` names them, `address` may be empty."""
    return (
        f"benchhealth: {finding.rstrip('. ')}. Data to {day_of(until)}. Drawn from {sources}. "
        f"{published_as(generation)}. {address}"
    ).strip()


def of_edition(month: str, address: str, doi: str) -> str:
    """A reference to the edition of a month in one line: by its DOI where it has one, else by its address."""
    named = f"{date.fromisoformat(f'{month}-01'):%B %Y}"
    return f"{AUTHOR}. benchhealth, edition of {named}. {f'https://doi.org/{doi}' if doi else address}"


def drawn_from(sources: Sequence[tuple[str, str]], most: int | None = None) -> str:
    """Sources by title and address; beyond the first `most` they are counted."""
    named = [f"{title} ({address})" if address else title for title, address in sources[:most]]
    more = len(sources) - len(named)
    return listed([*named, *([f"{count(more, 'more source')} that the page names"] if more else [])]) or ALL_SOURCES


QUOTING: tuple[str, ...] = (
    "Repeat a verdict only with the day until which it is known and the condition that it is about.",
    "`unknown` means that nobody looked, or too weakly: never repeat it as healthy, clean or fine.",
    "Where a reply names two stages, both may be true: repeat both, or neither.",
    "A model that scores higher than a second measurement predicts has not been shown to have seen the items: an "
    "inference is repeated as one, never as an accusation.",
    "Two scores of unlike conditions are not compared, whatever their difference is.",
    "A score that only its maker reports is repeated as the maker's.",
    "Take the sentence as it stands, with its numbers, and the citation beside it; compute no new verdict of the rows.",
)
"""When a verdict may be repeated, by a writer, an agent or a language model: a rule each."""
