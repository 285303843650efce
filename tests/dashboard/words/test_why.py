"""Why a stage is what it is, in one phrase for each case."""

from benchhealth.analytics.verdict.rules import STAGE_OF
from benchhealth.dashboard.words.why import PHRASES


def test_every_case_of_a_stage_that_runs_out_has_a_phrase() -> None:
    assert set(PHRASES) == {code for code, stage in STAGE_OF.items() if stage in ("saturated", "compressing")}
