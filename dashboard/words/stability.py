"""How far a verdict depends on what was measured, and on where the thresholds of its rules were set, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchhealth.analytics.verdict.stability import MOVED_BY
from benchhealth.dashboard.words.stages import CERTAIN, STAGE_WORDS
from benchhealth.dashboard.words.text import count, listed


def draws_said(rows: Sequence[Mapping[str, Any]], stage: str) -> str:
    """A sentence on the rows of table `stage_probability` of one benchmark whose verdict is this stage."""
    if not rows:
        why = (
            "no stage is known" if stage == "unknown" else "the error of its best score is not known, or few are dated"
        )
        return f"How probable the stage is was not drawn: {why}."
    named = [row for row in sorted(rows, key=lambda row: -row["p"]) if row["p"] >= 1 - CERTAIN]
    shares = listed([f"{STAGE_WORDS[row['stage']].lower()} in {row['p']:.0%}" for row in named])
    first = rows[0]
    over = "" if first["conditions"] == 1 else f", over {count(first['conditions'], 'condition')}"
    return (
        f"Measured again {first['draws']:,} times, with the scores of {count(first['drawn'], 'model')} drawn "
        f"anew{over}: {shares} of the draws."
    )


def stability_said(row: Mapping[str, Any]) -> str:
    """One sentence or two on a row of table `verdict_stability`."""
    rules = f"{row['draws']:,} sets of rules, each limit moved by up to {MOVED_BY:.0%}"
    if row["same"] >= CERTAIN:
        return f"On today's numbers the stage is the same under all of {rules}."
    other = STAGE_WORDS[row["other"]].lower() if row["other"] else "another"
    share = (
        f"On today's numbers the stage is the same under {row['same']:.0%} of {rules}; the commonest other is {other}."
    )
    if not row["hangs_on"]:
        return f"{share} No limit changes it alone."
    named = listed([name.replace("_", " ") for name in sorted(row["hangs_on"])])
    return f"{share} Moved alone by {MOVED_BY:.0%}, it is changed by: {named}."
