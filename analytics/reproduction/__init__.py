"""Published numbers, computed again from the facts at every assessment: an explicit list, no discovery."""

from collections.abc import Mapping, Sequence

import polars as pl

from analytics.record.frames import Frames
from analytics.record.tables import PUBLISHED
from analytics.reproduction import boards, capability, images, language, saturation, stability, testbed
from analytics.reproduction.claim import Claim, claim_facts

AREAS: tuple[tuple[str, tuple[Claim, ...]], ...] = (
    ("saturation", saturation.CLAIMS),
    ("images", images.CLAIMS),
    ("robustness", testbed.CLAIMS),
    ("language", language.CLAIMS),
    ("leaderboards", boards.CLAIMS),
    ("multi-task boards", stability.CLAIMS),
    ("capability", capability.CLAIMS),
)
"""What the claims are about, in the order in which they are shown."""

CLAIMS: tuple[Claim, ...] = tuple(claim for _, claims in AREAS for claim in claims)
"""Every claim; the numbers written here are those that others published, never ours."""

ROUNDING = 1e-9
"""So that a difference of exactly the tolerance holds in binary numbers too."""


def reproduction(frames: Frames, tables: Mapping[str, pl.DataFrame], claims: Sequence[Claim] = CLAIMS) -> pl.DataFrame:
    """Table `reproduction`: each claim with the published number, ours, and whether they agree within the tolerance.

    `tables` holds the derived tables `twin`, `twin_residual`, `stability`, `indicator` and `capability`. `computed` and
    `holds` are null where the facts do not hold what the claim is about. Where ours differs, or is known to measure a
    little else, `claim` says why.
    """
    facts = claim_facts(frames, tables)
    rows = []
    for claim in claims:
        ours = claim.compute(facts)
        holds = None if ours is None else abs(ours - claim.published) <= claim.tolerance + ROUNDING
        statement = f"{claim.sentence} (ours: {claim.why})" if claim.why and ours is not None else claim.sentence
        rows.append(
            (claim.claim_id, statement, float(claim.published), ours, float(claim.tolerance), holds, claim.source_url)
        )
    return pl.DataFrame(rows, schema=PUBLISHED["reproduction"], orient="row")


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
