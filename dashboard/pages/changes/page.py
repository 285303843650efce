"""Changes: what happened in some months, by the dates of the facts, and what is new in the last generation."""

from datetime import date

import numpy as np
import plotly.graph_objects as go
import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, SourceLine
from benchhealth.dashboard.figures.language import OPENS_BENCHMARK, laid_out, named_rows, on_hover, quiet_line, write
from benchhealth.dashboard.figures.lettering.axes import share_axis
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.changes import by_month, edition
from benchhealth.dashboard.pages.changes.by_month import EDITION, PERIOD
from benchhealth.dashboard.pages.changes.edition import more
from benchhealth.dashboard.published.benchmarks import assessed_on, benchmarks
from benchhealth.dashboard.published.generation import ParameterError, Params, PublishedTable, View
from benchhealth.dashboard.published.happened.changes import CHANGES, changes, changes_by_day
from benchhealth.dashboard.published.happened.months import MONTH, changes_in, known_day, on_record, span_of
from benchhealth.dashboard.widgets import block, empty, links, provenance
from benchhealth.dashboard.widgets import changed as lines
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.words.happened import months as words
from benchhealth.dashboard.words.happened.changes import noise
from benchhealth.dashboard.words.happened.months import beyond_title
from benchhealth.dashboard.words.numbers import day_of, score_finely, signed
from benchhealth.dashboard.words.text import count, markdown, model_within, plotly, words_within

CHANGES_SHOWN, ROW_HEIGHT, OFFSET = 14, 34, 0.13
NAME, LEADER = 26, 24
OTHERS, MAKER = "✓", "○"
"""Whether others measured a score, beside the model."""


def drawable(rows: pl.DataFrame) -> pl.DataFrame:
    """The records of bounded scores, those beyond their error first and the largest step first."""
    scores = rows.filter(pl.col("unit").is_in(BOUNDED_UNITS)).drop_nulls(["value", "value_before"])
    step = (pl.col("value") - pl.col("value_before")).abs()
    return scores.with_columns(step=step).sort(
        "beyond_noise", "step", "name", descending=[True, True, False], nulls_last=True
    )


def best_scores_chart(rows: pl.DataFrame, known_until: date | None, palette: Palette, since: str) -> Chart | Nothing:
    """The chart of these rows of `published.changes`, at most SHOWN of them.

    `since` is the day before which the best was another, empty where the editions say it. Where rows have
    `is_confirmed`, a filled mark is a score that others measured and an open one its maker's alone.
    """
    all_rows = drawable(rows)
    if all_rows.is_empty():
        return Nothing(
            "No best score on a scale with a ceiling changed.",
            "Ratings and other open scales are not drawn: who leads on them is under *First places*.",
        )
    drawn = all_rows.head(CHANGES_SHOWN)
    tells_who = "is_confirmed" in drawn.columns
    heights = list(range(drawn.height, 0, -1))
    figure = go.Figure()
    laid_out(figure, palette, ROW_HEIGHT * drawn.height + 60)
    for height, row in zip(heights, drawn.iter_rows(named=True), strict=True):
        _change_line(figure, row, height, palette)
    labels = (_label(row, palette) for row in drawn.iter_rows(named=True))
    named_rows(figure, labels, heights, (0.4, drawn.height + 0.6), palette, showgrid=False)
    figure.update_layout(
        xaxis={"showgrid": True, **_score_axis(drawn)},
        margin={"l": 4, "r": 64, "t": 8, "b": 4},
    )
    unknown = all_rows["beyond_noise"].null_count()
    sentences = [
        f"The first {CHANGES_SHOWN} of {all_rows.height}." if all_rows.height > CHANGES_SHOWN else "",
        _legend(since, tells_who=tells_who),
    ]
    sentences.append(f"Of {unknown} no error is known." if unknown else "")
    columns = ["benchmark_id", "name", "model_id", "leads", "before", "led", "value_before", "low_before"]
    columns += ["high_before", "value", "low", "high", "beyond_noise", "on_day", "text"]
    return Chart(
        title=beyond_title(all_rows),
        subtitle=" ".join(sentence for sentence in sentences if sentence),
        figure=figure,
        rows=drawn.select(*columns, *(["corroboration"] if tells_who else [])),
        alt=f"Best scores before and now of {drawn.height} benchmarks: "
        + ", ".join(
            f"{row['label']} {score_finely(row['value_before'], row['unit'])} to "
            f"{score_finely(row['value'], row['unit'])}"
            for row in drawn.head(3).iter_rows(named=True)
        ),
        known_until=known_until,
    )


