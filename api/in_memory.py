"""Questions about what somebody has in memory: a leaderboard, two lists of outcomes. No generation is needed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import orjson
import polars as pl

from benchhealth.analytics.audit import audit as audits
from benchhealth.analytics.audit.board import BoardError
from benchhealth.analytics.audit.csv_board import ITEM, MODEL, from_csv
from benchhealth.api.errors import InvalidError
from benchhealth.dashboard.published.boards.difference import of_outcomes
from benchhealth.dashboard.report.audited import FORMS, made_of, on_board
from benchhealth.dashboard.report.plain import text
from benchhealth.dashboard.report.tree import Report
from benchhealth.dashboard.words.boards.difference import sentence, title
from benchhealth.dashboard.words.boards.difference import text as said

Outcomes = Sequence[float] | pl.Series | pl.DataFrame | np.ndarray[Any, Any]
FEWEST_ITEMS = 2
NO_DAY = date(1970, 1, 1)
"""The day of a card without one: nothing in it depends on a day."""


@dataclass(frozen=True)
class Card:
    """The card of a leaderboard: who is tied, which neighbours differ, what would settle first place.

    `rows` is every model, best first: rank, model, score, low and high (95% of its own), rank_low and rank_high (all at
    once), tier. `str` is what `benchhealth audit` prints.

    >>> import polars as pl
    >>> import benchhealth as bh
    >>> card = bh.audit(pl.DataFrame({"model": ["a", "b", "c"], "i1": [1, 1, 0], "i2": [1, 0, 0], "i3": [1, 1, 1]}))
    >>> card.rows["rank_low"].to_list(), card.rows["rank_high"].to_list()
    ([1, 1, 1], [3, 3, 3])
    >>> print(str(card).splitlines()[0])
    3 are tied for first
    """

    rows: pl.DataFrame
    _report: Report
    _audit: audits.Audit

    def __str__(self) -> str:
        return text(self._report)

    def written(self, form: str) -> bytes:
        """The card as `html`, `pdf`, `md` or `json`. Raises InvalidError for another form."""
        if form not in FORMS:
            raise InvalidError(f"a card is written as {', '.join(FORMS)}, not as {form[:20]!r}")
        return FORMS[form].written(self._report, self._audit)

    @property
    def data(self) -> Mapping[str, Any]:
        """The contents of the frame as plain values of JSON."""
        return dict(orjson.loads(self.written("json")))


def audit(matrix: pl.DataFrame, *, missing: str = "wrong", name: str = "a board", on: date | None = None) -> Card:
    """The card of a leaderboard, one row a model: its name first, then a column for each item or task.

    A frame in another form that `benchhealth audit` reads as CSV is taken too, as model, score and n. Cells are 0 or 1
    (items), fractions of 1 or percents (tasks), null where missing; a missing cell of items counts as `missing` says:
    "wrong", or "complete" (only items that all answered). A frame of pandas is taken as well, with models as its index
    too. `on` is the day that is printed. Raises InvalidError where it is no leaderboard.

    >>> import polars as pl
    >>> import benchhealth as bh
    >>> card = bh.audit(pl.DataFrame({"model": ["a", "b"], "i1": [1, 0], "i2": [1, 1], "i3": [1, 1]}))
    >>> card.rows["model"].to_list(), card.data["read_as"]
    (['a', 'b'], 'line_a_model')
    """
    frame = polars_of(matrix)
    if missing not in audits.MISSING:
        raise InvalidError(f"missing is {' or '.join(audits.MISSING)}, not {missing[:20]!r}")
    if frame.width < 2:
        raise InvalidError("a leaderboard has a column of models and at least one of items or tasks")
    usual = {column.strip().lower() for column in frame.columns} & {*MODEL, *ITEM}
    try:
        body = frame.write_csv().encode()
        done = audits.audit(from_csv(body, {} if usual else {"model": frame.columns[0]}), missing)
    except (BoardError, pl.exceptions.PolarsError) as wrong:
        raise InvalidError(f"this is no leaderboard: {wrong}") from wrong
    provenance = made_of(name, [body])
    return Card(done.rows, on_board(done, name, provenance, on or NO_DAY), done)


@dataclass(frozen=True)
class Apart:
    """Whether two models differ over the same items; `str` is what `benchhealth compare` prints of two logs.

    `difference` is the second less the first, in fractions of 1, `low` to `high` its 95% interval; `case` is `real`,
    `within`, `equal` or `errors_unknown`.

    >>> import benchhealth as bh
    >>> apart = bh.difference([1, 1, 1, 0] * 50, [1, 0, 1, 0] * 50)
    >>> apart.difference, apart.items
    (-0.25, 200)
    """

    title: str
    sentence: str
    text: str
    case: str
    difference: float
    low: float | None
    high: float | None
    items: int

    def __str__(self) -> str:
        return self.text


def difference(
    first: Outcomes,
    second: Outcomes,
    *,
    names: tuple[str, str] = ("the first", "the second"),
    benchmark: str = "these items",
) -> Apart:
    """Whether two models differ by more than chance over the same items: of each an outcome from 0 to 1.

    Two lists are of the same items in the same order; two frames have a column of items first, then one of outcomes,
    and are matched by the items. Items that one of the two lacks (NaN or null) count for neither. For two scores
    without items, or two models of a generation: `Facts.difference` and `Facts.compare`. Raises InvalidError for what
    are no outcomes of the same items.

    >>> import benchhealth as bh
    >>> bh.difference([1, 1, 1, 0] * 50, [1, 0, 1, 0] * 50).case
    'real'
    """
    outcomes = np.array(_outcomes(first, second))
    size = int(np.isfinite(outcomes).all(axis=0).sum())
    if size < FEWEST_ITEMS:
        raise InvalidError(f"fewer than {FEWEST_ITEMS} items have an outcome of both")
    if np.nanmin(outcomes) < 0 or np.nanmax(outcomes) > 1:
        raise InvalidError("an outcome lies outside 0 to 1")
    compared = of_outcomes((outcomes[0], outcomes[1]), names, benchmark)
    interval = compared.difference.intervals[0] if compared.difference.intervals else None
    return Apart(
        title(compared),
        sentence(compared),
        said(compared),
        compared.difference.case,
        compared.difference.value,
        None if interval is None else interval.low,
        None if interval is None else interval.high,
        size,
    )


def _outcomes(first: Outcomes, second: Outcomes) -> list[Any]:
    """The outcomes of both in one order, (items,) each; NaN where one is missing. Raises InvalidError."""
    try:
        first, second = (polars_of(side) if hasattr(side, "columns") else side for side in (first, second))
        if isinstance(first, pl.DataFrame) and isinstance(second, pl.DataFrame):
            (item, outcome), (its_item, second_outcome) = first.columns[:2], second.columns[:2]
            if not (first[item].is_unique().all() and second[its_item].is_unique().all()):
                raise InvalidError("an item is there twice")
            matched = first.select(item, one_=outcome).join(
                second.select(**{item: its_item, "other_": second_outcome}), on=item, how="full"
            )
            sides = [matched["one_"], matched["other_"]]
        elif isinstance(first, pl.DataFrame) or isinstance(second, pl.DataFrame):
            raise InvalidError("two frames, or two lists")
        else:
            sides = [pl.Series(list(side), strict=False) for side in (first, second)]
        outcomes = [side.cast(pl.Float64).fill_null(float("nan")).to_numpy() for side in sides]
    except (pl.exceptions.PolarsError, TypeError, ValueError) as wrong:
        raise InvalidError(f"no outcomes: {wrong}") from wrong
    if len(outcomes[0]) != len(outcomes[1]):
        raise InvalidError(f"{len(outcomes[0])} outcomes are not of the same items as {len(outcomes[1])}")
    return outcomes


def polars_of(frame: Any) -> pl.DataFrame:  # noqa: ANN401 - what anybody hands over
    """The frame; one of pandas as one of polars, an index of names first. Raises InvalidError for anything else."""
    if isinstance(frame, pl.DataFrame):
        return frame
    if type(frame).__module__.partition(".")[0] == "pandas":
        has_names = frame.index.name is not None or frame.index.inferred_type == "string"
        return pl.DataFrame(pl.from_pandas(frame.reset_index() if has_names else frame))
    raise InvalidError(f"a frame of polars or pandas is needed, not {type(frame).__name__}")
