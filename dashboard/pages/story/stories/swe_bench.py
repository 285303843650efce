"""SWE-bench Verified: measured or claimed, and tests that turn right answers away."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import polars as pl

from benchhealth.dashboard.pages.story.figures.pictures import Bar, Block, Limit, Part, bars, squares
from benchhealth.dashboard.pages.story.stories.frames import of_benchmark, rise_frame
from benchhealth.dashboard.pages.story.story import Content, Frame, Story, content, facts_of, rise_of
from benchhealth.dashboard.published.answers import answers_of
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.results import model_names
from benchhealth.dashboard.words.measurers.houses import house_name
from benchhealth.dashboard.words.stories import swe_bench as words
from benchhealth.dashboard.words.stories.parts import of_100
from benchhealth.dashboard.words.text import model_within

BENCHMARK = "swe-bench-verified"


def _content(view: View) -> Content:
    curve = rise_of(view, BENCHMARK)
    measured, claimed = _best_measured(view), _best_claimed(view)
    house = "one house" if measured is None else measured.by
    first = None if curve is None else rise_frame(view, BENCHMARK, curve, words.rise(curve[0], house))
    faults = _faults(view)
    bests = () if measured is None or claimed is None else (measured, *_other_houses(view, measured)[:1], claimed)
    return content(
        words.moral(measured, claimed),
        first,
        _numbers(view, measured, claimed) if measured and claimed else None,
        None if faults is None else _broken(view, faults),
        _above(view, faults, bests) if faults and bests else None,
        _advice(view),
    )


def _best_of(view: View, row: dict[str, Any], *, claimed: bool) -> words.Best:
    titles = dict(view.table("source").select("source_id", "title").iter_rows())
    model = model_names(view).get(row["model_id"], row["model_id"])
    makers = dict(view.table("model").select("model_id", "organisation").iter_rows())
    house = row["measured_by"] or row["source_id"]
    author = (makers.get(row["model_id"]) or "its maker") if claimed else house_name(house, titles)
    return words.Best(author, model, row["score"], row["dated_on"], claimed)


def _conditions(view: View) -> pl.DataFrame:
    rows = view.table("corroboration").filter(pl.col("benchmark_id") == BENCHMARK).drop_nulls("dated_on")
    return rows.sort("score", "model_id", descending=[True, False])


def _best_measured(view: View) -> words.Best | None:
    """The best of the runs by which the benchmark is judged."""
    rows = _conditions(view).filter((pl.col("kind") == "first") & (pl.col("reporter") != "self"))
    return None if rows.is_empty() else _best_of(view, rows.row(0, named=True), claimed=False)


def _best_claimed(view: View) -> words.Best | None:
    """The best score that a maker reports; None where no maker does."""
    rows = _conditions(view).filter((pl.col("kind") == "condition") & (pl.col("class") == "claimed"))
    return None if rows.is_empty() else _best_of(view, rows.row(0, named=True), claimed=True)


def _other_houses(view: View, measured: words.Best) -> Sequence[words.Best]:
    """The best of each other house that measured it."""
    rows = _conditions(view).filter((pl.col("kind") == "condition") & (pl.col("class") == "measured"))
    by_house = rows.unique("measured_by", keep="first", maintain_order=True)
    bests = [_best_of(view, row, claimed=False) for row in by_house.iter_rows(named=True)]
    return [best for best in bests if best.by != measured.by]


def _bar(best: words.Best) -> Bar:
    whose = f"claimed by {best.by}" if best.claimed else f"measured by {best.by}"
    return Bar(f"{model_within(best.model, 24)}, {whose}", 100 * best.score, of_100(best.score), hollow=best.claimed)


def _numbers(view: View, measured: words.Best, claimed: words.Best) -> Frame:
    other_bests = _other_houses(view, measured)[:1]
    rows = [_bar(best) for best in (measured, *other_bests, claimed)]
    caption = words.numbers(measured, claimed, other_bests)
    return of_benchmark(view, BENCHMARK, caption, partial(bars, rows, 100), "corroboration", claimed.on)


def _faults(view: View) -> words.Faults | None:
    """The finding of an audit of some tasks; None where no audit counted the tasks that it checked."""
    row, facts = answers_of(view, BENCHMARK).get("labels"), facts_of(view, BENCHMARK)
    if row is None or row["kind"] != "part" or None in (row["count"], row["n"], facts.get("n_items")):
        return None
    return words.Faults(row["count"], row["n"], facts["n_items"], row["known_until"])


def _broken(view: View, facts: words.Faults) -> Frame:
    parts = [
        Part("broken", facts.faulty, "saturated"),
        Part("sound", facts.checked - facts.faulty, "accent"),
        Part("not checked", facts.items - facts.checked, "ink3", hollow=True),
    ]
    draw = partial(squares, [Block("Tasks of the test", "", parts, 25)], 1)
    return of_benchmark(view, BENCHMARK, words.faults(facts), draw, "ceilings", facts.until)


def _above(view: View, faults: words.Faults, bests: Sequence[words.Best]) -> Frame:
    limit = Limit(100 * words.sound_tasks(faults), f"above {of_100(words.sound_tasks(faults))}: broken tests passed")
    draw = partial(bars, [_bar(best) for best in bests], 100, limit=limit)
    return of_benchmark(view, BENCHMARK, words.above_sound_tasks(faults, bests), draw, "ceilings", faults.until)


def _advice(view: View) -> Frame | None:
    """The frame on its makers giving it up; None where that is not on record."""
    row = answers_of(view, BENCHMARK).get("reporters")
    gone = view.table("incident").filter((pl.col("benchmark_id") == BENCHMARK) & (pl.col("kind") == "retired"))
    if row is None or row["count"] is None or row["n"] is None or gone.drop_nulls("on_date").is_empty():
        return None
    last = gone.drop_nulls("on_date").sort("on_date").row(-1, named=True)
    facts = words.Advice(last["subject"], last["on_date"], row["count"], row["n"], row["known_until"])
    parts = [
        Part("report it", facts.still, "accent"), Part("do not", facts.makers - facts.still, "ink3", hollow=True),
    ]  # fmt: skip
    draw = partial(squares, [Block("Makers that we read", "", parts, 11)], 1)
    return of_benchmark(view, BENCHMARK, words.advice(facts), draw, "by_others", facts.until)


STORY = Story("swe-bench-verified", _content)
