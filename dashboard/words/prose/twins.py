"""What the gap of a twin can be called, and what its tests would and would not show: sentences of table `twin_gap`."""

from collections.abc import Mapping

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.twins.expected import FEWEST_FOR_RESIDUALS, NEAR_FLOOR
from benchhealth.analytics.twins.gap import WANTED
from benchhealth.dashboard.words.prose.template import Sentence

UNTESTED_SAID = {
    "few_models": f"fewer than {FEWEST_FOR_RESIDUALS} models lie clear of the floor",
    "near_floor": f"its score lies within {NEAR_FLOOR:.0f} standard errors of the floor",
    "no_scale": "no straight line fits their log odds or points",
    "no_error": "an error is not known, as the number of items is not",
    "extrapolated": "no other model scores near it, so that the line is a guess there",
    "directions_differ": "more is better on one side and worse on the other",
}
"""The phrase for each reason of `UNTESTED`: why a model is not tested."""


def unit(row: Row) -> str:
    """What a gap is counted in: points of shares, which are on the probit scale, else units."""
    return "points" if row["scale"] == "probit" else "units"


def _gap(row: Row) -> str:
    return f"{{gap:.1f}} {unit(row)}"


def _slope(row: Row) -> str:
    p = "p = {fading_p:.2g}" if row["fading_p"] >= 0.001 else "p below 0.001"
    slope = "slope {slope:.2f} [{slope_low:.2f}, {slope_high:.2f}]"
    return f"{slope} on the {{scale}} scale over {{numbers[0]:,.0f}} results, {p} for fading"


SENTENCES: Mapping[str, Sentence] = {
    "gap_of_none": "No model connects the two sides, so there is no gap to name.",
    "gap_preparation": lambda row: (
        f"Both sides are the same test, so a gap of {_gap(row)} is none of the three gaps between test sets: it is how "
        "the test was run, and what was chosen to be reported."
    ),
    "gap_design": lambda row: (
        f"The two sides differ by design ({{kind}}), so the gap of {_gap(row)} is not split into causes."
    ),
    "gap_unknown": lambda row: (
        f"The error of drawing items is not known, so a gap of {_gap(row)} cannot be held against chance."
    ),
    "gap_chance": lambda row: (
        f"A gap of {_gap(row)} is within what drawing other items and other models gives (standard error "
        f"{'up to ' if row['gap_basis'] == 'bound' else ''}{{gap_error:.1f}}): a "
        "generalisation gap would explain it, and no other needs to be assumed."
    ),
    "gap_beyond_chance": lambda row: (
        f"A gap of {_gap(row)} is more than chance; the data cannot separate distribution from adaptivity."
    ),
    "gap_distribution": lambda row: (
        f"A gap of {_gap(row)} is more than chance, and gains on the original are not found to fade on the twin "
        f"({_slope(row)}): a distribution gap would explain it, and no adaptivity gap needs to be assumed."
    ),
    "gap_hangs_on_scale": lambda row: (
        f"A gap of {_gap(row)} is more than chance. Whether gains on the original fade on the twin depends on the "
        f"scale: a {_slope(row)}, while a point more on the original comes with {{numbers[1]:.2f}} on the second. "
        "So the scores do not tell an adaptivity gap from a distribution gap."
    ),
    "gap_fades": lambda row: (
        f"A gap of {_gap(row)} is more than chance, and gains on the original fade on the twin ({_slope(row)}). An "
        "adaptivity gap looks like that, and so does a distribution gap on which better models gain less: scores alone "
        "cannot separate the two."
    ),
}


def power(row: Row) -> str | None:
    """What a twin would, and would not, show: the shortfall that is flagged, and of leaks how many are.

    Where no line fits, that nobody is tested; None where nobody is for another reason.
    """
    if row["power_numbers"] is None:
        if row.get("untested") != "no_scale":
            return None
        return "Nobody is tested here: no straight line fits the log odds or the points of these scores."
    tested, *simulated = row["power_numbers"]
    detectable = (
        f"Among {tested:,.0f} results, one must be {row['detectable']:.1f} {unit(row)} worse on the second than "
        f"expected to be flagged with probability {WANTED:.0%}."
    )
    if simulated:
        share, alone, leaked, models, most, flagged = simulated
        together = f"{leaked:,.0f} of {models:,.0f} models" if leaked > 1 else "single ones"
        detectable += (
            f" By simulation, of single models that had learnt {share:.0%} of the original's items {alone:.0%} would "
            f"be flagged, and of {together} that had learnt {most:.0%} of them {flagged:.0%}."
        )
    return f"{detectable} No flag is no proof of a clean model."
