"""Decide: which benchmark could support a claim: a question, at most three answers, and why not the others."""

from collections.abc import Mapping, Sequence
from html import escape

import polars as pl
import streamlit as st

from benchhealth.analytics.answers.desk.choose import MOST_RECOMMENDED
from benchhealth.analytics.record.tables.declared import link, text
from benchhealth.dashboard.figures.by_benchmark import panel as figure
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing, SourceLine
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.published.deciding import panel
from benchhealth.dashboard.published.deciding.question import (
    BUDGET,
    BUDGETS,
    CONSTRUCT,
    DECIDED,
    DOMAIN,
    MAKERS,
    NO_LIMIT,
    PARAMS,
    ROLE,
    SINCE,
    USUAL,
    DecisionWords,
    Question,
    Row,
    answer_to,
    constructs,
    decision_words,
    domains,
    months,
    question_of,
    sql,
    usual_since,
)
from benchhealth.dashboard.published.generation import ParameterError, Params, View
from benchhealth.dashboard.widgets import block, empty, filters, links, provenance, replay, tables
from benchhealth.dashboard.widgets.folded import collapsible, foldable
from benchhealth.dashboard.widgets.page import PageSpec
from benchhealth.dashboard.widgets.tables import TEXT_AFTER_HASH, GridColumn
from benchhealth.dashboard.words.desk import citation
from benchhealth.dashboard.words.desk import panel as panel_words
from benchhealth.dashboard.words.desk import question as words
from benchhealth.dashboard.words.desk import ruled_out as why_not
from benchhealth.dashboard.words.desk.cards import Card
from benchhealth.dashboard.words.domains import NAMES
from benchhealth.dashboard.words.numbers import score
from benchhealth.dashboard.words.stages import stage_badge
from benchhealth.dashboard.words.terms.citing import citation_forms
from benchhealth.dashboard.words.text import capital, count, markdown


def show_cards(cards: Sequence[Card], rows: Sequence[Row]) -> None:
    """Draw the cards beside one another; `rows` are the rows behind them."""
    for column, (card, row) in zip(st.columns(MOST_RECOMMENDED), zip(cards, rows, strict=True), strict=False):
        with column, st.container(border=True, height="stretch", gap="xsmall", key=f"desk_{row['place']}"):
            url = links.address("benchmark", benchmark=card.benchmark_id)
            badge = stage_badge(row["stage"], row["between"])
            st.markdown(f"**[{markdown(card.name)}]({url})** {badge}")
            st.markdown(f":small[:gray[{markdown(card.about)}]]")
            st.html(_card_html(card, row))


def _card_html(card: Card, row: Row) -> str:
    """Bar, numbers, why and reservation as HTML; every text is escaped."""
    numbers = "".join(f"<dt>{escape(name)}</dt><dd>{escape(number)}</dd>" for name, number in card.numbers)
    return (
        f'{_bar(card, row)}<dl class="desk-numbers">{numbers}</dl>'
        f"<p><b>Why.</b> {escape(card.why)}</p>"
        f'<p class="desk-reservation"><b>Reservation.</b> {escape(card.reservation)}</p>'
    )


def _bar(card: Card, row: Row) -> str:
    """From chance to the ceiling: the best score, its error, and the room above it."""
    if row["room"] is None:
        return ""
    best = _percent(1 - row["room"])
    low, high = (best if row[end] is None else _percent(1 - row[end]) for end in ("room_high", "room_low"))
    best_text = f"best {score(row['best'], row['unit'])}" if row["best"] is not None else "best"
    return (
        f'<div class="desk-bar" role="img" aria-label="{escape(card.numbers[0][1], quote=True)}">'
        f"{_bar_part('left', best, 100)}{_bar_part('error', low, high)}{_bar_part('best', best, best)}</div>"
        f'<div class="desk-scale"><span>chance</span><span>{escape(best_text)}</span><span>ceiling</span></div>'
    )


def _bar_part(kind: str, start: float, end: float) -> str:
    return f'<i class="{kind}" style="left:{start:.1f}%;width:{max(0.0, end - start):.1f}%"></i>'


def _percent(share: float) -> float:
    return 100 * min(1.0, max(0.0, share))


ANCHOR = "question"
WIDTHS = (2.95, 1.9, 1.55, 1.6, 1.75, 1.85)
"""The shares of the line that its controls take."""


