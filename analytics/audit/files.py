"""The board in the files that somebody brings: one table, or logs of a harness."""

from collections.abc import Mapping, Sequence

from benchhealth.analytics.audit.board import Board, BoardError
from benchhealth.analytics.audit.csv_board import UNNAMED, from_csv
from benchhealth.analytics.audit.logs import from_logs, is_log


def board_in(files: Sequence[tuple[str, bytes]], column_names: Mapping[str, str] = UNNAMED) -> Board:
    """The board of these files, given as path and bytes. Raises BoardError, a sentence, where there is none.

    `column_names` says which column of a table is which (`table.COLUMNS`), where that is not by its name.
    """
    if not any(body for _, body in files):
        raise BoardError("it is empty")
    if all(is_log(body) for _, body in files):
        return from_logs(files)
    if len(files) > 1:
        raise BoardError("several files are logs of harnesses, one a model; a table is one file")
    return from_csv(files[0][1], column_names)
