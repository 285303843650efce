"""Have models seen the items? The answer, what each of six kinds of evidence says, and the reports on record."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl
import streamlit as st

from benchhealth.analytics.answers.seen import FEWEST_MODELS
from benchhealth.analytics.contamination.findings import SMALL_ENOUGH
from benchhealth.dashboard.pages.benchmark import card
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.published.generation import Params, PublishedTable, View
from benchhealth.dashboard.published.results import of_benchmark
from benchhealth.dashboard.widgets import links, tables
from benchhealth.dashboard.widgets.tables import sized
from benchhealth.dashboard.words.numbers import month_of, percent
from benchhealth.dashboard.words.text import count, markdown, until_month

EVIDENCE_MARK, HINT, NONE_FOUND, UNKNOWN_MARK = ":red[■]", ":orange[▲]", ":blue[○]", ":gray[·]"


@dataclass(frozen=True)
class Answer:
    """What is known of one question: its mark, its words, and whether it is evidence, a hint, nothing found or nothing.

    `words` are plain text.
    """

    mark: str
    words: str

    @property
    def is_known(self) -> bool:
        """Whether the answer to the question is known."""
        return self.mark != UNKNOWN_MARK


Answers = Callable[[Facts | None, pl.DataFrame, Facts], Answer]
"""Answers a question from its row about the benchmark, its rows about models, and the facts of the benchmark."""


def _exposure(of_benchmark: Facts | None, models: pl.DataFrame, facts: Facts) -> Answer:
    could = models.filter(pl.col("level") == "moderate").height
    dated = models.filter(pl.col("status") == "ok").height
    public = f"{'public' if facts['labels'] == 'public' else 'out'} since {month_of(facts['released_on'])}"
    if facts["labels"] == "private":
        return Answer(NONE_FOUND, "the answers are private")
    if dated:
        return Answer(HINT if could else NONE_FOUND, f"{could} of {dated} could: {public}, before their training ended")
    return _unknown(of_benchmark, "when its items became public, or when training ended, is not known")


def _of_declaration(of_benchmark: Facts | None, _models: pl.DataFrame, _facts: Facts) -> Answer:
    if of_benchmark is None or of_benchmark["level"] == "unknown":
        return _unknown(of_benchmark, "no declaration was read")
    models, is_test = count(int(of_benchmark["value"]), "model"), of_benchmark["level"] == "high"
    trained_on = "the test itself" if is_test else "it, or data that hold it"
    return Answer(EVIDENCE_MARK if is_test else HINT, f"the developers of {models} name {trained_on}")


def _reports(of_benchmark: Facts | None, _models: pl.DataFrame, _facts: Facts) -> Answer:
    if of_benchmark is None or of_benchmark["level"] == "unknown":
        return _unknown(of_benchmark, "nobody has published a search")
    share, reports = of_benchmark["value"], count(int(of_benchmark["n"] or 1), "report")
    if share is None:
        return Answer(HINT, f"documented by {reports}, without a share")
    return Answer(EVIDENCE_MARK if share > 0 else NONE_FOUND, f"up to {percent(share)} of the items, by {reports}")


def _of_tests(mark: str, finding: str, otherwise: str) -> Answers:
    """The row on how many tested models stand out, and where none does on what the test would have missed."""

    def answer(of_benchmark: Facts | None, _models: pl.DataFrame, _facts: Facts) -> Answer:
        if of_benchmark is None or of_benchmark["status"] != "ok" or not of_benchmark["n"]:
            return _unknown(of_benchmark, otherwise)
        tested, level = int(of_benchmark["n"]), of_benchmark["level"]
        counted = f"{round(of_benchmark['value'] * tested)} of {tested:,} tested do{finding}"
        if tested < FEWEST_MODELS:
            return Answer(UNKNOWN_MARK, f"{counted}: too few to say")
        if level in ("moderate", "high"):
            return Answer(mark, counted)
        detectable = of_benchmark["detectable"]
        missed = f"{'any' if detectable is None else f'a leak below {percent(detectable)}'} would have been missed"
        return Answer(NONE_FOUND if level == "low" else UNKNOWN_MARK, f"{counted}; {missed}")

    return answer


def _unknown(of_benchmark: Facts | None, otherwise: str) -> Answer:
    reason = (of_benchmark or {}).get("reason") if (of_benchmark or {}).get("status") != "ok" else None
    return Answer(UNKNOWN_MARK, f"not known: {reason or otherwise}")


QUESTIONS: Mapping[str, tuple[str, Answers]] = {
    "exposure": ("Could models have seen the items?", _exposure),
    "declared_training": ("Do developers declare training on them?", _of_declaration),
    "report": ("Are items documented in training data?", _reports),
    "twin": (
        "Do models do worse on new items of the same kind?",
        _of_tests(EVIDENCE_MARK, ", beyond their error", "no twin of new items connects models that could be tested"),
    ),
    "anomaly": (
        "Do models stand out against their other scores?",
        _of_tests(HINT, ", at 5% false discoveries", "too few other scores to compare with"),
    ),
    "cutoff_break": (
        "Do scores break at the end of training?",
        _of_tests(EVIDENCE_MARK, "", "its items are not dated"),
    ),
}
"""The questions with the function that answers each, by the rung of the ladder of evidence."""


def answers(view: View, facts: Facts) -> list[tuple[str, Answer, str]]:
    """The questions about contamination in the order of the rungs, each with what is known and its source."""
    rows = view.rows("contamination_risk", benchmark_id=facts["benchmark_id"])
    answered = []
    for rung, (question, answer) in QUESTIONS.items():
        of_rung = rows.filter(pl.col("rung") == rung)
        of_benchmark = of_rung.filter(pl.col("model_id").is_null())
        first = of_benchmark.row(0, named=True) if of_benchmark.height else None
        reply = answer(first, of_rung.filter(pl.col("model_id").is_not_null()), facts)
        answered.append((question, reply, str((first or {}).get("source_url") or "")))
    return answered


_reports_on = of_benchmark("contamination_report")


def evidence(view: View, params: Params) -> pl.DataFrame:
    """The documented reports of contamination of a benchmark."""
    return _reports_on(view, params).drop("benchmark_id")


EVIDENCE = PublishedTable("contamination", evidence)


def show(view: View, facts: Facts) -> None:
    """Draw the six questions and the reports."""
    card.draw_answer(view, facts, "seen")
    answered = answers(view, facts)
    unknown = sum(not answer.is_known for _, answer, _ in answered)
    st.markdown(
        f":small[:gray[Six kinds of evidence, {unknown or 'none'} of them not known, "
        f"{until_month(facts['known_until'])}. ■ evidence ▲ a hint ○ nothing found where a leak of "
        f"{percent(SMALL_ENOUGH)} would have been · not known]]"
    )
    trust_url = links.address("trust", benchmark=facts["benchmark_id"])
    lines = [
        f"| {answer.mark} | {question} | {markdown(answer.words)} | "
        f"{f'[source](<{url}>)' if url.startswith(('https://', 'http://')) else f'[evidence]({trust_url})'} |"
        for question, answer, url in answered
    ]
    st.markdown("\n".join(["| | Question | What is known | |", "|---|---|---|---|", *lines]))
    _of_reports(view, facts)


def _of_reports(view: View, facts: Facts) -> None:
    params = {"benchmark": facts["benchmark_id"]}
    rows = evidence(view, params)
    if rows.is_empty():
        return
    st.subheader(f"{count(rows.height, 'documented report')}", anchor=False)
    tables.show(
        view,
        rows,
        EVIDENCE,
        params,
        alt="Documented contamination reports",
        visible_rows=6,
        columns=sized("contamination_report", method=300),
        declared_in=("contamination_report",),
    )
