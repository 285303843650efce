"""The question to the desk, and what it answers, in words."""

from collections.abc import Container, Mapping
from datetime import date

from benchhealth.analytics.answers.desk.choose import MOST_RECOMMENDED
from benchhealth.dashboard.words.numbers import month_of
from benchhealth.dashboard.words.text import known_at_latest, one_line

ROLES: Mapping[str, str] = {"fund": "fund", "publish": "publish", "teach": "teach", "ship": "ship"}
"""What somebody wants to do, as the choice shows it after *I want to*."""

_COULD: Mapping[str, str] = {
    "fund": "could show progress you fund",
    "publish": "could carry your claim",
    "teach": "could serve a class",
    "ship": "could bear on what you ship",
}
_FOR: Mapping[str, str] = {
    "fund": "For a grant",
    "publish": "For a paper",
    "teach": "For a class",
    "ship": "For a product",
}
WEIGHED: Mapping[str, str] = {
    "fund": "today's stage, then most room",
    "publish": "today's stage, then most models measured by others",
    "teach": "what a laptop can score, then today's stage",
    "ship": "answers that are work themselves, then today's stage",
}
"""What each use weighs, the weightiest first: the order of `analytics.answers.desk.rules.weights`."""

_NUMBERS = ("None", "One", "Two", "Three")
assert len(_NUMBERS) == MOST_RECOMMENDED + 1

_EXAMPLES: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("I publish on code", {"for": "publish", "domain": "code"}),
    ("I fund work on vision", {"for": "fund", "domain": "vision"}),
    ("I teach vision, on a laptop", {"for": "teach", "domain": "vision"}),
    ("I ship an agent", {"for": "ship", "domain": "agents"}),
    ("I publish on mathematics", {"for": "publish", "domain": "mathematics"}),
    ("I fund work on agents", {"for": "fund", "domain": "agents"}),
)
"""Questions to begin with, and their parameters."""


def examples(role: str, domains: Container[str]) -> list[tuple[str, Mapping[str, str]]]:
    """Questions to begin with in these domains, those of one use first."""
    offered = [(example, params) for example, params in _EXAMPLES if params["domain"] in domains]
    return sorted(offered, key=lambda example: example[1]["for"] != role)


UNASKED = "Which benchmark could carry your claim?"
INVITATION = (
    f"Choose what you want to do and a domain: at most {MOST_RECOMMENDED} benchmarks, what speaks against each, and "
    "why not the others."
)


def title(number: int, n_benchmarks: int, role: str) -> str:
    """The finding: `Three of 13 benchmarks could carry your claim`."""
    if n_benchmarks == 1:
        return f"The only benchmark {_COULD[role] if number else _COULD[role].replace('could', 'could not', 1)}"
    return f"{_NUMBERS[number]} of {n_benchmarks:,} benchmarks {_COULD[role]}"


def subtitle(  # noqa: PLR0913
    role: str,
    domain: str,
    construct: str,
    since: date | None,
    until: date | None,
    *,
    independent: bool,
    budget: int | None,
) -> str:
    """The question as a sentence, and until when its answer is known."""
    about = f"{domain[:1].lower()}{domain[1:]}" if domain else ""
    asks = f", asking for {one_line(construct)}" if construct else ""
    whose = "results of others" if independent else "results of anybody"
    day = f" known in {month_of(since)} or later" if since else ""
    cost = "" if budget is None else f", at most ${budget:,} a run where that is known"
    return f"{_FOR[role]} about {about}{asks}: {whose}{day}{cost}{known_at_latest(until)}."


def question_line(  # noqa: PLR0913
    role: str, domain: str, construct: str, since: date | None, *, independent: bool, budget: int | None
) -> str:
    """The question to the desk in one line, for narrow screens."""
    clauses = [
        f"I want to {ROLES[role]}",
        construct or domain,
        f"since {month_of(since)}" if since else "",
        "by others" if independent else "by anybody",
        "" if budget is None else f"${budget:,} a run",
    ]
    return " · ".join(one_line(clause) for clause in clauses if clause)


def since_label(day: date) -> str:
    """The label of a choice of a day: `Apr 2026 or later`."""
    return f"{month_of(day)} or later"


def budget_label(budget: str) -> str:
    """The label of a choice of a budget: `$100 or less`."""
    return f"${int(budget):,} or less"


def any_budget(priced: int, n_benchmarks: int) -> str:
    """No budget, and of how many benchmarks a cost is known."""
    return f"Any; known of {priced}/{n_benchmarks}"
