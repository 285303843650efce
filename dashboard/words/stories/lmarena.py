"""LMArena: votes of people, a list of many models, and a first place that is often no more than chance."""

from dataclasses import dataclass
from datetime import date

from benchhealth.dashboard.words.stories.parts import Caption
from benchhealth.dashboard.words.text import count, until_month


@dataclass(frozen=True)
class Board:
    """The newest look at the board: models, votes on the first, its lead in points and how much chance can make.

    `tied` models could be first. Of the best ten, `apart` of `pairs` pairs and `beside` of `neighbours` neighbours
    differ by more than chance.
    """

    models: int
    first: str
    second: str
    votes: int | None
    lead: float
    chance: float
    tied: int
    neighbours: int
    beside: int
    pairs: int
    apart: int
    until: date | None

    @property
    def is_clear(self) -> bool:
        """Whether the lead is more than chance can make."""
        return self.lead > self.chance


@dataclass(frozen=True)
class Changes:
    """How often first place changed hands since a day, with known errors: beyond chance, and within it."""

    beyond: int
    within: int
    since: date
    until: date | None


def moral(board: Board | None) -> str:
    """The moral of the story: whether the first leads by more than chance; a question where no board is known."""
    if board is None:
        return "who is first?"
    if board.is_clear:
        return "the first leads by more than chance can make"
    return "the lead of the first is no more than chance can make"


def votes(facts: Board) -> Caption:
    """The caption on how votes make the list of models."""
    return Caption(
        title=f"People vote, and {count(facts.models, 'model')} stand in one list",
        text=(
            "Two models answer the same question, and a person picks the better answer. "
            "The names are hidden until then. Who wins more often stands higher."
        ),
        source=f"{count(facts.models, 'model')}, {until_month(facts.until)}",
        alt=f"A dot for each of {count(facts.models, 'model')}: place to the right, points upwards, the best ten blue.",
    )


def lead(facts: Board) -> Caption:
    """The caption on the lead of the first, beside what chance alone can make."""
    lead_of, chance = points(facts.lead), points(facts.chance)
    head = (
        f"The first leads by {lead_of}; chance alone can make {chance}"
        if facts.is_clear
        else f"The first leads by {lead_of}, and chance alone can make {chance}"
    )
    meaning = (
        "So this lead is more than luck."
        if facts.is_clear
        else "So with other voters the second could as well be first."
    )
    votes_text = "" if facts.votes is None else f", {facts.votes:,} votes on one of them"
    return Caption(
        title=head,
        text=f"Other people would have voted a little differently. {meaning}",
        source=f"first two of {count(facts.models, 'model')}{votes_text}, {until_month(facts.until)}",
        alt=f"Bars: the lead of {facts.first} over {facts.second}, {lead_of}; what chance alone can make, {chance}.",
    )


def points(value: float) -> str:
    """A difference in points as it is written: `12 points`, below one with a decimal."""
    number = f"{value:.0f}" if value >= 0.95 else f"{value:.1f}"
    return f"{number} point{'' if number == '1' else 's'}"


def tied_caption(facts: Board) -> Caption:
    """The caption on how many models could be first."""
    head = (
        f"Only one of {count(facts.models, 'model')} can be first"
        if facts.tied == 1
        else f"{facts.tied} of {count(facts.models, 'model')} could be first"
    )
    return Caption(
        title=head,
        text=(
            "A dot is what the votes say, its bar is how far chance can move it. "
            "The blue ones could all be first. The grey ones could not."
        ),
        source=f"the best ten of {count(facts.models, 'model')}, {until_month(facts.until)}",
        alt=f"Points of the best ten with bars for chance: {count(facts.tied, 'model')} could be first.",
    )


def differing_pairs_caption(facts: Board) -> Caption:
    """The caption on how many pairs of the best ten differ by more than chance."""
    mostly = facts.apart * 2 > facts.pairs
    head = (
        f"Further apart the order {'mostly holds' if mostly else 'is often open'}: {facts.apart} of {facts.pairs} pairs"
    )
    return Caption(
        title=head,
        text=(
            f"Take any two of the best ten: {facts.apart} of {facts.pairs} pairs differ by more than chance. "
            f"Of those who stand side by side, it is {facts.beside} of {facts.neighbours}. So read the list in groups."
        ),
        source=f"{facts.pairs} pairs of the best ten, {until_month(facts.until)}",
        alt=(
            f"{facts.pairs} squares, one a pair of the best ten: {facts.apart} are blue, as they differ by more than "
            "chance."
        ),
    )


def changes(facts: Changes) -> Caption:
    """The caption on how often first place changed hands by more than chance."""
    every = facts.beyond + facts.within
    were = "was" if facts.beyond == 1 else "were"
    head = f"Of {count(every, 'change')} of first place, {facts.beyond} {were} beyond chance"
    if facts.beyond > facts.within:
        meaning = "Most new leaders were better beyond doubt."
    elif facts.within > facts.beyond:
        meaning = "More often than not, a new leader was no surer than the old one."
    else:
        meaning = "As often as not, a new leader was no surer than the old one."
    return Caption(
        title=head,
        text=f"{meaning} And what people like is not always what is right.",
        source=f"{every} changes whose errors are known, since {facts.since.year}, {until_month(facts.until)}",
        alt=f"Bars: {facts.beyond} changes of first place beyond chance, {facts.within} within what chance can make.",
    )
