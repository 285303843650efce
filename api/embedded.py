"""The facts of a home, read here: the same functions that answer its dashboard's addresses."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import orjson
import polars as pl

from benchhealth.api.errors import BusyError, InvalidError, NotReadyError, RefusedError
from benchhealth.api.questions import Facts, question_of
from benchhealth.dashboard.published import questions
from benchhealth.dashboard.published.generation import ParameterError, SharedView, View
from benchhealth.dashboard.replies.cited import chart_named, figure_of
from benchhealth.dashboard.replies.reply import Reply
from benchhealth.dashboard.replies.reply_list import REPLIES
from benchhealth.warehouse.read import UNREADABLE, NoGeneration
from benchhealth.warehouse.sharing.generation import NotShareable

READER = "this process"


class Embedded(Facts):
    """What may leave of the generations that `view` gives: always one and the same, or the newest each time."""

    def __init__(self, view: Callable[[], View], address: str = "") -> None:
        """`address` is that of the dashboard over the same home, ending with a slash; replies lead to its pages."""
        self._view = view
        self.address = address

    @property
    def generation(self) -> str:
        """The name of the generation that the next reply is made of."""
        with _faults():
            return self._view().name

    def ask(self, name: str, /, **params: str) -> Reply:
        """Ask a question by its name and return the reply. Raises an error of `api.errors` where there is none."""
        question_of(name)
        with _faults():
            return REPLIES[name].of(self._shared(), params).at(self.address)

    def sql(self, query: str) -> pl.DataFrame:
        """The answer to one SELECT over the public tables."""
        with _faults():
            return questions.frame(self._view(), query, READER)

    def _rows(self, name: str, where: Mapping[str, pl.Series]) -> pl.DataFrame:
        tests = " AND ".join(f'"{column}" IN (SELECT unnest(${column}))' for column in where)
        with _faults():
            bound = {column: values.to_list() for column, values in where.items()}
            return self._shared().published.query(f'FROM "{name}"{" WHERE " + tests if tests else ""}', bound or None)

    def _figure(self, name: str, params: Mapping[str, str]) -> str:
        with _faults():
            shared = self._shared()
            return orjson.dumps(figure_of(chart_named(shared, name, params), shared.name)).decode()

    def _shared(self) -> SharedView:
        return self._view().shared()


@contextmanager
def _faults() -> Iterator[None]:
    try:
        yield
    except ParameterError as wrong:
        raise InvalidError(str(wrong)) from wrong
    except questions.Refused as refused:
        raise RefusedError(str(refused)) from refused
    except questions.Busy as busy:
        raise BusyError(str(busy)) from busy
    except (NoGeneration, NotShareable, *UNREADABLE) as missing:
        raise NotReadyError(str(missing)) from missing
