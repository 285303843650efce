"""How what the dashboard says is cited, and when it may be repeated elsewhere."""

from collections.abc import Sequence
from datetime import date

from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.text import count, listed

ALL_SOURCES = "all sources"


def citation(said: str, until: date | None, sources: str, generation: str, address: str = "") -> str:
    """A reference in one line; `sources` is as `drawn_from` names them, `address` may be empty."""
    return (
        f"benchhealth: {said.rstrip('. ')}. Known until {day_of(until)}. Drawn from {sources}. "
        f"Generation {generation}. {address}"
    ).strip()


def drawn_from(sources: Sequence[tuple[str, str]], most: int | None = None) -> str:
    """Sources by title and address; beyond the first `most` they are counted."""
    shown = [f"{title} ({address})" if address else title for title, address in sources[:most]]
    more = len(sources) - len(shown)
    return listed([*shown, *([f"{count(more, 'more source')} that the page names"] if more else [])]) or ALL_SOURCES


QUOTING: tuple[str, ...] = (
    "Repeat a verdict only with the day until which it is known and the condition that it is about.",
    "`unknown` means that nobody looked, or too weakly: never repeat it as healthy, clean or fine.",
    "Where a reply names two stages, both may be true: repeat both, or neither.",
    "A model that scores higher than a second measurement predicts has not been shown to have seen the items: an "
    "inference is repeated as one, never as an accusation.",
    "Two scores of unlike conditions are not compared, whatever their difference is.",
    "A score that only its maker reports is repeated as the maker's.",
    "Take the sentence as it stands, with its numbers, and the citation beside it; compute no new verdict of the rows.",
)
"""When a verdict may be repeated, by a writer, an agent or a language model: a rule each."""
