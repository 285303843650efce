"""Aging: how long benchmarks last before nothing is left to measure, which die faster, and what age does to items."""

from datetime import date

import streamlit as st

from analytics.aging.lives import OVERALL
from dashboard.pages.aging import tables as aging_tables
from dashboard.pages.aging.figures import hazards, item_age, survival
from dashboard.published import generation
from dashboard.published.generation import View
from dashboard.published.known import benchmarks_on_record, known_until, last_known
from dashboard.widgets import chart, empty, filters, links, tables
from dashboard.widgets.page import PageSpec
from dashboard.words.text import count, markdown


def render() -> None:
    """Draw the page."""
    view = generation.current()
    st.title("Aging: how long do benchmarks last?", anchor=False)
    _lives(view)
    _hazards(view)
    _items(view)


def _lives(view: View) -> None:
    ways = aging_tables.parts(view)
    if not ways:
        empty.nothing(
            "No survival curve can be drawn yet.",
            "It takes five benchmarks with a day of release, a chance level and dated results.",
        )
        return
    st.markdown(
        "A benchmark is **saturated** on the first day on which its verdict would have said so by the results of that "
        "day and before: at least five models, and less than a tenth of the way from chance to the ceiling left, error "
        "counted in, or leading models that no longer differ beyond error. **No maker's word alone ends a "
        "benchmark**: what a maker reports of its own model counts once a third party or another maker has reported "
        "as high a score. A benchmark that nobody reports any more is not dead: it leaves the count at its last "
        "result, and enters it on the first day on which it could be called saturated "
        f"([how]({links.address('methods')}#lives))."
    )
    by = filters.one("by", "Compared by", ways)
    params = {"by": by}
    rows = aging_tables.curves(view, params)
    chart.show(
        view,
        chart.Chart(
            key="survival",
            finding=survival.finding(rows, benchmarks_on_record(view), last_known(view)),
            alt=survival.alt_text(rows),
            figure=survival.figure(rows),
            table=aging_tables.CURVES,
            params=params,
            method="survival",
        ),
    )
    said = survival.contrast(view.table("survival"), last_known(view))
    if said is not None:
        st.markdown(f"**Why not just count the dead?** {said}")
    _every(view)


def _hazards(view: View) -> None:
    rows = aging_tables.hazards(view, {})
    st.header("Does a younger benchmark die faster?", anchor="younger")
    if hazards.drawn_rows(rows).is_empty():
        empty.nothing(
            "No ratio of risks can be given yet.",
            "It takes five deaths for each coefficient, among benchmarks that were watched while alive.",
        )
        return
    year, until = hazards.of_year(rows), last_known(view)
    chart.show(
        view,
        chart.Chart(
            key="hazards",
            finding=hazards.answer(year, until),
            alt=hazards.alt_text(rows),
            figure=hazards.figure(rows),
            table=aging_tables.HAZARDS,
            method="hazard",
            column_config={"level": st.column_config.TextColumn("level", pinned=True, width=170)},
        ),
    )
    st.markdown(
        f"{hazards.caveat(year, until)} {markdown(hazards.by_cohort(rows, until))} A ratio above 1 "
        "says that such benchmarks are saturated sooner at any age. Points in the second row of each pair are "
        "adjusted for the release year, as "
        "traits came and went with time. Intervals are of the profile likelihood; with fewer than ten deaths for each "
        f"coefficient the fit is penalised, with fewer than five there is none. {markdown(hazards.refused(rows))} Many "
        "are compared at once: the table has p, q (false discoveries) and the test of proportional hazards of each. "
        "These are associations among benchmarks that somebody chose to make and report, not effects."
    )


def _items(view: View) -> None:
    st.header("Scores by the age of the items", anchor="items")
    benchmarks = aging_tables.dated(view)
    if not benchmarks:
        empty.nothing(
            "No source of this generation dates its items.",
            "LiveCodeBench does: pull it with `benchhealth ingest --source livecodebench`.",
        )
        return
    left, right = st.columns([2, 3])
    with left:
        dated = filters.one("dated", "Benchmark", benchmarks)
    with right:
        model = filters.one("model", "Model", aging_tables.readers(view, dated))
    params = {"dated": dated, "model": model}
    rows, ends = aging_tables.item_ages(view, params), aging_tables.training_ends(view, dated, model)
    named = None if model == OVERALL else model
    test = None if named is None else aging_tables.break_test(view, dated, named)
    chart.show(
        view,
        chart.Chart(
            key="item-age",
            finding=item_age.finding(rows, named, test, known_until(view, [dated])),
            alt=item_age.alt_text(rows, named),
            figure=item_age.figure(rows, ends),
            table=aging_tables.ITEM_AGES,
            params=params,
            method="item_age",
        ),
    )
    st.markdown(_read_as(named, ends, test))


def _read_as(model: str | None, ends: list[tuple[date, str]], test: dict[str, object] | None) -> str:
    """What may be inferred from the lines, and what not."""
    caveat = "Months differ in their problems, so a fall in time alone says nothing; the bands are for the items."
    if model is None:
        ticks = " Ticks mark where models' training data end, as sources state it." if ends else ""
        return f"{caveat}{ticks} A model of its own can be chosen above and read against this mean."
    if not ends:
        return f"{caveat} Nobody states when this model's training data end."
    stated = "A stated end may be wrong. "
    if test is None:
        return f"{caveat} {stated}Too few months on one side of it, or too few models trained earlier, to test."
    how = f"[how](<{links.address('methods')}#contamination_break>)"
    return (
        f"{caveat} {stated}The sentence above is a test against models trained earlier, on the same months and "
        f"difficulties ({how}). A higher score on older items is what knowing them would look like; items that changed "
        "in kind at that time would look the same."
    )


def _every(view: View) -> None:
    rows = aging_tables.half_lives(view, {})
    st.header("Half-lives", anchor="half-lives")
    st.markdown(
        f"{count(rows.height, 'cohort')} of at least five benchmarks. Where the half-life is empty, more than half "
        "live on; where only its upper end is empty, the data do not bound it. Cohorts overlap, differ in more than "
        "their name, and are small: an interval that holds another cohort's half-life is no difference."
    )
    config = st.column_config
    tables.show(
        view,
        rows,
        aging_tables.HALF_LIVES,
        {},
        key="half-lives",
        alt="Every cohort with its deaths, half-life, 95% interval and how many were watched at some ages",
        config={
            "cohort": config.TextColumn("Cohort", pinned=True, width=190),
            "deaths": config.NumberColumn("Saturated", width=90),
            "half_life": config.NumberColumn("Half-life, months", format="%.0f", width=130),
            "low": config.NumberColumn("95% from", format="%.0f", width=90),
            "high": config.NumberColumn("to", format="%.0f", width=70),
            **{f"at_{m}": config.NumberColumn(f"Watched at month {m}", width=150) for m in aging_tables.AT},
        },
    )


PAGE = PageSpec(
    url_path="aging",
    title="Aging",
    render=render,
    tables=(aging_tables.CURVES, aging_tables.HALF_LIVES, aging_tables.HAZARDS, aging_tables.ITEM_AGES),
)
