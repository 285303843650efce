"""When a model came out: one day out of what the maker's name for it, lists and boards say."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from benchhealth.analytics.record.model_facts.authorities import (
    HUB_BEGAN,
    RECORD,
    REPEATS_UPLOADS,
    UPLOADS,
    house,
    standing,
)
from benchhealth.analytics.record.model_facts.named_dates import NamedDate, month_end
from benchhealth.analytics.record.model_facts.precision import DAY, MONTH, MONTHS_OF_RELEASES

AGREE = timedelta(days=31)
"""Days that are no further apart speak of one release: announced, uploaded, or given as a month."""

CURATED = "curated"
IN_THE_NAME = "in_the_name"
AUTHORITY = "authority"
AGREEMENT = "agreement"
ALONE = "alone"
UNDECIDED = "undecided"
NEAR = "near"
BEFORE_NAME = "before_name"
AFTER_NAME = "after_name"
ALREADY_SEEN = "already_seen"
UPLOADED = "uploaded"
TUNED_BEFORE = "tuned_before"
"""The codes that say why a release date stands, or why another does not."""


@dataclass(frozen=True, order=True)
class Dated:
    """A day of release as a source states it, with that source."""

    day: date
    source_id: str

    @property
    def is_month(self) -> bool:
        """Whether it may be a month alone: sources without days are read as the first."""
        return self.day.day == 1


class Decision(NamedTuple):
    """The day that stands (null: nobody knows), and why."""

    day: date | None
    reason: str

    def precision(self, claimed_days: Iterable[tuple[str | None, date]]) -> str | None:
        """Whether it is a day or a month alone: a first of a month in the name, or in a list that has months."""
        if self.day is None:
            return None
        saying = [source_id for source_id, day in claimed_days if day == self.day]
        is_month = self.day.day == 1 and all(source_id in MONTHS_OF_RELEASES for source_id in saying)
        return MONTH if is_month else DAY


def released_on(named: NamedDate, claims: Iterable[Dated], seen_on: date | None) -> Decision:
    """The day of release, in the declared order of authority; never the earliest day as such.

    1. The whole date in the maker's name; a version is often named some days before it is out, so a day up to 31 days
    later stands for it where independent sources agree on it (Claude Opus 4.5, 23 days). 2. The day that independent
    sources agree on, a day before a month alone. 3. A single source: the one day that fits the month and day in the
    name, else what was not refuted by results published a month earlier, in the order of `RECORD`, or nobody's.
    A month in the name leaves only its days, else those up to 31 days after it; if nobody says one, its first stands.
    What 2 finds is made exact where somebody says the very month and day of the name within 31 days of it.
    An upload to a hub bears others out, and its day is taken only where nobody says another near it; the hub's own
    first day is none. A house that repeats the upload's day says nothing more (`REPEATS_UPLOADS`).
    `seen_on` is the day on which results of the model were first seen: a name's date after it is none of a release,
    unless independent sources say that very day (o1 was listed once before it was out).
    """
    every = _counted(claims)
    borne_out = named.day is not None and _backing(every).get(named.day, 0) > 1
    if named.day is not None and (borne_out or _was_possible(named.day, seen_on)):
        soon = [claim for claim in every if named.day <= claim.day <= named.day + AGREE]
        return _announced_later(soon, named.day) or Decision(named.day, IN_THE_NAME)
    fit = [claim for claim in every if refusal(named, claim.day, None) == ""]
    if named.month is not None:
        fit = [claim for claim in fit if claim.day <= month_end(named.month)] or fit
    agreed = _by_agreement(fit)
    if agreed is not None:
        return _exact(agreed, named, fit)
    if named.month is not None and not fit:
        return Decision(named.month, IN_THE_NAME) if _was_possible(named.month, seen_on) else Decision(None, "")
    return _alone(named, fit, seen_on)


def is_upload(claim: Dated) -> bool:
    """Whether the day is that of an upload, which says only by when a model was out."""
    return claim.source_id in UPLOADS


def only_uploads(claims: Iterable[Dated]) -> bool:
    """Whether the only days that sources state are those on which weights were uploaded."""
    return all(is_upload(claim) for claim in _without_repeats(claims))


def _counted(claims: Iterable[Dated]) -> list[Dated]:
    """The claims, each said once, but those of repositories that are older than their hub's record of days."""
    return sorted(claim for claim in _without_repeats(claims) if not (is_upload(claim) and claim.day <= HUB_BEGAN))


