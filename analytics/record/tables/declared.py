"""What a table is declared with: its columns with unit, format and meaning, its key, who may take it, who makes it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial

import polars as pl

from benchhealth.analytics.record.tables.columns import COUNT, DAY, FLAG, INSTANT, NUMBER, NUMBERS, TEXT, TEXTS


class Form(StrEnum):
    """How a value is written; `dashboard.words.forms` has one formatter for each."""

    TEXT = "text"
    SENTENCE = "sentence"
    LINK = "link"
    TEXTS = "texts"
    NUMBERS = "numbers"
    FLAG = "flag"
    DAY = "day"
    INSTANT = "instant"
    COUNT = "count"
    PLACE = "place"
    """A whole number that is no count: a rank, a year. It has no separators."""
    NUMBER = "number"
    SCORE = "score"
    PERCENT = "percent"
    POINTS = "points"
    MONTHS = "months"
    PROBABILITY = "probability"


TYPES: Mapping[Form, pl.DataType] = {
    **dict.fromkeys((Form.TEXT, Form.SENTENCE, Form.LINK), TEXT),
    **dict.fromkeys((Form.COUNT, Form.PLACE), COUNT),
    **dict.fromkeys((Form.NUMBER, Form.SCORE, Form.PERCENT, Form.POINTS, Form.MONTHS, Form.PROBABILITY), NUMBER),
    Form.TEXTS: TEXTS,
    Form.NUMBERS: NUMBERS,
    Form.FLAG: FLAG,
    Form.DAY: DAY,
    Form.INSTANT: INSTANT,
}
"""The polars type in which each form of column is stored."""


class Unit(StrEnum):
    """What a number is counted in; the value says it to readers."""

    NONE = ""
    COUNT = "a count"
    SHARE = "share, 0 to 1"
    ROOM = "share of the way from chance to the ceiling; negative beyond it"
    ROOM_FROM_WORST = "share of the way from the worst score to the ceiling"
    POINTS = "points (hundredths of the scale)"
    SCORE = "a fraction of the scale, or the benchmark's own unit"
    FRACTION = "a fraction of the scale"
    MONTHS = "months of 30.44 days"
    DAYS = "days"
    TIMES_ERROR = "times what error explains"
    INDEX = "0 to 1, 1 is saturated"
    EARLINESS = "0 to 1: one half is even growth, near 1 an early rise, near 0 a late one"
    TURNS = "turns of the whole top ten"
    LOGITS = "logits on the stitched scale"
    STATED = "1 stated, 0 as reported"
    OF_ROW = "as the row says"


class DeclarationError(ValueError):
    """A table is declared with columns or a key that contradict one another."""


def heading(words: str) -> str:
    """The words as the head of a column: with a capital first, but for the signs of statistics, such as n, p and q.

    >>> heading("known until"), heading("n"), heading("p least")
    ('Known until', 'n', 'p least')
    """
    return words if len(words.split(" ", maxsplit=1)[0]) == 1 else f"{words[:1].upper()}{words[1:]}"


@dataclass(frozen=True)
class Column:
    """A column: `meaning` is one sentence, `title` what heads it before readers."""

    name: str
    meaning: str
    form: Form
    unit: Unit = Unit.NONE
    label: str = ""

    @property
    def kind(self) -> pl.DataType:
        """The polars type of the column, which follows from its form."""
        return TYPES[self.form]

    @property
    def title(self) -> str:
        """What heads the column before readers: its label, or else its name in words; `heading` has the rule."""
        return heading(self.label or self.name.removesuffix("_id").replace("_", " "))


text = partial(Column, form=Form.TEXT)
sentence = partial(Column, form=Form.SENTENCE)
link = partial(Column, form=Form.LINK)
texts = partial(Column, form=Form.TEXTS)
numbers = partial(Column, form=Form.NUMBERS)
flag = partial(Column, form=Form.FLAG)
day = partial(Column, form=Form.DAY)
instant = partial(Column, form=Form.INSTANT)
count = partial(Column, form=Form.COUNT, unit=Unit.COUNT)
place = partial(Column, form=Form.PLACE)
number = partial(Column, form=Form.NUMBER)
score = partial(Column, form=Form.SCORE, unit=Unit.SCORE)
percent = partial(Column, form=Form.PERCENT, unit=Unit.SHARE)
points = partial(Column, form=Form.POINTS, unit=Unit.POINTS)
months = partial(Column, form=Form.MONTHS, unit=Unit.MONTHS)
probability = partial(Column, form=Form.PROBABILITY)


class Sharing(StrEnum):
    """Which rows of a table may leave; `warehouse.sharing.rules` has the SQL of each."""

    POOLED = "pooled"
    """About everything at once: it names neither a model nor a single benchmark."""
    CURATED = "curated"
    OF_SOURCE = "of its source"
    OF_SNAPSHOT = "of the source of its snapshot"
    OF_BOARD = "of the source of its board, of which it names models"
    ABOUT_BOARD = "about a board, naming no model"
    OF_TWIN = "of the sources of both sides of a twin"
    SCORES_OF_TWIN = "of the sources of both sides and of the model"
    ABOUT_TWIN = "about a twin, naming no model"
    ABOUT_BENCHMARK = "about a benchmark, naming no model"
    OF_STEP = "of the sources that print this score of this model"
    OF_MODEL = "of the sources of the model's results"
    OF_MAKER = "of the sources that name the organisation"
    ITS_OWN = "by a rule of its own"
    STAYS = "never: what is published is made of it"


class Own(StrEnum):
    """Which rows are one's own where results were imported; `analytics.own.assessment` has the condition of each."""

    NONE = "none"
    BENCHMARK = "benchmark"
    BOARD = "board"
    TWIN = "twin"
    SOURCE = "source"
    MODEL = "model"
    BENCHMARK_OR_MODEL = "benchmark or model"
    EITHER = "either"
    """Benchmark, board or source, whichever the row is about."""


