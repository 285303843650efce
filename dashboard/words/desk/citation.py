"""What is taken along of an answer of the desk: a citation, and what its feed says."""

from collections.abc import Mapping, Sequence
from datetime import date

from benchhealth.dashboard.words.desk.cards import Card
from benchhealth.dashboard.words.terms.citing import Cited
from benchhealth.dashboard.words.text import known_at_latest

CHANGES = "An entry when the choice, a stage or a reservation changes, and whatever happens to these benchmarks."
PDF = "The PDF holds what is asked, the recommended benchmarks with their reservations, and the whole table of why not."
SUBTITLE = "One decision: what the desk recommends, what speaks against it, and what happens to it."


def citation_of(  # noqa: PLR0913, PLR0917
    title: str, params: Mapping[str, str], generation: str, until: date | None, page: str, csv: str
) -> Cited:
    """The answer as it is cited; `params` ask its question, `page` and `csv` are absolute addresses."""
    key = "-".join(("decision", *params.values()))
    text = f"benchhealth: {title}{known_at_latest(until)}. Generation {generation}. {page}"
    return Cited(text, title, key, generation, until, page, csv)


def summary(cards: Sequence[Card], needed: str) -> str:
    """The recommended benchmarks with their reasons in one paragraph, for a feed; `needed` where none is."""
    return " ".join(f"{card.name}. {card.why} Reservation: {card.reservation}" for card in cards) or needed
