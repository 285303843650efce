"""The changes of some months: what a page, its tiles, the digest, the feed and a card of the map all count."""

from datetime import date
from typing import NamedTuple

import polars as pl

from benchhealth.analytics.change.dated import over_days
from benchhealth.analytics.record.frames import is_part, is_whole
from benchhealth.analytics.statistics.summaries.ends import latest
from benchhealth.dashboard.published.benchmarks import last_look
from benchhealth.dashboard.published.generation import ParameterError, View, recently
from benchhealth.dashboard.published.happened.changes import BREAK, LEADER, MOVED_STAGE, NEW, SILENT, changes_by_day

MONTH = "month"
"""The parameter of addresses: `2026-07`, or `2026-06..2026-08`."""

BY_DEFAULT = 3
"""The months that are shown by default: the one until which we know, and those before it."""

CONFIRMED = ("measured", "confirmed")
"""The classes of `corroboration` in which somebody else than the maker stands behind a score."""


class Span(NamedTuple):
    """A span of full calendar months, given by the first day of its first and of its last month."""

    first: date
    last: date

    @property
    def address(self) -> str:
        """The span as an address writes it: `2026-05`, or `2026-05..2026-07`."""
        return f"{self.first:%Y-%m}" if self.first == self.last else f"{self.first:%Y-%m}..{self.last:%Y-%m}"

    @property
    def months(self) -> int:
        """The number of months in the span."""
        return (self.last.year - self.first.year) * 12 + self.last.month - self.first.month + 1

    @property
    def until(self) -> date:
        """The first day after the span: it ends before this day."""
        return months_later(self.last, 1)

    def moved(self, months: int) -> "Span":
        """The stretch of as many months that begins so many months later."""
        return Span(months_later(self.first, months), months_later(self.last, months))


class SpanChanges(NamedTuple):
    """The changes of a span by kind, the newest last, as rows of `published.changes.changes_by_day`.

    `folded` are stages of parts and of further releases of a family; `best` has one row a benchmark; `late` are first
    places that are no news of these months; `breaks` has one row for all boards of a source, with `boards`, their
    number; `uncurated` counts what is left out.
    """

    span: Span
    known_until: date | None
    stages: pl.DataFrame
    folded: pl.DataFrame
    new: pl.DataFrame
    best: pl.DataFrame
    first: pl.DataFrame
    late: pl.DataFrame
    breaks: pl.DataFrame
    silent: pl.DataFrame
    uncurated: int

    @property
    def total(self) -> int:
        """The number of changes that the page lists."""
        return sum(rows.height for rows in (self.stages, self.new, self.best, self.first, self.breaks, self.silent))


def months_later(day: date, months: int) -> date:
    """The first day of the month that lies so many months after that of a day."""
    count = day.year * 12 + day.month - 1 + months
    return date(count // 12, count % 12 + 1, 1)


def known_day(view: View) -> date | None:
    """The day of the newest look at any source, else of the newest change: later ones are not known to anybody here."""
    return last_look(view) or latest(changes_by_day(view)["on_day"])


def span_of(text: str, known_until: date | None) -> Span:
    """The span of an address; an empty one is that of BY_DEFAULT months. Raises ParameterError."""
    if not text:
        last = months_later(known_until or date(1970, 1, 1), 0)
        return Span(months_later(last, 1 - BY_DEFAULT), last)
    try:
        first, _, last_text = text.partition("..")
        span = Span(*(date.fromisoformat(f"{month}-01") for month in (first, last_text or first)))
    except ValueError:
        raise ParameterError(f"{MONTH} is a month such as 2026-07, or months such as 2026-06..2026-08") from None
    if span.first > span.last:
        raise ParameterError(f"{MONTH}: the first month comes after the last")
    return span


def first_month(view: View) -> date | None:
    """The first month with a dated change, as its first day; None where no change has a day."""
    oldest = changes_by_day(view)["on_day"].min()
    return months_later(oldest, 0) if isinstance(oldest, date) else None


@recently
def changes_in(view: View, span: Span, uncurated: bool = False) -> SpanChanges:
    """What changed in a span: of curated benchmarks, of sources, and every new benchmark, unless all are asked for."""
    in_span = changes_by_day(view).filter(pl.col("on_day").is_between(span.first, span.until, closed="left")).reverse()
    is_shown = pl.col("curated") | pl.col("benchmark_id").is_null() | (pl.col("kind") == NEW)
    rows = in_span if uncurated else in_span.filter(is_shown)
    stages, folded = _stage_groups(_of_kind(rows, MOVED_STAGE))
    leaders = _of_kind(rows, LEADER)
    late = pl.col("late").fill_null(value=False)
    return SpanChanges(
        span=span,
        known_until=known_day(view),
        stages=stages,
        folded=folded,
        new=_of_kind(rows, NEW),
        best=_best(_of_kind(rows, "best")),
        first=leaders.filter(~late).sort("beyond_noise", descending=True, nulls_last=True, maintain_order=True),
        late=leaders.filter(late),
        breaks=_breaks(_of_kind(rows, BREAK)),
        silent=_of_kind(rows, SILENT).unique("source_id", keep="last", maintain_order=True),
        uncurated=in_span.height - rows.height,
    )


def on_record(view: View, until: date) -> int:
    """How many curated whole benchmarks had come out before a day."""
    benchmarks = view.table("benchmark")
    return benchmarks.filter("curated", is_whole(), pl.col("released_on") < until).height


def _of_kind(rows: pl.DataFrame, kind: str) -> pl.DataFrame:
    return rows.filter(pl.col("kind") == kind)


def _stage_groups(stages: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Stages of whole benchmarks, one of a family that went the same way, and the others."""
    is_further = is_whole().cum_sum().over("family", "before", "after") > 1
    marked = stages.with_columns(fold=is_part() | is_further)
    return marked.filter(~pl.col("fold")).drop("fold"), marked.filter("fold").drop("fold")


def _best(steps: pl.DataFrame) -> pl.DataFrame:
    """One row a benchmark, those beyond their error first and the largest step first."""
    merged = over_days(steps)
    before = steps.unique(["benchmark_id", "before"], keep="first").select("benchmark_id", "before", "led")
    step = (pl.col("value") - pl.col("value_before")).abs()
    return (
        merged.drop("led")
        .join(before, on=["benchmark_id", "before"], how="left")
        .with_columns(step=step, is_confirmed=pl.col("corroboration").is_in(CONFIRMED).fill_null(value=False))
        .sort("beyond_noise", "step", "name", descending=[True, True, False], nulls_last=True)
    )


def _breaks(rows: pl.DataFrame) -> pl.DataFrame:
    """One row for all boards of a source with the same kind of break on a day."""
    same = ["on_day", "title", "after"]
    counted = rows.with_columns(boards=pl.len().over(same))
    return counted.unique(same, keep="first", maintain_order=True)
