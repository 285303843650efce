"""A question to the desk and its address, both ways, and the answer, read and worded once for page, report and feed."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import quote, urlencode

import polars as pl

from benchhealth.analytics.answers.desk.choose import Decided, decide
from benchhealth.analytics.answers.desk.rules import ROLES, RULES
from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.published.answers import answers_to
from benchhealth.dashboard.published.benchmarks import assessed_on, benchmarks
from benchhealth.dashboard.published.generation import (
    ParameterError,
    Params,
    PublishedTable,
    View,
    always,
    known_value,
    recently,
)
from benchhealth.dashboard.words.desk import question as words
from benchhealth.dashboard.words.desk import ruled_out as why_not
from benchhealth.dashboard.words.desk.cards import Card, card
from benchhealth.dashboard.words.domains import NAMES

ROLE, DOMAIN, CONSTRUCT, SINCE, MAKERS, BUDGET = "for", "domain", "construct", "since", "makers", "budget"
PARAMS = (ROLE, DOMAIN, CONSTRUCT, SINCE, MAKERS, BUDGET)
"""The names of the parameters by which an address states a question to the desk."""

USUAL = "publish"
"""The use that is meant where none is named."""

NO_LIMIT = "any"
"""The value of `since` or `budget` that sets no limit."""

MONTHS_BACK, USUAL_BACK = (3, 6, 12, 24), 1
"""How many months before the last look at any a benchmark may have to be known, and which of them is meant where none
is named: a benchmark that was not looked at for longer is called stale."""

BUDGETS = ("10", "100", "1000", "10000")
"""The budgets that the form offers, in dollars for one run."""

_MONTH = re.compile(r"(19|20)\d\d-(0[1-9]|1[0-2])")
_DOLLARS = re.compile(r"\d{1,7}")


@dataclass(frozen=True)
class Question:
    """A question: use and domain, construct, known since when, measured by whom, and the budget."""

    role: str
    domain: str
    construct: str = ""
    since: date | None = None
    independent: bool = True
    budget: int | None = None

    @property
    def params(self) -> dict[str, str]:
        """The parameters that ask it, in the order of PARAMS; what is usual is left out, but for the day."""
        values = {
            ROLE: self.role,
            DOMAIN: self.domain,
            CONSTRUCT: self.construct,
            SINCE: f"{self.since:%Y-%m}" if self.since else NO_LIMIT,
            MAKERS: "" if self.independent else "1",
            BUDGET: "" if self.budget is None else str(self.budget),
        }
        return {name: value for name, value in values.items() if value}

    def address(self, path: str) -> str:
        """The address that asks it of a page, a report or a feed."""
        return f"{path}?{urlencode(self.params, quote_via=quote)}"


@always
def domains(view: View) -> dict[str, str]:
    """The names of the groups of domains that a question may name, by id, in their order."""
    present = set(view.table("decision")["domain_group"])
    return {group: name for group, name in NAMES.items() if group in present}


def constructs(view: View, domain: str) -> list[str]:
    """The constructs that benchmarks of this domain measure, in alphabetical order."""
    rows = view.table("decision").filter(pl.col("domain_group") == domain)
    return rows["construct"].drop_nulls().unique().sort().to_list()


def question_of(view: View, params: Params) -> Question | None:
    """The question of an address; None where it names no domain. Raises ParameterError where it names what is not."""
    role = known_value(ROLE, params.get(ROLE) or USUAL, ROLES)
    if not params.get(DOMAIN):
        return None
    domain = known_value(DOMAIN, params[DOMAIN], domains(view))
    if construct := params.get(CONSTRUCT, ""):
        known_value(CONSTRUCT, construct, constructs(view, domain))
    return Question(role, domain, construct, _asked_since(view, params), params.get(MAKERS) != "1", _budget(params))


def months(view: View) -> list[date]:
    """The days to choose from since which a benchmark must be known, the latest first."""
    last = latest(view.table("decision")["known_until"])
    return [] if last is None else [_earlier(last, months_back) for months_back in MONTHS_BACK]


def usual_since(view: View) -> date | None:
    """The month that `since` has where the address names none; None where no day is known."""
    all_months = months(view)
    return all_months[USUAL_BACK] if all_months else None


def _asked_since(view: View, params: Params) -> date | None:
    month = params.get(SINCE, "")
    if not month:
        return usual_since(view)
    if month == NO_LIMIT:
        return None
    if not _MONTH.fullmatch(month):
        raise ParameterError(f"{SINCE} is a month, as 2026-04, or {NO_LIMIT}")
    return date(int(month[:4]), int(month[5:]), 1)


def _budget(params: Params) -> int | None:
    amount = params.get(BUDGET, "")
    if amount in ("", NO_LIMIT):
        return None
    if not _DOLLARS.fullmatch(amount):
        raise ParameterError(f"{BUDGET} is a number of dollars a run, or {NO_LIMIT}")
    return int(amount)


def _earlier(day: date, months_back: int) -> date:
    """The first day of the month so many months before."""
    years, month = divmod(day.year * 12 + day.month - 1 - months_back, 12)
    return date(years, month + 1, 1)


Row = dict[str, Any]

_SHOWN_COLUMNS = ("name", "label", "between", "unit")


@dataclass(frozen=True)
class Answered:
    """A question with its answer: rows of `decision` with the name, `label`, best score and `between` of each.

    The best score is the one above which the room is left, not a higher one that makers alone report.
    `unsaid` is how many listed models have results of which nobody says who measured them, and no others.
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
    is_unsaid = pl.col("listed") & pl.col("reporter").is_null()
    unsaid = view.table("position").filter(is_unsaid).group_by("benchmark_id").agg(unsaid=pl.len())
    best = answers_to(view, "room").select("benchmark_id", best="second")
    about = benchmarks(view).select("benchmark_id", *_SHOWN_COLUMNS)
    about = about.join(unsaid, on="benchmark_id", how="left").join(best, on="benchmark_id", how="left")
    chosen, ruled_out = (
        tuple(rows.join(about, on="benchmark_id", how="left", maintain_order="left").to_dicts())
        for rows in (decision.chosen, decision.ruled_out)
    )
    return Answered(question, chosen, ruled_out, assessed_on(view))


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
    """The desk's choice in SQL over the table `decision`: the recommended benchmarks, in their order."""
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


