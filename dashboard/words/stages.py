"""The words and shapes of stages and flags, the same in every table, chart and printed report."""

from collections.abc import Mapping

from analytics.record.tables import FLAGS, STAGES

STAGE_SHAPE: Mapping[str, str] = dict(zip(STAGES, ("○", "△", "◆", "▼", "■"), strict=True))
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
FLAG_MEANING: Mapping[str, str] = dict(
    zip(
        FLAGS,
        (
            "nobody reports any more",
            "its answers may have been seen in training",
            "a twin shows lower scores than this benchmark does",
            "makers' numbers are above independent runs",
            "the order changes with how results are put together",
            "most results are the makers' own",
            "its sources were not looked at for more than half a year",
        ),
        strict=True,
    )
)


def stage_label(stage: str) -> str:
    """The stage's shape and word, as every table and chart prints it."""
    return f"{STAGE_SHAPE[stage]} {stage}"
