"""The methods of how long benchmarks last: anchor, title, formula, and whose docstring it is."""

from collections.abc import Callable

from benchhealth.analytics.aging.events import life_events
from benchhealth.analytics.aging.hazards import hazards
from benchhealth.analytics.aging.item_age import item_age
from benchhealth.analytics.aging.lives import lives
from benchhealth.analytics.aging.map_months import map_months
from benchhealth.analytics.aging.standstill import standstill_curve, standstills
from benchhealth.analytics.aging.stock import life_years, stage_stock
from benchhealth.analytics.aging.survival import survival
from benchhealth.analytics.statistics.survival.aalen_johansen import aalen_johansen
from benchhealth.analytics.statistics.survival.cox import cox
from benchhealth.analytics.statistics.survival.kaplan_meier import half_life, kaplan_meier
from benchhealth.analytics.verdict.history import history_by_date
from benchhealth.analytics.verdict.known_then.ledger import verdicts_then
from benchhealth.analytics.verdict.known_then.revisions import revisions
from benchhealth.analytics.verdict.replay import replay

AGING: tuple[tuple[str, str, str | None, Callable[..., object]], ...] = (
    ("lives", "The life of a benchmark", None, lives),
    ("survival", "How long benchmarks last", None, survival),
    (
        "kaplan_meier",
        "Survival with censoring and late entry",
        r"S(t) = \prod_{t_i \le t} \left(1 - \frac{d_i}{n_i}\right)",
        kaplan_meier,
    ),
    (
        "aalen_johansen",
        "Ends that compete",
        r"F_k(t) = \sum_{t_i \le t} S(t_{i-1})\,\frac{d_{ki}}{n_i}",
        aalen_johansen,
    ),
    ("half_life", "Half-life", r"\min\{t : S(t) \le \tfrac{1}{2}\}", half_life),
    ("verdict_history", "Since when a stage holds", None, history_by_date),
    ("life_events", "What happened to a benchmark", None, life_events),
    ("stage_stock", "How many were in each stage", None, stage_stock),
    ("life_years", "Births and ends of a year", None, life_years),
    ("standstill", "Spells within error", None, standstills),
    ("standstill_curve", "How long best scores stand", None, standstill_curve),
    ("replay", "The rules on earlier days", None, replay),
    ("verdict_then", "What was known then", None, verdicts_then),
    ("verdict_revision", "What was taken back", None, revisions),
    ("hazard", "Which benchmarks die faster", None, hazards),
    (
        "cox",
        "Proportional hazards",
        r"h(t \mid x) = h_0(t)\,e^{\beta x},\quad \ell(\beta) = \sum_{i\,\text{died}} \Big(\beta x_i - "
        r"\log \sum_{j\,\text{at risk}} e^{\beta x_j}\Big)",
        cox,
    ),
    ("map_month", "The map through the years", None, map_months),
    ("item_age", "Scores by the age of the items", None, item_age),
)
"""The topics on aging, in the order of the page."""
