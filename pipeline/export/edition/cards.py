"""An edition described for people and for deposits: card, page, citation, and what Zenodo asks for."""

from collections.abc import Mapping, Sequence
from html import escape

import orjson
import yaml

from benchhealth.dashboard.figures.palette import FONT, LIGHT
from benchhealth.dashboard.words.terms import editions as words
from benchhealth.pipeline.export.edition.metadata import About, TableFile
from benchhealth.warehouse.keeping.editions import MANIFEST

KEYWORDS = ("benchmarks", "saturation", "leaderboards", "replication", "language models", "evaluation")
_SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
_SIZE_CLASSES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "n>10M")
_JSON = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


def card(about: About, files: Sequence[TableFile], folders: Sequence[str]) -> str:
    """`README.md`: a card as Hugging Face reads it, a configuration for each table; `folders` each of one source."""
    rows = sum(file.rows for file in files)
    head = {
        "pretty_name": about.title,
        "license": "other",
        "license_name": "as-each-source-states",
        "license_link": "README.md",
        "language": ["en"],
        "tags": [keyword.replace(" ", "-") for keyword in about.keywords],
        "size_categories": [_SIZE_CLASSES[sum(rows >= size for size in _SIZES)]],
        "configs": [{"config_name": file.table.name, "data_files": file.path} for file in files if file.rows],
    }
    lines = [
        "---",
        yaml.safe_dump(head, sort_keys=False, allow_unicode=True).rstrip(),
        "---",
        f"# {about.title}",
        "",
        about.description,
        "",
        *words.reading_guide(MANIFEST, about.published_on),
        "",
        "## Licences",
        "",
        *words.licences(folders),
        "",
        "| source | licence |",
        "| --- | --- |",
        *(f"| [{title}]({homepage}) | {licence} |" for title, homepage, licence in about.sources),
        "",
        "## Tables",
        "",
        "| table | rows | a row is |",
        "| --- | ---: | --- |",
        *(f"| [{file.table.name}]({file.path}) | {file.rows} | {file.table.row} |" for file in files),
        "",
        "## Cite",
        "",
        "```bibtex",
        about.bibtex,
        "```",
    ]
    return "\n".join(lines) + "\n"


def bibtex(title: str, author: str, month: str, address: str) -> str:
    """A BibTeX entry for citing the edition of a month; the address is left out where it is empty."""
    year, number = month.split("-")
    fields = [
        *(("author", f"{{{author}}}"), ("title", f"{{{title}}}"), ("year", year), ("month", str(int(number)))),
        *([("url", address)] if address else []),
    ]
    return "\n".join([f"@misc{{benchhealth-{month},", *(f"  {name} = {{{value}}}," for name, value in fields), "}"])


def citation(about: About) -> str:
    """`CITATION.cff` (citation-file-format.github.io, 1.2.0)."""
    fields = {
        "cff-version": "1.2.0",
        "message": words.CITE_IT,
        "type": "dataset",
        "title": about.title,
        "version": about.version,
        "date-released": about.published_on,
        "authors": [{"name": about.author}],
        "keywords": list(about.keywords),
        **({"url": about.address} if about.address else {}),
    }
    return yaml.safe_dump(fields, sort_keys=False, allow_unicode=True)


def zenodo(about: About) -> bytes:
    """`.zenodo.json`: what a deposit there asks for (developers.zenodo.org, *deposit metadata*)."""
    of_sources = [
        {"identifier": homepage, "relation": "isDerivedFrom", "scheme": "url"} for _, homepage, _ in about.sources
    ]
    fields = {
        "title": about.title,
        "upload_type": "dataset",
        "description": f"<p>{escape(about.description)}</p>",
        "creators": [{"name": about.author}],
        "access_right": "open",
        "license": "other-open",
        "publication_date": about.published_on,
        "version": about.version,
        "language": "eng",
        "keywords": list(about.keywords),
        "notes": words.LICENCES,
        "related_identifiers": of_sources,
    }
    return orjson.dumps(fields, option=_JSON)


def page(about: About, sizes: Mapping[str, int]) -> str:
    """`index.html`: what the edition is, how to cite it, and every file with its size; without a script."""
    rows = "".join(
        f'<tr><td><a href="{escape(name, quote=True)}">{escape(name)}</a></td><td>{size:,}</td></tr>\n'
        for name, size in sizes.items()
    )
    reading = " ".join(words.reading_guide(MANIFEST, about.published_on)).replace("`", "")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(about.title)}</title>"
        f"<style>body {{ margin: 5vh auto; max-width: 52rem; padding: 0 1rem; background: {LIGHT.paper}; "
        f"color: {LIGHT.ink}; font: 16px/1.5 {FONT}; }} a {{ color: {LIGHT.accent}; overflow-wrap: anywhere; }} "
        f"td {{ padding: 2px 12px 2px 0; border-bottom: 1px solid {LIGHT.line}; vertical-align: top; }} "
        "td + td { text-align: right; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }</style>"
        f"<h1>{escape(about.title)}</h1><p>{escape(about.description)}</p><p>{escape(reading)}</p>"
        f'<h2>Cite</h2><pre>{escape(about.bibtex)}</pre><p><a href="{MANIFEST}">{MANIFEST}</a></p>'
        f"<h2>Files, bytes</h2><table>{rows}</table></html>\n"
    )