FACTS = "facts"
"""What makes a table that no entry of the graph makes: it is loaded as the warehouse holds it."""


@dataclass(frozen=True)
class Table:
    """One table: schema, key check, sharing, own rows, pages and addresses are made of this.

    `row` says what a row is. `made_by` is the entry of `analytics.graph` whose value it is, `entry.field` where that
    entry makes several, or FACTS; where nothing is given, the entry of the table's own name. Raises DeclarationError
    for a key that is missing or names no column.
    """

    name: str
    row: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    sharing: Sharing
    own: Own = Own.NONE
    made_by: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "made_by", self.made_by or self.name)
        names = [column.name for column in self.columns]
        if not self.key:
            raise DeclarationError(f"{self.name}: no key")
        if repeated := sorted({name for name in names if names.count(name) > 1}):
            raise DeclarationError(f"{self.name}: declared twice: {', '.join(repeated)}")
        if strange := [name for name in self.key if name not in names]:
            raise DeclarationError(f"{self.name}: the key names no column: {', '.join(strange)}")

    @cached_property
    def schema(self) -> pl.Schema:
        """Its columns in their order, each with its type."""
        return pl.Schema({column.name: column.kind for column in self.columns})

    @cached_property
    def by_name(self) -> Mapping[str, Column]:
        """The columns of the table, by name."""
        return {column.name: column for column in self.columns}

    def take(self, *names: str) -> tuple[Column, ...]:
        """These columns, for a table that has them too. Raises KeyError for a name that is none."""
        return tuple(self.by_name[name] for name in names)

    def without(self, *names: str) -> tuple[Column, ...]:
        """All columns but these. Raises KeyError for a name that is none."""
        left_out = [self.by_name[name] for name in names]
        return tuple(column for column in self.columns if column not in left_out)


of_benchmark = partial(Table, own=Own.BENCHMARK)
of_board = partial(Table, own=Own.BOARD)
loaded = partial(Table, made_by=FACTS)


def schema_of(columns: tuple[Column, ...]) -> pl.Schema:
    """The schema of columns that are no table of their own."""
    return pl.Schema({column.name: column.kind for column in columns})
