"""Benchmarks by five kinds of evidence, the second measurement beside: known evidence has a shape and a number.

A kind of which nothing is known for the rows that are drawn has no column.
"""

from collections.abc import Mapping, Sequence
from datetime import date

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.language import (
    LABEL,
    ONLY_NARROW,
    ONLY_WIDE,
    Drawing,
    field,
    laid_out,
    on_hover,
    write,
)
from benchhealth.dashboard.figures.lettering.names import told_apart
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.trust import matrix_rows
from benchhealth.dashboard.pages.trust.matrix_rows import (
    BESIDE,
    EVIDENCE,
    FOLDED,
    HINT,
    KINDS,
    NOTHING,
    SECOND,
    SMALL_ENOUGH_TEXT,
    STRENGTHS,
    UNKNOWN,
    WEAK,
)
from benchhealth.dashboard.published.generation import ParameterError, Params, View
from benchhealth.dashboard.words.answers.sentences import REPLY_WORDS
from benchhealth.dashboard.words.numbers import month_of
from benchhealth.dashboard.words.text import count, data_to, plotly

ROW, HEAD = 23, 40
NAME_WIDTH = 2.9
"""Room at the left for the names of benchmarks, in columns of the matrix."""

_SYMBOLS = {EVIDENCE: "square", HINT: "triangle-up", NOTHING: "circle", WEAK: "circle", BESIDE: "diamond"}
_YES, _PARTLY, _UNKNOWN = (REPLY_WORDS[reply] for reply in ("yes", "partly", "unknown"))
_HEADINGS = {
    EVIDENCE: f"{_YES}: documented in training data, or declared",
    HINT: f"{_PARTLY}: models stand out, or training on the task is declared",
    NOTHING: f"{_UNKNOWN}: nothing at or above {SMALL_ENOUGH_TEXT} known",
    WEAK: f"{_UNKNOWN}: tested, but it would have missed a model that knew {SMALL_ENOUGH_TEXT} of the items",
    UNKNOWN: f"{_UNKNOWN}: nobody tested",
}
_STAGE = {
    EVIDENCE: "saturated", HINT: "compressing", NOTHING: "discriminating", WEAK: "unknown", UNKNOWN: "unknown",
    BESIDE: "unknown",
}  # fmt: skip
NARROW_HEADS: Mapping[str, str] = {
    "report": "in data",
    "declared_training": "declared",
    "twin": "fresh",
    "anomaly": "predicted",
    "cutoff_break": "cutoff",
    SECOND: "second",
}
"""The headings of a phone's columns, by kind."""
assert set(NARROW_HEADS) == set(KINDS)
SHOWN_STRENGTHS = tuple(one for one in STRENGTHS if one not in FOLDED)
"""The strengths that are shown without a choice; rows without an answer are folded."""

OPENS = {"page": "trust", "parameter": "benchmark"}


def title(counts: dict[str, int]) -> str:
    """The finding: for how many benchmarks there is evidence."""
    return f"For {counts[EVIDENCE]} of {sum(counts.values())} benchmarks there is evidence that models saw the items"


def subtitle(counts: dict[str, int], until: date | None) -> str:
    """The answers about the other benchmarks, and until when they are known."""
    return (
        f"For {counts[HINT]} more the answer is {_PARTLY.lower()}; for the rest it is {_UNKNOWN.lower()}. "
        f"Nobody tested {counts[UNKNOWN]}, and the tests of {counts[WEAK]} were too weak. "
        f"On {count(counts[NOTHING], 'benchmark')} a model that knew {SMALL_ENOUGH_TEXT} of the items or more "
        "would stand out, and none does. Unknown does not mean clean. "
        "Evidence is about items, not about conduct; a gap to a second measurement alone is none. "
        f"Curated benchmarks only, without their parts.{data_to(until)}"
    )


