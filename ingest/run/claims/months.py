"""Months where days are stated: refused, but of sources of which the record knows that they have months."""

from collections.abc import Container

from benchhealth.analytics.record.model_facts.precision import COARSEST, MONTHS_OF_RELEASES
from benchhealth.ingest.formats.numbers import UnreadableError, is_month


def refuse_month(text: str, source_id: str, *, of_release: bool = False) -> None:
    """Raise UnreadableError for a month without a day of a result, or of a model's release."""
    coarse: Container[str] = MONTHS_OF_RELEASES if of_release else COARSEST
    if is_month(text) and source_id not in coarse:
        raise UnreadableError(f"a month and no day, of a source that states days: {text!r}")
