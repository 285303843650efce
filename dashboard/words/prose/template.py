"""Sentences with places for the numbers, names and days of a row."""

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from string import Formatter
from typing import Any

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.numbers import day_of, score_beside

Sentence = str | Callable[[Row], str]
"""A template, or what picks one for a row. `{n}` is a column, `{numbers[0]:score}` the first number as a score."""


def published_number(value: float, decimals: int) -> str:
    """A number as published sentences have it, never minus nothing; without decimals what is before the point."""
    if not decimals:
        return str(int(value))
    scale = 10**decimals
    return str(round(value * scale) / scale)


class Published(Formatter):
    """How sentences of published tables write numbers and days: scores as fractions, days as ISO has them.

    Specifications: `i` a whole number, as a count is without one, `r1` to `r4` so many decimals, `%` and `%1` a share
    as percent, `score` a score, `by` points higher or lower, `size` one without its sign, `words` a code without
    underscores, `list` names in a row, `or WORDS` these words where nothing is known.
    """

    def format_field(self, value: Any, format_spec: str) -> str:  # noqa: ANN401 - what cells hold
        """One value, written as the specification in its braces says."""
        if format_spec.startswith("or "):
            return format_spec.removeprefix("or ") if value is None else self.format_field(value, "")
        if isinstance(value, date):
            return self.day(value)
        if form := _FORMS.get(format_spec or ("i" if isinstance(value, int) else "")):
            return form(value)
        return self.score(value) if format_spec == "score" else str(super().format_field(value, format_spec))

    def day(self, day: date) -> str:
        """A day in ISO form: `2025-11-21`."""
        return day.isoformat()

    def score(self, value: float) -> str:
        """A score with at most four decimals."""
        return published_number(value, 4)


class OnPage(Published):
    """Values as pages write them: scores in their unit, days in words."""

    def __init__(self, unit: str | None) -> None:
        """`unit` is that of the benchmark's scores."""
        self._unit = unit

    def day(self, day: date) -> str:
        """A day as pages write it, such as `21 Nov 2025`."""
        return day_of(day)

    def score(self, value: float) -> str:
        """A score with as many digits as distinguish it from the nearest whole per cent."""
        return score_beside(float(published_number(value, 4)), self._unit, round(value, 2))


_FORMS: Mapping[str, Callable[[Any], str]] = {
    "i": lambda value: f"{int(value):,}",
    **{f"r{decimals}": partial(published_number, decimals=decimals) for decimals in range(1, 5)},
    "%": lambda value: f"{value:.0%}",
    "%1": lambda value: f"{published_number(100 * value, 1)}%",
    "by": lambda value: f"{abs(value):.1f} points {'lower' if value < 0 else 'higher'}",
    "size": lambda value: published_number(abs(value), 1),
    "words": lambda value: str(value).replace("_", " "),
    "list": ", ".join,
}


def filled_template(template: Sentence, row: Row, written: Published) -> str:
    """The sentence of a template with the values of this row in it."""
    chosen = template if isinstance(template, str) else template(row)
    return written.vformat(chosen, (), row)


def is_fixed(template: Sentence) -> bool:
    """Whether a sentence is the same for every row."""
    return isinstance(template, str) and "{" not in template
