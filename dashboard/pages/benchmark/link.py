"""What a link to a benchmark shows where it is shared: its title, what is measured and claimed, and three answers."""

from collections.abc import Sequence

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.figures.base import is_bounded
from benchhealth.dashboard.figures.picture import Bar, Line, Picture
from benchhealth.dashboard.pages.benchmark import head
from benchhealth.dashboard.pages.benchmark.facts import Facts, facts_of
from benchhealth.dashboard.published.answers import answers_of, card_of
from benchhealth.dashboard.published.benchmarks import assessed_on
from benchhealth.dashboard.published.generation import Params, View
from benchhealth.dashboard.published.results import known_benchmark
from benchhealth.dashboard.widgets.page import Shared
from benchhealth.dashboard.words.answers.room import bests
from benchhealth.dashboard.words.card.cells import UNTIL, Cell
from benchhealth.dashboard.words.numbers import day_of, score
from benchhealth.dashboard.words.text import words_within

ALWAYS = ("order", "second")
WORST_OF = ("labels", "seen", "reporters")
"""The worst of these answers is the third one; of equal ones the first."""

_WORST = ("no", "partly", "unknown", "yes")
_NAME = 60


def picture(view: View, params: Params) -> Picture | None:
    """The picture of a benchmark; None where the address names none. Raises ParameterError where it does not exist."""
    if not params.get("benchmark"):
        return None
    benchmark_id = known_benchmark(view, params)
    facts, card = facts_of(view, benchmark_id), card_of(view, benchmark_id)
    title, _ = head.of_benchmark(view, benchmark_id)
    room, until = answers_of(view, benchmark_id).get("room"), [cell for cell in card if cell.key == UNTIL]
    return Picture(
        title,
        (bests(room) if room else "") or "".join(f"{cell.question} {cell.tile}. {cell.brief}" for cell in until),
        None if room is None else bar(facts, room),
        answers(card),
        f"{words_within(facts['name'], _NAME)} · as of {day_of(assessed_on(view))} · benchhealth",
    )


def bar(facts: Facts, room: Row) -> Bar | None:
    """What others measured and what makers claim beyond it, on the scale of the score; None without such a scale."""
    measured, claimed, unit = room["measured"], room["claimed"], facts["unit"]
    if not is_bounded(unit) or facts["higher_is_better"] is False or (measured is None and claimed is None):
        return None
    ahead = claimed is not None and (measured is None or claimed > measured)
    items = f"all {facts['n_items']:,} items" if facts["n_items"] else "100%"
    return Bar(
        measured,
        claimed if ahead else None,
        measured_label="" if measured is None else f"measured {score(measured, unit)}",
        claimed_label=f"claimed {score(claimed, unit)}" if ahead else "",
        right=items,
    )


def answers(card: Sequence[Cell]) -> tuple[Line, ...]:
    """Order, second measurement, and the worst of the rest; those that may not be passed on are left out."""
    named = {cell.key: cell for cell in card}
    worst_first = sorted((named[key] for key in WORST_OF if key in named), key=lambda cell: _WORST.index(cell.kind))
    chosen = [*(named[key] for key in ALWAYS if key in named), *worst_first[:1]]
    return tuple(Line(cell.question, cell.word, cell.number, cell.kind) for cell in chosen)


SHARED = Shared(("benchmark",), picture)
