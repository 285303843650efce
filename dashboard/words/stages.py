"""The words and shapes of stages and flags, the same in every table, chart and printed report.

The field's own term (discriminating, compressing ...) stays in data, addresses and on the Methods page.
"""

from collections.abc import Mapping, Sequence

from benchhealth.analytics.record.tables import FLAGS, STAGES
from benchhealth.analytics.verdict.probability.stages import DRAWS
from benchhealth.analytics.verdict.probability.table import NAMED_ALONE

ORDER = ("discriminating", "compressing", "saturated", "emerging", "unknown")
"""The stages as pages list them: what still measures first, what is not known last."""

CALLED_ALL = 0.995
"""From here on a share is said as `all`: a draw in two hundred is the least that can be seen."""

STAGE_SHAPE: Mapping[str, str] = dict(zip(STAGES, ("○", "▲", "◆", "▼", "■"), strict=True))
STAGE_WORDS: Mapping[str, str] = dict(
    zip(STAGES, ("Not enough known", "Too new", "Still measuring", "Running out", "Saturated"), strict=True)
)
STAGE_MEANING: Mapping[str, str] = dict(
    zip(
        STAGES,
        (
            "not enough evidence to say",
            "too new or too few models to say",
            "there is room to the ceiling, and strong and weak models differ, beyond error where that is known",
            "room or differences at the top are running out",
            "no room left that the results could show",
        ),
        strict=True,
    )
)
STAGE_BADGE: Mapping[str, str] = dict(zip(STAGES, ("gray", "green", "blue", "orange", "red"), strict=True))
"""The colour name of Streamlit's badge; `serving.options` gives these names the colours of the stages."""

FLAG_WORDS: Mapping[str, str] = {
    "dormant": "no new results",
    "contaminated": "contamination documented",
    "gap": "a twin scores lower",
    "premium": "makers report higher scores",
    "unstable": "unstable top",
    "self_reported": "makers' own results",
    "stale": "no recent data",
}
FLAG_MEANING: Mapping[str, str] = {
    "dormant": "nobody reports any more",
    "contaminated": "its answers may have been seen in training",
    "gap": "a twin shows lower scores than this benchmark does",
    "premium": "makers' numbers are above independent runs",
    "unstable": "models that stay listed exchange places of the top ten by more than noise",
    "self_reported": "most models' best results are their makers' own",
    "stale": "there are no data of the last half year",
}
assert set(FLAGS) == set(FLAG_WORDS) == set(FLAG_MEANING)


def stage_words(stage: str, between: Sequence[str] | None = ()) -> str:
    """The stage in words; where not enough is known to name one, the two that it may be in."""
    if not between:
        return STAGE_WORDS[stage]
    return f"Unclear whether {' or '.join(STAGE_WORDS[key].lower() for key in between if key != 'unknown')}"


def stage_label(stage: str, between: Sequence[str] | None = ()) -> str:
    """The stage's shape and words, as every table and chart prints it; of two stages the shape of what is not known."""
    return f"{STAGE_SHAPE['unknown' if between else stage]} {stage_words(stage, between)}"


def stage_cell(stage: str, between: Sequence[str] | None = ()) -> str:
    """The stage's shape and words for a narrow column: of two stages the shapes alone."""
    if not between:
        return stage_label(stage)
    return f"{' or '.join(STAGE_SHAPE[key] for key in between)}, not sure"


def stage_badge(stage: str, between: Sequence[str] | None = ()) -> str:
    """The stage as a badge, in Streamlit's markdown; grey where not enough is known to name one."""
    return f":{'gray' if between else STAGE_BADGE[stage]}-badge[{stage_label(stage, between)}]"


def in_draws(p: float) -> str:
    """The share of draws that give a stage."""
    share = "all" if p >= CALLED_ALL else f"{p:.0%}"
    return f"{share} of {DRAWS} simulations of what is uncertain"


def sure(stage: str, p: float | None, between: Sequence[str] | None = ()) -> str:
    """How probable the stage is, without a full stop; empty where nothing was drawn, or it surely is too new."""
    if p is None or (stage == "emerging" and p >= CALLED_ALL):
        return ""
    words = STAGE_WORDS[stage].lower()
    if between:
        return f"today's numbers say {words}, as {in_draws(p)} do (a stage is named from {NAMED_ALONE:.0%} on)"
    return f"{words} in {in_draws(p)}"


def flag_badge(flag: str) -> str:
    """The flag as a badge, in Streamlit's markdown."""
    return f":gray-badge[⚑ {FLAG_WORDS[flag]}]"
