"""What others measured beside what makers claim: the two curves, and the table of bests by condition."""

import polars as pl
import streamlit as st

from benchhealth.dashboard.figures.base import is_bounded
from benchhealth.dashboard.figures.effort import effort_of
from benchhealth.dashboard.pages.benchmark.facts import Facts, facts_of
from benchhealth.dashboard.published.generation import PublishedTable, View, recently
from benchhealth.dashboard.published.results import of_benchmark, results
from benchhealth.dashboard.widgets import provenance
from benchhealth.dashboard.words.measurers.houses import head_of, house_name
from benchhealth.dashboard.words.numbers import score, stated_day
from benchhealth.dashboard.words.prose.corroboration import ahead, is_apart, so_it_is
from benchhealth.dashboard.words.text import markdown

_EQUAL_WITHIN = 1e-6
BESTS_SHOWN = 4
"""Rows of the table of bests; all of them are in its CSV."""


SIDES = PublishedTable(
    "reporter-frontier",
    of_benchmark("reporter_frontier", "reporter", "carried", "dated_on", model="name", maker="organisation"),
)
"""The running best that others measured of a benchmark, and the one that makers claim, with the names of models."""

CORROBORATION = PublishedTable(
    "corroboration", of_benchmark("corroboration", "kind", "rank", "condition", model="name", maker="organisation")
)
"""The best scores of a benchmark, each with who measured it and what others found."""


def sides_apart(view: View, facts: Facts) -> pl.DataFrame | None:
    """The two sides where makers claim so much more that both must be shown; else None."""
    rows = SIDES.build(view, {"benchmark": facts["benchmark_id"]})
    ends = dict(rows.filter("carried").select("reporter", "score").iter_rows())
    if len(ends) < 2 or not is_bounded(facts["unit"]):
        return None
    measured, claimed = ends["third_party"], ends["self"]
    is_ahead = ahead(measured, claimed, higher_is_better=facts["higher_is_better"] is not False)
    return rows if is_apart(measured, claimed, facts["unit"]) and is_ahead else None


def best_in_another_condition(view: View, facts: Facts) -> Facts | None:
    """The best that others measured in a condition that does not count, where there is one."""
    bests = CORROBORATION.build(view, {"benchmark": facts["benchmark_id"]})
    rows = bests.filter(kind="condition", reporter="third_party")
    return next(rows.sort("score", descending=facts["higher_is_better"] is not False).iter_rows(named=True), None)


def claimed_under(view: View, facts: Facts) -> str | None:
    """The condition of the best that makers claim, where they claim one."""
    ends = SIDES.build(view, {"benchmark": facts["benchmark_id"]}).filter("carried", reporter="self")
    return None if ends.is_empty() else str(ends["condition"][0])


def section(view: View, facts: Facts) -> None:
    """Draw the table of bests where the two sides are apart."""
    rows = _bests(view, facts["benchmark_id"])
    if rows is None:
        return
    address = CORROBORATION.address({"benchmark": facts["benchmark_id"]})
    with st.container(key="bests"):
        st.table(rows)
        st.markdown(f":small[[All conditions, unordered (CSV)](<{address}>)]")


@recently
def _bests(view: View, benchmark_id: str) -> pl.DataFrame | None:
    facts, params = facts_of(view, benchmark_id), {"benchmark": benchmark_id}
    claimed_and_measured = sides_apart(view, facts)
    if claimed_and_measured is None:
        return None
    bests, printed = CORROBORATION.build(view, params), results(view, params)
    steps = claimed_and_measured.filter(~pl.col("carried"))
    ends = steps.sort("dated_on").group_by("reporter", maintain_order=True).last().sort("reporter", descending=True)
    further = bests.filter(pl.col("kind") == "condition").join(ends, on=["condition", "score"], how="anti")
    rows = [*ends.iter_rows(named=True), *further.sort("score", descending=True).iter_rows(named=True)][:BESTS_SHOWN]
    return pl.DataFrame([_best_row(view, facts, row, bests, printed) for row in rows])


def _best_row(view: View, facts: Facts, row: Facts, bests: pl.DataFrame, printed: pl.DataFrame) -> dict[str, str]:
    """One best score: its condition, value, model, measurer and date, and how it was measured."""
    same = (pl.col("model_id") == row["model_id"]) & (pl.col("score") == row["score"])
    matches = bests.filter(same, pl.col("condition") == row["condition"]).head(1).to_dicts()
    published = printed.filter(
        same, pl.col("condition") == row["condition"], pl.col("reporter") == row["reporter"]
    ).head(1)
    error, source_id = (published[name][0] if published.height else None for name in ("std_error", "source_id"))
    source = view.table("source").filter(pl.col("source_id") == (source_id or ""))["title"]
    maker = f"{row['maker'] or 'its maker'}, its maker" if row["maker"] else "its maker"
    printer = source[0] if len(source) else "others"
    house = next((match["measured_by"] for match in matches if match["measured_by"]), None)
    measurer = maker if row["reporter"] == "self" else _measurer(view, house or _house(view, facts, row), printer)
    corroboration = (
        matches[0] if matches else {"class": "measured" if row["reporter"] != "self" else "claimed", "reason": None}
    )
    return {
        "Condition": markdown(row["condition"]),
        "Best": score(row["score"], facts["unit"], error),
        "Model": _model(
            row, matches[0]["setting"] if matches else published["setting"][0] if published.height else None
        ),
        "Who measured, when": markdown(f"{measurer}, {stated_day(row['dated_on'], row['date_precision'])}"),
        "What it rests on": so_it_is(corroboration),
    }


def _model(row: Facts, setting: str | None) -> str:
    """The model's name, with the effort at which the best was reached."""
    name, chip = markdown(row["model"] or row["model_id"]), effort_of(setting)
    return f"{name} :small[:gray[{markdown(chip)}]]" if chip else name


def _house(view: View, facts: Facts, row: Facts) -> str | None:
    """The house of a number that is unlike others of its model: the table of these has all of them."""
    number = view.rows("differing_number", benchmark_id=facts["benchmark_id"], model_id=row["model_id"]).filter(
        (pl.col("score") - row["score"]).abs() < _EQUAL_WITHIN,
        pl.col("house").is_not_null(),
    )
    return None if number.is_empty() else str(number["house"][0])


def _measurer(view: View, house: str | None, printer: str) -> str:
    """The house that measured it, and who prints it where that is another; the printer alone where none is known."""
    if house is None:
        return printer
    name = house_name(house, provenance.titles(view))
    return printer if printer.startswith(name) else f"{name}, printed by {head_of(printer)}"
