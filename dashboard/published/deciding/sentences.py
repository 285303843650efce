"""The answer of the desk in words: the one place from which page, report, feed and file take them."""

from dataclasses import dataclass

from benchhealth.dashboard.published.deciding.decision import Row, answer_to
from benchhealth.dashboard.published.deciding.question import Question
from benchhealth.dashboard.published.generation import View, recently
from benchhealth.dashboard.words.desk import question as words
from benchhealth.dashboard.words.desk import ruled_out as why_not
from benchhealth.dashboard.words.desk.cards import Card, card
from benchhealth.dashboard.words.domains import NAMES


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
        heading=why_not.heading(rows) if rows else "",
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
