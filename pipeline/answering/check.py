"""The command that holds one model against every second measurement: printed, and written where asked."""

import logging
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from benchhealth.dashboard.published.generation import ParameterError, View
from benchhealth.dashboard.report.checked.content import on_model
from benchhealth.dashboard.report.plain import text
from benchhealth.pipeline.errors import UsageError
from benchhealth.pipeline.report import save, writer
from benchhealth.pipeline.settings import Settings
from benchhealth.warehouse.read import open_current

LOGGER = logging.getLogger(__name__)


def check(settings: Settings, model: str, *, outputs: Sequence[Path] = ()) -> None:
    """Print what the current generation says of a model, and write it to `outputs`, each in the format of its suffix.

    Raises UsageError for another suffix, a folder that does not exist or a model that is not there, and NoGeneration
    where nothing is published yet.
    """
    writers = [writer(output) for output in outputs]
    with closing(open_current(settings.home)) as generation:
        try:
            report = on_model(View(generation), model)
        except ParameterError as unknown:
            raise UsageError(str(unknown)) from unknown
        sys.stdout.write(text(report))
        for output, written in zip(outputs, writers, strict=True):
            save(output, written(report))
            LOGGER.info("wrote %s", output)
