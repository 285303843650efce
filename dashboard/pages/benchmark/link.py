"""What a link to a benchmark shows where it is shared: its title, what is measured and claimed, and three answers."""

from collections.abc import Mapping

from benchhealth.dashboard.figures.base import is_bounded
from benchhealth.dashboard.figures.chart import Params
from benchhealth.dashboard.figures.picture import Bar, Line, Picture
from benchhealth.dashboard.pages.benchmark import head
from benchhealth.dashboard.pages.benchmark.card import is_bad, kind_of
from benchhealth.dashboard.pages.benchmark.facts import Facts, facts_of
from benchhealth.dashboard.published.answers import answers_of, words_of
from benchhealth.dashboard.published.benchmarks import assessed_on
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.results import known_benchmark
from benchhealth.dashboard.widgets.page import Shared
from benchhealth.dashboard.words.answers.parts import Row
from benchhealth.dashboard.words.answers.room import bests
from benchhealth.dashboard.words.answers.said import Words
from benchhealth.dashboard.words.numbers import day_of, score
from benchhealth.dashboard.words.text import words_within

ALWAYS = ("order", "second")
WORST_OF = ("labels", "seen", "reporters", "looked")
"""Of these answers the worst has the third place; of equals the first."""

_WORST = ("no", "partly", "unknown", "yes")
_NAME = 60


def picture(view: View, params: Params) -> Picture | None:
    """The picture of a benchmark; None where the address names none. Raises ParameterError where there is no such."""
    if not params.get("benchmark"):
        return None
    benchmark_id = known_benchmark(view, params)
    facts, rows, told = facts_of(view, benchmark_id), answers_of(view, benchmark_id), words_of(view, benchmark_id)
    title, _ = head.of_benchmark(view, benchmark_id)
    room = rows.get("room")
    return Picture(
        title,
        (bests(room) if room else "") or (told["stage"].line if "stage" in told else ""),
        None if room is None else bar(facts, room),
        answers(rows, told),
        f"{words_within(facts['name'], _NAME)} · edition of {day_of(assessed_on(view))} · benchhealth",
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


def answers(rows: Mapping[str, Row], told: Mapping[str, Words]) -> tuple[Line, ...]:
    """Order, second measurement, and the worst of the rest; those that may not leave are missing."""
    rest = [key for key in WORST_OF if key in told]
    worst = sorted(rest, key=lambda key: _WORST.index("no" if is_bad(rows[key]) else rows[key]["reply"]))
    return tuple(
        Line(told[key].question, told[key].reply, told[key].number, kind_of(rows[key]))
        for key in (*ALWAYS, *worst[:1])
        if key in told
    )


SHARED = Shared(("benchmark",), picture)
