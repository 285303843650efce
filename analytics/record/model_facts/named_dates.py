"""The date in the maker's own name for a model: `gpt-4o-2024-05-13`, `mistral-large-2407`, `gpt-3.5-turbo-0125`."""

import re
from datetime import date, timedelta
from typing import NamedTuple


class NamedDate(NamedTuple):
    """What a name says about the day of its version; all null where it says nothing.

    `day` is a whole date. `month` is the first day of the month that the version is called by. `month_and_day` lack the
    year, so they name a day only together with somebody who says that very day.
    """

    day: date | None = None
    month: date | None = None
    month_and_day: tuple[int, int] | None = None

    @property
    def earliest(self) -> date | None:
        """The first day on which a version of that name can have come out."""
        return self.day or self.month


NO_DATE = NamedDate()

_MAKERS_OWN = re.compile(
    r"^(?:gpt|chatgpt|o[134](?=-)|codex|computer-use|claude|gemini|grok|deepseek|kimi|glm|qwen|qvq|qwq|command|cohere"
    r"|mistral|ministral|mixtral|codestral|devstral|magistral|pixtral|voxtral|hunyuan|reka|nova|olmo)"
)
_NAMES_ANOTHER_MODEL = re.compile(r"[/+ (]|.(?:gpt|claude|gemini|grok|mistral|llama|qwen(?!-?vl))")
_YEAR_FIRST = re.compile(r"-v?(20[12]\d)(-?)([01]\d)\2([0-3]\d)(?=-|$)")
_YEAR_LAST = re.compile(r"-([01]\d)-(20[12]\d)(?=-|$)")
_YEAR_AND_MONTH = re.compile(r"^(?:mistral|ministral|mixtral|codestral|devstral|magistral|pixtral|voxtral|qwen3-)")
_MONTH_AND_YEAR = re.compile(r"^olmo")
_FOUR_DIGITS = re.compile(r"-(\d\d)(-?)(\d\d)(?=-|$)")
_FIRST_YEAR = 22


def named_date(model_id: str) -> NamedDate:
    """The date in the name, read only where it is certain what it is.

    The name is one of a maker that dates its versions. A name with a slash, a bracket, a plus, or a second model's name
    in it is somebody's work on a model, and the date another model's. The date stands alone between hyphens, once.

    - `2024-05-13`, `20240620`: the day.
    - `08-2024`; `2407` from a maker that counts in years and months (Mistral AI, Alibaba since Qwen3); `1124` from one
      that counts in months and years (Ai2): the month.
    - `0125`, `05-20`: month and day. Four digits that are no month and day are no date.
    """
    if not _MAKERS_OWN.match(model_id) or _NAMES_ANOTHER_MODEL.search(model_id):
        return NO_DATE
    days = [_day(int(year), int(month), int(day)) for year, _, month, day in _YEAR_FIRST.findall(model_id)]
    months = [_day(int(year), int(month), 1) for month, year in _YEAR_LAST.findall(model_id)]
    four_digits = _FOUR_DIGITS.findall(model_id)
    if days or months:
        is_alone = len(days) + len(months) == 1
        return NamedDate(day=(days or [None])[0], month=(months or [None])[0]) if is_alone else NO_DATE
    return _of_four_digits(model_id, *four_digits[0]) if len(four_digits) == 1 else NO_DATE


def without_date(model_id: str) -> str:
    """The name of a model without the date of its version: `gpt-4o` of `gpt-4o-2024-08-06`."""
    for date_in_name in (_YEAR_FIRST, _YEAR_LAST, _FOUR_DIGITS):
        model_id = date_in_name.sub("", model_id)
    return model_id


def _of_four_digits(model_id: str, first: str, hyphen: str, second: str) -> NamedDate:
    if _YEAR_AND_MONTH.match(model_id):
        return NO_DATE if hyphen else NamedDate(month=_month(first, second))
    if _MONTH_AND_YEAR.match(model_id):
        return NO_DATE if hyphen else NamedDate(month=_month(second, first))
    is_day = _day(2024, int(first), int(second)) is not None  # a leap year: any day that there can be
    return NamedDate(month_and_day=(int(first), int(second))) if is_day else NO_DATE


def month_end(first: date) -> date:
    """The last day of the month that begins on this day."""
    return (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)


def _month(year: str, month: str) -> date | None:
    return _day(2000 + int(year), int(month), 1) if int(year) >= _FIRST_YEAR else None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
