"""Chooses one day of release for a model among those in its name and those that sources state."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from benchhealth.analytics.record.model_facts.authorities import (
    HUB_BEGAN,
    RANKED,
    REPEATS_UPLOADS,
    UPLOADS,
    house,
    standing,
)
from benchhealth.analytics.record.model_facts.named_dates import NamedDate, month_end
from benchhealth.analytics.record.model_facts.precision import DAY, MONTH, MONTHS_OF_RELEASES

AGREE = timedelta(days=31)
"""Days that lie no further apart belong to one release: it was announced, uploaded, or stated as a month."""

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
class DatedClaim:
    """A day of release as a source states it, with that source."""

    day: date
    source_id: str

    @property
    def is_month(self) -> bool:
        """Whether the source may state only a month: a month is stored as its first day."""
        return self.day.day == 1


class Decision(NamedTuple):
    """The day that is taken for the release, None where it is not known, and the code of the reason."""

    day: date | None
    reason: str

    def precision(self, claimed_days: Iterable[tuple[str | None, date]]) -> str | None:
        """MONTH where the day is the first of a month and all sources that state it may give months; else DAY."""
        if self.day is None:
            return None
        saying = [source_id for source_id, day in claimed_days if day == self.day]
        is_month = self.day.day == 1 and all(source_id in MONTHS_OF_RELEASES for source_id in saying)
        return MONTH if is_month else DAY


def choose_release_day(date_in_name: NamedDate, claims: Iterable[DatedClaim], seen_on: date | None) -> Decision:
    """Choose the day of release by a declared order of authority; the decision says the reason as a code.

    `claims` are the days that sources state. The earliest of them is never taken for being the earliest. In this order:

    1. A complete date in the maker's name for the model. A version is often named some days before it is released:
       where independent sources agree on a day up to 31 days later, that day is taken (Claude Opus 4.5, 23 days).
    2. The day on which independent sources agree; an exact day is preferred to a month. Where a source states the
       month and day in the name, within 31 days of the agreed one, that day is taken instead.
    3. A single source: the only day that fits the month and day in the name, else the source that stands first in
       `RANKED`. A day more than a month after results of the model were published is refused.

    If the name has a month, only days in it are considered, or those up to 31 days after it where there are none; if
    no source states one, the first of the month is taken. An upload to a hub supports other days, and is taken only
    where no source announces another day near it. A house that repeats the day of an upload adds no support
    (`REPEATS_UPLOADS`), and a day no later than the beginning of the hub's own record is left out.

    `seen_on` is the day on which results of the model were first seen. A date in the name that lies more than a month
    after it is not taken, unless independent sources state the same day (o1 was listed before it was released).
    """
    counted = _countable(claims)
    borne_out = date_in_name.day is not None and _backing(counted).get(date_in_name.day, 0) > 1
    if date_in_name.day is not None and (borne_out or _was_possible(date_in_name.day, seen_on)):
        soon_after = [claim for claim in counted if date_in_name.day <= claim.day <= date_in_name.day + AGREE]
        return _announced_later(soon_after, date_in_name.day) or Decision(date_in_name.day, IN_THE_NAME)
    fitting = [claim for claim in counted if refusal(date_in_name, claim.day, None) == ""]
    if date_in_name.month is not None:
        fitting = [claim for claim in fitting if claim.day <= month_end(date_in_name.month)] or fitting
    agreed = _by_agreement(fitting)
    if agreed is not None:
        return _day_of_name_near(agreed, date_in_name, fitting)
    if date_in_name.month is not None and not fitting:
        return (
            Decision(date_in_name.month, IN_THE_NAME)
            if _was_possible(date_in_name.month, seen_on)
            else Decision(None, "")
        )
    return _single_source(date_in_name, fitting, seen_on)


def is_upload(claim: DatedClaim) -> bool:
    """Whether the day is that of an upload, which says only by when a model was out."""
    return claim.source_id in UPLOADS


def only_uploads(claims: Iterable[DatedClaim]) -> bool:
    """Whether the only days that sources state are those on which weights were uploaded."""
    return all(is_upload(claim) for claim in _without_repeats(claims))


def _countable(claims: Iterable[DatedClaim]) -> list[DatedClaim]:
    """The claims that count, each once: without repeated uploads, and without those before a hub recorded days."""
    return sorted(claim for claim in _without_repeats(claims) if not (is_upload(claim) and claim.day <= HUB_BEGAN))


def _without_repeats(claims: Iterable[DatedClaim]) -> set[DatedClaim]:
    """The claims without those that repeat the day of an upload."""
    all_claims = set(claims)
    uploaded = {claim.day for claim in all_claims if is_upload(claim)}
    return {claim for claim in all_claims if claim.day not in uploaded or house(claim.source_id) not in REPEATS_UPLOADS}


def refusal(date_in_name: NamedDate, day: date, seen_on: date | None) -> str:
    """The code of the reason why this cannot be the day of release; empty where it can."""
    if date_in_name.month is not None and day < date_in_name.month:
        return BEFORE_NAME
    if date_in_name.month is not None and day > month_end(date_in_name.month) + AGREE:
        return AFTER_NAME
    return "" if _was_possible(day, seen_on) else ALREADY_SEEN


def largest_group(claims: Sequence[DatedClaim]) -> list[DatedClaim]:
    """The claims within 31 days of one another that most houses share; empty where no two agree.

    Of equal groups the one with more of the houses that are known by name, then the closer, then the later.
    """
    days = {claim.day for claim in claims}
    groups = [[claim for claim in claims if day <= claim.day <= day + AGREE] for day in days]
    best = max(groups, key=_weight, default=[])
    return best if len(_houses(best)) > 1 else []


def _weight(group: Sequence[DatedClaim]) -> tuple[int, int, timedelta, date]:
    houses = _houses(group)
    days = [claim.day for claim in group]
    return len(houses), len(houses.intersection(RANKED)), min(days) - max(days), min(days)


def _houses(group: Iterable[DatedClaim]) -> set[str]:
    return {house(claim.source_id) for claim in group}


def _announced_later(claims: Sequence[DatedClaim], named_day: date) -> Decision | None:
    """The later day of announcement on which most houses agree, two at least; None where there is no such day."""
    backing = _backing([claim for claim in claims if not claim.is_month and not is_upload(claim)])
    later = {day: houses for day, houses in backing.items() if day > named_day}
    day, houses = max(later.items(), key=lambda day_houses: (day_houses[1], day_houses[0]), default=(named_day, 0))
    return Decision(day, AGREEMENT) if houses > 1 else None


def _backing(claims: Sequence[DatedClaim]) -> dict[date, int]:
    """How many independent houses state each day."""
    return {day: len(_houses(claim for claim in claims if claim.day == day)) for day in {claim.day for claim in claims}}


def _by_agreement(claims: Sequence[DatedClaim]) -> Decision | None:
    """The day that most houses of the largest group state; None where no two houses agree.

    Announcements are preferred to uploads, and exact days to a first of a month that a single house states. Of days
    with equal support the one of the house with the highest authority is taken.
    """
    group = largest_group(claims)
    if not group:
        return None
    announced = [claim for claim in group if not is_upload(claim)] or group
    backing = _backing(announced)
    exact_days = [claim for claim in announced if not claim.is_month or backing[claim.day] > 1] or announced
    most_backed = [
        claim
        for claim in exact_days
        if backing[claim.day] == max(backing[exact_claim.day] for exact_claim in exact_days)
    ]
    return Decision(min(most_backed, key=_order_of_belief).day, AGREEMENT)


def _order_of_belief(claim: DatedClaim) -> tuple[int, timedelta]:
    """A key by which claims are sorted: the house with the highest authority first, and of one house the later day."""
    return standing(claim.source_id), date.max - claim.day


def _day_of_name_near(agreed: Decision, date_in_name: NamedDate, claims: Sequence[DatedClaim]) -> Decision:
    assert agreed.day is not None
    days_of_name = {
        claim.day for claim in claims if _fits(date_in_name, claim.day) and abs(claim.day - agreed.day) <= AGREE
    }
    return Decision(max(days_of_name), IN_THE_NAME) if days_of_name else agreed


def _single_source(date_in_name: NamedDate, claims: Sequence[DatedClaim], seen_on: date | None) -> Decision:
    if not claims:
        return Decision(None, "")
    days_of_name = {claim.day for claim in claims if _fits(date_in_name, claim.day)}
    if len(days_of_name) == 1:
        return Decision(days_of_name.pop(), IN_THE_NAME)

    possible = [claim for claim in claims if _was_possible(claim.day, seen_on)]
    if not possible:
        return Decision(None, ALREADY_SEEN)

    reason = IN_THE_NAME if date_in_name.month is not None else ALONE if len(claims) == 1 else UNDECIDED
    return Decision(min(possible, key=_order_of_belief).day, reason)


def _fits(date_in_name: NamedDate, day: date) -> bool:
    return date_in_name.month_and_day == (day.month, day.day)


def _was_possible(day: date, seen_on: date | None) -> bool:
    return seen_on is None or day <= seen_on + AGREE
