"""Published numbers, computed again from the facts at every assessment: data/registry/printed_number.csv lists them."""

from collections.abc import Mapping, Sequence

import polars as pl

from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.reproduction.claim import TOUCH, Claim, Found, claim_facts
from benchhealth.analytics.reproduction.printed import claims_of


def reproduction(
    frames: Frames, tables: Mapping[str, pl.DataFrame], claims: Sequence[Claim] | None = None
) -> pl.DataFrame:
    """Table `reproduction`: each claim with the published number, ours, and whether they agree within the tolerance.

    Of the claims of the facts, unless some are given.
    `tables` holds the derived tables `twin`, `twin_residual`, `stability`, `indicator` and `capability`. `computed` and
    `holds` are null where the facts do not hold what the claim is about; `published`, `tolerance` and `holds` where
    nobody published a number (class ours). `inputs` counts the results that ours was computed from: one of a class
    looked up, many of a class recomputed. Where ours differs, or is known to measure a little else, `claim` says why.
    """
    facts = claim_facts(frames, tables)
    every = [claim for _, claim in claims_of(frames.printed_number)] if claims is None else claims
    rows = [_claim_row(claim, claim.compute(facts)) for claim in every]
    return pl.DataFrame(rows, schema=PUBLISHED["reproduction"], orient="row")


def _claim_row(claim: Claim, computed: Found | None) -> dict[str, object]:
    holds = None
    if computed is not None and claim.published is not None and claim.tolerance is not None:
        holds = abs(computed.value - claim.published) <= claim.tolerance + TOUCH
    printed = claim.publication
    return {
        "claim_id": claim.claim_id,
        "claim": f"{claim.sentence} (ours: {claim.why})" if claim.why and computed is not None else claim.sentence,
        "published": claim.published,
        "computed": None if computed is None else computed.value,
        "tolerance": claim.tolerance,
        "holds": holds,
        "source_url": claim.source_url,
        "class": claim.kind,
        "paper": printed.name if printed else None,
        "year": printed.year if printed else None,
        "place": claim.place or None,
        "tolerance_reason": claim.within or None,
        "inputs": None if computed is None else computed.inputs,
        "opened": printed.opened if printed else None,
        "low": None if computed is None else computed.low,
        "high": None if computed is None else computed.high,
        "interval": claim.interval or None,
        "null_value": claim.null_value,
        "null_reason": claim.null_reason or None,
    }


def details(frames: Frames) -> pl.DataFrame:
    """Table `reproduction_detail`: what each claim is about, in order, its unit, and why ours may differ (or null).

    `claim` of the table `reproduction` holds the statement and the reason in one text, for readers of that table alone.
    """
    rows = [
        (claim.claim_id, area, claim.sentence, claim.unit, claim.why or None)
        for area, claim in claims_of(frames.printed_number)
    ]
    return pl.DataFrame(rows, schema=PUBLISHED["reproduction_detail"], orient="row")


def left_out(frames: Frames) -> pl.DataFrame:
    """Table `left_out`: published numbers that were looked at and are not computed, with the reason, as curated."""
    return frames.left_out
