"""How likely a twin is to show a leak: the power of the flag for one model that learnt some of the original's items."""

import math

from scipy import special

from analytics.statistics import student
from analytics.twins.twin import FALSE_DISCOVERIES

WANTED = 0.8
"""The probability of a flag at which a shortfall counts as one that the twin can show."""


def power(
    n_items: int,
    leaked_share: float,
    accuracy: float = 0.6,
    twin_items: int | None = None,
    tests: int = 1,
) -> float:
    """The probability that a model which knows `leaked_share` of the original's items is flagged against its twin.

    Such a model answers those right and the others with its `accuracy`, so the original shows
    accuracy + leaked_share * (1 - accuracy). The twin has `twin_items` (default: as many). The sides are taken to
    differ by chance alone; where models differ in more, or where the line is fitted to models that leak too, a leak is
    harder to see. The level is that of the smallest p-value among `tests` models under Benjamini-Hochberg,
    FALSE_DISCOVERIES / tests: where many leak it is less strict. Normal approximation of the one-sided test of the
    difference. Raises ValueError for impossible inputs.
    """
    if n_items < 1 or tests < 1 or (twin_items is not None and twin_items < 1):
        raise ValueError("at least one item and one test")
    if not (0 <= leaked_share <= 1 and 0 < accuracy < 1):
        raise ValueError(f"shares lie between 0 and 1, got a leak of {leaked_share} and an accuracy of {accuracy}")
    other = twin_items or n_items
    shown = accuracy + leaked_share * (1 - accuracy)
    noise = accuracy * (1 - accuracy)
    believed = math.sqrt(shown * (1 - shown) / n_items + noise / other)
    actual = math.sqrt((1 - leaked_share) * noise / n_items + noise / other)
    needed = -float(special.ndtri(FALSE_DISCOVERIES / tests)) * believed
    return float(special.ndtr((shown - accuracy - needed) / actual))


def shortfall_power(shortfall: float, error: float, tests: int, degrees: float = math.inf) -> float:
    """The probability that a model this far below what is expected is flagged, given the residuals' standard error.

    `error` is as `analytics.twins.twin.residuals` finds it, so that it holds what models differ in besides chance; the
    level is FALSE_DISCOVERIES / tests as in `power`; `degrees` are those of Student's t. Without error any shortfall is
    certain to be flagged. Raises ValueError for a negative error or less than one test.
    """
    if error < 0 or tests < 1:
        raise ValueError("an error is not negative, and there is at least one test")
    if error == 0:
        return float(shortfall > 0)
    return float(special.ndtr(shortfall / error - _needed(tests, degrees)))


def detectable(error: float, tests: int, degrees: float = math.inf) -> float:
    """How far below what is expected a model must be for a flag with probability WANTED, in the unit of the error."""
    return error * (_needed(tests, degrees) + float(special.ndtri(WANTED)))


def power_sentence(shortfall: float, tests: int, unit: str, leaks: tuple[float, float, float] | None) -> str:
    """What the page says beside the chart about what the twin would, and would not, show.

    `leaks` are the accuracy of a typical model, and the probabilities of a flag where it had learnt a tenth and three
    tenths of the original's items; None where the twin's items are not others, so that a leak would lift both sides.
    """
    said = (
        f"Among {tests:,} results, one must be {shortfall:.1f} {unit} worse on the second than expected to be flagged "
        f"with probability {WANTED:.0%}."
    )
    if leaks is not None:
        accuracy, small, large = leaks
        said += (
            f" A model of {accuracy:.0%} accuracy that had learnt a tenth of the original's items would be flagged "
            f"with probability {small:.0%}, one that had learnt three tenths with {large:.0%}."
        )
    return f"{said} No flag is no proof of a clean model."


def _needed(tests: int, degrees: float) -> float:
    """How many standard errors the first flag takes."""
    level = FALSE_DISCOVERIES / tests
    return -float(special.ndtri(level)) if math.isinf(degrees) else float(student.quantile(1 - level, degrees))
