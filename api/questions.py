"""The questions that a generation answers, on this machine or at the address of a dashboard."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.api.errors import InvalidError
from benchhealth.dashboard.published.generation import ParameterError, did_you_mean, slug
from benchhealth.dashboard.replies.cited import spec_of
from benchhealth.dashboard.replies.reply import Reply
from benchhealth.dashboard.replies.reply_list import REPLIES

if TYPE_CHECKING:
    import plotly.graph_objects as go

ALSO_CALLED: Mapping[str, str] = {"benchmark": "benchmark_id", "model": "model_id", "source": "source_id"}
"""Columns by the words that questions use for them."""

CHARTS: Mapping[str, str] = {"frontier": "curve"}
"""Charts by the name of the table that they draw."""

Cell = str | int | float | bool | date


class Facts(ABC):
    """The public facts of one generation or of a dashboard: everything that may leave, as its pages say it.

    A `Reply` has the sentences of the page (`text`), codes and numbers (`data`), `known_until`, `conditions`,
    `citation` and `page`. All methods raise `InvalidError` for what there is not, and `NotReadyError` where no
    generation can be read.

    >>> import benchhealth as bh
    >>> facts = bh.open(HOME)
    >>> facts.answer("exam", "order").data["reply"]
    'No'
    >>> facts.table("verdict", benchmark="exam").columns[:2]
    ['benchmark_id', 'stage']
    """

    address: str = ""
    """The address of the dashboard whose pages show the same, ending with a slash; empty where none is known."""

    @property
    @abstractmethod
    def generation(self) -> str:
        """The name of the generation that replies are made of: cite it, and the same name gives the same replies."""

    @abstractmethod
    def ask(self, name: str, /, **params: str) -> Reply:
        """The reply to one of `benchhealth.dashboard.replies.reply_list`, by name; the other methods are these.

        >>> facts = bh.open(HOME)
        >>> facts.ask("answer", benchmark="exam", question="order") == facts.answer("exam", "order")
        True
        """

    @abstractmethod
    def sql(self, query: str) -> pl.DataFrame:
        """The answer to one SELECT over the public tables in the SQL of DuckDB, at most 10,000 rows.

        Raises RefusedError for anything else than one SELECT over them, and where it takes too long.

        >>> bh.open(HOME).sql("SELECT count(*) AS n FROM benchmark WHERE curated")["n"].item()
        6
        """

    @abstractmethod
    def _rows(self, name: str, where: Mapping[str, pl.Series]) -> pl.DataFrame:
        """The rows of a table whose columns have one of these values, in its order."""

    @abstractmethod
    def _figure(self, name: str, params: Mapping[str, str]) -> str:
        """The figure of a chart in Plotly's JSON form."""

    def benchmarks(self, *, curated: bool = True) -> pl.DataFrame:
        """The benchmarks with the stage of each, by id: the curated ones, or all.

        Columns: those of table `benchmark`, then stage, flags, since and as_of of table `verdict`.

        >>> bh.open(HOME).benchmarks()["benchmark_id"].to_list()[:2]
        ['arena', 'exam']
        """
        verdict = self.table("verdict").select("benchmark_id", "stage", "flags", "since", "as_of")
        rows = self.table("benchmark").join(verdict, on="benchmark_id", how="left").sort("benchmark_id")
        rows = rows.with_columns(pl.col("stage").fill_null("unknown"))
        return rows.filter(pl.col("curated").fill_null(value=False)) if curated else rows

    def table(self, name: str, **where: Cell | Sequence[Cell] | None) -> pl.DataFrame:
        """A published table, or its rows of these values: a list stands for any of them, null matches nothing.

        `benchmark`, `model` and `source` stand for `benchmark_id`, `model_id` and `source_id`. What each column means:
        `/api/` of a dashboard, or its Data page. For pandas: `.to_pandas()`.

        >>> bh.open(HOME).table("benchmark", unit="rating")["benchmark_id"].to_list()
        ['arena']
        """
        if name not in PUBLISHED:
            raise InvalidError(f"no table {name[:40]!r}; there are {', '.join(sorted(PUBLISHED))}")
        cells: dict[str, pl.Series] = {}
        for column, value in where.items():
            named = column if column in PUBLISHED[name] else ALSO_CALLED.get(column, column)
            if named not in PUBLISHED[name]:
                raise InvalidError(f"table {name} has no column {column[:40]!r}; it has {', '.join(PUBLISHED[name])}")
            values = [value] if value is None or isinstance(value, Cell) else list(value)
            try:
                cells[named] = pl.Series(named, values).cast(PUBLISHED[name][named])
            except (pl.exceptions.PolarsError, TypeError) as wrong:
                raise InvalidError(f"no value of column {named} of table {name}: {str(value)[:40]!r}") from wrong
        rows = self._rows(name, cells)
        for column in cells.keys() & ALSO_CALLED.values():
            self._check_known(column, cells[column].filter(~cells[column].is_in(rows[column].implode())).drop_nulls())
        return rows

    def _check_known(self, column: str, values: pl.Series) -> None:
        """Check that benchmarks, models or sources without a row are known at all; raises InvalidError."""
        noun = column.removesuffix("_id")
        if values.len() and self._rows(noun, {column: values}).height < values.n_unique():
            known_rows = self._rows(noun, {})
            unknown = values.filter(~values.is_in(known_rows[column].implode()))[0]
            names = dict(known_rows.select(column, "name").drop_nulls().iter_rows()) if noun == "model" else {}
            suggestion = did_you_mean(slug(unknown), known_rows[column].to_list(), names)
            raise InvalidError(f"no {noun} {unknown[:80]!r}{suggestion}; one is named by its id")

    def answer(self, benchmark: str, question: str = "stage") -> Reply:
        """The answer to one question about a benchmark, by its id or its whole name.

        Questions: room, order, second, seen, labels, reporters, looked, stage, outlook, instead.

        >>> bh.open(HOME).answer("Exam", "looked").data["question"]
        'Do results still come in?'
        """
        return self.ask("answer", benchmark=benchmark, question=question)

    def benchmark(self, benchmark: str) -> Reply:
        """What a benchmark is, its stage, and all answers about it.

        >>> reply = bh.open(HOME).benchmark("exam")
        >>> reply.data["stage"], sorted(reply.data["answers"])[:2]
        ('saturated', ['instead', 'labels'])
        """
        return self.ask("benchmark", benchmark=benchmark)

    def model(self, model: str) -> Reply:
        """The position of a model, and the evidence for it.

        >>> bh.open(HOME).model("Model 3").data["model"]["place"]
        28
        """
        return self.ask("model", model=model)

    def check(self, model: str) -> Reply:
        """One model against every second measurement of what it was tested on.

        >>> [row["other_id"] for row in bh.open(HOME).check("model-3").data["rows"]]
        ['exam-fresh']
        """
        return self.ask("check", model=model)

    def compare(self, first: str, second: str, on: str | None = None) -> Reply:
        """Two models on one benchmark, or on all that both stand on; `second` may be "best" where one is named.

        >>> bh.open(HOME).compare("model-3", "best", on="exam").data["case"]
        'real'
        """
        return self.ask("compare", a=first, b=second, benchmark=on or "")

    def difference(
        self, benchmark: str, first: float | str, second: float | str, *, n: str | int = "", shots: str | int = ""
    ) -> Reply:
        """Whether two scores on a benchmark differ by more than chance; `n` items and `shots`: "198" or "198,200".

        >>> bh.open(HOME).difference("exam", 71.2, 72.4).data["case"]
        'within'
        """
        params = {"first": str(first), "second": str(second), "n": str(n), "shots": str(shots)}
        return self.ask("difference", benchmark=benchmark, **params)

    def corroboration(self, benchmark: str, model: str | None = None) -> Reply:
        """Who measured the best scores of a benchmark, and what others found of those that their makers report.

        >>> bh.open(HOME).corroboration("exam", model="model-30").data["rows"][0]["class"]
        'measured'
        """
        return self.ask("corroboration", benchmark=benchmark, model=model or "")

    def search(self, query: str, each: int = 6) -> Reply:
        """Benchmarks, models, leaderboards and sources by parts of their names; of each kind the first `each`.

        >>> [group["total"] for group in bh.open(HOME).search("exam").data["groups"]][0]
        5
        """
        return self.ask("search", q=query, each=str(each))

    def cite(self, benchmark: str | None = None, question: str = "", *, chart: str | None = None, **params: str) -> str:
        """How to cite the answer to a question about a benchmark, or a chart with its parameters: one line.

        >>> bh.open(HOME).cite("exam", "order").startswith("benchhealth: Exam. Do the top models differ beyond error?")
        True
        """
        about = {"benchmark": benchmark or "", "question": question, "chart": CHARTS.get(chart or "", chart or "")}
        return self.ask("cite", **{name: value for name, value in {**about, **params}.items() if value}).citation

    def chart(self, name: str, **params: str) -> "go.Figure":
        """A chart of the pages as a figure of Plotly; its finding is the title, `layout.meta` has alt and citation.

        `frontier` is the chart `curve`; a name that there is not is answered with all that there are.

        >>> figure = bh.open(HOME).chart("frontier", benchmark="exam")
        >>> figure.layout.meta["known_until"]
        '2024-12-20'
        """
        from plotly.io import from_json  # noqa: PLC0415 - takes a second

        called = CHARTS.get(name, name)
        try:
            spec_of(called, params)
        except ParameterError as wrong:
            raise InvalidError(str(wrong)) from wrong
        return from_json(self._figure(called, params), skip_invalid=True)


def question_of(name: str) -> None:
    """Check the name of a question. Raises InvalidError where there is none of that name."""
    if name not in REPLIES:
        raise InvalidError(f"no question {name[:40]!r}; there are {', '.join(REPLIES)}")
