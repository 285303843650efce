"""Published numbers, computed again from the facts at every assessment: an explicit list, no discovery."""

from collections.abc import Mapping, Sequence

import polars as pl

from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.reproduction import (
    boards,
    capability,
    harmony,
    images,
    language,
    named,
    revised,
    saturation,
    stability,
    testbed,
)
from benchhealth.analytics.reproduction.claim import Claim, Found, claim_facts

AREAS: tuple[tuple[str, tuple[Claim, ...]], ...] = (
    ("saturation", saturation.CLAIMS),
    ("images", images.CLAIMS),
    ("robustness", testbed.CLAIMS),
    ("language", language.CLAIMS),
    ("tests made anew", revised.CLAIMS),
    ("equal preparation", harmony.CLAIMS),
    ("leaderboards", boards.CLAIMS),
    ("multi-task boards", stability.CLAIMS),
    ("capability", capability.CLAIMS),
    ("tables not on record", named.CLAIMS),
)
"""What the claims are about, in the order in which they are shown."""

CLAIMS: tuple[Claim, ...] = tuple(claim for _, claims in AREAS for claim in claims)
"""Every claim, of all four classes; the numbers written here are those that others published, never ours."""

ROUNDING = 1e-9
"""So that a difference of exactly the tolerance holds in binary numbers too."""


def reproduction(frames: Frames, tables: Mapping[str, pl.DataFrame], claims: Sequence[Claim] = CLAIMS) -> pl.DataFrame:
    """Table `reproduction`: each claim with the published number, ours, and whether they agree within the tolerance.

    `tables` holds the derived tables `twin`, `twin_residual`, `stability`, `indicator` and `capability`. `computed` and
    `holds` are null where the facts do not hold what the claim is about; `published`, `tolerance` and `holds` where
    nobody published a number (class ours). `inputs` counts the results that ours was computed from: one of a class
    looked up, many of a class recomputed. Where ours differs, or is known to measure a little else, `claim` says why.
    """
    facts = claim_facts(frames, tables)
    rows = [_row(claim, claim.compute(facts)) for claim in claims]
    return pl.DataFrame(rows, schema=PUBLISHED["reproduction"], orient="row")


def _row(claim: Claim, found: Found | None) -> dict[str, object]:
    holds = None
    if found is not None and claim.published is not None and claim.tolerance is not None:
        holds = abs(found.value - claim.published) <= claim.tolerance + ROUNDING
    printed = claim.publication
    return {
        "claim_id": claim.claim_id,
        "claim": f"{claim.sentence} (ours: {claim.why})" if claim.why and found is not None else claim.sentence,
        "published": claim.published,
        "computed": None if found is None else found.value,
        "tolerance": claim.tolerance,
        "holds": holds,
        "source_url": claim.source_url,
        "class": claim.kind,
        "paper": printed.name if printed else None,
        "year": printed.year if printed else None,
        "place": claim.place or None,
        "tolerance_reason": claim.within or None,
        "inputs": None if found is None else found.inputs,
        "opened": printed.opened if printed else None,
    }


def details() -> pl.DataFrame:
    """Table `reproduction_detail`: what each claim is about, in order, its unit, and why ours may differ (or null).

    `claim` of the table `reproduction` holds the statement and the reason in one text, for readers of that table alone.
    """
    rows = [
        (claim.claim_id, area, claim.sentence, claim.unit, claim.why or None)
        for area, claims in AREAS
        for claim in claims
    ]
    return pl.DataFrame(rows, schema=PUBLISHED["reproduction_detail"], orient="row")
