"""The commands that say whether two scores differ: by numbers, or by models."""

import sys
from collections.abc import Mapping
from contextlib import closing

from benchhealth.dashboard.published.difference import BENCHMARK, BEST, FIRST, ITEMS, MODEL, OTHER, SECOND, SHOTS, asked
from benchhealth.dashboard.published.generation import View
from benchhealth.dashboard.published.tables import ParameterError
from benchhealth.dashboard.words.difference import text
from benchhealth.pipeline.errors import UsageError
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.read import open_current


def of_scores(settings: Settings, benchmark: str, scores: tuple[str, str], items: str, shots: str) -> None:
    """Print whether two scores on the benchmark differ; `items` and `shots` are empty, one number or two with a comma.

    Raises UsageError for a benchmark that is not there or what is no score, NoGeneration where nothing is published.
    """
    _print(settings, {BENCHMARK: benchmark, FIRST: scores[0], SECOND: scores[1], ITEMS: items, SHOTS: shots})


def of_models(settings: Settings, benchmark: str, first: str, second: str | None) -> None:
    """Print whether two models differ on the benchmark; without a second one the best of the others. Raises as above,
    and for a model without a standing result there."""
    _print(settings, {BENCHMARK: benchmark, MODEL: first, OTHER: second or BEST})


def _print(settings: Settings, params: Mapping[str, str]) -> None:
    with closing(open_current(settings.home)) as generation:
        try:
            found = asked(View(generation), {name: value for name, value in params.items() if value})
        except ParameterError as refused:
            raise UsageError(str(refused)) from refused
    sys.stdout.write(f"{text(found)}\n")
