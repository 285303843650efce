"""The table `model`, the ends of training data, and the conflicts: which claims stand, which lost, and why."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

import polars as pl

from benchhealth.analytics.record.frames import CUTOFF
from benchhealth.analytics.record.model_facts import release
from benchhealth.analytics.record.model_facts.authorities import AUTHORITIES, UPLOADS, house
from benchhealth.analytics.record.model_facts.named_dates import NO_DATE, NamedDate, named_date
from benchhealth.analytics.record.model_facts.precision import DAY
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.words import spelt

MODEL = "model"
"""The word of `entity` in the table `fact_conflict`."""

NEWEST = "newest_word"
AFTER_RELEASE = "after_release"

_LOST = PUBLISHED["fact_conflict"]
TUNED = ("-instruct", "-chat", "-it")
"""How makers name the version of a model that follows instructions, which comes out with the model."""

BASE = "-base"
"""How they name the version before that, where they do."""

_WORDS = ("organisation", "open_weights")


class ReconciledFacts(NamedTuple):
    """`model` with the columns of the table; `cutoff` as frames hold it; `conflict` is the table `fact_conflict`."""

    model: pl.DataFrame
    cutoff: pl.DataFrame
    conflict: pl.DataFrame


class _Claim(NamedTuple):
    """One claim about one attribute; `key` is equal for spellings of one value. A null source is a curator."""

    value: object
    key: object
    source_id: str | None
    observed_at: object


def reconcile(claims: pl.DataFrame, debuts: pl.DataFrame) -> ReconciledFacts:
    """One value for each attribute of each model of `claims` (schema MODEL_CLAIM) and `debuts`, in any order of rows.

    `debuts` has `model_id` and `seen_on`, the day on which results of the model were first seen. The order of authority
    is the same for all attributes: a curator; for the release the date in the maker's own name (see `released_on`); an
    authority's list; what most independent sources say, if two or more do; else the newest word. A name is a label and
    no claim: the newest is taken. Training cannot end after the release. `conflict` holds every claim that does not
    stand, with the value that does and why; organisations in two spellings are no conflict.
    """
    dates, date_conflicts = _dates(claims, debuts)
    words, word_conflicts = _words(claims)
    ids = pl.concat([claims.select("model_id"), debuts.select("model_id")]).unique()
    names = _newest(claims.drop_nulls("name")).select("model_id", "name")
    model = (
        ids.join(names, on="model_id", how="left")
        .join(words, on="model_id", how="left")
        .join(dates, on="model_id", how="left")
    )
    return ReconciledFacts(
        model.select(PUBLISHED["model"].names()).sort("model_id"),
        _cutoffs(claims, dates),
        pl.concat([date_conflicts, word_conflicts]).sort(_LOST.names(), nulls_last=False),
    )


def conflicts(model_claim: pl.DataFrame, result: pl.LazyFrame) -> pl.DataFrame:
    """Table `fact_conflict` for models: the claims that do not stand."""
    return reconcile(model_claim, first_seen(result.select("model_id", "observed_at")).collect()).conflict


def first_seen(results: pl.LazyFrame) -> pl.LazyFrame:
    """`model_id` and `seen_on`: the day of the first snapshot with a result of the model."""
    return results.group_by("model_id").agg(seen_on=pl.col("observed_at").min().dt.date())


def _newest(claims: pl.DataFrame) -> pl.DataFrame:
    """The newest claim about each model, a curator's before all; of one instant the last source by name."""
    curated = pl.col("source_id").is_null()
    order = claims.sort(curated, "observed_at", "source_id", nulls_last=False)
    return order.unique("model_id", keep="last", maintain_order=True)


