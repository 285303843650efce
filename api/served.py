"""The facts of a dashboard that somebody serves, over HTTP: the addresses that its Data page lists, and no others."""

import io
from collections import OrderedDict
from collections.abc import Mapping

import orjson
import polars as pl

from benchhealth.api.errors import BusyError, InvalidError, NotReadyError, RefusedError, UnreachableError
from benchhealth.api.questions import Facts, question_of
from benchhealth.dashboard.replies.reply import Reply
from benchhealth.ingest.network.instance import DashboardAnswer, InstanceError, ask, base_of

TABLES_KEPT = 8
"""Tables that are kept, so that another question of the same table is not another download."""

_UNAVAILABLE, _TOO_MANY = 503, 429


class Served(Facts):
    """What a dashboard at an address answers; the generation may change between two questions, and each reply names its
    own. All methods raise UnreachableError besides.
    """

    def __init__(self, address: str) -> None:
        """Raises UnreachableError for what is no address."""
        try:
            self.address = base_of(address)
        except InstanceError as wrong:
            raise UnreachableError(str(wrong)) from wrong
        self._tables: OrderedDict[tuple[str, str], pl.DataFrame] = OrderedDict()

    @property
    def generation(self) -> str:
        """The name of the generation that is served now."""
        return str(self._json("meta.json", {})["generation"])

    def ask(self, name: str, /, **params: str) -> Reply:
        """Ask a question by its name and return the reply. Raises an error of `api.errors` where there is none."""
        question_of(name)
        query = {key: value for key, value in params.items() if value}
        try:
            return Reply.of(self._json(f"reply/{name}.json", query))
        except (KeyError, TypeError, ValueError) as wrong:
            if isinstance(wrong, InvalidError):
                raise
            raise UnreachableError(f"{self.address} answers in another form") from wrong

    def sql(self, query: str) -> pl.DataFrame:
        """The answer to one SELECT over the public tables."""
        try:
            return pl.read_ipc(self._body("query.arrow", {"sql": query}))
        except InvalidError as refused:
            raise RefusedError(str(refused)) from refused

    def _rows(self, name: str, where: Mapping[str, pl.Series]) -> pl.DataFrame:
        rows = self._table(name)
        for column, values in where.items():
            rows = rows.filter(pl.col(column).is_in(values.implode()))
        return rows

    def _table(self, name: str) -> pl.DataFrame:
        key = (self.generation, name)
        if key not in self._tables:
            self._tables[key] = pl.read_parquet(io.BytesIO(self._body(f"data/{name}.parquet", {})))
            while len(self._tables) > TABLES_KEPT:
                self._tables.popitem(last=False)
        return self._tables[key]

    def _figure(self, name: str, params: Mapping[str, str]) -> str:
        return self._body(f"chart/{name}.plotly", params).decode()

    def _json(self, path: str, params: Mapping[str, str]) -> dict[str, object]:
        try:
            document = orjson.loads(self._body(path, params))
        except orjson.JSONDecodeError as wrong:
            raise UnreachableError(f"{self.address} answers in another form") from wrong
        if not isinstance(document, dict):
            raise UnreachableError(f"{self.address} answers in another form")
        return document

    def _body(self, path: str, params: Mapping[str, str]) -> bytes:
        try:
            answer = ask(self.address, path, params)
        except InstanceError as failed:
            raise UnreachableError(str(failed)) from failed
        if answer.status != 200:
            raise self._refused(answer)
        return answer.body

    def _refused(self, answer: DashboardAnswer) -> Exception:
        text = answer.body[:2000].decode(errors="replace").strip()
        if answer.media_type != "text/plain":
            return UnreachableError(
                f"{self.address} answered {answer.status}: no such dashboard, or one behind a login"
            )
        if answer.status in (_UNAVAILABLE, _TOO_MANY):
            return NotReadyError(text) if text.startswith("not ready") else BusyError(text)
        if answer.status in (400, 404):
            return InvalidError(text)
        return UnreachableError(f"{self.address} answered {answer.status}: {text}")
