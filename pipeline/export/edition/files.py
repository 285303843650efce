"""From a generation to the files of an edition: the same generation gives the same bytes."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import orjson
import polars as pl

from benchhealth.analytics.record.sharing import Terms, with_terms
from benchhealth.analytics.record.tables import TABLES
from benchhealth.dashboard.published.generation import SharedView
from benchhealth.dashboard.words.terms import editions as words
from benchhealth.dashboard.words.terms.citing import AUTHOR
from benchhealth.dashboard.words.text import count
from benchhealth.pipeline.export.edition import cards, contents
from benchhealth.pipeline.export.edition.metadata import About, TableFile, croissant, package
from benchhealth.pipeline.export.edition.replayed import last_day
from benchhealth.pipeline.export.tables import write_tables
from benchhealth.warehouse.keeping.editions import digest_of
from benchhealth.warehouse.sharing.generation import SharedGeneration

TABLES_FOLDER = "tables"
_JSON = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


def write(generation: Path, month: str, to: Path, address: str = "") -> None:
    """Write the edition of a month below `to`, of a generation of its last day: what may leave, and nothing else.

    `address` is where pages of this dashboard are, with a slash at its end; without one nothing leads there. Raises
    NotShareable and NoGeneration as `SharedGeneration` does.
    """
    write_tables(generation, to / TABLES_FOLDER, "parquet")
    with closing(SharedGeneration(generation)) as shared:
        view = SharedView(shared)
        contents.write(view, to)
        about = _about_edition(view, month, f"{address}edition/{month}/" if address else "")
    folders = sorted(folder.name for folder in (to / TABLES_FOLDER).iterdir() if folder.is_dir())
    files = [_file(to, name) for name in sorted(TABLES) if (to / TABLES_FOLDER / f"{name}.parquet").exists()]
    _describe(to, about, files, folders)


def _describe(to: Path, about: About, files: Sequence[TableFile], folders: Sequence[str]) -> None:
    (to / "croissant.json").write_bytes(orjson.dumps(croissant(about, files), option=_JSON))
    (to / "datapackage.json").write_bytes(orjson.dumps(package(about, files), option=_JSON))
    (to / "README.md").write_text(cards.card(about, files, folders), encoding="utf-8")
    (to / "CITATION.cff").write_text(cards.citation(about), encoding="utf-8")
    (to / ".zenodo.json").write_bytes(cards.zenodo(about))
    written = sorted(path for path in to.rglob("*") if path.is_file())
    sizes = {path.relative_to(to).as_posix(): path.stat().st_size for path in written}
    (to / "index.html").write_text(cards.page(about, sizes), encoding="utf-8")


def _about_edition(view: SharedView, month: str, address: str) -> About:
    sources = view.table("source").filter(pl.col("last_observed_at").is_not_null())
    open_ones = sources.filter(pl.col("source_id").is_in(with_terms(sources, Terms.OPEN))).sort("source_id")
    day = last_day(month)
    title = f"benchhealth, edition of {day:%B %Y}"
    benchmarks = count(view.table("benchmark").height, "benchmark")
    sources_read = count(open_ones.height, "source")
    return About(
        month=month,
        title=title,
        description=words.description(benchmarks, f"{day:%B %Y}", sources_read),
        published_on=day.isoformat(),
        address=address,
        author=AUTHOR,
        keywords=cards.KEYWORDS,
        sources=list(open_ones.select("title", "homepage", "licence").iter_rows()),
        bibtex=cards.bibtex(title, AUTHOR, month, address),
    )


def _file(to: Path, name: str) -> TableFile:
    path = to / TABLES_FOLDER / f"{name}.parquet"
    key = pl.read_parquet(path, columns=list(TABLES[name].key))
    return TableFile(
        table=TABLES[name],
        path=path.relative_to(to).as_posix(),
        size=path.stat().st_size,
        sha256=digest_of(path),
        rows=key.height,
        keyed=not key.is_duplicated().any() and key.null_count().sum_horizontal().item() == 0,
    )
