"""What all stories share: a frame in words, numbers of a hundred, sentences about a rise, a second test, an order."""

from dataclasses import dataclass
from datetime import date

from benchhealth.analytics.twins.pairs import (
    CHANGED,
    LARGE_FALL,
    NO_FALL,
    NOT_KNOWN,
    SEEMS_TO_STAY,
    SMALL_FALL,
    STAYED,
    fall_of,
    is_less_at_top,
    order_of,
)
from benchhealth.dashboard.words.numbers import month_of, percent
from benchhealth.dashboard.words.text import count, until_month

_ORDER = {
    STAYED: "The order stayed: {kept:,} of {pairs:,} pairs did not swap",
    SEEMS_TO_STAY: "The order seems to have stayed: {swapped:,} of {pairs:,} pairs swapped",
    CHANGED: "The order changed: {swapped:,} of {pairs:,} pairs swapped",
    NOT_KNOWN: "Whether the order stayed is not known: {swapped:,} of {pairs:,} pairs swapped",
}
_FALL = {
    NO_FALL: "None lost a place.",
    SMALL_FALL: "None fell by more than {places}.",
    LARGE_FALL: "One fell by {places}.",
}


@dataclass(frozen=True)
class Caption:
    """A frame in words: title, text, what stands below it (how many, until when), and what its picture shows.

    Texts are plain. A text has at most three sentences of at most twenty words.
    """

    title: str
    text: str
    source: str
    alt: str


@dataclass(frozen=True)
class Rise:
    """The best score through time: its first and its best step, how many steps there were, until when it is known.

    Scores are fractions; `last_on` is the day of the best. Of `options` answers one is right; `guess` is what guessing
    gives where that is a score worth drawing.
    """

    first: float
    first_on: date
    best: float
    last_on: date
    steps: int
    until: date
    items: int | None
    options: int | None = None
    guess: float | None = None
    people: float | None = None
    ceiling: float | None = None


@dataclass(frozen=True)
class Twin:
    """Two tests of the same thing: models on both, the mean loss in points with its interval, how orders agree.

    `fell` are models with a lower score on the second. Of `pairs` of models `swapped` changed their order; the model
    that fell furthest lost `furthest` places. `agreement` and `agreement_low` are of the larger set in `compared`
    models, `agreement_top` among their best. `flagged` of `tested` models lost more than chance explains. `not_drawn`
    are the scores of the one model that lies too far from all others to be drawn.
    """

    models: int
    fell: int
    gap: float
    gap_low: float | None
    gap_high: float | None
    pairs: int
    swapped: int
    furthest: int
    until: date | None
    items: int | None
    other_items: int | None
    other_on: date | None
    compared: int
    agreement: float | None
    agreement_low: float | None
    agreement_top: float | None
    flagged: int
    tested: int
    not_drawn: tuple[float, float] | None = None

    @property
    def beyond_chance(self) -> bool:
        """Whether chance alone does not explain the mean loss."""
        return self.gap_low is not None and self.gap_high is not None and not self.gap_low <= 0 <= self.gap_high

    @property
    def order(self) -> str:
        """Whether the order stayed, as a code of `analytics.twins.pairs`."""
        return order_of(self.agreement, self.agreement_low)

    @property
    def stayed(self) -> bool:
        """Whether the order of the models stayed the same beyond doubt."""
        return self.order == STAYED


def of_100(share: float | None) -> str:
    """A share as so many of a hundred: `63`, near the ends `99.6`."""
    return percent(share).removesuffix("%")


def kept_pairs(agreement: float) -> str:
    """How many of a hundred pairs keep their order, from an agreement (Kendall's tau): `97`."""
    return of_100((1 + agreement) / 2)


def points_of_a_hundred(gap: float) -> str:
    """A mean loss or gain in points as so many of a hundred: `12 of 100`."""
    return f"{of_100(abs(gap) / 100)} of 100"


def span(first: date, last: date) -> str:
    """The time between two days, in months under three years: `25 months`, `nine years`."""
    months = round((last - first).days / 30.4375)
    if months < 36:
        return count(max(1, months), "month")
    years = round(months / 12)
    words = ("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    return f"{words[years - 3] if years <= 12 else years} years"


def rose(rise: Rise, noun: str) -> str:
    """Title of a rise: how far the best went and how long that took. `noun` are the things that a test counts."""
    if rise.steps < 2:
        return f"The first model got {of_100(rise.first)} of 100 {noun} right"
    return (
        f"In {span(rise.first_on, rise.last_on)} the best went from {of_100(rise.first)} to {of_100(rise.best)} "
        f"of 100 {noun}"
    )


def rise_source(rise: Rise) -> str:
    """The source line of a rise: the number of best models, and the months of the first and of the last."""
    return f"{count(rise.steps, 'best model')} of their day, {month_of(rise.first_on)} to {month_of(rise.until)}"


def rise_alt(rise: Rise, name: str) -> str:
    """The alternative text of the picture of a rise: its steps, and the lines of guessing, people and labels."""
    lines = [
        f"{label} at {of_100(value)}"
        for label, value in (("guessing", rise.guess), ("people", rise.people), ("labels in doubt above", rise.ceiling))
        if value is not None
    ]
    beside = f"; lines for {', '.join(lines)}" if lines else ""
    return (
        f"The best score on {name} in steps: {of_100(rise.first)} of 100 in {month_of(rise.first_on)}, "
        f"{of_100(rise.best)} in {month_of(rise.last_on)}{beside}."
    )


def order_title(twin: Twin) -> str:
    """Whether the order stayed: certain, likely, or not."""
    return _ORDER[twin.order].format(kept=twin.pairs - twin.swapped, swapped=twin.swapped, pairs=twin.pairs)


def furthest(twin: Twin) -> str:
    """The words for the largest fall of one model, in places."""
    return _FALL[fall_of(twin.furthest, twin.models)].format(places=count(twin.furthest, "place"))


def order_alt(twin: Twin) -> str:
    """The alternative text of the picture of places: how many pairs cross, and the furthest fall."""
    return (
        f"A line for each of {count(twin.models, 'model')} from its place in the old test to its place in the new: "
        f"{twin.swapped:,} of {twin.pairs:,} pairs cross, and the furthest fall is {count(twin.furthest, 'place')}."
    )


def trust_title(twin: Twin) -> str:
    """What follows for the order, among all and among the best."""
    if not twin.stayed:
        return "So the order cannot be trusted for sure"
    if is_less_at_top(twin.agreement, twin.agreement_top):
        return "So the order could be trusted, and less so at the top"
    return "So the order could be trusted, at the top too"


def kept_pairs_meaning(twin: Twin, title: str, text: str) -> Caption | None:
    """The frame about bars of pairs that keep their order: what follows from it; None where no order is known."""
    if twin.agreement is None:
        return None
    return Caption(
        title,
        text,
        source=f"{count(twin.compared, 'model')} on both tests, {kept_pairs(twin.agreement)} of 100 pairs alike, "
        f"{until_month(twin.until)}",
        alt=_trust_alt(twin),
    )


def _trust_alt(twin: Twin) -> str:
    top = "" if twin.agreement_top is None else f", {kept_pairs(twin.agreement_top)} among the best"
    return (
        f"Of 100 pairs of models, {kept_pairs(twin.agreement or 0)} keep their order on the new test{top}; "
        "by chance alone 50 would."
    )
