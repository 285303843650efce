"""How far a verdict depends on where the thresholds of its rules were set, in words."""

from collections.abc import Mapping
from typing import Any

from benchhealth.analytics.verdict.stability import MOVED_BY
from benchhealth.dashboard.words.stages import CERTAIN, STAGE_WORDS
from benchhealth.dashboard.words.text import listed


def stability_said(row: Mapping[str, Any]) -> str:
    """One sentence or two on a row of table `verdict_stability`."""
    rules = f"{row['draws']:,} sets of rules, each limit moved by up to {MOVED_BY:.0%}"
    if row["same"] >= CERTAIN:
        return f"The stage is the same under all of {rules}."
    other = STAGE_WORDS[row["other"]].lower() if row["other"] else "another"
    share = f"The stage is the same under {row['same']:.0%} of {rules}; the commonest other is {other}."
    if not row["hangs_on"]:
        return f"{share} No limit changes it alone."
    named = listed([name.replace("_", " ") for name in sorted(row["hangs_on"])])
    return f"{share} Moved alone by {MOVED_BY:.0%}, it is changed by: {named}."