@dataclass(frozen=True)
class Line:
    """Why one is not recommended: the first reason, the number behind it, and the tab that shows it."""

    benchmark_id: str
    name: str
    reason: str
    number: str
    tab: str
    row: Row


@dataclass(frozen=True)
class DecisionWords:
    """An answer in plain text: `title` and `subtitle` are the finding, `needed` stands where nothing is recommended."""

    title: str
    subtitle: str
    cards: tuple[Card, ...]
    heading: str
    others: tuple[Line, ...]
    needed: str


@recently
def decision_words(view: View, question: Question) -> DecisionWords:
    """The desk's answer to a question, in sentences; remembered for each question."""
    decision = answer_to(view, question)
    rows = list(decision.others)
    return DecisionWords(
        title=words.title(len(decision.chosen), decision.of, question.role),
        subtitle=words.subtitle(
            question.role,
            NAMES[question.domain],
            question.construct,
            question.since,
            decision.known_until,
            independent=question.independent,
            budget=question.budget,
        ),
        cards=tuple(card(row, decision.chosen[0]) for row in decision.chosen),
        heading=why_not.heading(rows, len(decision.chosen)) if rows else "",
        others=tuple(
            Line(
                row["benchmark_id"],
                row["label"],
                why_not.REASONS[row["why"]],
                why_not.number(row),
                why_not.TABS[row["rule"]],
                row,
            )
            for row in rows
        ),
        needed=why_not.what_is_needed(rows) if rows and not decision.chosen else "",
    )
