"""The claims of data/registry/printed_number.csv, each with the function that computes it again."""

from collections.abc import Mapping
from typing import cast

import polars as pl

from benchhealth.analytics.reproduction import (
    boards,
    capability,
    harmony,
    images,
    language,
    papers,
    revised,
    saturation,
    stability,
    testbed,
)
from benchhealth.analytics.reproduction.claim import Claim, Compute, Kind, Publication, nothing, number

COMPUTED: Mapping[str, Compute] = {
    claim: compute
    for area in (
        *(saturation, images, testbed, language, revised),
        *(harmony, boards, stability, capability, papers),
    )
    for claim, compute in area.COMPUTED.items()
}
"""The function of each claim by the id of its row; a cited claim has none. A test holds that each other row has its
function, and each function its row."""

SCORES_OF: Mapping[str, str] = {
    "mmmu-pro-smallest-drop": "mmmu",
    "mmmu-pro-largest-drop": "mmmu",
    "swe-bench-claude-2": "swe-bench",
    "swe-bench-swe-agent": "swe-bench",
    "metr-doubling-first": "metr",
    "metr-doubling": "metr",
    "metr-doubling-ever-first": "metr",
    "metr-doubling-ever": "metr",
}
"""The source that our number is made of, where that source is not open: what is computed of it leaves on its terms."""


def claims_of(printed: pl.DataFrame) -> tuple[tuple[str, Claim], ...]:
    """The area and the claim of every row of printed_number.csv, in its order. A row without a function: KeyError."""
    return tuple((row["area"], _claim(row)) for row in printed.iter_rows(named=True))


def _claim(row: Mapping[str, object]) -> Claim:
    words = {name: str(value or "") for name, value in row.items()}
    kind = cast("Kind", words["class"])
    publication = Publication(words["paper"], int(words["year"] or 0), words["source_url"], words["opened"])
    return Claim(
        words["claim_id"],
        words["statement"],
        number(row["published"]),
        number(row["tolerance"]),
        None if kind == "ours" else publication,
        nothing if kind == "cited" else COMPUTED[words["claim_id"]],
        why=words["why"],
        unit=words["unit"],
        kind=kind,
        place=words["place"],
        within=words["tolerance_reason"],
        address=words["source_url"],
        null_value=number(row["null_value"]),
        null_reason=words["null_reason"],
        interval=words["interval"],
    )
