"""The contents of an edition besides its tables: charts, answers and reports, as published."""

import logging
from pathlib import Path

import orjson

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

ANSWERS, REPORTS = "answers", "reports"
_JSON = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE


def write(view: SharedView, to: Path) -> None:
    """Write charts, answers and reports of what may leave below `to`; the same view gives the same bytes.

    Charts are figures of Plotly: each that needs no choice, and the curve of each curated benchmark. Answers are those
    to every question about a curated benchmark, a file for each of them. Reports are two pages on each of these
    benchmarks and on each domain.
    """
    # It tells every letter of a font at the level that the command line shows.
    logging.getLogger("fontTools").setLevel(logging.WARNING)
    ids = curated_benchmark_ids(view)
    for spec in sorted((spec for page in PAGES for spec in page.charts), key=lambda question: question.name):
        _chart(view, spec, {}, to)
    for benchmark_id in ids:
        name = file_name(benchmark_id)
        _chart(view, CURVE, {BENCHMARK: benchmark_id}, to)
        answers = [answer(view, {BENCHMARK: benchmark_id, QUESTION: question}).as_dict() for question in TITLES]
        _write_file(to / ANSWERS / f"{name}.json", orjson.dumps(answers, option=_JSON))
        _write_file(to / REPORTS / f"{name}.pdf", document(on_benchmarks(view, [benchmark_id])))
    for domain in groups(view):
        try:
            report = on_field(view, domain)
        except ParameterError:
            continue  # no curated benchmark is of that domain yet
        _write_file(to / REPORTS / f"domain-{file_name(domain)}.pdf", document(report))


def curated_benchmark_ids(view: SharedView) -> list[str]:
    """The curated benchmarks that are whole, not a part of another one, by id."""
    listed = view.table("benchmark").filter("curated")["benchmark_id"].sort().to_list()
    return [benchmark_id for benchmark_id in listed if "/" not in benchmark_id]


def _chart(view: SharedView, spec: ChartSpec, params: Params, to: Path) -> None:
    """Write the figure of a chart, where there is one without a choice and with something to draw."""
    try:
        figure = spec.of(view, params, LIGHT)
    except ParameterError:
        return
    if not isinstance(figure, Nothing):
        _write_file(to / chart_file(spec.name, params), orjson.dumps(figure_of(figure, view.name), option=_JSON))


def _write_file(file: Path, body: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(body)
