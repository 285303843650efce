"""SWE-bench Verified: faults in programs, two numbers for the best, and tests that turn right answers away."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from benchhealth.dashboard.words.numbers import month_of
from benchhealth.dashboard.words.stories.parts import Caption, Rise, of_100, rise_alt, rise_source, rose
from benchhealth.dashboard.words.text import count, until_month

NAME = "SWE-bench Verified"
CALLED_THE_SAME = 0.02
"""Two numbers this near to one another are called the same."""


@dataclass(frozen=True)
class Best:
    """The best score of one way of running it: who ran it, which model, how much, when; whether a maker says it."""

    by: str
    model: str
    score: float
    on: date
    claimed: bool


@dataclass(frozen=True)
class Faults:
    """How many of the `checked` tasks have tests that reject right answers; the benchmark has `items` in all."""

    faulty: int
    checked: int
    items: int
    until: date | None


@dataclass(frozen=True)
class Advice:
    """One of its makers gave it up: who and when, and how many of how many makers still report it."""

    by: str
    on: date
    still: int
    makers: int
    until: date | None


def moral(measured: Best | None, claimed: Best | None) -> str:
    """The moral, as far as the numbers bear it."""
    if measured is None or claimed is None or nearly_equal(measured, claimed):
        return "what a score is worth"
    low, high = sorted((measured.score, claimed.score))
    return f"{of_100(low)} or {of_100(high)} of 100?"


def nearly_equal(first: Best, second: Best) -> bool:
    """Whether two best scores differ by no more than CALLED_THE_SAME."""
    return abs(first.score - second.score) <= CALLED_THE_SAME


def rise(facts: Rise, house: str) -> Caption:
    """What the test asks, and how far models came where one house ran all of them."""
    tasks = "Each task" if facts.items is None else f"Each of its {facts.items:,} tasks"
    return Caption(
        title=rose(facts, "tasks"),
        text=f"{tasks} is a real fault in a program. A model must mend it, and a test says if it did. "
        f"All of these were run by {house}.",
        source=rise_source(facts),
        alt=rise_alt(facts, NAME),
    )


def numbers(measured: Best, claimed: Best, other_bests: Sequence[Best]) -> Caption:
    """The caption on what others measured beside what makers claim."""
    if nearly_equal(measured, claimed):
        head = f"Makers and others agree: {of_100(claimed.score)} and {of_100(measured.score)} of 100"
    else:
        head = f"{measured.by} measured {of_100(measured.score)} of 100, a maker claims {of_100(claimed.score)}"
    beside = "".join(f" {best.by}, with other tools, measured {of_100(best.score)}." for best in other_bests[:1])
    return Caption(
        title=head,
        text=f"Models and tools differ from run to run, so these numbers are no race.{beside} "
        "A claim that nobody else has measured is drawn hollow.",
        source=f"{2 + len(other_bests)} best results, each under its own tools, {month_of(measured.on)} to "
        f"{month_of(max(best.on for best in (measured, claimed, *other_bests)))}",
        alt=f"{_bars((measured, *other_bests, claimed))}.",
    )


def _bars(every: Sequence[Best]) -> str:
    bars = (f"{best.by} {'claims' if best.claimed else 'measured'} {of_100(best.score)}" for best in every)
    return f"Bars of the best of 100 by who says it: {', '.join(bars)}"


def faults(facts: Faults) -> Caption:
    """The caption on how many of the checked tasks are broken."""
    unchecked = facts.items - facts.checked
    return Caption(
        title=f"Of {facts.checked} tasks that were checked, {facts.faulty} turn right answers away",
        text=(
            "Their tests ask for more than the task says. The checked ones are those that models often failed. "
            f"Of the other {unchecked} nobody has said."
        ),
        source=f"{facts.checked} of {facts.items} tasks, audit by one of the makers, {until_month(facts.until)}",
        alt=(
            f"{facts.items} squares, one a task: {facts.faulty} are broken, {facts.checked - facts.faulty} were "
            f"checked and are not, {unchecked} were not checked."
        ),
    )


def sound_tasks(facts: Faults) -> float:
    """The share of tasks that are not known to be broken."""
    return (facts.items - facts.faulty) / facts.items


def above_sound_tasks(facts: Faults, every: Sequence[Best]) -> Caption:
    """Above which score some of the broken tests must have been passed, and how many of these results are above."""
    limit = sound_tasks(facts)
    n_above = sum(best.score > limit for best in every)
    lie = "lies" if n_above == 1 else "lie"
    head = f"Above {of_100(limit)} of 100, broken tests must be passed: {n_above or 'none'} of {len(every)} {lie} above"
    return Caption(
        title=head,
        text=(
            f"Of {facts.items} tasks, {facts.items - facts.faulty} are not known to be broken. "
            "Who solves more has passed tests that turn right answers away. "
            "That can be luck, or the answer was known before."
        ),
        source=f"{facts.faulty} of {facts.items} tasks known to be broken, {len(every)} best results, "
        f"{until_month(facts.until)}",
        alt=f"{_bars(every)}; a line at {of_100(limit)}, above which broken tests must be passed.",
    )


def advice(facts: Advice) -> Caption:
    """The caption on one of its makers giving it up, and on who still reports it."""
    return Caption(
        title=f"In {month_of(facts.on)} one of its makers gave it up",
        text=(
            f"{facts.by} called it unfit to judge new top models. "
            f"Of {count(facts.makers, 'maker')} that we read, {facts.still} still "
            f"{'reports' if facts.still == 1 else 'report'} it. "
            "None of this shows that a model knew the answers."
        ),
        source=f"documents of {count(facts.makers, 'maker')}, {until_month(facts.until)}",
        alt=f"{facts.makers} squares, one a maker: {facts.still} still report it.",
    )
