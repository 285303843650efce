"""What changed in some months, in words: the title, six counts, and the page of a month that prints and is sent."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from benchhealth.dashboard.published.happened.months import Changed, Span, later
from benchhealth.dashboard.words.happened.changes import best, boards, subject
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.stages import STAGE_WORDS
from benchhealth.dashboard.words.text import capital, count, listed, one_line, without_maker

NAMED = 6
"""So many changes of a kind are named in a digest; the others are counted."""

SEASONS = {3: "Spring", 6: "Summer", 9: "Autumn"}
"""Three months that a season has a name for, by the first."""

_BECAME = {
    "discriminating": "can tell models apart now",
    "compressing": "began to run out",
    "saturated": "became saturated",
    "emerging": "had first results",
    "unknown": "cannot be judged any more",
}


class Line(NamedTuple):
    """A kind of change of a digest: what heads it, and what is said."""

    head: str
    text: str


def named(span: Span) -> str:
    """The months in words: `July 2026`, `June to August 2026`, `December 2025 to February 2026`."""
    if span.first == span.last:
        return f"{span.first:%B %Y}"
    year = "" if span.first.year == span.last.year else f" {span.first.year}"
    return f"{span.first:%B}{year} to {span.last:%B %Y}"


def called(span: Span) -> str:
    """The months as a title calls them: a season where they are one."""
    season = SEASONS.get(span.first.month) if span.months == 3 else None
    return f"{season} {span.first.year}" if season else named(span)


def title(changed: Changed, on_record: int) -> str:
    """The finding of these months: how many best scores are beyond error, and confirmed; without any what else."""
    when = called(changed.span)
    best_scores = changed.best
    if not changed.total:
        return f"Nothing changed in {when}; {count(on_record, 'curated benchmark')} had come out"
    if best_scores.is_empty():
        return f"{when}: {moved(changed)}, and there was no new best score"
    beyond = _beyond(best_scores)
    if beyond.is_empty():
        return f"{when}: none of {count(best_scores.height, 'new best score')} is beyond error"
    confirmed = int(beyond["is_confirmed"].sum())
    who = f"{confirmed} measured by others" if confirmed else "none measured by others"
    verb = "is" if beyond.height == 1 else "are"
    return f"{when}: {beyond.height} of {count(best_scores.height, 'new best score')} {verb} beyond error, {who}"


def moved(changed: Changed) -> str:
    """A clause with the number of benchmarks that changed stage."""
    stages = changed.stages["benchmark_id"].n_unique()
    return f"{count(stages, 'benchmark')} changed stage" if stages else "no benchmark changed stage"


def subtitle(changed: Changed) -> str:
    """The stages, the months, and the day at which our data end."""
    saturated = changed.stages.filter(after="saturated")["benchmark_id"].n_unique()
    ended = f"{saturated} became saturated" if saturated else "none became saturated"
    ends = "" if changed.known_until is None else f"; our data end on {day_of(changed.known_until)}"
    return f"{capital(moved(changed))}, {ended}. {named(changed.span)}{ends}."


def tiles(changed: Changed) -> tuple[tuple[str, str, str], ...]:
    """The six counts: where each leads, the number, and its words."""
    beyond, confirmed = _beyond(changed.best).height, int(_beyond(changed.best)["is_confirmed"].sum())
    errors = f"{beyond} beyond error, {confirmed} of these measured by others" if changed.best.height else "none"
    first = _beyond(changed.first).height
    return (
        ("stage", f"{changed.stages['benchmark_id'].n_unique()}", "changed stage"),
        ("best-scores", f"{changed.best.height}", f"new best scores: {errors}"),
        ("first-places", f"{first} of {changed.first.height}", "new first places are beyond noise"),
        ("breaks", f"{changed.breaks.height}", "breaks of scale, names, data or rules"),
        ("new", f"{changed.new.height}", "new benchmarks"),
        ("silent", f"{changed.silent['source_id'].n_unique()}", "sources without news"),
    )


def stages_title(changed: Changed) -> str:
    """A title with the number of benchmarks that entered each stage, and of those that are in it more than once."""
    counts = dict(changed.stages.group_by("after").len().iter_rows())
    parts = [f"{counts[stage]} {became}" for stage, became in _BECAME.items() if stage in counts]
    if not parts:
        return "No benchmark changed stage"
    often = changed.stages.filter(pl.col("benchmark_id").is_duplicated())["benchmark_id"].n_unique()
    return f"{listed(parts)}; {often} changed more than once" if often else listed(parts)


def first_title(changed: Changed) -> str:
    """How many of the first places are beyond noise."""
    if changed.first.is_empty():
        return "No first place changed hands"
    return f"{_beyond(changed.first).height} of {count(changed.first.height, 'new first place')} are beyond noise"


def first_note(changed: Changed) -> str:
    """What of the first places is not counted among the news, and whose error is not known."""
    beyond_noise = changed.first["beyond_noise"]
    within, unknown = int((~beyond_noise).sum()), beyond_noise.null_count()
    parts = [f"{within} are within noise"] if within else []
    parts += [f"of {unknown} no error is known"] if unknown else []
    left_out = f"{capital(listed(parts))}. " if parts else ""
    late = changed.late.height
    return left_out + (
        f"{count(late, 'more first place')} came to light when a source was read after a gap; no news of these months."
        if late
        else ""
    )


def folded_note(changed: Changed) -> str:
    """The stages that are not listed, as their whole or another release of them is."""
    if changed.folded.is_empty():
        return ""
    is_part = changed.folded["benchmark_id"].str.contains("/", literal=True)
    parts = [(int(is_part.sum()), "part"), (int((~is_part).sum()), "further release")]
    return f"Folded: {listed([count(number, word) for number, word in parts if number])} of the same families."


def head(span: Span, changed: Changed) -> str:
    """The title of a digest: how many changed stage, and how many became saturated."""
    saturated = changed.stages.filter(after="saturated")["benchmark_id"].n_unique()
    return f"{named(span)}: {moved(changed)}; {saturated or 'none'} became saturated"


def digest(changed: Changed) -> tuple[Line, ...]:
    """At most five lines: stages, best scores, first places, what is new, broken or silent; until when it is known."""
    made = (
        Line("Stages", _some([_stage(row) for row in changed.stages.to_dicts()], "stage")),
        Line("Best scores", _best_scores(changed)),
        Line("First places", _first_places(changed)),
        Line("New, broken, silent", _sources(changed)),
    )
    lines = tuple(line for line in made if line.text)
    if not lines:
        lines = (Line("Nothing", "No change of these months is on record."),)
    return (*lines, Line("Data to", f"{day_of(changed.known_until)}."))


def _stage(row: dict[str, Any]) -> str:
    before = f", was {STAGE_WORDS[row['before']].lower()}" if row["before"] else ""
    return f"{subject(row)} is {STAGE_WORDS[row['after']].lower()}{before}"


def _best_scores(changed: Changed) -> str:
    beyond = _beyond(changed.best)
    steps = [
        f"{subject(row)}: {best(row).removeprefix('best score ').partition(',')[0]} by {_model(row['leads'])}"
        f" ({'measured by others' if row['is_confirmed'] else 'its maker alone'})"
        for row in beyond.to_dicts()
    ]
    rest = changed.best.height - beyond.height
    within = f" {rest} more are within error, or their error is not known." if rest else ""
    return f"Beyond error: {_some(steps, 'best score')}{within}" if steps else within.strip()


def _first_places(changed: Changed) -> str:
    beyond = _beyond(changed.first)
    changes = [f"{_model(row['leads'])} on {subject(row)}, before it {_model(row['led'])}" for row in beyond.to_dicts()]
    rest = changed.first.height - beyond.height
    within = f" {rest:,} more within noise, or of no known error." if rest else ""
    return f"Beyond noise: {_some(changes, 'first place')}{within}" if changes else within.strip()


def _sources(changed: Changed) -> str:
    new = [subject(row) for row in changed.new.to_dicts()]
    broke = [f"{subject(row)}{boards(row)}" for row in changed.breaks.to_dicts()]
    silent = [subject(row) for row in changed.silent.to_dicts()]
    parts = [
        f"New: {_some(new, 'benchmark')}" if new else "",
        f"Not compared across a break: {_some(broke, 'board')}" if broke else "",
        f"Without news: {_some(silent, 'source')}" if silent else "",
    ]
    return " ".join(part for part in parts if part)


def _some(parts: Sequence[str], what: str) -> str:
    """The first of these, and how many more there are; empty where there is none."""
    if not parts:
        return ""
    more = len(parts) - NAMED
    return "; ".join([*parts[:NAMED], *([count(more, f"more {what}")] if more > 0 else [])]) + "."


def _beyond(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(pl.col("beyond_noise").fill_null(value=False))


def _model(name: str | None) -> str:
    return one_line(without_maker(name or "a model that may not be named"))


def earlier(span: Span, many: int) -> tuple[Span, ...]:
    """So many single months before this one, the last first."""
    return tuple(Span(month, month) for month in (later(span.last, -back) for back in range(1, many + 1)))


def beyond_title(scores: pl.DataFrame) -> str:
    """Who measured the best scores that are beyond error: rows of `published.changes`, of scales with an end."""
    beyond, every = _beyond(scores), count(scores.height, "new best score")
    if beyond.is_empty() or "is_confirmed" not in scores.columns:
        return f"{every}; {beyond.height} of {scores['beyond_noise'].count()} with known errors part"
    alone = beyond.height - int(beyond["is_confirmed"].sum())
    if alone == 0:
        return f"Others measured all {beyond.height} of {every} that are beyond error"
    return f"Makers alone stand behind {alone} of {count(beyond.height, 'new best score')} beyond error"
