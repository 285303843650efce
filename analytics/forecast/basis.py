"""What a forecast rests on, or why there is none, in codes and numbers."""

from collections.abc import Sequence
from enum import StrEnum

from benchhealth.analytics.forecast.skill import CHANCE, EITHER, TESTED, Record, Skill

OF_EITHER = ("skill", "skill_low", "skill_high", "n")
OF_SCORE = ("skill", "skill_low", "skill_high", "n", "n_benchmarks", "coverage80", "coverage80_moved")
OF_CHANCE = ("brier", "brier_of_base_rate", "skill", "skill_low", "skill_high", "n", "n_benchmarks")
"""Fields of `Skill` that forecasts rest on: of the score whether or not a stronger model is tested, of the score given
that one is, of the chance. In this order, and after them the ends of the interval, they are the `numbers`."""


PLACE_OF_SHOWN = 2
"""The place, from 0, of the code of `Display` among the three of `basis`."""


class Display(StrEnum):
    """Whether a forecast of the score is shown: its day has passed, such forecasts have not proven themselves, or its
    interval is so wide that the best could be anywhere."""

    YES = "shown"
    PASSED = "passed"
    UNPROVEN = "unproven"
    ANYWHERE = "anywhere"

    @classmethod
    def of(cls, ahead: bool, proven: bool, narrow: bool) -> "Display":
        """Whether a forecast is shown, or the first of the reasons against it that holds."""
        if not ahead:
            return cls.PASSED
        if not proven:
            return cls.UNPROVEN
        return cls.YES if narrow else cls.ANYWHERE


def basis(
    record: Record, population: str, display: Display, regressed: bool, interval: Sequence[float]
) -> tuple[list[str], list[float | None]]:
    """Three codes, the numbers of OF_EITHER, OF_SCORE and OF_CHANCE, then the `interval` where `display` is ANYWHERE.

    Of the score: `few_outcomes` to tell its skill, its `skill` without that of its intervals, or `skill_and_coverage`.
    Of the chance: `untested`, as too few outcomes are known for one or to tell its skill, `better` than one rate for
    all for certain, or `unproven`; it is given in the second case alone. Empty where the day has passed. Then whether
    the score is `display`.
    """
    either, tested, chance = (record.get((part, population)) for part in (EITHER, TESTED, CHANCE))
    codes = [_of_score(tested), "" if display is Display.PASSED else _of_chance(chance, regressed), str(display)]
    fields = ((either, OF_EITHER), (tested, OF_SCORE), (chance, OF_CHANCE))
    numbers = [_number(skill, name) for skill, names in fields for name in names]
    return codes, [*numbers, *(interval if display is Display.ANYWHERE else (None, None))]


def _of_score(skill: Skill | None) -> str:
    if _lacks_skill(skill):
        return "few_outcomes"
    covered = skill is not None and skill.coverage80 is not None and skill.coverage80_moved is not None
    return "skill_and_coverage" if covered else "skill"


def _of_chance(skill: Skill | None, regressed: bool) -> str:
    if not regressed or skill is None or _lacks_skill(skill):
        return "untested"
    return "better" if skill.holds else "unproven"


def _lacks_skill(skill: Skill | None) -> bool:
    return skill is None or skill.skill is None or skill.skill_low is None or skill.skill_high is None


def _number(skill: Skill | None, name: str) -> float | None:
    number = None if skill is None else getattr(skill, name)
    return None if number is None else float(number)
