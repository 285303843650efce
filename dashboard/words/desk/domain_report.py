"""What the desk says of benchmarks in a report on many of them."""

from collections.abc import Sequence

from benchhealth.dashboard.words.text import listed


def for_use(title: str, names: Sequence[str]) -> str:
    """The finding for one use, with what is recommended: `Two of 13 benchmarks could carry your claim: A and B.`"""
    return f"{title}: {listed(list(names))}." if names else f"{title}."


def of_choice(names: Sequence[str]) -> str:
    """The sentence on which of the chosen benchmarks the desk recommends for a paper in their own domains."""
    if not names:
        return "The page Decide recommends none of these for a paper in its own domain."
    return f"For a paper in its own domain the page Decide recommends {listed(list(names))}."


def first_reason_against(reason: str, names: Sequence[str]) -> str:
    """A reason against benchmarks, with the names of those for which it is the first one."""
    return f"{reason}: {listed(list(names))}."


def not_judged(names: Sequence[str]) -> str:
    """A sentence that names the benchmarks which the desk does not judge."""
    return f"Not judged, as they are not curated or are a part of another: {listed(list(names))}."


def rules(address: str) -> str:
    """The note on whose reason is named against each, and on where another question can be asked."""
    return (
        "The first reason against each is that of a paper that needs results of others. Rules, reservations, and other "
        f"uses, days and budgets: {address}"
    )