def _legend(since: str, *, tells_who: bool) -> str:
    """The subtitle: what each mark means, and with `tells_who` whose scores are filled and open."""
    before = f"Best before{since}" if since else "Best before"
    note = f" Filled, {OTHERS}: measured by others; open, {MAKER}: its maker's alone." if tells_who else ""
    return (
        f"{before} (small, grey) and now, with 95% errors. Blue: the errors do not overlap.{note} Open scales left out."
    )


def _label(row: Row, palette: Palette) -> str:
    """The benchmark, and below it who holds its best score now, with the mark of who measured that."""
    leader = plotly(model_within(row["leads"] or "model not known", LEADER), 40)
    mark = f"{OTHERS if row['is_confirmed'] else MAKER} " if "is_confirmed" in row else ""
    return f'{plotly(words_within(row["label"], NAME), 40)}<br><span style="color:{palette.ink3}">{mark}{leader}</span>'


def _score_axis(drawn: pl.DataFrame) -> dict[str, object]:
    """The ticks from the lowest to the highest score that is drawn."""
    ends = drawn.select("value_before", "low_before", "high_before", "value", "low", "high").to_numpy().ravel()
    ends_as_floats = ends.astype(np.float64)
    return share_axis(float(np.nanmin(ends_as_floats)), float(np.nanmax(ends_as_floats)))


def _change_line(figure: go.Figure, row: Row, centre: int, palette: Palette) -> None:
    colour = palette.accent if row["beyond_noise"] else palette.ink3
    is_open = not row.get("is_confirmed", True)
    for suffix, height, ink, size in (("_before", centre - OFFSET, palette.ink3, 7), ("", centre + OFFSET, colour, 10)):
        low, high, value = (row[f"{name}{suffix}"] for name in ("low", "high", "value"))
        if low is not None and high is not None:
            quiet_line(figure, [low, high], [height, height], width=5, color=palette.faint(ink, 0.45))
        name = str((row["led"] if suffix else row["leads"]) or "not known")
        text = (
            f"<b>{plotly(str(row['name']))}</b>, {'before' if suffix else 'now'}<br>"
            f"{score_finely(value, row['unit'])} · {plotly(name)}<br>{noise(row)}"
        )
        figure.add_scatter(
            x=[value],
            y=[height],
            mode="markers",
            marker={
                "size": size,
                "color": palette.paper if suffix or is_open else ink,
                "line": {"color": ink, "width": 1.5},
            },
            **on_hover([text], OPENS_BENCHMARK, [row["benchmark_id"]]),
        )
    _write_change(figure, row, centre, palette)


def _write_change(figure: go.Figure, row: Row, height: int, palette: Palette) -> None:
    """Write the change in points to the right of its row."""
    change = signed((row["value"] - row["value_before"]) * 100)
    ink = palette.ink if row["beyond_noise"] else palette.ink3
    write(figure, f"<b>{change}</b>", (1, height), ink, xref="paper", xanchor="left", xshift=8, align="left")


BENCHMARK, UNCURATED = "benchmark", "uncurated"
LINES_OF_ONE = 20


def rows_of(view: View, params: Params) -> pl.DataFrame:
    """The dated changes that the address asks for: of one benchmark, else of some months. Raises ParameterError."""
    if wanted := params.get(BENCHMARK):
        return changes_by_day(view).filter(pl.col("benchmark_id") == wanted)
    span = span_of(params.get(MONTH, ""), known_day(view))
    in_span = changes_by_day(view).filter(pl.col("on_day").is_between(span.first, span.until, closed="left"))
    is_shown = pl.col("curated") | pl.col("benchmark_id").is_null() | (pl.col("kind") == "benchmark")
    return in_span if params.get(UNCURATED) == "1" else in_span.filter(is_shown)


DATED = PublishedTable("dated-changes", lambda view, params: rows_of(view, params).drop("label", "family"))