def _without_repeats(claims: Iterable[Dated]) -> set[Dated]:
    """The claims without those that repeat the day of an upload."""
    every = set(claims)
    uploaded = {claim.day for claim in every if is_upload(claim)}
    return {claim for claim in every if claim.day not in uploaded or house(claim.source_id) not in REPEATS_UPLOADS}


def refusal(named: NamedDate, day: date, seen_on: date | None) -> str:
    """Why this day cannot be that of the release, or nothing."""
    if named.month is not None and day < named.month:
        return BEFORE_NAME
    if named.month is not None and day > month_end(named.month) + AGREE:
        return AFTER_NAME
    return "" if _was_possible(day, seen_on) else ALREADY_SEEN


def largest_group(claims: Sequence[Dated]) -> list[Dated]:
    """The claims within 31 days of one another that most houses share; empty where no two agree.

    Of equal groups the one with more of the houses that are known by name, then the closer, then the later.
    """
    groups = [[claim for claim in claims if first <= claim.day <= first + AGREE] for first in {c.day for c in claims}]
    best = max(groups, key=_weight, default=[])
    return best if len(_houses(best)) > 1 else []


def _weight(group: Sequence[Dated]) -> tuple[int, int, timedelta, date]:
    houses = _houses(group)
    days = [claim.day for claim in group]
    return len(houses), len(houses.intersection(RECORD)), min(days) - max(days), min(days)


def _houses(group: Iterable[Dated]) -> set[str]:
    return {house(claim.source_id) for claim in group}


def _announced_later(claims: Sequence[Dated], named_day: date) -> Decision | None:
    """The day of an announcement after the date in the name that two houses or more give, whoever repeats the name."""
    backing = _backing([claim for claim in claims if not claim.is_month and not is_upload(claim)])
    later = {day: houses for day, houses in backing.items() if day > named_day}
    day, houses = max(later.items(), key=lambda each: (each[1], each[0]), default=(named_day, 0))
    return Decision(day, AGREEMENT) if houses > 1 else None


def _backing(claims: Sequence[Dated]) -> dict[date, int]:
    """How many independent houses state each day."""
    return {day: len(_houses(claim for claim in claims if claim.day == day)) for day in {claim.day for claim in claims}}


def _by_agreement(claims: Sequence[Dated]) -> Decision | None:
    """The day that most houses of the group say, else that of the house that is believed first; announcements before
    uploads, and days before months alone: a first of a month that one house says."""
    group = largest_group(claims)
    if not group:
        return None
    announced = [claim for claim in group if not is_upload(claim)] or group
    backing = _backing(announced)
    of = [claim for claim in announced if not claim.is_month or backing[claim.day] > 1] or announced
    most = [claim for claim in of if backing[claim.day] == max(backing[one.day] for one in of)]
    return Decision(min(most, key=_doubt).day, AGREEMENT)


def _doubt(claim: Dated) -> tuple[int, timedelta]:
    """The less, the sooner it is believed where nothing else decides; of one house the later day."""
    return standing(claim.source_id), date.max - claim.day


def _exact(agreed: Decision, named: NamedDate, claims: Sequence[Dated]) -> Decision:
    assert agreed.day is not None
    of_name = {claim.day for claim in claims if _fits(named, claim.day) and abs(claim.day - agreed.day) <= AGREE}
    return Decision(max(of_name), IN_THE_NAME) if of_name else agreed


def _alone(named: NamedDate, claims: Sequence[Dated], seen_on: date | None) -> Decision:
    if not claims:
        return Decision(None, "")
    of_name = {claim.day for claim in claims if _fits(named, claim.day)}
    if len(of_name) == 1:
        return Decision(of_name.pop(), IN_THE_NAME)

    possible = [claim for claim in claims if _was_possible(claim.day, seen_on)]
    if not possible:
        return Decision(None, ALREADY_SEEN)

    reason = IN_THE_NAME if named.month is not None else ALONE if len(claims) == 1 else UNDECIDED
    return Decision(min(possible, key=_doubt).day, reason)


def _fits(named: NamedDate, day: date) -> bool:
    return named.month_and_day == (day.month, day.day)


def _was_possible(day: date, seen_on: date | None) -> bool:
    return seen_on is None or day <= seen_on + AGREE
