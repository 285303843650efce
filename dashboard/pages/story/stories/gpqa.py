"""GPQA Diamond: how fast models passed the experts, and what is left to measure."""

from functools import partial

import polars as pl

from benchhealth.dashboard.pages.story.figures.pictures import Bar, bars
from benchhealth.dashboard.pages.story.stories.frames import best, forest_of, of_benchmark, rise_frame
from benchhealth.dashboard.pages.story.story import Content, Frame, Story, content, facts_of, rise_of
from benchhealth.dashboard.published.answers import answers_of, names
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.results import boards, holder
from benchhealth.dashboard.widgets import links, provenance
from benchhealth.dashboard.words.stories import gpqa as words
from benchhealth.dashboard.words.stories.parts import Caption, Rise, of_100

BENCHMARK = "gpqa-diamond"
MODELS_DRAWN = 5
"""How many of the best models are drawn."""


def _content(view: View) -> Content:
    """The five frames in order; one whose facts are not known is None, and its number stays free."""
    curve = rise_of(view, BENCHMARK)
    if curve is None:
        return content(words.moral(None))
    rise, moves = curve
    people = _people(view, rise, moves)
    first = None if people is None else _frame(view, words.asks(rise, people), _guess_bars(rise, people), "references")
    third = (
        None
        if people is None
        else _frame(view, words.experts_passed(rise, people), _passed_bars(rise, people), "human_margin")
    )
    return content(
        words.moral(rise),
        first,
        rise_frame(view, BENCHMARK, curve, words.rise(rise)),
        third,
        _top(view),
        _room_left(view),
    )


def _frame(view: View, caption: Caption | None, rows: list[Bar], method: str) -> Frame | None:
    if caption is None:
        return None
    until = facts_of(view, BENCHMARK).get("known_until")
    return of_benchmark(view, BENCHMARK, caption, partial(bars, rows, 100), method, until)


def _people(view: View, rise: Rise, moves: pl.DataFrame) -> words.People | None:
    """The experts' score and the first best score above it; None where no score of people is on record."""
    facts = facts_of(view, BENCHMARK)
    if facts.get("human") is None:
        return None
    above = moves.filter(pl.col("score") > facts["human"]).head(1)
    margin = view.query(
        "SELECT low FROM indicator WHERE benchmark_id = $one AND indicator = 'human_margin' AND status = 'ok'",
        one=BENCHMARK,
    )["low"].drop_nulls()
    return words.People(
        score=facts["human"],
        people=facts["human_people"],
        on=facts["released_on"],
        passed=above["score"][0] if above.height else None,
        passed_on=above["dated_on"][0] if above.height else None,
        beyond=bool(margin[0] > 0) if len(margin) else None,
    )


def _guess_bars(rise: Rise, people: words.People) -> list[Bar]:
    return [
        Bar("By guessing", 100 * (rise.guess or 0), of_100(rise.guess), "ink3"),
        Bar("Experts of the field", 100 * people.score, of_100(people.score)),
    ]


def _passed_bars(rise: Rise, people: words.People) -> list[Bar]:
    rows = [Bar("Experts of the field", 100 * people.score, of_100(people.score), "ink3")]
    if people.passed is not None and people.passed != rise.best:
        rows.append(Bar("The first model above them", 100 * people.passed, of_100(people.passed)))
    return [*rows, Bar("The best model", 100 * rise.best, of_100(rise.best))]


def _top(view: View) -> Frame | None:
    order = answers_of(view, BENCHMARK).get("order")
    board_id = holder(view, BENCHMARK) or next(iter(boards(view, BENCHMARK)), None)
    if order is None or order["count"] is None or order["n"] is None or board_id is None:
        return None
    facts = facts_of(view, BENCHMARK)
    caption = words.top(words.Top(order["count"], order["n"], facts.get("n_items"), order["known_until"]))
    rows = best(view, board_id, bounded=True, n_models=MODELS_DRAWN)
    url = links.address("benchmark", benchmark=BENCHMARK, tab="Top models")
    draw = forest_of(rows, "of 100 questions")
    return Frame(caption, draw, url, "told_apart", provenance.of_board(view, board_id), order["known_until"])


def _room_left(view: View) -> Frame | None:
    """The room left on this benchmark and on its named alternative; None where either is not known."""
    answers = answers_of(view, BENCHMARK)
    alternative, room = answers.get("instead"), answers.get("room")
    if alternative is None or room is None or alternative["other_id"] is None or room["value"] is None:
        return None
    other_room = answers_of(view, str(alternative["other_id"])).get("room")
    if other_room is None or other_room["value"] is None:
        return None
    other_name = names(view).get(str(alternative["other_id"]), str(alternative["other_id"]))
    facts = words.Next(
        left=room["value"],
        other=other_name,
        other_left=other_room["value"],
        at_least=other_room["bound"] == "at_least",
        until=alternative["known_until"],
        labels_checked=answers.get("labels", {}).get("case") != "not_audited",
        seen_known=answers.get("seen", {}).get("reply") != "unknown",
    )
    rows = [
        Bar(f"Left on {words.NAME}", 100 * facts.left, of_100(facts.left), "ink3"),
        Bar(f"Left on {facts.other}", 100 * facts.other_left, of_100(facts.other_left)),
    ]
    url = links.address("benchmark", benchmark=str(alternative["other_id"]))
    sources = provenance.of_benchmarks(view, [BENCHMARK, str(alternative["other_id"])])
    return Frame(words.what_is_left(facts), partial(bars, rows, 100), url, "headroom", sources, facts.until)


STORY = Story("gpqa-diamond", _content)
