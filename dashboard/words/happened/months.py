"""What changed in some months, in words: the title, six counts, and the page of a month that prints and is sent."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import polars as pl

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.published.happened.months import Span, SpanChanges, months_later
from benchhealth.dashboard.words.happened.changes import boards, step, subject
from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.stages import STAGE_WORDS
from benchhealth.dashboard.words.text import capital, count, count_clause, listed, noun, one_line, without_maker

CHANGES_NAMED = 6
"""How many changes of a kind are named in a digest; the others are counted."""

SEASONS = {3: "Spring", 6: "Summer", 9: "Autumn"}
"""The season of three months, by the first of them."""

_BECAME = {
    "discriminating": "can tell models apart now",
    "compressing": "began to run out",
    "saturated": "became saturated",
    "emerging": "had first results",
    "unknown": "cannot be judged any more",
}


class Tile(NamedTuple):
    """One of the counts above the changes: the anchor that it leads to, the number, and the words below it."""

    anchor: str
    number: str
    words: str


class Line(NamedTuple):
    """A line of a digest about one kind of change: its heading and its text."""

    heading: str
    text: str


def month_range(span: Span) -> str:
    """The months in words: `July 2026`, `June to August 2026`, `December 2025 to February 2026`."""
    if span.first == span.last:
        return f"{span.first:%B %Y}"
    year = "" if span.first.year == span.last.year else f" {span.first.year}"
    return f"{span.first:%B}{year} to {span.last:%B %Y}"


def season_or_months(span: Span) -> str:
    """The months as a title names them: as a season where they are one."""
    season = SEASONS.get(span.first.month) if span.months == 3 else None
    return f"{season} {span.first.year}" if season else month_range(span)


def title(changed: SpanChanges, on_record: int) -> str:
    """The finding of these months: how many new best scores are beyond error, and how many of these others measured.

    Without a new best score it says how many benchmarks changed stage, or that nothing changed.
    """
    when = season_or_months(changed.span)
    best_scores = changed.best
    if not changed.total:
        return f"Nothing changed in {when}; {count(on_record, 'curated benchmark')} had come out"
    if best_scores.is_empty():
        return f"{when}: {stage_changes(changed)}, and there was no new best score"
    beyond = _beyond_error(best_scores)
    best_clause = f"{when}: {count_clause(beyond.height, best_scores.height, 'new best score', 'beyond error')}"
    if beyond.is_empty():
        return best_clause
    confirmed = int(beyond["is_confirmed"].sum())
    return f"{best_clause}, {confirmed or 'none'} measured by others"


def stage_changes(changed: SpanChanges) -> str:
    """A clause with the number of benchmarks that changed stage."""
    stages = changed.stages["benchmark_id"].n_unique()
    return f"{count(stages, 'benchmark')} changed stage" if stages else "no benchmark changed stage"


def subtitle(changed: SpanChanges) -> str:
    """The stages, the months, and the day at which our data end."""
    saturated = changed.stages.filter(after="saturated")["benchmark_id"].n_unique()
    ended = f"{saturated} became saturated" if saturated else "none became saturated"
    ends = "" if changed.known_until is None else f"; our data end on {day_of(changed.known_until)}"
    best = " A best score is over all leaderboards of a benchmark, a first place on one." if changed.total else ""
    return f"{capital(stage_changes(changed))}, {ended}. {month_range(changed.span)}{ends}.{best}"


def tiles(changed: SpanChanges) -> tuple[Tile, ...]:
    """The six counts of changes in these months."""
    beyond, confirmed = _beyond_error(changed.best).height, int(_beyond_error(changed.best)["is_confirmed"].sum())
    errors = f"{beyond} beyond error, {confirmed} of these measured by others" if changed.best.height else "none"
    first, breaks = _beyond_error(changed.first).height, changed.breaks.height
    silent = changed.silent.height
    return (
        Tile("stage", f"{changed.stages['benchmark_id'].n_unique()}", "changed stage"),
        Tile(
            "best-scores",
            f"{changed.best.height}",
            f"{noun(changed.best.height, 'new best score')} over all leaderboards: {errors}",
        ),
        Tile(
            "first-places",
            f"{first} of {changed.first.height}",
            f"new first places, each on one leaderboard, {_are(first)} beyond error",
        ),
        Tile("breaks", f"{breaks}", f"{noun(breaks, 'break')} of scale, names, data or rules"),
        Tile("new", f"{changed.new.height}", noun(changed.new.height, "new benchmark")),
        Tile("silent", f"{silent}", f"{noun(silent, 'source')} without news"),
    )


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def stages_title(changed: SpanChanges) -> str:
    """A title with the number of benchmarks that entered each stage, and of those that are in it more than once."""
    counts = dict(changed.stages.group_by("after").len().iter_rows())
    clauses = [f"{counts[stage]} {became}" for stage, became in _BECAME.items() if stage in counts]
    if not clauses:
        return "No benchmark changed stage"
    often = changed.stages.filter(pl.col("benchmark_id").is_duplicated())["benchmark_id"].n_unique()
    return f"{listed(clauses)}; {often} changed again" if often else listed(clauses)


def first_title(changed: SpanChanges) -> str:
    """How many of the first places, each on one leaderboard, are beyond error there."""
    if changed.first.is_empty():
        return "No first place changed hands"
    beyond, every = _beyond_error(changed.first).height, changed.first.height
    where = noun(every, "on its leaderboard", "on their leaderboards")
    return f"{capital(count_clause(beyond, every, 'new first place', 'beyond error'))} {where}"


def first_note(changed: SpanChanges) -> str:
    """The rule, how many new first places are within error or of unknown error, and how many were seen too late."""
    beyond_noise = changed.first["beyond_noise"]
    within_error, unknown = int((~beyond_noise).sum()), beyond_noise.null_count()
    clauses = [f"{within_error} {_are(within_error)} within error"] if within_error else []
    clauses += [f"of {unknown} no error is known"] if unknown else []
    rule = "Beyond error: the one before cannot be first there any more. " if changed.first.height else ""
    left_out = rule + (f"{capital(listed(clauses))}. " if clauses else "")
    late = changed.late.height
    return left_out + (
        f"{count(late, 'more first place')} came to light when a source was read after a gap; no news of these months."
        if late
        else ""
    )


def folded_note(changed: SpanChanges) -> str:
    """How many changes of stage are not listed: the benchmark itself, or another release of it, is listed already."""
    if changed.folded.is_empty():
        return ""
    is_part = changed.folded["benchmark_id"].str.contains("/", literal=True)
    counts = [(int(is_part.sum()), "part"), (int((~is_part).sum()), "further release")]
    return f"Folded: {listed([count(number, word) for number, word in counts if number])} of the same families."


def digest_title(span: Span, changed: SpanChanges) -> str:
    """The title of a digest: how many changed stage, and how many became saturated."""
    saturated = changed.stages.filter(after="saturated")["benchmark_id"].n_unique()
    return f"{month_range(span)}: {stage_changes(changed)}; {saturated or 'none'} became saturated"


def digest(changed: SpanChanges, every: SpanChanges) -> tuple[Line, ...]:
    """At most five lines: stages, best scores, first places, what is new, broken or silent; until when it is known.

    `changed` is what may be passed on, of `every` change of these months, which the page counts.
    """
    best = _passed_on(changed.best, every.best, "best score")
    first = _passed_on(changed.first, every.first, "first place")
    candidates = (
        Line("Stages", _first_of([_stage(row) for row in changed.stages.to_dicts()], "stage")),
        Line("Best scores", f"{best} {_best_scores(changed)}".strip()),
        Line("First places", f"{first} {_first_places(changed)}".strip()),
        Line("New, broken, silent", _sources(changed)),
    )
    lines = tuple(line for line in candidates if line.text)
    if not lines:
        lines = (Line("Nothing", "No change of these months is on record."),)
    return (*lines, Line("Data to", f"{day_of(changed.known_until)}."))


def _passed_on(shared: pl.DataFrame, every: pl.DataFrame, noun: str) -> str:
    """How many may be passed on, where not all may: only these are named and counted."""
    if shared.height == every.height:
        return ""
    return f"Of {count(every.height, f'new {noun}')} {shared.height or 'none'} may be passed on."


def _stage(row: dict[str, Any]) -> str:
    before = f", was {STAGE_WORDS[row['before']].lower()}" if row["before"] else ""
    return f"{subject(row)} is {STAGE_WORDS[row['after']].lower()}{before}"


def _best_scores(changed: SpanChanges) -> str:
    def clause(row: Row) -> str:
        measurer = "measured by others" if row["is_confirmed"] else "its maker alone"
        return f"{subject(row)}: {step(row)} by {_model(row['leads'])} ({measurer})"

    return _by_error(changed.best, "best score", "over all leaderboards", clause)


def _first_places(changed: SpanChanges) -> str:
    def clause(row: Row) -> str:
        return f"{_model(row['leads'])} on {subject(row)}, before it {_model(row['led'])}"

    return _by_error(changed.first, "first place", "on its leaderboard", clause)


def _by_error(rows: pl.DataFrame, noun: str, where: str, clause: Callable[[Row], str]) -> str:
    """Those beyond error, a clause each, then how many are within error."""
    beyond = _beyond_error(rows)
    n_within = rows.height - beyond.height
    within_error = f"{count(n_within, f'new {noun}')} {_are(n_within)} within error, or of no known error."
    beyond_error = f"Beyond error {where}: {_first_of([clause(row) for row in beyond.to_dicts()], noun)}"
    return " ".join([*([beyond_error] if beyond.height else []), *([within_error] if n_within else [])])


def _sources(changed: SpanChanges) -> str:
    new = [subject(row) for row in changed.new.to_dicts()]
    broke = [f"{subject(row)}{boards(row)}" for row in changed.breaks.to_dicts()]
    silent = [subject(row) for row in changed.silent.to_dicts()]
    sentences = [
        f"New: {_first_of(new, 'benchmark')}" if new else "",
        f"Not compared across a break: {_first_of(broke, 'board')}" if broke else "",
        f"Without news: {_first_of(silent, 'source')}" if silent else "",
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _first_of(phrases: Sequence[str], noun: str) -> str:
    """The first of these, and how many more there are; empty where there is none."""
    if not phrases:
        return ""
    more = len(phrases) - CHANGES_NAMED
    return "; ".join([*phrases[:CHANGES_NAMED], *([count(more, f"more {noun}")] if more > 0 else [])]) + "."


def _beyond_error(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(pl.col("beyond_noise").fill_null(value=False))


def _model(name: str | None) -> str:
    return one_line(without_maker(name or "a model that may not be named"))


def months_before(span: Span, number: int) -> tuple[Span, ...]:
    """The `number` single months before this span, the newest first."""
    return tuple(Span(month, month) for month in (months_later(span.last, -back) for back in range(1, number + 1)))


def beyond_title(scores: pl.DataFrame) -> str:
    """The title on who measured the best scores beyond error: rows of `published.changes`, of scales with an end."""
    beyond, every = _beyond_error(scores), count(scores.height, "new best score")
    n_with_error = int(scores["beyond_noise"].count())
    if beyond.is_empty() or "is_confirmed" not in scores.columns:
        passed = (
            count_clause(beyond.height, n_with_error, "known error", "passed") if n_with_error else "no error is known"
        )
        return f"{every}; {passed}"
    alone = beyond.height - int(beyond["is_confirmed"].sum())
    if alone == 0:
        return f"Others measured all {beyond.height} of {every} that are beyond error"
    if beyond.height == 1:
        return "A maker alone stands behind the one new best score beyond error"
    return f"Makers alone stand behind {alone} of {count(beyond.height, 'new best score')} beyond error"
