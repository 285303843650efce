"""Published numbers, computed again from the facts at every assessment: data/registry/printed_number.csv lists them."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.columns import COUNT, NUMBER
from benchhealth.analytics.reproduction import boards, papers, remade_tests, studies
from benchhealth.analytics.reproduction.claim import TOUCH, Compute, claim_facts

COMPUTED: Mapping[str, Compute] = {
    **remade_tests.COMPUTED,
    **boards.COMPUTED,
    **studies.COMPUTED,
    **papers.COMPUTED,
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

_OURS = pl.Schema({"computed": NUMBER, "inputs": COUNT, "low": NUMBER, "high": NUMBER})


def reproduction(
    frames: Frames, tables: Mapping[str, pl.DataFrame], functions: Mapping[str, Compute] = COMPUTED
) -> pl.DataFrame:
    """Table `reproduction`: each claim with the published number, ours, and whether they agree within the tolerance.

    `tables` holds the derived tables `twin`, `twin_residual`, `stability`, `indicator` and `capability`. `computed` and
    `holds` are null where the facts do not hold what the claim is about; `published`, `tolerance` and `holds` where
    nobody published a number (class ours). `inputs` counts the results that ours was computed from: one of a class
    looked up, many of a class recomputed. Where ours differs, or is known to measure a little else, `claim` says why.
    A row without a function raises KeyError.
    """
    facts, printed = claim_facts(frames, tables), frames.printed_number
    ours = [
        None if kind == "cited" else functions[claim_id](facts)
        for claim_id, kind in printed.select("claim_id", "class").iter_rows()
    ]
    our_numbers = pl.DataFrame([computed or (None,) * 4 for computed in ours], schema=_OURS, orient="row")
    explained = pl.when(pl.col("computed").is_not_null()).then(pl.format("{} (ours: {})", "statement", "why"))
    distance = (pl.col("computed") - pl.col("published")).abs()
    return (
        printed.hstack(our_numbers)
        .with_columns(claim=pl.coalesce(explained, "statement"), holds=distance <= pl.col("tolerance") + TOUCH)
        .match_to_schema(PUBLISHED["reproduction"], extra_columns="ignore")
    )


def details(frames: Frames) -> pl.DataFrame:
    """Table `reproduction_detail`: what each claim is about, in order, its unit, and why ours may differ (or null).

    `claim` of the table `reproduction` holds the statement and the reason in one text, for readers of that table alone.
    """
    return frames.printed_number.match_to_schema(PUBLISHED["reproduction_detail"], extra_columns="ignore")


def left_out(frames: Frames) -> pl.DataFrame:
    """Table `left_out`: published numbers that were looked at and are not computed, with the reason, as curated."""
    return frames.left_out
