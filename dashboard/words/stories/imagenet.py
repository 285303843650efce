"""ImageNet: scores on new photographs, and the order of the models there."""

from benchhealth.analytics.twins.pairs import is_less_at_top
from benchhealth.dashboard.words.numbers import month_of
from benchhealth.dashboard.words.stories import parts
from benchhealth.dashboard.words.text import count, until_month

NAME = "ImageNet"


def moral(twin: parts.Twin | None) -> str:
    """The moral, as far as the numbers bear it."""
    if twin is None:
        return "how scores rose"
    return f"{scores(twin)}, {order(twin)}"


def scores(twin: parts.Twin) -> str:
    """A clause that says whether the scores fell, rose or held on the new test."""
    if not twin.beyond_chance:
        return "the scores held"
    return "the scores fell" if twin.gap > 0 else "the scores rose"


def order(twin: parts.Twin) -> str:
    """A clause that says whether the order of the models stayed."""
    return "the order stayed" if twin.stayed else "the order is not sure"


def rise(facts: parts.Rise) -> parts.Caption:
    """The caption on what the test asks, and on how far models came."""
    if facts.steps < 2:
        head = parts.rose(facts, "photographs")
    else:
        head = (
            f"In {parts.span(facts.first_on, facts.last_on)} models went from {parts.of_100(facts.first)} to "
            f"{parts.of_100(facts.best)} of 100 photographs"
        )
    names = "" if facts.options is None else f" and {facts.options:,} names"
    size = "" if facts.items is None else f" There are {facts.items:,} of them{names}."
    return parts.Caption(
        title=head,
        text=f"{NAME} asks one thing: what is in this photograph?{size} A dot is a new best model.",
        source=parts.rise_source(facts),
        alt=parts.rise_alt(facts, NAME),
    )


def new_test(facts: parts.Twin) -> parts.Caption | None:
    """The caption on the new test; nothing where its size or its year is not known."""
    if facts.items is None or facts.other_items is None or facts.other_on is None:
        return None
    year = facts.other_on.year
    return parts.Caption(
        title=f"In {year} the test was made again, with new photographs",
        text=(
            "Had models learnt to see, or had they only learnt this test? "
            "To find out, others made it again in the same way, step by step."
        ),
        source=f"ImageNetV2, matched frequency: {facts.other_items:,} photographs, {month_of(facts.other_on)}; "
        "a square is 1,000",
        alt=(
            f"Squares of 1,000 photographs each: {facts.items:,} old ones and {facts.other_items:,} new ones of {year}."
        ),
    )


def lower(facts: parts.Twin) -> parts.Caption:
    """The caption on whether the scores fell on the new test."""
    return parts.Caption(
        title=_lower(facts),
        text=(
            f"A line is one model: its old score is on the left, its new one on the right. {_fallen(facts)} "
            "The lines with a name are examples, picked by an even step."
        ),
        source=f"{count(facts.models, 'model')} on both tests{_not_drawn(facts)}, mean loss {facts.gap:.1f} points, "
        f"{until_month(facts.until)}",
        alt=(
            f"A line for each of {count(facts.models, 'model')} from its score on the old photographs to its score on "
            f"the new: {facts.fell:,} of them fall."
        ),
    )


def _lower(facts: parts.Twin) -> str:
    if not facts.beyond_chance:
        return f"The scores held: {count(facts.models, 'model')} lost less than chance can take"
    if facts.gap < 0:
        return f"The scores rose: {count(facts.models, 'model')} did better, by {parts.points_of_a_hundred(facts.gap)}"
    all_of = "all " if facts.fell == facts.models else ""
    return (
        f"The scores fell: {all_of}{count(facts.models, 'model')} did worse, by {parts.points_of_a_hundred(facts.gap)}"
    )


def _fallen(facts: parts.Twin) -> str:
    if facts.fell == facts.models:
        return "Every line falls."
    return f"Of {count(facts.models, 'line')}, {facts.fell:,} fall."


def _not_drawn(facts: parts.Twin) -> str:
    """The note that one model lies too far from the others to be drawn."""
    if facts.not_drawn is None:
        return ""
    old, new = facts.not_drawn
    return f" (one of them, {old:.0f} to {new:.0f}, is not drawn)"


def order_caption(facts: parts.Twin) -> parts.Caption:
    """The caption on whether the order of the models stayed."""
    return parts.Caption(
        title=parts.order_title(facts),
        text=(
            "The same lines, now by place. Had some models learnt the old photographs by heart, they would have "
            f"dropped far. {parts.furthest(facts)}"
        ),
        source=f"{count(facts.models, 'model')}, {facts.pairs:,} pairs, {until_month(facts.until)}",
        alt=parts.order_alt(facts),
    )


def trust(facts: parts.Twin) -> parts.Caption | None:
    """The caption on what follows and what does not; None where no order of models is known."""
    crowded = " Where the best models crowd together, small things decide their places."
    top = crowded if is_less_at_top(facts.agreement, facts.agreement_top) else ""
    text = f"New photographs can be harder. So lower scores do not show that anything was learnt by heart.{top}"
    return parts.kept_pairs_meaning(facts, parts.trust_title(facts), text)
