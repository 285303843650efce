"""An edition described: for machines (Croissant 1.0, a Frictionless data package), for people, and for deposits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import orjson
import polars as pl
import yaml

from benchhealth.analytics.record.tables.declared import Column, Table
from benchhealth.dashboard.figures.palette import FONT, LIGHT
from benchhealth.dashboard.words.terms import editions as words
from benchhealth.warehouse.keeping.editions import MANIFEST
from benchhealth.warehouse.sharing.csvw import DATATYPES

Json = dict[str, Any]


@dataclass(frozen=True)
class TableFile:
    """A table of the edition as a file: its path in it, bytes and hash, and whether its key tells its rows apart.

    Where cells of a key may not leave, two rows can look alike; then no key is claimed.
    """

    table: Table
    path: str
    size: int
    sha256: str
    rows: int
    keyed: bool


@dataclass(frozen=True)
class About:
    """What is said of an edition as a whole; `sources` are title, homepage and licence of each that has rows in it."""

    month: str
    title: str
    description: str
    published_on: str
    address: str
    author: str
    keywords: Sequence[str]
    sources: Sequence[tuple[str, str, str]]
    bibtex: str

    @property
    def version(self) -> str:
        """The month as a version of three numbers: `2026.8.0`."""
        year, month = self.month.split("-")
        return f"{year}.{int(month)}.0"

    @property
    def licences(self) -> list[str]:
        """The licences of the table's sources, sorted, each once."""
        return sorted({licence for _title, _homepage, licence in self.sources})


_CONTEXT: Json = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    **{
        name: f"cr:{name}"
        for name in (
            *(
                "citeAs",
                "column",
                "equivalentProperty",
                "extract",
                "field",
                "fileProperty",
                "fileObject",
                "fileSet",
                "format",
                "includes",
            ),
            *("isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex"),
            *("repeated", "replace", "samplingRate", "separator", "source", "subField", "transform"),
        )
    },
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "sc": "https://schema.org/",
}

_OF_CROISSANT: Mapping[pl.DataType, str] = {
    pl.String(): "sc:Text",
    pl.Float64(): "sc:Float",
    pl.Int64(): "sc:Integer",
    pl.Boolean(): "sc:Boolean",
    pl.Date(): "sc:Date",
    pl.Datetime("us"): "sc:DateTime",
}


def croissant(about: About, files: Sequence[TableFile]) -> Json:
    """The JSON-LD of Croissant 1.0 (mlcommons.org/croissant): a file object and a record set for each table."""
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"benchhealth-{about.month}",
        "description": about.description,
        "citeAs": about.bibtex,
        "creator": {"@type": "Organization", "name": about.author},
        "datePublished": about.published_on,
        "isLiveDataset": False,
        "keywords": list(about.keywords),
        "license": about.licences,
        "url": about.address,
        "version": about.version,
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": file.path,
                "name": file.path,
                "contentSize": f"{file.size} B",
                "contentUrl": file.path,
                "encodingFormat": "application/x-parquet",
                "sha256": file.sha256,
            }
            for file in files
        ],
        "recordSet": [_record_set(file) for file in files],
    }


def _record_set(file: TableFile) -> Json:
    name = file.table.name
    described: Json = {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"A row is {file.table.row}.",
        "field": [_field(name, file.path, column) for column in file.table.columns],
    }
    if file.keyed and file.rows:
        described["key"] = [{"@id": f"{name}/{column}"} for column in file.table.key]
    return described


def _field(name: str, path: str, column: Column) -> Json:
    described: Json = {
        "@type": "cr:Field",
        "@id": f"{name}/{column.name}",
        "name": f"{name}/{column.name}",
        "description": _meaning(column),
        "dataType": _OF_CROISSANT[_inner(column.kind)],
        "source": {"fileObject": {"@id": path}, "extract": {"column": column.name}},
    }
    return {**described, "repeated": True} if isinstance(column.kind, pl.List) else described


def package(about: About, files: Sequence[TableFile]) -> Json:
    """The descriptor `datapackage.json` (specs.frictionlessdata.io): a resource with its schema for each table."""
    return {
        "profile": "data-package",
        "name": f"benchhealth-{about.month}",
        "title": about.title,
        "description": about.description,
        "version": about.version,
        "homepage": about.address,
        "keywords": list(about.keywords),
        "contributors": [{"title": about.author, "role": "author"}],
        "licenses": [{"name": _slug(licence), "title": licence} for licence in about.licences],
        "sources": [{"title": title, "path": homepage} for title, homepage, _licence in about.sources],
        "resources": [_resource(file) for file in files],
    }


def _resource(file: TableFile) -> Json:
    fields = [
        {
            "name": column.name,
            "title": column.title,
            "description": _meaning(column),
            "type": "array" if isinstance(column.kind, pl.List) else DATATYPES[column.kind],
        }
        for column in file.table.columns
    ]
    schema: Json = {"fields": fields}
    if file.keyed:
        schema["primaryKey"] = list(file.table.key)
    return {
        "name": file.table.name.replace("_", "-"),
        "title": file.table.name,
        "description": f"A row is {file.table.row}.",
        "path": file.path,
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        "bytes": file.size,
        "hash": f"sha256:{file.sha256}",
        "schema": schema,
    }


def _inner(kind: pl.DataType) -> pl.DataType:
    """The type of a value; of a list, the type of its elements."""
    return next(inner for inner in _OF_CROISSANT if kind in (inner, pl.List(inner)))


def _meaning(column: Column) -> str:
    return f"{column.meaning} In: {column.unit}." if column.unit else column.meaning


def _slug(licence: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-._" else "-" for letter in licence)


KEYWORDS = ("benchmarks", "saturation", "leaderboards", "replication", "language models", "evaluation")

_SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)

_SIZE_CLASSES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "n>10M")

_JSON = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


def card(about: About, files: Sequence[TableFile], folders: Sequence[str]) -> str:
    """`README.md`: a card as Hugging Face reads it, a configuration for each table; `folders` each of one source."""
    rows = sum(file.rows for file in files)
    front_matter = {
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
        yaml.safe_dump(front_matter, sort_keys=False, allow_unicode=True).rstrip(),
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
