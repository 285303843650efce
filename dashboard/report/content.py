"""From one published generation to the contents of a report: which benchmarks, and two pages for each or for all."""

from collections.abc import Sequence
from urllib.parse import quote

from benchhealth.analytics.record.frames import is_whole
from benchhealth.dashboard.figures.chart import Chart
from benchhealth.dashboard.figures.palette import LIGHT
from benchhealth.dashboard.pages.benchmark.figures.frame import Size
from benchhealth.dashboard.pages.benchmark.page import curve_alone
from benchhealth.dashboard.published.domains import groups, groups_of
from benchhealth.dashboard.published.generation import ParameterError, View, did_you_mean, slug
from benchhealth.dashboard.published.results import ids
from benchhealth.dashboard.report import field, words
from benchhealth.dashboard.report.case import Case, case
from benchhealth.dashboard.report.evidence import citing_section, sections
from benchhealth.dashboard.report.still import WIDTH
from benchhealth.dashboard.report.tree import Block, Part, Picture, Report, of_generation
from benchhealth.dashboard.words.text import one_line

MOST_BENCHMARKS = 12
"""The most benchmarks that one report has pages for; more are a field."""
PAPER = Size(height=270, plot_width=WIDTH - 150, plot_height=240, marks=0.7)
"""The curve on paper, where there is less room for marks than on the page."""


def on_field(view: View, domain: str, base: str = "") -> Report:
    """Two pages on the curated benchmarks of a domain (`published.domains`); pages are cited below `base`.

    Raises ParameterError for one that has none.
    """
    group = next(iter(groups_of(view, domain)), "")
    rows = view.table("benchmark").filter("curated", is_whole(), domain_group=group)
    if rows.is_empty():
        raise ParameterError(f"no domain {one_line(domain)!r}; there are {', '.join(groups(view))}")
    name = groups(view)[group]
    empty = of_generation(view, f"Benchmark health: {name.lower()}", ())
    address = f"{base}report?domain={quote(group)}"
    part = field.field_part(view, name, rows["benchmark_id"].to_list(), empty.origin, address, domain=group)
    return of_generation(view, empty.title, (part,))


def on_benchmarks(view: View, benchmark_ids: Sequence[str], base: str = "") -> Report:
    """Two pages on each of these benchmarks, in the order asked for; before several, two pages on all of them.

    Raises ParameterError for an id that the generation does not hold, naming ids close to it, and for too many.
    """
    chosen = list(dict.fromkeys(benchmark_ids))
    _check(chosen, ids(view))
    origin = of_generation(view, "", ()).origin
    parts = tuple(_benchmark_part(case(view, benchmark_id), origin, base) for benchmark_id in chosen)
    if len(parts) == 1:
        return of_generation(view, f"Benchmark health: {case(view, chosen[0]).name}", parts)
    query = "&".join(f"benchmark={quote(benchmark_id)}" for benchmark_id in chosen)
    together = field.field_part(view, "This choice", chosen, origin, f"{base}report?{query}")
    return of_generation(view, "Benchmark health", (together, *parts))


def _check(wanted_ids: Sequence[str], benchmark_ids: Sequence[str]) -> None:
    if not wanted_ids:
        raise ParameterError("no benchmark is named")
    if len(wanted_ids) > MOST_BENCHMARKS:
        raise ParameterError(f"a report has pages for {MOST_BENCHMARKS} benchmarks at most; ask for a domain")
    unknown = [benchmark_id for benchmark_id in wanted_ids if benchmark_id not in set(benchmark_ids)]
    if unknown:
        messages = [
            f"no benchmark called {one_line(name)!r}{did_you_mean(slug(name), benchmark_ids)}" for name in unknown
        ]
        raise ParameterError("; ".join(messages))


def _benchmark_part(benchmark_case: Case, origin: str, base: str) -> Part:
    front: tuple[Block, ...] = (
        words.verdict(benchmark_case),
        words.meaning_section(benchmark_case),
        words.instead(benchmark_case),
        *words.tiles(benchmark_case),
    )
    title = words.title(benchmark_case)
    return Part(
        key=benchmark_case.id,
        title=title,
        stage=benchmark_case.verdict["stage"],
        line=words.stage_line(benchmark_case),
        front=(*front, *_curve(benchmark_case)),
        back=(
            *sections(benchmark_case),
            citing_section(title, f"{base}benchmark?benchmark={quote(benchmark_case.id)}", origin),
        ),
    )


def _curve(benchmark_case: Case) -> tuple[Block, ...]:
    """The curve that the benchmark's page shows, set for paper; nothing where no dated result is on record."""
    chart = curve_alone(benchmark_case.view, benchmark_case.id, LIGHT, paper=PAPER)
    if not isinstance(chart, Chart):
        return ("No dated result of it is on record, so there is no curve.",)
    without = f" {words.DRAWN_WITHOUT}" if words.best(benchmark_case) == words.WITHHELD else ""
    return (Picture(chart.title, f"{chart.subtitle}{without}", chart.alt, chart.source_text(), chart.figure),)
