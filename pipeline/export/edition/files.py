"""The files of an edition, of a generation (tables, charts, answers, reports): the same one gives the same bytes."""

import logging
from calendar import monthrange
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from pathlib import Path

import orjson
import polars as pl

from benchhealth.analytics.record.sharing import Terms, with_terms
from benchhealth.analytics.record.tables import TABLES
from benchhealth.dashboard.figures.chart import ChartSpec, Nothing
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.pages.benchmark.page import CURVE
from benchhealth.dashboard.published.domains import groups
from benchhealth.dashboard.published.files.editions import chart_file, file_name
from benchhealth.dashboard.published.generation import ParameterError, Params, SharedView
from benchhealth.dashboard.replies.benchmark import BENCHMARK, QUESTION, answer
from benchhealth.dashboard.replies.cited import figure_of
from benchhealth.dashboard.report.content import on_benchmarks, on_field
from benchhealth.dashboard.report.pdf import document
from benchhealth.dashboard.words.answers.sentences import TITLES
from benchhealth.dashboard.words.terms import editions as words
from benchhealth.dashboard.words.terms.citing import AUTHOR
from benchhealth.dashboard.words.text import count
from benchhealth.pipeline.errors import UsageError
from benchhealth.pipeline.export.edition import metadata
from benchhealth.pipeline.export.edition.metadata import About, TableFile, croissant, package
from benchhealth.pipeline.export.tables import write_tables
from benchhealth.warehouse.keeping.editions import MONTH, digest_of
from benchhealth.warehouse.sharing.generation import SharedGeneration


def last_day(month: str) -> date:
    """The last day of a month such as `2026-08`. Raises UsageError for what is no month."""
    if not MONTH.fullmatch(month):
        raise UsageError(f"{month!r} is no month, such as 2026-08")
    year, number = (int(digits) for digits in month.split("-"))
    return date(year, number, monthrange(year, number)[1])


TABLES_FOLDER = "tables"

_JSON = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


def write(generation: Path, month: str, target: Path, address: str = "") -> None:
    """Write the edition of a month below `target`, of a generation of its last day: what may leave, and nothing else.

    `address` is where pages of this dashboard are, with a slash at its end; without one nothing leads there. Raises
    NotShareable and NoGeneration as `SharedGeneration` does.
    """
    write_tables(generation, target / TABLES_FOLDER, "parquet")
    with closing(SharedGeneration(generation)) as shared:
        view = SharedView(shared)
        write_contents(view, target)
        about = _about_edition(view, month, f"{address}edition/{month}/" if address else "")
    folders = sorted(folder.name for folder in (target / TABLES_FOLDER).iterdir() if folder.is_dir())
    files = [_file(target, name) for name in sorted(TABLES) if (target / TABLES_FOLDER / f"{name}.parquet").exists()]
    _describe(target, about, files, folders)


def _describe(target: Path, about: About, files: Sequence[TableFile], folders: Sequence[str]) -> None:
    (target / "croissant.json").write_bytes(orjson.dumps(croissant(about, files), option=_JSON))
    (target / "datapackage.json").write_bytes(orjson.dumps(package(about, files), option=_JSON))
    (target / "README.md").write_text(metadata.card(about, files, folders), encoding="utf-8")
    (target / "CITATION.cff").write_text(metadata.citation(about), encoding="utf-8")
    (target / ".zenodo.json").write_bytes(metadata.zenodo(about))
    written = sorted(path for path in target.rglob("*") if path.is_file())
    sizes = {path.relative_to(target).as_posix(): path.stat().st_size for path in written}
    (target / "index.html").write_text(metadata.page(about, sizes), encoding="utf-8")


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
        keywords=metadata.KEYWORDS,
        sources=list(open_ones.select("title", "homepage", "licence").iter_rows()),
        bibtex=metadata.bibtex(title, AUTHOR, month, address),
    )


def _file(target: Path, name: str) -> TableFile:
    path = target / TABLES_FOLDER / f"{name}.parquet"
    key = pl.read_parquet(path, columns=list(TABLES[name].key))
    return TableFile(
        table=TABLES[name],
        path=path.relative_to(target).as_posix(),
        size=path.stat().st_size,
        sha256=digest_of(path),
        rows=key.height,
        keyed=not key.is_duplicated().any() and key.null_count().sum_horizontal().item() == 0,
    )


ANSWERS, REPORTS = "answers", "reports"

_SORTED = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE


def write_contents(view: SharedView, target: Path) -> None:
    """Write charts, answers and reports of what may leave below `target`; the same view gives the same bytes.

    Charts are figures of Plotly: each that needs no choice, and the curve of each curated benchmark. Answers are those
    to every question about a curated benchmark, a file for each of them. Reports are two pages on each of these
    benchmarks and on each domain.
    """
    # It tells every letter of a font at the level that the command line shows.
    logging.getLogger("fontTools").setLevel(logging.WARNING)
    ids = curated_benchmark_ids(view)
    for spec in sorted((spec for page in PAGES for spec in page.charts), key=lambda question: question.name):
        _chart(view, spec, {}, target)
    for benchmark_id in ids:
        name = file_name(benchmark_id)
        _chart(view, CURVE, {BENCHMARK: benchmark_id}, target)
        answers = [answer(view, {BENCHMARK: benchmark_id, QUESTION: question}).as_dict() for question in TITLES]
        _write_file(target / ANSWERS / f"{name}.json", orjson.dumps(answers, option=_SORTED))
        _write_file(target / REPORTS / f"{name}.pdf", document(on_benchmarks(view, [benchmark_id])))
    for domain in groups(view):
        try:
            report = on_field(view, domain)
        except ParameterError:
            continue  # no curated benchmark is of that domain yet
        _write_file(target / REPORTS / f"domain-{file_name(domain)}.pdf", document(report))


def curated_benchmark_ids(view: SharedView) -> list[str]:
    """The curated benchmarks that are whole, not a part of another one, by id."""
    listed = view.table("benchmark").filter("curated")["benchmark_id"].sort().to_list()
    return [benchmark_id for benchmark_id in listed if "/" not in benchmark_id]


def _chart(view: SharedView, spec: ChartSpec, params: Params, target: Path) -> None:
    """Write the figure of a chart, where there is one without a choice and with something to draw."""
    try:
        figure = spec.of(view, params, LIGHT)
    except ParameterError:
        return
    if not isinstance(figure, Nothing):
        _write_file(target / chart_file(spec.name, params), orjson.dumps(figure_of(figure, view.name), option=_SORTED))


def _write_file(file: Path, body: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(body)
