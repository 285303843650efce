"""The sections of the Goodhart page about who enters: reports, selection, judges, cost, attention, open weights."""

from collections.abc import Callable

import plotly.graph_objects as go
import polars as pl
import streamlit as st

from analytics.statistics.errors import BOUNDED_UNITS
from dashboard.pages.goodhart import figures, provenance, words
from dashboard.pages.goodhart import tables as goodhart_tables
from dashboard.published.generation import View
from dashboard.published.known import known_until, last_known
from dashboard.widgets import chart, empty, filters
from dashboard.words.known import known_at_latest
from dashboard.words.text import count, listed, markdown, plotly

DRAWN_ROWS = 25


def show(view: View) -> None:
    """Every section, each with what it can say or with what it lacks."""
    sections: tuple[Callable[[View], None], ...] = (_reports, _selection, _judges, _cost, _attention, _openness)
    for section in sections:
        section(view)


def by_year_or_name(rows: pl.DataFrame, by: str, *, axis: str) -> go.Figure:
    """Lines over years, or a row for each name with the share it has."""
    if by == "year":
        return figures.years_of([(figures.PLAIN, rows)], axis=axis, span=(0, 102), noun="advances")
    drawn = rows.head(DRAWN_ROWS)
    return figures.rows_of(drawn, (figures.PLAIN,), _hover(drawn, "advances"), axis=axis, span=(-2, 102))


def _hover(rows: pl.DataFrame, noun: str, unit: str = "") -> list[str]:
    return [
        f"{plotly(row['name'])}, {row['n']:,} {noun}<br>"
        f"{row['value']:.3g}{unit} [{row['low']:.3g} to {row['high']:.3g}]"
        for row in rows.iter_rows(named=True)
    ]


def _reports(view: View) -> None:
    st.header("Do makers report higher scores than others find?", anchor="reports")
    by = filters.one("reports", "Self-reports by", tuple(goodhart_tables.PREMIUMS))
    params = {"reports": by}
    rows = goodhart_tables.premiums(view, params)
    repeated = goodhart_tables.one(view, "self_report_repeated")
    said = ""
    if repeated is not None and repeated["value"] is not None:
        said = (
            f" {repeated['value']:.0%} of {repeated['n']:,} pairs of scores are one number twice, most likely a "
            f"quotation, and are left out{known_at_latest(last_known(view))}."
        )
    st.markdown(
        "The same model on the same benchmark, as its maker reports it less what others measured. Prompts, examples, "
        f"effort and scaffold differ between the two, and makers choose what to report.{said}"
    )
    if rows.is_empty():
        empty.nothing("No two reports can be compared.", "It takes three models with both kinds of score.")
        return
    noun = "models" if by == "benchmark" else "results"
    left = "" if by == "benchmark" else ", less what is usual for the benchmarks they report"
    chart.show(
        view,
        chart.Chart(
            key="premium",
            finding=words.premium(goodhart_tables.one(view, "self_report_premium"), rows, by, last_known(view)),
            alt=f"Self-reported less third-party score in points by {by}{left}, drawn towards the common mean by as "
            "much as each is uncertain, with 95% intervals. That anyone embellished does not follow from a difference.",
            figure=figures.rows_of(
                rows.head(DRAWN_ROWS),
                (figures.PLAIN,),
                _hover(rows.head(DRAWN_ROWS), noun, " points"),
                axis="Self-reported less third-party, points",
                reference=0.0,
            ),
            table=goodhart_tables.PREMIUM,
            params=params,
            method="premium",
        ),
    )