def question_in_address(view: View) -> Question | None:
    """Draw the line with its controls; returns its question, or None where no domain is chosen.

    Raises ParameterError for an address with an invalid value. A construct of another domain than the one that was
    just chosen is dropped.
    """
    domain = st.query_params.get(DOMAIN, "")
    if domain in domains(view) and st.query_params.get(CONSTRUCT, "") not in constructs(view, domain):
        st.query_params.pop(CONSTRUCT, None)
    question = question_of(view, st.query_params.to_dict())
    if question is None:
        with st.container(border=True, key="question", gap=None):
            _choices(view, None)
        return None
    line = words.question_line(
        question.role,
        NAMES[question.domain],
        question.construct,
        question.since,
        independent=question.independent,
        budget=question.budget,
    )
    with (
        collapsible("question", f"{markdown(line)} · change", ANCHOR),
        st.container(border=True, key="question", gap=None),
    ):
        st.html(f'<span id="{ANCHOR}"></span>')
        _choices(view, question)
    return question


def _choices(view: View, question: Question | None) -> None:
    """The controls beside one another; the domain alone where no question is chosen yet."""
    columns = st.columns(WIDTHS if question else WIDTHS[:2], vertical_alignment="bottom", gap="small")
    with columns[0]:
        filters.segments(ROLE, "I want to", words.ROLES, usual=USUAL, labelled=True)
    with columns[1]:
        filters.id_picker(DOMAIN, "Domain", domains(view), placeholder="choose a domain", with_id=False)
    if question is None:
        return
    with columns[2]:
        options = {construct: construct for construct in constructs(view, question.domain)}
        filters.id_picker(CONSTRUCT, "Of what", options, placeholder="any construct", with_id=False)
    with columns[3]:
        _since_picker(view, question)
    with columns[4]:
        filters.id_picker(BUDGET, "Budget for a run", _budgets(view, question), with_id=False)
    with columns[5]:
        filters.yes_or_no(MAKERS, "must be independent", usual=True)


def _since_picker(view: View, question: Question) -> None:
    days = {*months(view), *([question.since] if question.since else [])}
    options = {f"{day:%Y-%m}": words.since_label(day) for day in sorted(days, reverse=True)}
    usual = usual_since(view)
    filters.id_picker(
        SINCE,
        "Known since",
        {**options, NO_LIMIT: "Any day"},
        with_id=False,
        usual=f"{usual:%Y-%m}" if usual else NO_LIMIT,
    )


def _budgets(view: View, question: Question) -> dict[str, str]:
    rows = view.table("decision").filter(pl.col("role") == question.role, pl.col("domain_group") == question.domain)
    amounts = dict.fromkeys([*BUDGETS, *([str(question.budget)] if question.budget is not None else [])])
    labels = {amount: words.budget_label(amount) for amount in sorted(amounts, key=int)}
    return {NO_LIMIT: words.any_budget(rows["run_cost"].count(), rows.height), **labels}


def examples(view: View) -> None:
    """Example questions, of domains that exist here; those of the chosen use first."""
    offered = words.examples(st.query_params.get(ROLE, USUAL), domains(view))
    for start in range(0, len(offered), 3):
        for column, (example, params) in zip(st.columns(3), offered[start : start + 3], strict=False):
            with column, st.container(border=True):
                st.markdown(f"[{markdown(example)}](<{links.address('decide', **params)}>)")


PATH = "decide"
ON = "on"
"""The parameter that says on how many of the benchmarks a model of the panel must be."""

CHOSEN = "models"
"""The parameter that names the models of the panel."""

MODELS = 20
"""How many models the panel draws, the first of those that are complete, and how many can be chosen."""

NAMED_CONSTRUCTS = 2
"""How many other constructs are offered below the cards, those that come first; the box above has all."""

COLUMNS = (
    GridColumn(
        link(why_not.HEAD[0], "The benchmark; the link opens what the reason rests on."),
        link_text=TEXT_AFTER_HASH,
        width=300,
    ),
    GridColumn(text(why_not.HEAD[1], "The first rule that it fails."), width=230),
    GridColumn(text(why_not.HEAD[2], "What the rule was held against."), width=580),
)