def _best(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    uncurated = params.get(UNCURATED) == "1"
    if params.get(PERIOD, "") not in ("", EDITION):
        raise ParameterError(f"{PERIOD} is {EDITION}, or absent")
    if params.get(PERIOD) == EDITION:
        rows, until, since = edition.records(edition.changes_to_show(view, uncurated)), assessed_on(view), ""
    else:
        span = span_of(params.get(MONTH, ""), known_day(view))
        rows, until, since = changes_in(view, span, uncurated).best, known_day(view), f" {day_of(span.first)}"
    return best_scores_chart(rows, until, palette, since)


def _sources(view: View, _params: Params, chart: Chart) -> list[SourceLine]:
    sql = (
        "SELECT DISTINCT source_id FROM result JOIN snapshot USING (snapshot_id) WHERE benchmark_id IN $ids AND stands"
    )
    named = view.query(sql, ids=chart.rows["benchmark_id"].to_list())
    return provenance.lines(provenance.latest_first(view.table("source").join(named, on="source_id", how="semi")))


BEST = ChartSpec("best-scores", _best, (MONTH, PERIOD, UNCURATED), method="frontier", sources=_sources)


def draw(view: View) -> None:
    """Draw the page."""
    if benchmark_id := st.query_params.get(BENCHMARK, ""):
        _of_one(view, benchmark_id)
        return
    heading = st.container()
    span, is_edition = by_month.choose(view)
    uncurated = st.session_state.get(UNCURATED, st.query_params.get(UNCURATED) in {"1", "true"})
    params = {
        name: value
        for name, value in (
            (MONTH, st.query_params.get(MONTH, "") and span.address),
            (PERIOD, EDITION if is_edition else ""),
            (UNCURATED, "1" if uncurated else ""),
        )
        if value
    }
    if is_edition:
        with heading:
            st.title(edition.title(edition.changes_to_show(view, bool(uncurated))), anchor=False)
        has_records = edition.show(view, bool(uncurated))
    else:
        of_span = changes_in(view, span, bool(uncurated))
        with heading:
            st.title(markdown(words.title(of_span, on_record(view, span.until))), anchor=False)
            st.markdown(f":gray[{markdown(words.subtitle(of_span))}]")
        has_records = of_span.best.height > 0
        if of_span.total:
            by_month.show(of_span)
    if has_records:
        block.show(view, BEST, params)
    if not is_edition:
        by_month.digest(span)
    uncurated_out = 0 if is_edition else of_span.uncurated
    note = f"{count(uncurated_out, 'change')} of benchmarks that nobody curated are left out." if uncurated_out else ""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        csv = CHANGES.address({}) if params.get(PERIOD) else DATED.address(params)
        st.markdown(f":small[{note} [Feed](feed.xml) · {links.csv('All as CSV', csv)}]", width="content")
        st.toggle("Uncurated too", key=UNCURATED, bind="query-params")


def _of_one(view: View, benchmark_id: str) -> None:
    """All changes of one benchmark, the newest first, and those between the last generations."""
    labels = benchmarks(view).filter(pl.col("benchmark_id") == benchmark_id)["label"]
    rows = changes_by_day(view).filter(pl.col("benchmark_id") == benchmark_id)
    name = labels[0] if len(labels) else benchmark_id
    st.title(markdown(f"{count(rows.height, 'dated change')} of {name}"), anchor=False)
    with st.container(horizontal=True):
        st.markdown(f":small[[Changes of all benchmarks]({links.address('changes')})]", width="content")
    of_editions = changes(view).filter(pl.col("benchmark_id") == benchmark_id)
    if of_editions.height:
        st.header("In the last generations", anchor="editions")
        st.markdown("\n\n".join(lines.change_line(row) for row in of_editions.head(LINES_OF_ONE).iter_rows(named=True)))
    if rows.is_empty():
        empty.nothing("Nothing changed.", f"[See what changed elsewhere]({links.address('changes')}).")
        return
    st.header("By the day on which it happened", anchor="dated")
    st.markdown("\n\n".join(lines.change_line(row) for row in rows.head(LINES_OF_ONE).iter_rows(named=True)))
    more("dated", rows[LINES_OF_ONE:], f"{max(0, rows.height - LINES_OF_ONE):,} more")


PAGE = PageSpec(url_path="changes", title="Changes", draw=draw, tables=(CHANGES, DATED), charts=(BEST,))
