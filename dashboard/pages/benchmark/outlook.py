"""What is expected of a benchmark, in words, and the track record of every method that was tried."""

import polars as pl
import streamlit as st

from benchhealth.analytics.record.tables import TABLES
from benchhealth.dashboard.pages.benchmark import card
from benchhealth.dashboard.pages.benchmark.facts import indicators_of
from benchhealth.dashboard.pages.benchmark.tabs import backcast
from benchhealth.dashboard.published.generation import PublishedTable, View
from benchhealth.dashboard.published.results import of_benchmark
from benchhealth.dashboard.widgets import folded, links, tables
from benchhealth.dashboard.widgets.tables import GridColumn, sized
from benchhealth.dashboard.words.forecasts import chance_text, either_first, event, record_sentence
from benchhealth.dashboard.words.numbers import day_of, points, score_finely
from benchhealth.dashboard.words.prose.cases import row_sentence as worded
from benchhealth.dashboard.words.sentences import Facts
from benchhealth.dashboard.words.text import count, markdown

HORIZONS = {"forecast_6_months": "Half a year", "forecast_12_months": "A year"}


_SKILL = TABLES["forecast_skill"].by_name
SKILL_COLUMNS = (
    GridColumn(_SKILL["method"], pinned=True, width=140),
    *sized("forecast_skill", part=240, population=240, horizon_months=110, n=85),
    *(
        GridColumn(_SKILL[name], format="%.2f")
        for name in ("mae", "skill", "skill_low", "skill_high", "skill_vs_persistence", "skill_vs_drift")
    ),
    *(GridColumn(_SKILL[name], format="%.3f") for name in ("brier", "brier_of_base_rate")),
)


SKILL = PublishedTable(
    "forecast-skill",
    lambda view, _params: view.table("forecast_skill").sort("part", "population", "horizon_months", "mae", "method"),
)
"""How good forecasts were by part, kind of benchmarks and method; the same for all benchmarks."""

RECORD = PublishedTable(
    "forecasts-issued", of_benchmark("forecast_record", "issued_on", "horizon_months", descending=True)
)
"""The forecasts of a benchmark that were issued before, and their outcomes."""


def section(view: View, facts: Facts) -> None:
    """The answer, the forecasts in full, how earlier ones turned out, and how good the methods are."""
    card.draw_answer(view, facts, "outlook")
    if published := forecast_lines(view, facts):
        st.markdown("\n".join(f"- {line}" for line in published))
    params = {"benchmark": facts["benchmark_id"]}
    of_this, of_all = RECORD.build(view, params), view.table("forecast_record")
    st.markdown(
        f"**The record.** Of this benchmark: {record_sentence(of_this)}. Of all benchmarks: {record_sentence(of_all)}. "
        "A forecast is entered on the day on which it is published and never changed; the backtest is not in it. "
        f"[How]({links.address('methods', topic='forecast_record')}#forecast_record)"
    )
    if of_this.height:
        tables.show(view, of_this, RECORD, params, alt="Forecasts of this benchmark that were issued before")
    backcast.show(view, facts)
    record = SKILL.build(view, {})
    if record.is_empty():
        st.markdown("No method has a track record yet: too few outcomes are known.")
        return
    label = f"How good the methods were: the track record of all {record['method'].n_unique()}, by kind of benchmarks"
    folded.draw_folded(label, "details_forecast", lambda: _track_record(view, record))


def _track_record(view: View, record: pl.DataFrame) -> None:
    st.markdown(
        "Every method was tried at each quarter of the past, knowing only what was known on that day, with scores as "
        "their newest version has them. Error in points; skill is the share of the error of persistence that a score "
        "avoids, or of the Brier score of the earlier rate that a chance avoids, below 0 where it does worse, with its "
        "95% interval by family of benchmarks and stretch of time; coverage should be 80%. "
        f"[How it is done]({links.address('methods', topic='forecast_skill')}#forecast_skill)"
    )
    tables.show(
        view,
        record.with_columns(pl.col("method").str.replace_all("_", " ")),
        SKILL,
        {},
        alt="Skill, error and coverage of each forecasting method by part, kind of benchmarks and horizon",
        columns=SKILL_COLUMNS,
        declared_in=("forecast_skill",),
        visible_rows=20,
    )


def forecast_lines(view: View, facts: Facts) -> list[str]:
    """The forecasts of a benchmark in full, and the basis of each horizon."""
    indicators = indicators_of(view, str(facts["benchmark_id"]))
    published = {key: indicators[key] for key in HORIZONS if key in indicators and indicators[key]["status"] == "ok"}
    forecasts = view.table("forecast").filter(pl.col("benchmark_id") == facts["benchmark_id"]).sort("target_on")
    sentences = [_forecast(row, facts["unit"], _given_before(view, row)) for row in forecasts.iter_rows(named=True)]
    why = [f"{HORIZONS[key]} ahead: {markdown(worded(row, facts['unit']))}." for key, row in published.items()]
    populations = forecasts.drop_nulls("median")["population"]
    if len(populations):
        condition = either_first(view.table("forecast_skill"), populations[0])
        sentences.insert(0, f"{condition}; what follows is for the case that one is.")
    return [*sentences, *why]


def _forecast(row: Facts, unit: str | None, n: int) -> str:
    """Both parts of one forecast, and when it was made; `n`: how many probabilities were issued before."""
    chance = chance_text(row["chance"])
    if row["median"] is None:
        sentence = (
            f"**By {day_of(row['target_on'])}** {event(row['population'])}: {chance}, tested on {count(n, 'forecast')}"
        )
    else:
        sentence = (
            f"**By {day_of(row['target_on'])}**, if {event(row['population'])} ({chance}), the best score is expected "
            f"at {score_finely(row['median'], unit)}, and in four of five such cases between "
            f"{score_finely(row['low80'], unit)} and {score_finely(row['high80'], unit)}"
            f"{_regrading_note(row)}"
        )
    return f"{sentence} (made of what was known on {day_of(row['made_on'])})."


def _regrading_note(row: Facts) -> str:
    """Why the interval goes beyond the best of the day on the worse side; nothing where it does not."""
    if row["regrade"] is None:
        return ""
    return f", counting that a published score may be corrected by {points(row['regrade'])}"


def _given_before(view: View, row: Facts) -> int:
    """How many probabilities the backtest issued for benchmarks of this kind, at this horizon."""
    of_kind = pl.col("brier").is_not_null()
    for key in ("population", "horizon_months"):
        of_kind &= pl.col(key).eq_missing(row[key])
    return int(view.table("forecast_skill").filter(of_kind)["n"].sum())