def _dates(claims: pl.DataFrame, debuts: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Release and cutoff of each model that has either, and the claims about them that lost."""
    releases, cutoffs = (_by_model(claims, column) for column in ("released_on", "cutoff_on"))
    first = dict(debuts.select("model_id", "seen_on").iter_rows())
    stands, lost = [], []
    announced = {
        model_id: _release(named_date(model_id), claimed_days, first.get(model_id))
        for model_id, claimed_days in releases.items()
        if not _is_upload(claimed_days)
    }
    for model_id in sorted(first.keys() | releases.keys() | cutoffs.keys()):
        stated, ends = releases.get(model_id, []), cutoffs.get(model_id, [])
        named = named_date(model_id)
        if not stated and not ends and named == NO_DATE:
            continue
        released = announced.get(model_id)
        if released is None:
            released = _with_its_sibling(model_id, _release(named, stated, first.get(model_id)), announced)
        elif named == NO_DATE:
            released = _no_younger_than_tuned(model_id, released, announced)
        ended = _cutoff(ends, released.day)
        exactly = DAY if named.day == released.day else released.precision(stated)
        stands.append((model_id, released.day, None if released.day is None else exactly, ended.day))
        lost += _lost_dates(model_id, "released_on", stated, released, _release_refused(named, first.get(model_id)))
        lost += _lost_dates(model_id, "cutoff_on", ends, ended, _cutoff_refused(released.day))
    text, day = pl.String(), pl.Date()
    schema = {"model_id": text, "released_on": day, "released_precision": text, "cutoff_on": day}
    return pl.DataFrame(stands, schema=schema, orient="row"), pl.DataFrame(lost, schema=_LOST, orient="row")


def _is_upload(claimed_days: Iterable[tuple[str | None, date]]) -> bool:
    """Whether uploads alone date the model."""
    return all(publisher is not None for publisher, _ in claimed_days) and release.only_uploads(
        release.DatedClaim(day, publisher) for publisher, day in claimed_days if publisher
    )


def _with_its_sibling(
    model_id: str, uploaded: release.Decision, announced: Mapping[str, release.Decision]
) -> release.Decision:
    """The release of a model that uploads alone date: the day on which its tuned (or base) version was announced, where
    that is within 31 days of the upload, as the two came out together."""
    bare = _bare(model_id)
    for sibling in (bare, f"{bare}{BASE}", *(f"{bare}{tuned}" for tuned in TUNED)):
        day = announced[sibling].day if sibling in announced else None
        if day is not None and uploaded.day is not None and abs(day - uploaded.day) <= release.AGREE:
            return release.Decision(day, release.NEAR)
    return uploaded


def _no_younger_than_tuned(
    model_id: str, base: release.Decision, announced: Mapping[str, release.Decision]
) -> release.Decision:
    """The release of a base model: that of its tuned version where this is up to 31 days earlier, as a base precedes
    what is tuned from it. A curator's day stays."""
    if base.day is None or base.reason == release.CURATED or model_id.endswith(TUNED):
        return base
    tuned = [announced[tuned_id].day for suffix in TUNED if (tuned_id := f"{_bare(model_id)}{suffix}") in announced]
    earlier = [day for day in tuned if day is not None and timedelta(0) < base.day - day <= release.AGREE]
    return release.Decision(min(earlier), release.TUNED_BEFORE) if earlier else base


def _bare(model_id: str) -> str:
    return next((model_id.removesuffix(suffix) for suffix in (BASE, *TUNED) if model_id.endswith(suffix)), model_id)


def _by_model(claims: pl.DataFrame, column: str) -> dict[str, list[tuple[str | None, date]]]:
    """Source and day of each claim about each model: rows in Python, as a frame for each model takes seconds."""
    claimed_days: dict[str, list[tuple[str | None, date]]] = {}
    for model_id, source_id, day in claims.select("model_id", "source_id", column).drop_nulls(column).iter_rows():
        claimed_days.setdefault(model_id, []).append((source_id, day))
    return claimed_days


def _release(
    date_in_name: NamedDate, claimed_days: Iterable[tuple[str | None, date]], seen_on: date | None
) -> release.Decision:
    curated = [day for source_id, day in claimed_days if source_id is None]
    if curated:
        return release.Decision(max(curated), release.CURATED)
    by_source = [release.DatedClaim(day, source_id) for source_id, day in claimed_days if source_id is not None]
    return release.choose_release_day(date_in_name, by_source, seen_on)


def _cutoff(claimed_days: Iterable[tuple[str | None, date]], released: date | None) -> release.Decision:
    """The end of training data: an authority's, what independent sources agree on, else the latest that is possible."""
    curated = [day for source_id, day in claimed_days if source_id is None]
    if curated:
        return release.Decision(max(curated), release.CURATED)
    possible = [
        release.DatedClaim(day, source_id)
        for source_id, day in claimed_days
        if source_id is not None and (released is None or day <= released)
    ]
    listed = [claim.day for claim in possible if claim.source_id in AUTHORITIES]
    if listed:
        return release.Decision(max(listed), release.AUTHORITY)
    group = release.largest_group(possible)
    if group:
        return release.Decision(max(claim.day for claim in group), release.AGREEMENT)
    latest = max((claim.day for claim in possible), default=None)
    return release.Decision(latest, release.ALONE if len(possible) == 1 else NEWEST)


def _release_refused(date_in_name: NamedDate, seen_on: date | None) -> Callable[[date], str]:
    return lambda day: release.refusal(date_in_name, day, seen_on)


def _cutoff_refused(released: date | None) -> Callable[[date], str]:
    return lambda day: AFTER_RELEASE if released is not None and day > released else ""


def _lost_dates(
    model_id: str,
    attribute: str,
    claimed_days: Iterable[tuple[str | None, date]],
    chosen: release.Decision,
    refused: Callable[[date], str],
) -> list[tuple[object, ...]]:
    stands = None if chosen.day is None else chosen.day.isoformat()

    def why(day: date, source_id: str | None) -> str:
        is_near = chosen.day is not None and abs(day - chosen.day) <= release.AGREE
        uploaded = attribute == "released_on" and source_id in UPLOADS
        return release.NEAR if is_near else release.UPLOADED if uploaded else refused(day) or chosen.reason

    return [
        (MODEL, model_id, attribute, day.isoformat(), source_id, stands, None, why(day, source_id))
        for source_id, day in claimed_days
        if day != chosen.day
    ]


def _cutoffs(claims: pl.DataFrame, dates: pl.DataFrame) -> pl.DataFrame:
    """The end of training data that stands, with the newest claim that states it."""
    stating = claims.drop_nulls("cutoff_on").join(
        dates.select("model_id", "cutoff_on").drop_nulls(), on=["model_id", "cutoff_on"], how="semi"
    )
    return _newest(stating).select(CUTOFF.names()).sort("model_id")


def _words(claims: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Organisation and open weights of each model, and the claims about them that lost."""
    columns, lost = [], []
    for attribute in _WORDS:
        value = pl.col(attribute)
        key = spelt(value) if attribute == "organisation" else value
        rows = claims.select("model_id", "source_id", "observed_at", value=value, key=key).drop_nulls("value")
        by_model: dict[str, list[_Claim]] = {}
        for model_id, *claims_of_model in rows.select(
            "model_id", "value", "key", "source_id", "observed_at"
        ).iter_rows():
            by_model.setdefault(model_id, []).append(_Claim(*claims_of_model))
        stands = {}
        for model_id, claims_of_model in by_model.items():
            chosen, reason = _word(claims_of_model)
            stands[model_id], stood = chosen.value, _text(chosen.value)
            lost += [
                (MODEL, model_id, attribute, _text(claim.value), claim.source_id, stood, None, reason)
                for claim in claims_of_model
                if claim.key != chosen.key
            ]
        schema = {"model_id": pl.String(), attribute: claims.schema[attribute]}
        columns.append(pl.DataFrame(list(stands.items()), schema=schema, orient="row"))
    facts = columns[0].join(columns[1], on="model_id", how="full", coalesce=True)
    return facts, pl.DataFrame(lost, schema=_LOST, orient="row")


def _word(claims: Sequence[_Claim]) -> tuple[_Claim, str]:
    """The claim whose value stands, the newest of its key, and the reason; others of its key stand with it."""
    newest = max(claims, key=_recency)
    keys = {claim.key for claim in claims}
    houses = {key: {house(claim.source_id) for claim in claims if claim.key == key and claim.source_id} for key in keys}
    listed = [claim for authority in AUTHORITIES for claim in claims if claim.source_id == authority]
    most = max(map(len, houses.values()))
    leading = [key for key in keys if len(houses[key]) == most]
    if newest.source_id is None:
        return newest, release.CURATED
    if listed:
        standing_key, reason = listed[0].key, release.AUTHORITY
    elif most > 1 and len(leading) == 1:
        standing_key, reason = leading[0], release.AGREEMENT
    else:
        standing_key, reason = newest.key, NEWEST if len(keys) > 1 else release.ALONE
    return max((claim for claim in claims if claim.key == standing_key), key=_recency), reason


def _recency(claim: _Claim) -> tuple[bool, str, str]:
    """A key to sort claims by: the later is the greater, a curator's the greatest."""
    return claim.source_id is None, str(claim.observed_at or ""), claim.source_id or ""


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
