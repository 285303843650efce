"""The commands that say whether two scores differ: by numbers, or by models."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from benchhealth.analytics.audit.board import BoardError
from benchhealth.analytics.audit.logs import from_logs
from benchhealth.dashboard.published.boards.difference import (
    BENCHMARK,
    BEST,
    FIRST,
    ITEMS,
    MODEL,
    OTHER,
    SECOND,
    SHOTS,
    of_outcomes,
    score_pair,
)
from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.dashboard.words.boards.audit import READ_AS
from benchhealth.dashboard.words.boards.difference import text
from benchhealth.pipeline.answering.audit import logs_below
from benchhealth.pipeline.errors import UsageError
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.read import open_current


def of_scores(settings: Settings, benchmark: str, scores: Sequence[str], items: str, shots: str) -> None:
    """Print whether two scores on the benchmark differ; `items` and `shots` are empty, one number or two with a comma.

    Raises UsageError for a benchmark that is not there or what is no score, NoGeneration where nothing is published.
    """
    _print(settings, {BENCHMARK: benchmark, FIRST: scores[0], SECOND: scores[1], ITEMS: items, SHOTS: shots})


def compare(settings: Settings, benchmark: str | None, first: str, second: str | None) -> None:
    """Print whether two models differ on the benchmark; without a second one the best of the others.

    Without a benchmark both are logs. Raises as above, and for a model without a standing result there.
    """
    if benchmark is None:
        paths = [_log(Path(name)) for name in (first, second) if name]
        exist = [path.is_file() for path in paths]
        if any(exist) and not all(exist):
            raise UsageError(f"there is no file {paths[exist.index(False)]}")
        if len(paths) < 2 or not all(exist):
            raise UsageError("say --on BENCHMARK for two models, or name two logs of a harness")
        of_logs(*paths)
        return
    if Path(first).is_file():
        raise UsageError("two logs are compared without --on")
    _print(settings, {BENCHMARK: benchmark, MODEL: first, OTHER: second or BEST})


def _log(path: Path) -> Path:
    """The log, or the one below a folder. Raises UsageError for a folder with several or none."""
    logs = logs_below(path) if path.is_dir() else [path]
    if len(logs) != 1:
        raise UsageError(f"{len(logs)} logs are in {path}: name one")
    return logs[0]


def of_logs(first: Path, second: Path) -> None:
    """Print whether two models differ by their logs, item by item. Raises UsageError where these are no such logs."""
    files = [(path.as_posix(), path.read_bytes()) for path in (first, second)]
    try:
        board = from_logs(files)
    except BoardError as error:
        raise UsageError(f"{first.name} and {second.name} are not compared: {error}") from error
    rerun = None if board.run_variances is None else board.run_variances[:2]
    names = board.models[0], board.models[1]
    difference = of_outcomes((board.values[0], board.values[1]), names, READ_AS[board.format], run_variances=rerun)
    sys.stdout.write(f"{text(difference)}\n")


def _print(settings: Settings, params: Mapping[str, str]) -> None:
    with closing(open_current(settings.home)) as generation:
        try:
            compared = score_pair(View(generation), {name: value for name, value in params.items() if value})
        except ParameterError as error:
            raise UsageError(str(error)) from error
    sys.stdout.write(f"{text(compared)}\n")
