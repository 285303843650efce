"""The sentences on a ceiling: its basis, and that it is assumed where nobody audited the labels."""

from benchhealth.analytics.saturation.headroom import REFUTED

ASSUMED = "assumed"
"""The kind of a ceiling that rests on nothing but the metric."""

NOBODY_AUDITED = "nobody audited"

CEILINGS = {
    ASSUMED: f"Its ceiling is assumed to be a perfect score: {NOBODY_AUDITED} its labels",
    "not_bounding": "Its ceiling is taken as a perfect score: an audit counted faults, and not which score they bound",
    "of_a_part": "Its ceiling is taken as a perfect score: an audit found faults in a part, the rest is not audited",
    REFUTED: "Its audited ceiling lies below the best score by more than the error, so it is none: what is left is "
    "counted to a perfect score",
}
"""A sentence for each kind of ceiling that no audit bounds; where one does, the ceiling leaves the errors out."""


def ceiling(score: str, kind: str | None, basis: str | None) -> str:
    """The ceiling in a few words, to follow \"ceiling\": `score` as it is printed, `basis` as the registry has it."""
    if kind == REFUTED:
        return f"{score}: the best lies above the audited one by more than its error ({basis or 'basis not stated'})"
    if kind == ASSUMED:
        return f"assumed {score}: {NOBODY_AUDITED}"
    return f"{score} ({basis or 'basis not stated'})"