def _panel(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    question = question_of(view, params)
    if question is None:
        raise ParameterError("the parameter domain is missing")
    answer, models_chosen = answer_to(view, question), _chosen(view, params)
    if not answer.chosen:
        return Nothing(panel_words.UNCHOSEN, panel_words.ADVICE)
    columns = [figure.Column(row["benchmark_id"], row["label"], row["unit"]) for row in answer.chosen]
    labels = [column.label for column in columns]
    measured = panel.independent_scores(view, answer.ids)
    fewest = _fewest_boards(panel.counts(measured, len(columns)), params.get(ON, ""))
    if models_chosen:
        measured, fewest = measured.filter(pl.col("model_id").is_in(models_chosen)), 1
    rows = panel.complete(measured, answer.ids, fewest)
    if rows.is_empty():
        return Nothing(
            panel_words.none_of_chosen(labels) if models_chosen else panel_words.no_panel(labels), panel_words.ADVICE
        )
    models = rows["model_id"].unique(maintain_order=True)
    drawn = rows.filter(pl.col("model_id").is_in(models.head(MODELS).implode()))
    until = max((row["independent_until"] for row in answer.chosen if row["independent_until"]), default=None)
    return figure.chart(drawn, columns, models.len(), fewest, until, palette, chosen=len(models_chosen))


def _sources(view: View, params: Params, _chart: Chart) -> list[SourceLine]:
    question = question_of(view, params)
    return [] if question is None else provenance.of_benchmarks(view, answer_to(view, question).ids)


def _chosen(view: View, params: Params) -> list[str]:
    """The models that the address names, each once. Raises ParameterError for too many, and for an unknown one."""
    model_ids = [model_id for model_id in dict.fromkeys(params.get(CHOSEN, "").split(filters.BETWEEN)) if model_id]
    if len(model_ids) > MODELS:
        raise ParameterError(f"{CHOSEN} names {MODELS} models at most")
    if model_ids and (unknown := sorted(set(model_ids) - set(view.table("model")["model_id"]))):
        raise ParameterError(f"no model {unknown[0]!r}")
    return model_ids


def _fewest_boards(counts: Mapping[int, int], requested: str) -> int:
    """On how many of the benchmarks a model must be: on all, or on the fewest on request or where none is on all."""
    all_boards, fewest = max(counts), min(counts)
    return fewest if requested == str(fewest) or not counts[all_boards] else all_boards


PANEL = ChartSpec("desk-panel", _panel, (*PARAMS, ON, CHOSEN), method="desk", sources=_sources)


def draw(view: View) -> None:
    """Draw the page."""
    heading = st.container()
    try:
        question = question_in_address(view)
    except ParameterError as wrong:
        with heading:
            st.title(words.UNASKED, anchor=False)
        advice = f"{markdown(capital(str(wrong)))}. [Begin anew]({links.address(PATH)})."
        empty.nothing("This is not asked of the desk.", advice)
        return
    if question is None:
        with heading:
            st.title(words.UNASKED, anchor=False)
            st.markdown(words.INVITATION)
        examples(view)
        return
    answer = decision_words(view, question)
    with heading:
        st.title(markdown(answer.title), anchor=False)
        st.markdown(markdown(answer.subtitle))
    with st.container(key="live_decision", gap="medium"):
        if answer.cards:
            show_cards(answer.cards, answer_to(view, question).chosen)
        else:
            empty.nothing(f"{markdown(answer.title)}.", markdown(answer.needed))
    _elsewhere(question, answer)
    if answer.others:
        _why_not(view, question, answer)
    if answer.cards:
        _models(view, question)
    _take_along(view, question, answer)


def _why_not(view: View, question: Question, answer: DecisionWords) -> None:
    """Every other benchmark with its first reason; the wide table is a grid, the narrow one a list."""
    st.header(markdown(answer.heading), anchor="why-not")
    st.markdown(f":small[:gray[{why_not.NONE_IS_BAD}]]")
    key = ("why not", tuple(question.params.items()))
    foldable(
        "why_not",
        f"Why not {count(len(answer.others), 'other')}",
        lambda: replay.once(view, key, lambda: _grid(view, question, answer)),
        lambda: st.markdown(_lines(answer)),
    )


def _elsewhere(question: Question, answer: DecisionWords) -> None:
    """Links to the constructs for which other benchmarks that fail no rule would be recommended."""
    rows = [line.row for line in answer.others if line.row["why"] == "other_construct"]
    if question.construct or not rows:
        return
    constructs = list(dict.fromkeys(row["construct"] for row in rows))
    addresses = {
        construct: links.address(PATH, **{**question.params, CONSTRUCT: construct})
        for construct in constructs[:NAMED_CONSTRUCTS]
    }
    construct_links = " · ".join(f"[{markdown(construct)}](<{address}>)" for construct, address in addresses.items())
    left = len(constructs) - NAMED_CONSTRUCTS
    st.markdown(f"{why_not.elsewhere(len(rows))} {construct_links}{f' and {left} more' if left > 0 else ''}")


def _models(view: View, question: Question) -> None:
    """The panel, with the choice of models: by the number of benchmarks that they are on, or by name."""
    decision = answer_to(view, question)
    measured = panel.independent_scores(view, decision.ids)
    counts = panel.counts(measured, len(decision.ids))
    labels = [row["label"] for row in decision.chosen]
    params = dict(question.params)
    with st.container(horizontal=True, vertical_alignment="center"):
        if len(counts) > 1 and all(counts.values()):
            options = {str(fewest): panel_words.choice(models, labels, fewest) for fewest, models in counts.items()}
            params[ON] = filters.segments(ON, "Which models", options)
        names = dict(measured.select("model_id", "model").unique().sort("model", "model_id").iter_rows())
        if names:
            picked = filters.ids_picker(CHOSEN, panel_words.CHOOSE, names, MODELS)
            params[CHOSEN] = filters.BETWEEN.join(picked)
    block.show(view, PANEL, params)


def _address(benchmark_id: str, tab: str) -> str:
    return links.address("benchmark", benchmark=benchmark_id, **({"tab": tab} if tab else {}))


def _grid(view: View, question: Question, answer: DecisionWords) -> None:
    rows = pl.DataFrame(
        [
            (
                f"{_address(candidate.benchmark_id, candidate.tab)}#{links.fragment(candidate.name)}",
                candidate.reason,
                candidate.number,
            )
            for candidate in answer.others
        ],
        schema=dict.fromkeys(why_not.HEAD, pl.String()),
        orient="row",
    )
    tables.show(
        view,
        rows,
        DECIDED,
        question.params,
        alt=f"Each other benchmark of the domain with the first reason that ruled it out: {answer.heading}",
        columns=COLUMNS,
        visible_rows=14,
    )


def _lines(answer: DecisionWords) -> str:
    return "\n\n".join(
        f"[{markdown(candidate.name)}](<{_address(candidate.benchmark_id, candidate.tab)}>): **{candidate.reason}**"
        "  \n"
        f":small[{markdown(candidate.number)}]"
        for candidate in answer.others
    )


def _take_along(view: View, question: Question, answer: DecisionWords) -> None:
    """The answer as a file, a citation, SQL and a feed."""
    st.header("Take it along", anchor="take")
    permalink, decision = links.permalink(), answer_to(view, question)
    csv = f"{permalink.partition('?')[0].removesuffix(PATH)}{DECIDED.address(question.params)}"
    reference = citation.citation_of(answer.title, question.params, view.name, decision.known_until, permalink, csv)
    print_column, sql_column, feed_column = st.columns([1, 2, 1], border=True)
    with print_column:
        st.markdown("**Print and cite**")
        with st.container(horizontal=True, gap="small"):
            st.link_button("Two pages, PDF", question.address("decision.pdf"), width="content")
            with st.popover("BibTeX"):
                st.code(dict(citation_forms(reference))["BibTeX"], language=None, wrap_lines=True)
            with st.popover("Link"):
                st.code(permalink, language=None, wrap_lines=True)
        st.markdown(f":small[:gray[{citation.PDF}]]")
    with sql_column:
        st.markdown("**As SQL**")
        st.code(sql(question), language="sql", wrap_lines=True)
    with feed_column:
        st.markdown("**Tell me when this changes**")
        st.markdown(f":small[:gray[{citation.CHANGES}]]")
        with st.container(horizontal=True, gap="small"):
            st.link_button("Atom feed", question.address("feed.xml"), width="content")
            st.link_button("JSON", question.address("feed.json"), width="content")


PAGE = PageSpec(url_path=PATH, title="Decide", draw=draw, tables=(DECIDED,), charts=(PANEL,))