def chart(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    """The matrix of the benchmarks with the requested strengths, with a field around the `benchmark`."""
    strengths = [strength for strength in params.get("evidence", "").split(",") if strength]
    if unknown := set(strengths) - set(STRENGTHS):
        raise ParameterError(f"evidence is some of {', '.join(STRENGTHS)}, not {', '.join(sorted(unknown))}")
    benchmarks, cells = matrix_rows.benchmarks(view), matrix_rows.cells(view)
    until = latest(benchmarks["known_until"])
    counts = matrix_rows.counts(benchmarks)
    rows = benchmarks.filter(pl.col("strength").is_in(strengths or SHOWN_STRENGTHS))
    if rows.is_empty():
        return Nothing("Nothing of this kind.", f"0 of {benchmarks.height:,} benchmarks. [All of them](trust)")
    placed, heads = _rows_with_heights(rows)
    placed_cells = cells.join(placed.select("benchmark_id", "name", "label", "at"), on="benchmark_id")
    kinds = [kind for kind in KINDS if kind in set(placed_cells["kind"])]
    figure = Drawing()
    _dots(figure, placed, placed_cells, kinds, palette)
    _marks(figure, placed_cells, kinds, palette)
    _names(figure, placed, palette)
    _layout(figure, placed, placed_cells, heads, kinds, params.get("benchmark"), palette)
    strongest = placed_cells.filter(pl.col("strength") == EVIDENCE)
    named = ", ".join(f"{name} {text}" for name, text in strongest.select("label", "text").head(3).iter_rows())
    return Chart(
        title=title(counts),
        subtitle=subtitle(counts, until),
        figure=figure,
        rows=placed_cells.sort("at").select(
            "benchmark_id", "kind", "strength", "value", "n", number="text", benchmark="label", reason="reason",
            source_url="source_url",
        ),
        alt=f"Benchmarks in rows, {count(len(kinds), 'kind')} of evidence in columns, second measurements among them. "
        f"Evidence for {strongest.height} cells: {named}.",
        known_until=until,
    )  # fmt: skip


def _rows_with_heights(rows: pl.DataFrame) -> tuple[pl.DataFrame, list[tuple[float, str, str]]]:
    """The rows with their height `at`, and the headings between groups: height, text, strength."""
    heights: list[float] = []
    heads: list[tuple[float, str, str]] = []
    height, before = 0.0, ""
    for strength in rows["strength"]:
        if strength != before:
            heads.append((height, _HEADINGS[strength], strength))
            height += 1.0
        heights.append(height)
        height += 1.0
        before = strength
    return rows.with_columns(at=pl.Series(heights, dtype=pl.Float64)), heads


def _dots(
    figure: go.Figure, placed: pl.DataFrame, placed_cells: pl.DataFrame, kinds: Sequence[str], palette: Palette
) -> None:
    grid = placed.select("at", "benchmark_id").join(
        pl.DataFrame({"kind": list(kinds)}, schema={"kind": pl.String}), how="cross"
    )
    absent = grid.join(placed_cells.select("benchmark_id", "kind"), on=["benchmark_id", "kind"], how="anti")
    figure.add_scatter(
        x=[kinds.index(kind) for kind in absent["kind"]],
        y=absent["at"].to_list(),
        mode="markers",
        marker={"size": 3, "color": palette.stages["unknown"].mark},
        customdata=absent.select("benchmark_id").rows(),
        hovertemplate="Not known<extra></extra>",
        meta=OPENS,
    )


def _marks(figure: go.Figure, placed_cells: pl.DataFrame, kinds: Sequence[str], palette: Palette) -> None:
    for strength, symbol in _SYMBOLS.items():
        trace_rows = placed_cells.filter(pl.col("strength") == strength)
        if trace_rows.is_empty():
            continue
        hue = palette.stages[_STAGE[strength]]
        is_open = strength in (NOTHING, WEAK, BESIDE)
        texts = (
            f"<b>{plotly(name)}</b><br>{' '.join(KINDS[kind])}: {matrix_rows.WORDS[strength]}<br>"
            f"{plotly(reason or '', 110)}"
            for name, kind, reason in trace_rows.select("name", "kind", "reason").iter_rows()
        )
        figure.add_scatter(
            x=[kinds.index(kind) for kind in trace_rows["kind"]],
            y=trace_rows["at"].to_list(),
            mode="markers",
            marker={
                "symbol": symbol,
                "size": 8 if is_open else 10,
                "color": palette.paper if is_open else hue.mark,
                "line": {"color": hue.mark, "width": 1.5 if is_open else 0},
            },
            **on_hover(texts, OPENS, trace_rows["benchmark_id"]),
        )


def _numbers(figure: go.Figure, placed_cells: pl.DataFrame, kinds: Sequence[str], palette: Palette) -> None:
    """The number beside each mark, where the columns are wide enough; on a phone it is in the table alone."""
    for kind, height, text, strength in placed_cells.select("kind", "at", "text", "strength").iter_rows():
        ink = palette.ink3 if strength in (NOTHING, WEAK, BESIDE) else palette.ink
        write(figure, plotly(text), (kinds.index(kind), height), ink, xshift=8, xanchor="left", opacity=ONLY_WIDE)


def _names(figure: go.Figure, placed: pl.DataFrame, palette: Palette) -> None:
    figure.add_scatter(
        x=[-0.18] * placed.height,
        y=placed["at"].to_list(),
        mode="text",
        text=[plotly(name) for name in told_apart(placed["label"].to_list(), 28)],
        textposition="middle left",
        textfont={"size": LABEL, "color": palette.ink},
        **on_hover(
            (
                f"<b>{plotly(name)}</b><br>data to {month_of(until)}"
                for name, until in placed.select("name", "known_until").iter_rows()
            ),
            OPENS,
            placed["benchmark_id"],
        ),
    )


def _layout(  # noqa: PLR0913, PLR0917
    figure: go.Figure,
    placed: pl.DataFrame,
    placed_cells: pl.DataFrame,
    heads: Sequence[tuple[float, str, str]],
    kinds: Sequence[str],
    chosen: str | None,
    palette: Palette,
) -> None:
    lines = float(placed["at"].max() or 0.0) + 1.0  # type: ignore[arg-type]
    laid_out(figure, palette, HEAD + int(ROW * lines) + 8)
    figure.update_layout(margin={"l": 0, "r": 0, "t": HEAD, "b": 4})
    figure.update_xaxes(range=[-NAME_WIDTH, len(kinds) - 0.18], visible=False)
    figure.update_yaxes(range=[lines - 0.4, -0.6], visible=False)
    for index, (first, second) in enumerate(KINDS[kind] for kind in kinds):
        above = {"xshift": -6, "yref": "paper", "xanchor": "left", "yanchor": "bottom", "yshift": 4}
        head, brief = f"{first}<br>{second}", NARROW_HEADS[kinds[index]]
        write(figure, head, (index, 1), palette.ink3, 11.5, opacity=ONLY_WIDE, align="left", **above)
        write(figure, brief, (index, 1), palette.ink3, 10.5, opacity=ONLY_NARROW, **above)
    _numbers(figure, placed_cells, kinds, palette)
    for height, text, strength in heads:
        write(figure, f"<b>{text}</b>", (-NAME_WIDTH, height), palette.stages[_STAGE[strength]].text, xanchor="left")
    row = placed.filter(pl.col("benchmark_id") == (chosen or ""))["at"]
    if row.len():
        field(figure, palette.chosen, y=(row[0] - 0.5, row[0] + 0.5))