def _selection(view: View) -> None:
    st.header("What does the best of several entries show?", anchor="selection")
    st.markdown(
        "The best of many noisy scores overstates. Estimated is by how much the best entry of an organisation would "
        "fall if it were measured anew; were all its entries equally good, it would be the open diamond. What was "
        "tried and never listed nobody outside can know."
    )
    named = goodhart_tables.boards(view)
    if not named:
        empty.nothing(
            "No leaderboard shows it.", "It takes five organisations with five entries each, and errors of the scores."
        )
        return
    board = filters.named("board", "Leaderboard", named)
    params = {"board": board}
    rows = goodhart_tables.selection(view, params)
    bounded = view.table("benchmark").filter(pl.col("benchmark_id") == board)["unit"].is_in(BOUNDED_UNITS).all()
    unit = "points" if bounded else "units of the scale"
    shown = rows.head(DRAWN_ROWS)
    said = [
        f"{plotly(row['name'])}: best of {row['n']} entries<br>if all were equal {row['by_noise']:.1f}, estimated "
        + (f"{row['excess']:.1f}" if row["excess"] is not None else f"unknown: {plotly(str(row['reason']), 90)}")
        for row in shown.iter_rows(named=True)
    ]
    drawn = shown.with_columns(name=pl.format("{} ({})", "name", "n"))
    chart.show(
        view,
        chart.Chart(
            key="best-of-several",
            finding=words.selection(named[board], rows, unit, known_until(view, [board])),
            alt="For each organisation with at least five entries (their number in brackets), most first: by how much "
            "its best entry is estimated to overstate, with 95% interval, and by how much it would if all its entries "
            "were equally good. In points, or the benchmark's unit where that is open-ended.",
            figure=figures.rows_of(
                drawn, (figures.EXCESS, figures.NOISE), said, axis=f"Overstated by, {unit}", reference=0.0
            ),
            table=goodhart_tables.SELECTION,
            params=params,
            method="best_of_several",
            sources=provenance.of_benchmarks(view, [board]),
        ),
    )


def _judges(view: View) -> None:
    st.header("Do judges prefer models of their own family?", anchor="judges")
    st.markdown(
        "Where a model judges answers: by which factor its odds for models of its own family exceed what other judges "
        "of the same answers, or the votes of people, lead to expect. Liking a style its family shares would "
        "show as well."
    )
    rows = goodhart_tables.judges(view, {})
    compared = rows.filter(pl.col("value").is_not_null())
    if compared.is_empty():
        empty.nothing("No judge can be compared.", "It takes four models that others judged too, some of its family.")
        return
    drawn = _side_by_side(compared)
    said = [
        f"{plotly(row['name'])}<br>" + "<br>".join(_factor(row, side, against) for side, against in _SIDES.items())
        for row in drawn.iter_rows(named=True)
    ]
    chart.show(
        view,
        chart.Chart(
            key="own-family",
            finding=words.judges(rows, known_until(view, compared["subject"].unique())),
            alt="A row for each judge and what it is held against: the factor of the odds for models of its own "
            "family, 1 is no preference, with 95% intervals on a logarithmic scale.",
            figure=figures.rows_of(
                drawn,
                (figures.BY_JUDGES, figures.BY_PEOPLE),
                said,
                axis="Odds for its own family, factor (logarithmic)",
                reference=1.0,
                logarithmic=True,
            ),
            table=goodhart_tables.JUDGES,
            method="own_family",
            sources=provenance.of_benchmarks(view, compared["subject"].to_list()),
        ),
    )
    unknown = rows.filter(pl.col("value").is_null())
    if unknown.height:
        st.markdown(f"{count(unknown.height, 'more comparison')} cannot be made: too few models of both kinds.")


_SIDES = {"judges": "other judges", "people": "votes of people"}


def _side_by_side(compared: pl.DataFrame) -> pl.DataFrame:
    """One row for each judge, with the factor against other judges and that against people, either may be unknown."""
    parts = [
        compared.filter(pl.col("against") == against).select(
            "subject", **{f"{side}{end}": pl.col(name) for end, name in _ENDS.items()}
        )
        for side, against in _SIDES.items()
    ]
    names = compared.select("subject", name=pl.col("name").str.replace(r": win rate$", "")).unique(maintain_order=True)
    joined = names.join(parts[0], on="subject", how="left").join(parts[1], on="subject", how="left")
    return joined.sort("judges", "people", "subject", descending=[True, True, False], nulls_last=True)


_ENDS = {"": "value", "_low": "low", "_high": "high", "_reason": "reason"}


def _factor(row: dict[str, object], side: str, against: str) -> str:
    if row[side] is None:
        return f"against {against}: unknown"
    ends = f"{row[side]:.2f} [{row[f'{side}_low']:.2f} to {row[f'{side}_high']:.2f}]"
    return f"{ends}: {plotly(str(row[f'{side}_reason']), 110)}"


