"""A question to the desk and its address: both ways, so that whoever opens the link asks the same."""

import re
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote, urlencode

import polars as pl

from benchhealth.analytics.answers.desk.rules import ROLES
from benchhealth.dashboard.published.generation import ParameterError, Params, View, always
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
    domain, role = params.get(DOMAIN, ""), params.get(ROLE) or USUAL
    if role not in ROLES:
        raise ParameterError(f"{ROLE} is one of {', '.join(ROLES)}")
    if not domain:
        return None
    if domain not in domains(view):
        raise ParameterError(f"{DOMAIN} is one of {', '.join(domains(view))}")
    construct = params.get(CONSTRUCT, "")
    if construct and construct not in constructs(view, domain):
        raise ParameterError(f"{CONSTRUCT} is one of {', '.join(constructs(view, domain))}")
    return Question(role, domain, construct, _since(view, params), params.get(MAKERS) != "1", _budget(params))


def months(view: View) -> list[date]:
    """The days to choose from since which a benchmark must be known, the latest first."""
    last = view.table("decision")["known_until"].max()
    return [_earlier(last, months_back) for months_back in MONTHS_BACK] if isinstance(last, date) else []


def usual_since(view: View) -> date | None:
    """The default of `since`."""
    every = months(view)
    return every[USUAL_BACK] if every else None


def _since(view: View, params: Params) -> date | None:
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
