"""Have models seen the items? Six questions, always in this order, and the reports that are on record."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl
import streamlit as st

from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.results import known_benchmark
from benchhealth.dashboard.published.tables import Params, PublishedTable
from benchhealth.dashboard.widgets import links, tables
from benchhealth.dashboard.words.numbers import day_of, month_of, percent
from benchhealth.dashboard.words.text import count, markdown

EVIDENCE_MARK, HINT, NONE_FOUND, UNKNOWN_MARK = ":red[■]", ":orange[▲]", ":blue[○]", ":gray[·]"


@dataclass(frozen=True)
class Answer:
    """What is known of one question: its mark, its words, and whether it is evidence, a hint, nothing found or nothing.

    `words` are plain text.
    """

    mark: str
    words: str

    @property
    def known(self) -> bool:
        """Whether anything is."""
        return self.mark != UNKNOWN_MARK


def _exposure(of_benchmark: Facts | None, models: pl.DataFrame, facts: Facts) -> Answer:
    could = models.filter(pl.col("level") == "moderate").height
    dated = models.filter(pl.col("status") == "ok").height
    public = f"public since {month_of(facts['released_on'])}" if facts["labels"] == "public" else "its items"
    if facts["labels"] == "private":
        return Answer(NONE_FOUND, "the answers are private")
    if dated:
        return Answer(HINT if could else NONE_FOUND, f"{could} of {dated} could: {public}, before their training ended")
    return _unknown(of_benchmark, "when its items became public, or when training ended, is not known")


def _declared(of_benchmark: Facts | None, models: pl.DataFrame, _facts: Facts) -> Answer:
    told = models.filter(pl.col("level").is_in(["high", "moderate"])).height
    if told:
        return Answer(EVIDENCE_MARK, f"the developers of {count(told, 'model')} name it, or data that hold it")
    return _unknown(of_benchmark, "no declaration was read")


def _reports(of_benchmark: Facts | None, models: pl.DataFrame, _facts: Facts) -> Answer:
    every = [row for row in (of_benchmark, *models.iter_rows(named=True)) if row and row["level"] != "unknown"]
    shares = [row["value"] for row in every if row["value"] is not None]
    if shares:
        mark = EVIDENCE_MARK if max(shares) > 0.01 else NONE_FOUND
        return Answer(mark, f"up to {percent(max(shares))} of the items, by {count(_n(every), 'report')}")
    if every:
        return Answer(HINT, "documented, without a share")
    return _unknown(of_benchmark, "nobody has published a search")


def _n(rows: list[Facts]) -> int:
    return max((int(row["n"] or 1) for row in rows), default=1)


def _fresh(of_benchmark: Facts | None, models: pl.DataFrame, _facts: Facts) -> Answer:
    tested = models.filter(pl.col("status") == "ok")
    worse = tested.filter(pl.col("level") == "high").height
    if tested.is_empty():
        return _unknown(of_benchmark, "no twin of new items connects models that could be tested")
    if worse or (of_benchmark and of_benchmark["level"] in ("moderate", "high")):
        return Answer(EVIDENCE_MARK if worse else HINT, f"{worse} of {tested.height} tested do, beyond their error")
    return Answer(NONE_FOUND, f"none of {count(tested.height, 'tested model')} does beyond its error")


def _anomaly(of_benchmark: Facts | None, models: pl.DataFrame, _facts: Facts) -> Answer:
    tested = models.filter((pl.col("status") == "ok") & pl.col("q_value").is_not_null())
    high = tested.filter(pl.col("level").is_in(["moderate", "high"])).height
    if tested.is_empty():
        return _unknown(of_benchmark, "too few other scores to compare with")
    return Answer(HINT if high else NONE_FOUND, f"{high} of {tested.height} tested do, at 5% false discoveries")


def _break(of_benchmark: Facts | None, models: pl.DataFrame, _facts: Facts) -> Answer:
    tested = models.filter(pl.col("status") == "ok")
    high = tested.filter(pl.col("level").is_in(["moderate", "high"])).height
    if tested.is_empty():
        return _unknown(of_benchmark, "its items are not dated")
    return Answer(EVIDENCE_MARK if high else NONE_FOUND, f"those of {high} of {tested.height} tested models do")


def _unknown(of_benchmark: Facts | None, otherwise: str) -> Answer:
    reason = (of_benchmark or {}).get("reason") if (of_benchmark or {}).get("status") != "ok" else None
    return Answer(UNKNOWN_MARK, f"not known: {reason or otherwise}")


QUESTIONS: Mapping[str, tuple[str, Callable[[Facts | None, pl.DataFrame, Facts], Answer]]] = {
    "exposure": ("Could models have seen the items?", _exposure),
    "declared_training": ("Do developers declare training on them?", _declared),
    "report": ("Are items documented in training data?", _reports),
    "twin": ("Do models do worse on new items of the same kind?", _fresh),
    "anomaly": ("Do models stand out against their other scores?", _anomaly),
    "cutoff_break": ("Do scores break at the end of training?", _break),
}
"""By the rung of the ladder of evidence that answers it."""


def answers(view: View, facts: Facts) -> list[tuple[str, Answer]]:
    """Each question with what is known."""
    rows = view.table("contamination_risk").filter(pl.col("benchmark_id") == facts["benchmark_id"])
    found = []
    for rung, (question, answer) in QUESTIONS.items():
        of_rung = rows.filter(pl.col("rung") == rung)
        whole = of_rung.filter(pl.col("model_id").is_null())
        first = whole.row(0, named=True) if whole.height else None
        found.append((question, answer(first, of_rung.filter(pl.col("model_id").is_not_null()), facts)))
    return found


def title(told: list[tuple[str, Answer]]) -> str:
    """The finding over all six."""
    by = dict(zip(QUESTIONS, (answer for _, answer in told), strict=True))
    evidence = sum(answer.mark == EVIDENCE_MARK for answer in by.values())
    if evidence:
        return f"{count(evidence, 'kind')} of evidence that models have seen items"
    if by["exposure"].mark == HINT and by["anomaly"].mark == NONE_FOUND:
        return "Models could have seen the items; none stands out"
    if not any(answer.known for answer in by.values()):
        return "Whether models have seen the items is not known"
    hints = sum(answer.mark == HINT for answer in by.values())
    return f"No evidence that models have seen items; {count(hints, 'hint')}" if hints else "No trace was found"


def evidence(view: View, params: Params) -> pl.DataFrame:
    """The documented reports of contamination of a benchmark."""
    benchmark_id = known_benchmark(view, params)
    return view.table("contamination_report").filter(pl.col("benchmark_id") == benchmark_id).drop("benchmark_id")


EVIDENCE = PublishedTable("contamination", evidence)


def show(view: View, facts: Facts) -> None:
    """Draw the six questions and the reports."""
    told = answers(view, facts)
    unknown = sum(not answer.known for _, answer in told)
    st.header(title(told), anchor="contamination")
    st.markdown(
        f":small[:gray[Six kinds of evidence, {unknown or 'none'} of them not known, until "
        f"{day_of(facts['known_until'])}. ■ evidence ▲ a hint ○ looked and found nothing · not known]]"
    )
    to = links.address("trust", benchmark=facts["benchmark_id"])
    lines = [
        f"| {answer.mark} | {question} | {markdown(answer.words)} | [evidence]({to}) |" for question, answer in told
    ]
    st.markdown("\n".join(["| | Question | What is known | |", "|---|---|---|---|", *lines]))
    _documented(view, facts)


def _documented(view: View, facts: Facts) -> None:
    params = {"benchmark": facts["benchmark_id"]}
    rows = evidence(view, params)
    if rows.is_empty():
        st.markdown(":small[:gray[No documented report is on record; none found is no proof of absence.]]")
        return
    st.subheader(f"{count(rows.height, 'documented report')}", anchor=False)
    config = st.column_config
    tables.show(
        view,
        tables.percents(rows, "share"),
        EVIDENCE,
        params,
        key="contamination",
        alt="Documented contamination reports",
        visible_rows=6,
        config={
            "subject": "Model or data",
            "subject_kind": "Kind",
            "split": "Part",
            "share": config.NumberColumn("Share of items", format=tables.PERCENT),
            "method": config.TextColumn("Found how", width=300),
            "reference_url": config.LinkColumn("Reference", display_text="open"),
        },
    )
