"""The answer of the desk to a question, read once for page, report, feed and file."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import polars as pl

from benchhealth.analytics.answers.desk.choose import Decided, decide
from benchhealth.analytics.answers.desk.rules import RULES
from benchhealth.dashboard.published.benchmarks import assessed_on, benchmarks
from benchhealth.dashboard.published.deciding.question import Question, question_of
from benchhealth.dashboard.published.generation import ParameterError, Params, PublishedTable, View, recently

Row = dict[str, Any]

_SHOWN_COLUMNS = ("name", "label", "between", "best", "unit")


@dataclass(frozen=True)
class Answered:
    """A question with its answer: rows of `decision` with the name, `label`, best score and `between` of each.

    `chosen` have a `reason`, `others` a `rule` and `why`, as in `Decided`.
    """

    question: Question
    chosen: tuple[Row, ...]
    others: tuple[Row, ...]
    as_of: date | None

    @property
    def of(self) -> int:
        """The number of benchmarks in the domain, recommended or not."""
        return len(self.chosen) + len(self.others)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the benchmarks that are recommended, in their order."""
        return tuple(row["benchmark_id"] for row in self.chosen)

    @property
    def known_until(self) -> date | None:
        """The latest day until which one of them is known."""
        days = [row["known_until"] for row in (*self.chosen, *self.others) if row["known_until"]]
        return max(days, default=None)


@recently
def answer_to(view: View, question: Question) -> Answered:
    """What the desk answers; kept among what was asked for last."""
    decision = decision_on(view, question)
    about = benchmarks(view).select("benchmark_id", *_SHOWN_COLUMNS)
    chosen, others = (
        tuple(rows.join(about, on="benchmark_id", how="left", maintain_order="left").to_dicts())
        for rows in (decision.chosen, decision.ruled_out)
    )
    return Answered(question, chosen, others, assessed_on(view))


def decision_on(view: View, question: Question) -> Decided:
    """The rows of table `decision` that the question chooses and rules out."""
    return decide(
        view.table("decision"),
        question.role,
        question.domain,
        question.since,
        question.budget,
        independent=question.independent,
        construct=question.construct,
    )


def _table(view: View, params: Params) -> pl.DataFrame:
    """Every benchmark of the question with `reason`, or `rule` and `why`."""
    question = question_of(view, params)
    if question is None:
        raise ParameterError("the parameter domain is missing")
    decision = decision_on(view, question)
    return pl.concat([decision.chosen, decision.ruled_out], how="diagonal")


DECIDED = PublishedTable("decided", _table)


def sql(question: Question) -> str:
    """The same choice in SQL over the table `decision`: the benchmarks that are recommended, in their order."""
    rules = [f"rule_{rule}" for rule in RULES if question.independent or rule != "independence"]
    day = "independent_until" if question.independent else "known_until"
    lines = [
        "select benchmark_id, room, by_others, models, reservations",
        "from decision",
        f"where role = {_sql_text(question.role)} and domain_group = {_sql_text(question.domain)}",
        "  and failed is null" if question.independent else f"  and coalesce({', '.join(rules)}) is null",
        *([f"  and {day} >= date '{question.since}'"] if question.since else []),
        *([f"  and (run_cost is null or run_cost <= {question.budget})"] if question.budget is not None else []),
    ]
    if question.construct:
        lines.append(f"  and construct = {_sql_text(question.construct)}")
    else:
        lines += [
            "qualify construct = first_value(construct) over (order by place)",
            "  or (likeness = 'answer' and (domain, answer_kind) =",
            "    (first_value(domain) over (order by place), first_value(answer_kind) over (order by place)))",
        ]
    return "\n".join([*lines, "order by place limit 3"])


def _sql_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
