"""What the Methods page says about the desk: its rules in their order, with the limits that decide."""

from benchhealth.analytics.answers.desk.choose import MOST_RECOMMENDED
from benchhealth.analytics.answers.desk.rules import BEHIND_DAYS, FLAWED, LEAST_ROOM, RESERVATIONS, WORK
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.words.answers.sentences import TITLES
from benchhealth.dashboard.words.desk.cards import RESERVATIONS_SHOWN
from benchhealth.dashboard.words.desk.question import ROLES, WEIGHED
from benchhealth.dashboard.words.numbers import percent
from benchhealth.dashboard.words.text import listed


def desk(months: int) -> str:
    """The topic in markdown; `months` is how many before the last look at any benchmark are usual for the day."""
    rules = (
        ("Result", f"{LIMITS.min_models} models or more have a result, and somebody still reports one"),
        (
            "Independence",
            f"others than their makers measured {LIMITS.min_models} ranked models or more in the condition that "
            "decides; it is left out where results of makers may count",
        ),
        ("Room", f"it is not saturated, and {percent(LEAST_ROOM)} of its scale or more is left, or it has no ceiling"),
        ("Order", f"the answer to “{TITLES['order']}” is not “No”; where it is unknown, that is a reservation"),
        (
            "Labels",
            f"less than {percent(FLAWED)} of its audited items are known to be wrong; that nobody audited them is a "
            "reservation",
        ),
        ("Construct", "what it asks for and how it is answered are on record, and it is no part of another"),
        (
            "Day",
            "what others measured, or all where makers count, reaches the asked month or later; usual are "
            f"{months} months before the last look at any benchmark",
        ),
        ("Budget", "the median cost of a run is no higher than asked; a cost that is not known rules nothing out"),
        (
            "Likeness",
            "it asks for the chosen construct; where none is chosen, it is the first by the order below, asks for the "
            f"same as that one, or is of its domain and answered by the same work ({listed(list(WORK), 'or')})",
        ),
        ("Place", f"it is among the first {MOST_RECOMMENDED}"),
    )
    order = "\n".join(f"- to {use}: {WEIGHED[role]}" for role, use in ROLES.items())
    return (
        "The desk reads the table `decision`: every curated whole benchmark of a domain, once for each use. The rules "
        "are tried in this order, and the first that a benchmark fails is the reason against it:\n\n"
        + "\n".join(f"{number}. **{name}**: {rule}." for number, (name, rule) in enumerate(rules, 1))
        + f"\n\nWhat passes is put in order, by use:\n\n{order}\n\n"
        "*Today's stage* stands for three questions, in this order: is its room known, does it still measure, and are "
        "the errors of its top known?\n\n"
        f"Each recommendation says what speaks against it, the first {RESERVATIONS_SHOWN} of {len(RESERVATIONS)} "
        "reservations in "
        f"their order. One is that others measured it more than {BEHIND_DAYS} days before its makers last did.\n\n"
        "**Its models.** They are those that a card counts: listed now, and measured by others in the one condition "
        "that decides on the benchmark; a number that the maker prints too is not taken for another's. A model is "
        "complete where it has such a score on each recommended benchmark. Models can be chosen; one without a score "
        "reads *none by others*. No mean is taken over benchmarks."
    )
