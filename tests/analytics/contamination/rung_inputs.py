"""`RungInputs` with nothing in it but what a test names."""

from datetime import date
from typing import Any

import polars as pl

from benchhealth.analytics.contamination.exposure import exposures, training_ends
from benchhealth.analytics.contamination.findings import RungInputs
from benchhealth.analytics.record.current import benchmark_facts
from benchhealth.analytics.record.frames import CUTOFF, Frames
from benchhealth.analytics.record.tables import empty
from tests.support.frames import frames

AS_OF = date(2026, 1, 1)
BOARD = {"benchmark_id": pl.String, "model_id": pl.String}


def rung_inputs(of: Frames | None = None, *, board: list[tuple[str, str]] | None = None, **named: Any) -> RungInputs:  # noqa: ANN401
    """The rungs' inputs: the facts of `of`, the pairs of `board` as the leaderboards, everything else as `named`."""
    from_facts = frames([], []) if of is None else of
    facts = benchmark_facts(from_facts)
    pairs = pl.DataFrame(board or [], schema=BOARD, orient="row")
    cutoff = named.pop("cutoff", pl.DataFrame(schema=CUTOFF))
    given: dict[str, Any] = {
        "as_of": AS_OF,
        "known_until": pl.DataFrame(schema={"benchmark_id": pl.String, "known_until": pl.Date}),
        "facts": facts,
        "model": from_facts.model,
        "cutoff": cutoff,
        "report": from_facts.contamination_report,
        "twin": empty("twin"),
        "twin_pair": from_facts.twin_pair,
        "twin_residual": empty("twin_residual"),
        "exposed": exposures(pairs, facts, training_ends(from_facts.model, cutoff)),
        "panels": [],
        "boards": [],
    }
    return RungInputs(**{**given, **named})