def _cost(view: View) -> None:
    st.header("What does a point cost?", anchor="cost")
    st.markdown(
        "The lowest published cost of a run that reaches a score, of those dated up to the end of each year, at the "
        "prices of the day of the run and as the source counts them."
    )
    named = goodhart_tables.priced(view)
    missing = goodhart_tables.named(view, goodhart_tables.rows(view, "cost_of_next_point").filter(pl.col("n") == 0))[
        "name"
    ].to_list()
    if named:
        chosen = filters.named("cost", "Cost on", named)
        params = {"cost": chosen}
        rows = goodhart_tables.cheapest(view, params)
        lines = [
            (
                figures.Series(f"at least {level}%", "value", None, None, *look),
                rows.filter(pl.col("level") == level),
            )
            for level, look in zip(rows["level"].unique().sort(), figures.LEVEL_LOOKS, strict=False)
        ]
        chart.show(
            view,
            chart.Chart(
                key="cheapest",
                finding=words.cost(
                    named[chosen],
                    goodhart_tables.one(view, "cost_factor_of_ten_points", chosen),
                    rows,
                    known_until(view, [chosen]),
                ),
                alt="The cheapest run with at least 25%, 50% and 75% by year, in dollars on a logarithmic scale. Of a "
                "lowest price no interval is given; that of the factor is from resampled runs.",
                figure=figures.years_of(lines, axis="Dollars, logarithmic", logarithmic=True, noun="runs as good"),
                table=goodhart_tables.COST,
                params=params,
                method="cost_of_a_point",
                sources=provenance.of_benchmarks(view, [f"{chosen}/cost"]),
            ),
        )
    else:
        empty.nothing("No run has a cost on record.", "It takes a source that publishes costs with scores.")
    if missing:
        st.markdown(f"Without a cost on record: {listed([markdown(name) for name in missing])}.")


def _attention(view: View) -> None:
    st.header("On how few benchmarks is attention?", anchor="attention")
    st.markdown(
        "The Gini coefficient is 0 where all have as many entries and 1 where one has all; the Herfindahl-Hirschman "
        "index is the chance that two entries fall on the same one. An entry is a model's first result on a "
        "benchmark in the sources read here, which change from year to year; undated ones are left out."
    )
    name = filters.one("index", "Measured by", list(goodhart_tables.INDICES))
    params, index = {"index": name}, goodhart_tables.INDICES[name]
    rows = goodhart_tables.concentration(view, params)
    parts = [
        (one, rows.filter(pl.col("status") == "ok", pl.col("measure") == measure))
        for one, measure in (
            (figures.BENCHMARKS, f"{index}_of_benchmarks"),
            (figures.ORGANISATIONS, f"{index}_of_organisations"),
        )
    ]
    if not any(part.height for _, part in parts):
        empty.nothing("No year can be counted.", "It takes twenty benchmarks or organisations with dated entries.")
        return
    last = parts[0][1].tail(1)
    most = f" Last: {last['reason'].item()}." if last.height and last["reason"].item() else ""
    chart.show(
        view,
        chart.Chart(
            key="concentration",
            finding=words.concentration(rows, index, last_known(view)),
            alt=f"The {_TITLES[index]} by year of entries over benchmarks and of new models over organisations, with "
            f"95% intervals; years with fewer than twenty are left out. Years differ in the sources that they are read "
            f"from, so that a rise or a fall from one to another says nothing about attention.{most}",
            figure=figures.years_of(parts, axis=_TITLES[index], span=(-0.03, 1.03), noun="counted"),
            table=goodhart_tables.CONCENTRATION,
            params=params,
            method="concentration",
        ),
    )


_TITLES = {"gini": "Gini coefficient", "hhi": "Herfindahl-Hirschman index"}


def _openness(view: View) -> None:
    st.header("Who sets the frontier?", anchor="openness")
    rows = goodhart_tables.openness(view, {})
    code = goodhart_tables.one(view, "frontier_open_code")
    unknown = f" On code: {markdown(str(code['reason']))}." if code is not None and code["reason"] else ""
    st.markdown(
        "The share made by models whose weights anybody can have, among the steps of the running bests and among all "
        f"new entries, of models of which it is known; those are recent language models foremost.{unknown}"
    )
    usable = rows.filter(pl.col("status") == "ok").with_columns(pl.col(*goodhart_tables.NUMBERS) * 100)
    if usable.is_empty():
        empty.nothing("No year can be counted.", "It takes ten steps by models of known weights.")
        return
    parts = [
        (one, usable.filter(pl.col("measure") == measure))
        for one, measure in ((figures.STEPS, "frontier_open_weights"), (figures.ENTRIES, "entries_open_weights"))
    ]
    chart.show(
        view,
        chart.Chart(
            key="open-weights",
            finding=words.openness(rows, last_known(view)),
            alt="The share of models with open weights by year, among the steps of the running bests and among all new "
            "entries of curated benchmarks, with 95% intervals that count models as clusters.",
            figure=figures.years_of(parts, axis="Open weights, %", span=(0, 102), noun="of known weights"),
            table=goodhart_tables.OPENNESS,
            method="openness",
        ),
    )
