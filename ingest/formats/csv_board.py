"""A board that is one CSV with a line a model and a column a score: what differs from board to board is declared."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Record, read_csv
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, RawRow


class Measure(NamedTuple):
    """What a column of scores is of: the benchmark, how its scores are read, on how many items; and the fact about it.

    Without a `fact` the registry knows the benchmark.
    """

    benchmark: str
    unit: str = "percent"
    n_items: str = ""
    fact: BenchmarkFact | None = None


Cells = Mapping[str, str]
Complete = Callable[[RawRow, Cells], RawRow]
MeasuresOf = Callable[[Sequence[str]], Mapping[str, Measure]]


def measure_of(fact: BenchmarkFact) -> Measure:
    """The measure of a benchmark whose scores are in the unit that its fact names."""
    return Measure(fact.benchmark, fact.unit, fact=fact)


@dataclass(frozen=True)
class CsvBoard:
    """The declaration of a board; `parse` reads a file of it.

    `measures` are the columns of scores, or what finds them in the header. `model` is the column of names and
    `required` names further columns without which a file is refused; `kind` says what a file without lines is called.
    `complete` adds to a row what else its line says (setting, day, number of items, why it is refused): it is given
    the row of one score, already refused where the line is broken, and the line's cells. `models` are the facts about
    models in the lines. A row is addressed by its line alone where `is_one_score`.
    """

    measures: Mapping[str, Measure] | MeasuresOf
    model: str = "model"
    required: tuple[str, ...] = ()
    kind: str = "a table without models"
    complete: Complete = lambda row, _cells: row
    models: Callable[[Sequence[Record]], Iterable[ModelFact]] = lambda _records: ()
    is_one_score: bool = False

    def parse(self, body: bytes, _path: str = "") -> Parsed:
        """Read a file: a row for every line and column of scores. Raises PayloadError where it is no such table."""
        return self.parsed(self.records(body))

    def records(self, body: bytes) -> list[Record]:
        """The lines of a file, of which there is one at least. Raises PayloadError where it is no such table."""
        columns = () if callable(self.measures) else self.measures
        return read_csv(body, [self.model, *columns, *self.required], empty=self.kind)

    def parsed(self, records: Sequence[Record]) -> Parsed:
        """Turn the lines of a file into rows, facts of models and facts of benchmarks."""
        measures = self.measures(list(records[0].cells)) if callable(self.measures) else self.measures
        return Parsed(
            rows=[
                self._score_row(record, column, measure) for record in records for column, measure in measures.items()
            ],
            models=list(self.models(records)),
            benchmarks=[measure.fact for measure in measures.values() if measure.fact is not None],
        )

    def _score_row(self, record: Record, column: str, measure: Measure) -> RawRow:
        row = RawRow(
            row=f"line {record.line}" if self.is_one_score else f"line {record.line}, column {column}",
            benchmark=measure.benchmark,
            model=record.cells[self.model],
            score=record.cells[column],
            unit=measure.unit,
            n_items=measure.n_items,
            reject=record.problem,
        )
        return self.complete(row, record.cells)
