"""Names of charts and tables that others took over: what had those addresses is answered by what stays."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Params, SourceLine
from benchhealth.dashboard.published.generation import View

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
"""The chart that stays, and with which choice, by the name that was."""

RENAMED = {"pair": "twin"}
"""What a parameter of theirs is called now."""

TABLES: Mapping[str, str] = {
    "half-lives": "survival",
    "contamination-levels": "published-contamination_risk",
    "contamination-risk": "published-contamination_risk",
    "contamination-pairs": "contamination-ladder",
    "labels": "published-benchmark",
    "goodhart-pair": "published-goodhart",
    "goodhart-shortfall": "published-goodhart",
}
"""The table that stays by the name that was."""


def with_moved(charts: Iterable[ChartSpec]) -> dict[str, ChartSpec]:
    """All charts by name, and by the names that they took over."""
    named = {spec.name: spec for spec in charts}
    return named | {was: _under(was, named[now], chosen) for was, (now, chosen) in CHARTS.items() if now in named}


def anchors(name: str) -> str:
    """What the names that a chart took over lead to, where it is shown."""
    return "".join(f'<div id="{was}"></div>' for was, (now, _) in CHARTS.items() if now == name)


def _under(name: str, spec: ChartSpec, chosen: Params) -> ChartSpec:
    def now(params: Params) -> dict[str, str]:
        return {**{RENAMED.get(param, param): value for param, value in params.items()}, **chosen}

    def sources(view: View, params: Params, chart: Chart) -> Sequence[SourceLine]:
        return () if spec.sources is None else spec.sources(view, now(params), chart)

    return replace(
        spec,
        name=name,
        params=(*spec.params, *RENAMED),
        build=lambda view, params, palette: spec.build(view, now(params), palette),
        sources=sources,
    )
