"""What a chart is: a finding with the rows that are drawn, where they come from, and until when that is known."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from urllib.parse import quote, urlencode

import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.generation import Params, View
from benchhealth.dashboard.words.measurers.houses import head_of
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.terms.citing import citation, drawn_from

SOURCES_NAMED = 3
"""More sources than these are counted in the line below a chart; its citation names all."""


@dataclass(frozen=True)
class SourceLine:
    """A source of a chart: its title, its address, and until when it can speak."""

    title: str
    url: str
    known_until: date | None


@dataclass(frozen=True)
class Chart:
    """A chart with all that makes it readable without seeing it and citable without asking.

    `title` and `subtitle` together are a finding with its n, population and date; `rows` are what is drawn, no more and
    no less; `alt` says what is seen; `method` is the topic on the Methods page. All texts are plain: what shows them
    escapes them. Sources and method may be those of its declaration.
    """

    title: str
    subtitle: str
    figure: go.Figure
    rows: pl.DataFrame = field(repr=False)
    alt: str
    known_until: date | None
    sources: Sequence[SourceLine] = ()
    method: str = ""

    def source_text(self) -> str:
        """The sources in one line: `Epoch AI, LLM Stats · known until 21 Nov 2025`."""
        heads = Counter(head_of(source.title) for source in self.sources)
        named = [publisher if number == 1 else f"{publisher} ({number} sources)" for publisher, number in heads.items()]
        if len(self.sources) > SOURCES_NAMED:
            named = [f"{len(self.sources)} sources"]
        until = "" if self.known_until is None else f"data to {day_of(self.known_until)}"
        return " · ".join(phrase for phrase in (", ".join(named), until) if phrase)

    def citation(self, generation: str, address: str) -> str:
        """The chart as a reference: finding, sources with their days, generation and address."""
        sources = drawn_from([(source.title, source.url) for source in self.sources])
        return citation(f"{self.title}. {self.subtitle}", self.known_until, sources, generation, address)


@dataclass(frozen=True)
class Nothing:
    """Why there is no chart: what is missing, what it would take, and where to go instead. Both texts are markdown."""

    reason: str
    advice: str


@dataclass(frozen=True)
class ChartSpec:
    """A chart under its address: `/chart/<name>.csv|json|txt` and `/embed/<name>` with these parameters.

    `build` gets a generation (or what may leave of it), the parameters and the colours; it raises ParameterError where
    the parameters name nothing. `method` and `sources` are those of every chart that says none itself.
    """

    name: str
    build: Callable[[View, Params, Palette], Chart | Nothing] = field(repr=False)
    params: tuple[str, ...] = ()
    method: str = ""
    sources: Callable[[View, Params, Chart], Sequence[SourceLine]] | None = field(default=None, repr=False)

    def of(self, view: View, params: Params, palette: Palette) -> Chart | Nothing:
        """The chart for these parameters; built once, and kept among the last that were asked for."""
        return view.recent(self.key(params, palette), lambda: self._made(view, self._read(params), palette))

    def _made(self, view: View, params: Params, palette: Palette) -> Chart | Nothing:
        chart = self.build(view, params, palette)
        if isinstance(chart, Nothing):
            return chart
        sources = chart.sources or (() if self.sources is None else self.sources(view, params, chart))
        return replace(chart, sources=sources, method=chart.method or self.method)

    def key(self, params: Params, palette: Palette) -> tuple[Hashable, ...]:
        """The key under which the chart is kept: all that it depends on within a generation."""
        return ("chart", self.name, tuple(sorted(self._read(params).items())), palette.dark)

    def address(self, form: str, params: Params) -> str:
        """The address relative to any page: `form` is csv, json or txt."""
        return f"chart/{self.name}.{form}{self._query(params)}"

    def embed_address(self, params: Params) -> str:
        """The address of the chart alone, for a frame in another page, relative to any page."""
        return f"embed/{self.name}{self._query(params)}"

    def _read(self, params: Params) -> dict[str, str]:
        return {name: params[name] for name in self.params if params.get(name)}

    def _query(self, params: Params) -> str:
        values = self._read(params)
        return f"?{urlencode(values, quote_via=quote)}" if values else ""
