"""GPQA Diamond: hard questions of science, how fast models passed the experts, and what is left."""

from dataclasses import dataclass
from datetime import date

from benchhealth.dashboard.words.numbers import month_of
from benchhealth.dashboard.words.stories.parts import (
    Caption,
    Rise,
    of_100,
    rise_alt,
    rise_source,
    rose,
    span,
)
from benchhealth.dashboard.words.text import count, until_month

NAME = "GPQA Diamond"


@dataclass(frozen=True)
class People:
    """The experts' score with how many took part and when, and the first best score above it with its day, if any.

    `beyond` says whether today's best is above theirs by more than chance; None where nobody knows.
    """

    score: float
    people: int | None
    on: date | None
    passed: float | None
    passed_on: date | None
    beyond: bool | None


@dataclass(frozen=True)
class Top:
    """How many pairs of the best five differ by more than chance, on how many questions, until when."""

    apart: int
    pairs: int
    items: int | None
    until: date | None


@dataclass(frozen=True)
class Next:
    """What is left here and on the test that is named instead, as shares; whether its room is `at_least` so much."""

    left: float
    other: str
    other_left: float
    at_least: bool
    until: date | None
    labels_checked: bool
    seen_known: bool


def moral(rise: Rise | None) -> str:
    """The moral, as far as the numbers bear it."""
    if rise is None or rise.steps < 2:
        return "how fast models learn"
    return f"from {of_100(rise.first)} to {of_100(rise.best)} of 100 in {span(rise.first_on, rise.last_on)}"


def asks(facts: Rise, people: People) -> Caption | None:
    """The caption on what the test asks, and on what guessers and experts reach."""
    if facts.guess is None or facts.options is None:
        return None
    items = "These questions" if facts.items is None else f"These {facts.items:,} questions"
    taking = "" if people.people is None else f" on {people.people} people"
    measured = f"experts measured{taking}, {month_of(people.on)}"
    return Caption(
        title=f"Who guesses gets {of_100(facts.guess)} of 100 right, experts got {of_100(people.score)}",
        text=(
            f"{items} come from biology, physics and chemistry. Each has {facts.options} answers, and one is right. "
            "They were made so that a search on the web does not help."
        ),
        source=measured if facts.items is None else f"{count(facts.items, 'question')}, {measured}",
        alt=f"Bars: guessing {of_100(facts.guess)} of 100, experts {of_100(people.score)} of 100.",
    )


def rise(facts: Rise) -> Caption:
    """The caption on how fast the best score rose."""
    return Caption(
        title=rose(facts, "questions"),
        text=(
            "A dot is a new best model. The dashed line is what experts reached, the lowest one is guessing. "
            f"At first the best missed about {of_100(1 - facts.first)} of 100, at last {of_100(1 - facts.best)}."
        ),
        source=rise_source(facts),
        alt=rise_alt(facts, NAME),
    )


def experts_passed(facts: Rise, people: People) -> Caption:
    """The caption on whether and when models passed the experts."""
    source = f"best of {count(facts.steps, 'best model')} of their day, {until_month(facts.until)}"
    if people.passed is None or people.passed_on is None:
        return Caption(
            title=f"Experts are still ahead: {of_100(people.score)} against {of_100(facts.best)} of 100",
            text="No model on record has passed them.",
            source=source,
            alt=f"Bars: experts {of_100(people.score)} of 100, the best model {of_100(facts.best)}.",
        )
    sure = {
        True: "By now the lead is more than chance can make.",
        False: "The lead is still within what chance can make.",
        None: "Whether the lead is chance is not known.",
    }[people.beyond]
    return Caption(
        title=f"In {month_of(people.passed_on)} a model passed the experts",
        text=(
            f"That was {span(facts.first_on, people.passed_on)} after the first result. {sure} "
            "To answer a test is not to do the work of an expert."
        ),
        source=source,
        alt=(
            f"Bars: experts {of_100(people.score)} of 100, the first model above them {of_100(people.passed)}, "
            f"the best model now {of_100(facts.best)}."
        ),
    )


def top(facts: Top) -> Caption:
    """The caption on whether the best models differ by more than chance."""
    items = "" if facts.items is None else f" With {facts.items:,} questions, a lead of a few is luck."
    if facts.apart == 0:
        head = f"The best five do not differ beyond chance: 0 of {facts.pairs} pairs"
    elif facts.apart < facts.pairs / 2:
        head = f"The best five hardly differ beyond chance: {facts.apart} of {facts.pairs} pairs"
    else:
        head = f"Some of the best five differ beyond chance: {facts.apart} of {facts.pairs} pairs"
    return Caption(
        title=head,
        text=(
            "A dot is a score, its bar is how far chance can move it. "
            f"Where bars overlap much, the order means little.{items}"
        ),
        source=f"the best five, {facts.pairs} pairs, {until_month(facts.until)}",
        alt=f"Scores of the best five with bars for chance: {facts.apart} of {facts.pairs} pairs differ beyond it.",
    )


def what_is_left(facts: Next) -> Caption:
    """The caption on what is left to reach, and on the benchmark that takes over."""
    more = "at least " if facts.at_least else ""
    if facts.other_left > facts.left:
        head = f"{of_100(facts.left)} of 100 are left here, {more}{of_100(facts.other_left)} on {facts.other}"
    else:
        head = f"{of_100(facts.left)} of 100 are left here, and no more on {facts.other}"
    labels = "" if facts.labels_checked else " No check of the answer key is on record."
    exposure = "" if facts.seen_known else " Nobody knows how many questions the models had met before."
    return Caption(
        title=head,
        text=f"What guessing gives is taken off.{labels}{exposure}",
        source=f"{NAME} and {facts.other}, two tests, {until_month(facts.until)}",
        alt=f"Bars of what is still to be won: {of_100(facts.left)} of 100 here, {more}{of_100(facts.other_left)} on "
        f"{facts.other}.",
    )
