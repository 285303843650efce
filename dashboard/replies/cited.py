"""Replies about charts, citations and what can be found."""

from functools import cache
from typing import Any

import orjson
from plotly.io import to_json

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.moved import with_moved
from benchhealth.dashboard.figures.palette import DARK, LIGHT
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.published.benchmarks import last_known
from benchhealth.dashboard.published.finding.search import meant, search
from benchhealth.dashboard.published.generation import ParameterError, Params, View, required
from benchhealth.dashboard.replies.benchmark import BENCHMARK, BENCHMARK_PARAMETER, QUESTION, answer
from benchhealth.dashboard.replies.reply import Reply, ReplySpec, reply
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words.text import known_at_latest, listed

CHART, QUERY, EACH = "chart", "q", "each"
STAGE = "stage"
MOST_EACH, USUAL_EACH = 50, 6
"""Rows of a kind that a search gives, at most and where it is not said."""


@cache
def charts() -> dict[str, tuple[str, ChartSpec]]:
    """Every chart by its name and by those that it took over, with the address of the page that shows it."""
    return {name: (page.url_path, spec) for page in PAGES for name, spec in with_moved(page.charts).items()}


def spec_of(name: str, params: Params) -> ChartSpec:
    """The chart of that name. Raises ParameterError where there is none, or it does not read these parameters."""
    if name not in charts():
        raise ParameterError(f"no chart {name[:40]!r}; there are {', '.join(sorted(charts()))}")
    _page, spec = charts()[name]
    unread = [param for param in params if param not in (*spec.params, "theme")]
    if unread:
        raise ParameterError(f"the chart {name} reads {', '.join(spec.params) or 'nothing'}, not {unread[0][:40]!r}")
    return spec


def chart_named(view: View, name: str, params: Params) -> Chart:
    """The chart of that name as drawn. Raises ParameterError where there is none, with what is missing."""
    chart = spec_of(name, params).of(view, params, DARK if params.get("theme") == "dark" else LIGHT)
    if isinstance(chart, Nothing):
        raise ParameterError(f"no chart: {chart.reason}")
    return chart


def figure_of(chart: Chart, generation: str) -> dict[str, Any]:
    """The figure as JSON of Plotly, with its finding as the title and what makes it citable under `layout.meta`."""
    figure: dict[str, Any] = orjson.loads(str(to_json(chart.figure, validate=False)))
    figure["layout"]["title"] = {"text": chart.title, "subtitle": {"text": chart.subtitle}}
    figure["layout"]["meta"] = {
        "alt": chart.alt,
        "known_until": chart.known_until and chart.known_until.isoformat(),
        "citation": chart.citation(generation, ""),
    }
    return figure


def cite(view: View, params: Params) -> Reply:
    """How to cite a chart, or the answer to a question about a benchmark; without one, whether it still measures."""
    name = params.get(CHART)
    if not name:
        about = {BENCHMARK: required(params, BENCHMARK), QUESTION: params.get(QUESTION) or STAGE}
        answered = answer(view, about)
        return Reply(**{**vars(answered), "asked": "cite", "text": answered.citation})
    of_chart = {key: value for key, value in params.items() if key != CHART}
    chart = chart_named(view, name, of_chart)
    page, _spec = charts()[name]
    cited = chart.citation(view.name, "")
    return Reply(
        asked="cite",
        text=cited,
        data={"chart": name, "title": chart.title, "subtitle": chart.subtitle, "alt": chart.alt},
        known_until=chart.known_until,
        conditions=(),
        citation=cited,
        page=f"{links.address(page, **of_chart)}#{name}",
        generation=view.name,
    )


def find(view: View, params: Params) -> Reply:
    """Benchmarks, models, leaderboards and sources that match a question, each kind with its first rows."""
    query, per_kind = required(params, QUERY), params.get(EACH) or str(USUAL_EACH)
    if not (per_kind.isascii() and per_kind.isdecimal() and len(per_kind) <= 9):
        raise ParameterError(f"{EACH} is a whole number from 0 to {MOST_EACH}")
    groups = search(view, query, min(MOST_EACH, int(per_kind)))
    until = last_known(view)
    counts = listed([f"{group.total:,} in {group.as_dict()['title'].lower()}" for group in groups]) or "nothing"
    title = f"Matching {query[:80]!r}: {counts}{known_at_latest(until)}."
    lines = [f"{name} ({detail or group.kind}): {path}" for group in groups for name, detail, path in group.rows]
    return reply(
        view,
        "search",
        "\n".join([title, *lines]),
        {"query": query, "groups": [group.as_dict() for group in groups], "meant": meant(view, query, groups)},
        cites=title,
        known_until=until,
        page=links.address("search", q=query),
    )


CITE = ReplySpec(
    "cite",
    "How to cite the answer to a question about a benchmark, or a chart with its parameters.",
    {**BENCHMARK_PARAMETER, QUESTION: "as of answer; else whether it still measures", CHART: "the name of a chart"},
    cite,
    open_ended=True,
)
SEARCH = ReplySpec(
    "search",
    "Benchmarks, models, leaderboards and sources by parts of their names.",
    {QUERY: "words of a name, an id, a maker", EACH: f"rows of each kind, at most {MOST_EACH}"},
    find,
    (QUERY,),
)
