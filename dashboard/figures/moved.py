"""Former addresses of charts and tables, each with the chart or table that answers it today."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, SourceLine
from benchhealth.dashboard.published.generation import Params, View

CHARTS: Mapping[str, tuple[str, Params]] = {
    "half-life": ("survival", {}),
    "life-years": ("survival", {"by": "released"}),
    "advances-by-year": ("advances", {}),
    "makers-premium": ("self-reports", {}),
    "ceilings-made": ("ceilings", {}),
    "stays": ("reign", {}),
    "stock": ("years-strip", {}),
    "proxy-correlation": ("twin-ages", {}),
    "target-shortfall": ("twin-ages", {}),
    "twin-robustness": ("twin", {"scale": "probit"}),
    "slopes": ("twin", {}),
    "twin-residuals": ("twin", {}),
    "contamination-levels": ("evidence", {}),
    "contamination-ladder": ("evidence", {}),
}
"""By former name the chart that answers today, and the parameters that it is drawn with."""

RENAMED = {"pair": "twin"}
"""Today's name of each parameter of former charts."""

TABLES: Mapping[str, str] = {
    "half-lives": "survival",
    "contamination-levels": "published-contamination_risk",
    "contamination-risk": "published-contamination_risk",
    "contamination-pairs": "contamination-ladder",
    "labels": "published-benchmark",
    "goodhart-pair": "published-goodhart",
    "goodhart-shortfall": "published-goodhart",
}
"""By former name the table that answers today."""


def with_moved(charts: Iterable[ChartSpec]) -> dict[str, ChartSpec]:
    """All charts by name, and again by the former names that they answer."""
    named = {spec.name: spec for spec in charts}
    return named | {old: _moved(old, named[new], chosen) for old, (new, chosen) in CHARTS.items() if new in named}


def anchors(name: str) -> str:
    """The HTML anchors at a chart for links that carry one of its former names."""
    return "".join(f'<div id="{old}"></div>' for old, (new, _) in CHARTS.items() if new == name)


def _moved(name: str, spec: ChartSpec, chosen: Params) -> ChartSpec:
    def renamed(params: Params) -> dict[str, str]:
        return {**{RENAMED.get(param, param): value for param, value in params.items()}, **chosen}

    def sources(view: View, params: Params, chart: Chart) -> Sequence[SourceLine]:
        return () if spec.sources is None else spec.sources(view, renamed(params), chart)

    return replace(
        spec,
        name=name,
        params=(*spec.params, *RENAMED),
        build=lambda view, params, palette: spec.build(view, renamed(params), palette),
        sources=sources,
    )
