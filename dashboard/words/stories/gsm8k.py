"""GSM8K: school sums, and new ones of the same kind: who did worse on them than chance explains."""

from benchhealth.analytics.contamination.findings import FLAGGED_AT
from benchhealth.analytics.saturation.headroom import ALMOST_ALL_RIGHT
from benchhealth.dashboard.words.numbers import month_of
from benchhealth.dashboard.words.stories.parts import (
    Caption,
    Rise,
    Twin,
    kept_pairs_meaning,
    of_100,
    order_title,
    points_of_a_hundred,
    rise_alt,
    rise_source,
    rose,
)
from benchhealth.dashboard.words.text import count, until_month

NAME = "GSM8K"


def moral(twin: Twin | None) -> str:
    """The moral, as far as the numbers bear it."""
    if twin is None:
        return "how scores rose"
    finding = "scores held on new sums" if not twin.beyond_chance else "scores fell on new sums"
    if not twin.flagged:
        return f"{finding}, and no model stood out"
    return f"{finding}, but {twin.flagged:,} of {count(twin.tested, 'model')} stood out"


def rise(facts: Rise) -> Caption:
    """The caption on what the test asks, and on how far models came."""
    sums = "sums" if facts.items is None else f"{facts.items:,} sums"
    return Caption(
        title=rose(facts, "school sums"),
        text=f"{NAME} has {sums}, set as short stories for school. A dot is a new best model. {_left_to_win(facts)}",
        source=rise_source(facts),
        alt=rise_alt(facts, NAME),
    )


def _left_to_win(facts: Rise) -> str:
    if facts.best > ALMOST_ALL_RIGHT:
        return "By now there is almost nothing left to win."
    return f"Of 100 sums, {of_100(1 - facts.best)} are still to be won."


def new_sums(facts: Twin) -> Caption | None:
    """The caption on the new sums; nothing where their number is not known."""
    if facts.items is None or facts.other_items is None or facts.other_on is None:
        return None
    year = facts.other_on.year
    return Caption(
        title=f"In {year} researchers wrote new sums of the same kind",
        text=(
            "The old sums and their answers stand on the web. A model may have met them while it was trained. "
            "The new ones are secret, so nobody can have met them."
        ),
        source=f"GSM1k: {facts.other_items:,} sums, {month_of(facts.other_on)}; a square is 100",
        alt=f"Squares of 100 sums each: {facts.items:,} old ones on the web and {facts.other_items:,} new secret ones.",
    )


def lower(facts: Twin) -> Caption:
    """The caption on whether the scores fell on the new test."""
    if not facts.beyond_chance:
        head = f"Taken together, {count(facts.models, 'model')} did about as well as before"
        why = f"On average they lost {points_of_a_hundred(facts.gap)}, and chance alone can do that."
    elif facts.gap > 0:
        head = f"The scores fell: {count(facts.models, 'model')} lost {points_of_a_hundred(facts.gap)} on average"
        why = "That is more than chance can do."
    else:
        head = f"The scores rose: {count(facts.models, 'model')} won {points_of_a_hundred(facts.gap)} on average"
        why = "That is more than chance can do."
    return Caption(
        title=head,
        text=f"A line is one model: its old score is on the left, its new one on the right. {why}",
        source=(
            f"{count(facts.models, 'model')} on both tests, mean loss {facts.gap:.1f} points, "
            f"{until_month(facts.until)}"
        ),
        alt=(
            f"A line for each of {count(facts.models, 'model')} from its score on the old sums to its score on the "
            f"new: {facts.fell:,} of them fall."
        ),
    )


def stood_out(facts: Twin) -> Caption:
    """The caption on which models lost more than chance explains, and what else may explain it."""
    source = f"{count(facts.tested, 'model')} tested, {until_month(facts.until)}"
    if not facts.flagged:
        return Caption(
            title=f"None of {count(facts.tested, 'model')} stood out",
            text=(
                "No model lost more on the new sums than chance explains. "
                "That does not prove that none met the old ones."
            ),
            source=source,
            alt=f"No model of {facts.tested:,} lost more than chance explains.",
        )
    return Caption(
        title=f"{facts.flagged:,} of {count(facts.tested, 'model')} lost more than chance explains",
        text=(
            "These models stood out on the new sums. They may have met the old ones, or others much like them. "
            f"About one name in {round(1 / FLAGGED_AT)} may stand here by bad luck."
        ),
        source=source,
        alt=(
            f"A row for each of the {facts.flagged:,} models that stood out: so many of 100 sums fewer right on the "
            "new ones."
        ),
    )


def trust(facts: Twin) -> Caption | None:
    """The caption on what the fall means for the order of models, and what it does not mean."""
    return kept_pairs_meaning(
        facts,
        order_title(facts),
        "Who was better on the old sums was mostly better on the new ones. A model that stood out can still be a good "
        "one. And who did not stand out may have met a few old sums.",
    )
