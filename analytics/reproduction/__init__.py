"""Published numbers, computed again from the facts at every assessment: an explicit list, no discovery."""

from collections.abc import Mapping, Sequence

import polars as pl

from analytics.frames import Frames
from analytics.reproduction import boards, images, language
from analytics.reproduction.claim import Claim, facts
from analytics.tables import PUBLISHED

CLAIMS: tuple[Claim, ...] = (*images.CLAIMS, *language.CLAIMS, *boards.CLAIMS)
"""Every claim; the numbers written here are those that others published, never ours."""

ROUNDING = 1e-9
"""So that a difference of exactly the tolerance holds in binary numbers too."""


def reproduction(frames: Frames, tables: Mapping[str, pl.DataFrame], claims: Sequence[Claim] = CLAIMS) -> pl.DataFrame:
    """Table `reproduction`: each claim with the published number, ours, and whether they agree within the tolerance.

    `tables` holds the derived tables `twin` and `twin_residual`. `computed` and `holds` are null where the facts do
    not hold what the claim is about. Where ours differs, or is known to measure a little else, `claim` says why.
    """
    known = facts(frames, tables)
    rows = []
    for claim in claims:
        ours = claim.compute(known)
        holds = None if ours is None else abs(ours - claim.published) <= claim.tolerance + ROUNDING
        told = f"{claim.sentence} (ours: {claim.why})" if claim.why and ours is not None else claim.sentence
        rows.append(
            (claim.claim_id, told, float(claim.published), ours, float(claim.tolerance), holds, claim.source_url)
        )
    return pl.DataFrame(rows, schema=PUBLISHED["reproduction"], orient="row")
