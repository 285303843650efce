"""What is taken along of an answer of the desk: a citation, and what its feed says."""

from collections.abc import Sequence
from datetime import date

from benchhealth.dashboard.words.desk.cards import Card

CHANGES = "An entry when the choice, a stage or a reservation changes, and whatever happens to these benchmarks."
PDF = "The PDF holds this question, the recommended benchmarks with their reservations, and the whole table of why not."
SUBTITLE = "One decision: what the desk recommends, what speaks against it, and what happens to it."


def bibtex(title: str, address: str, generation: str, as_of: date | None) -> str:
    """The answer as an entry for BibTeX; braces in the title would end it and are left out."""
    plain = title.replace("{", "").replace("}", "")
    year = f"\n  year = {{{as_of.year}}}," if as_of else ""
    day = f", assessed as of {as_of}" if as_of else ""
    return (
        f"@misc{{benchhealth-decision,\n  title = {{{{{plain}}}}},\n  author = {{{{benchhealth}}}},{year}\n"
        f"  note = {{Generation {generation}{day}}},\n  url = {{{address}}}\n}}"
    )


def summary(cards: Sequence[Card], needed: str) -> str:
    """The answer in one paragraph, for a feed."""
    return " ".join(f"{card.name}. {card.why} Reservation: {card.reservation}" for card in cards) or needed
