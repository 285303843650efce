"""The line of the question: what is chosen stands in the address, and on a phone it folds to one line."""

import polars as pl
import streamlit as st

from benchhealth.dashboard.published.deciding.question import (
    BUDGET,
    BUDGETS,
    CONSTRUCT,
    DOMAIN,
    MAKERS,
    NO_LIMIT,
    ROLE,
    SINCE,
    USUAL,
    Question,
    constructs,
    domains,
    months,
    question,
    usual_since,
)
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.widgets import filters, links
from benchhealth.dashboard.widgets.folded import later
from benchhealth.dashboard.words.desk import question as words
from benchhealth.dashboard.words.domains import NAMES
from benchhealth.dashboard.words.text import markdown

ANCHOR = "question"
WIDTHS = (2.95, 1.9, 1.55, 1.6, 1.75, 1.85)
"""The shares of the line that its controls take."""


def question_in_address(view: View) -> Question | None:
    """Draw the line; the question that it asks, or None where no domain is chosen.

    Raises ParameterError for an address that asks what is not. A construct of another domain than the one that was
    just chosen is let go.
    """
    domain = st.query_params.get(DOMAIN, "")
    if domain in domains(view) and st.query_params.get(CONSTRUCT, "") not in constructs(view, domain):
        st.query_params.pop(CONSTRUCT, None)
    asked = question(view, st.query_params.to_dict())
    if asked is None:
        with st.container(border=True, key="question"):
            _choices(view, None)
        return None
    line = words.line(
        asked.role,
        NAMES[asked.domain],
        asked.construct,
        asked.since,
        independent=asked.independent,
        budget=asked.budget,
    )
    with later("question", f"{markdown(line)} · change", ANCHOR), st.container(border=True, key="question"):
        st.html(f'<span id="{ANCHOR}"></span>')
        _choices(view, asked)
    return asked


def _choices(view: View, asked: Question | None) -> None:
    """The controls beside one another; the domain alone where nothing is asked yet."""
    places = st.columns(WIDTHS if asked else WIDTHS[:2], vertical_alignment="bottom", gap="small")
    with places[0]:
        filters.segments(ROLE, "I want to", words.ROLES, usual=USUAL, labelled=True)
    with places[1]:
        filters.named(DOMAIN, "Domain", domains(view), placeholder="choose a domain", with_id=False)
    if asked is None:
        return
    with places[2]:
        options = {construct: construct for construct in constructs(view, asked.domain)}
        filters.named(CONSTRUCT, "Of what", options, placeholder="any construct", with_id=False)
    with places[3]:
        _since(view, asked)
    with places[4]:
        filters.named(BUDGET, "Budget for a run", _budgets(view, asked), with_id=False)
    with places[5]:
        filters.marked(MAKERS, "must be independent", usual=True)


def _since(view: View, asked: Question) -> None:
    days = {*months(view), *([asked.since] if asked.since else [])}
    options = {f"{day:%Y-%m}": words.since_label(day) for day in sorted(days, reverse=True)}
    usual = usual_since(view)
    filters.named(
        SINCE,
        "Known since",
        {**options, NO_LIMIT: "Any day"},
        with_id=False,
        usual=f"{usual:%Y-%m}" if usual else NO_LIMIT,
    )


def _budgets(view: View, asked: Question) -> dict[str, str]:
    rows = view.table("decision").filter(pl.col("role") == asked.role, pl.col("domain_group") == asked.domain)
    amounts = dict.fromkeys([*BUDGETS, *([str(asked.budget)] if asked.budget is not None else [])])
    labels = {amount: words.budget_label(amount) for amount in sorted(amounts, key=int)}
    return {NO_LIMIT: words.any_budget(rows["run_cost"].count(), rows.height), **labels}


def examples(view: View) -> None:
    """Questions to begin with, of domains that there are."""
    offered = [(example, params) for example, params in words.EXAMPLES if params[DOMAIN] in domains(view)]
    for start in range(0, len(offered), 3):
        for column, (example, params) in zip(st.columns(3), offered[start : start + 3], strict=False):
            with column, st.container(border=True):
                st.markdown(f"[{markdown(example)}](<{links.address('decide', **params)}>)")
