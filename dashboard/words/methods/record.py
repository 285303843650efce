"""What the Methods page says about the record and about models: functions whose docstrings are its texts, in order."""

from collections.abc import Callable

from benchhealth.analytics.corroboration.classes import compared
from benchhealth.analytics.corroboration.field import claim_checks
from benchhealth.analytics.corroboration.sides import reporter_frontiers
from benchhealth.analytics.measurers.blind_spots import blind_spots
from benchhealth.analytics.measurers.differing_numbers import differing_numbers
from benchhealth.analytics.measurers.parties import measuring_parties
from benchhealth.analytics.models.pair import told_apart
from benchhealth.analytics.models.position import positions
from benchhealth.analytics.models.summary import summaries
from benchhealth.analytics.record.conditions.recognise import conditioned
from benchhealth.analytics.record.conditions.references import references
from benchhealth.analytics.record.conditions.standing import standing
from benchhealth.analytics.record.frontier import frontier, history
from benchhealth.analytics.saturation.weights import weights_lag
from benchhealth.analytics.statistics.survival.waits import median_wait
from benchhealth.analytics.verdict.ceilings import condition_headroom

RECORD: tuple[tuple[str, str, str | None, Callable[..., object]], ...] = (
    ("standing", "Which rows stand", None, standing),
    ("conditions", "Conditions", None, conditioned),
    ("references", "The condition that a benchmark is judged by", None, references),
    ("history", "Dates of results", None, history),
    ("curve", "The running best", None, frontier),
    ("weights", "Open and closed weights", None, weights_lag),
    ("waits", "Waits that are not over", None, median_wait),
    ("ceilings", "Ceilings that a condition makes", None, condition_headroom),
    ("corroboration", "Who measured the best scores", None, compared),
    ("by_others", "What others measured, and what makers claim", None, reporter_frontiers),
    ("claim_checks", "How far claims run ahead", None, claim_checks),
    ("position", "A model against the best of its day", None, positions),
    ("model_position", "A model over all benchmarks", None, summaries),
    ("measuring_parties", "Who measured models that are not its own", None, measuring_parties),
    ("blind_spots", "What nobody independent measured", None, blind_spots),
    ("differing_numbers", "Why numbers of one model differ", None, differing_numbers),
    ("told_apart", "Whether two models differ on a benchmark", None, told_apart),
)
"""Anchor, title, formula and function of each."""
