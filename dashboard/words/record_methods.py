"""What the Methods page says about the record: the functions whose docstrings are its texts, in their order."""

from collections.abc import Callable

from analytics.record.conditions.recognise import conditioned
from analytics.record.conditions.references import references
from analytics.record.conditions.standing import standing
from analytics.record.frontier import frontier, history
from analytics.saturation.weights import weights_lag
from analytics.verdict.ceilings import condition_headroom

RECORD: tuple[tuple[str, str, str | None, Callable[..., object]], ...] = (
    ("standing", "Which rows stand", None, standing),
    ("conditions", "Conditions", None, conditioned),
    ("references", "The condition that a benchmark is judged by", None, references),
    ("history", "Dates of results", None, history),
    ("curve", "The running best", None, frontier),
    ("weights", "Open and closed weights", None, weights_lag),
    ("ceilings", "Ceilings that a condition makes", None, condition_headroom),
)
"""Anchor, title, formula and function of each."""
