"""What a source's parser returns: strings as published, each with its own address in the file."""

from dataclasses import dataclass, field
from typing import NamedTuple


class PayloadError(ValueError):
    """The file as a whole is not what this source publishes; nothing of it may be used."""


class UnknownFormError(PayloadError):
    """The file may be sound but has not the documented form: it is held until a curator has looked."""


class RawRow(NamedTuple):
    """One published number. A row that must not become a result carries the reason in `reject`.

    `benchmark` is a benchmark_id: the registry's where the registry knows the benchmark, otherwise
    `<source key>-<slug>`; a part of another benchmark (a task, a second metric) is `<benchmark_id>/<slug>`.
    `unit` says how to read `score` and `std_error`: percent, fraction, or the name of an unbounded unit
    (rating, minutes, dollars ...). `dated_on` is ISO or empty: YYYY-MM-DD, or YYYY-MM of a source that
    `analytics.record.model_facts.precision` names; what cannot be read as a date is passed on verbatim, to be rejected
    with its text. A declared exclusion has a `reject` that begins with `excluded: `. `printed_in` is the document or
    board that the row names as where its number stands; empty where the number is the file's own.
    """

    row: str
    benchmark: str
    model: str
    score: str
    unit: str = "percent"
    std_error: str = ""
    n_items: str = ""
    dated_on: str = ""
    date_basis: str = ""
    setting: str = ""
    reporter: str = "third_party"
    kind: str = "model"
    reject: str = ""
    printed_in: str = ""


class ModelFact(NamedTuple):
    """What a source says about a model itself. Empty means that the source does not say.

    `is_spelling`: it is there for how it spells the model's name, and is kept though it says nothing else.
    """

    row: str
    model: str
    organisation: str = ""
    released_on: str = ""
    open_weights: str = ""
    knowledge_cutoff: str = ""
    reject: str = ""
    is_spelling: bool = False


class BenchmarkFact(NamedTuple):
    """What a source says about a benchmark that the registry does not hold; published as not curated.

    `floor` and `ceiling` are in the row's own unit; `released_on` is ISO. Empty means that the source does not say.
    """

    benchmark: str
    name: str
    metric: str
    unit: str = "percent"
    higher_is_better: bool = True
    domain: str = ""
    modality: str = ""
    floor: str = ""
    n_items: str = ""
    released_on: str = ""
    paper_url: str = ""

    def part(self, part: str, name: str, metric: str) -> "BenchmarkFact":
        """A part of the benchmark, or a second metric of it."""
        return self._replace(benchmark=f"{self.benchmark}/{part}", name=f"{self.name}: {name}", metric=metric)

    def cost(self, part: str, name: str, metric: str) -> "BenchmarkFact":
        """What the benchmark costs a model, in dollars."""
        in_dollars = self._replace(unit="dollars", higher_is_better=False, floor="", n_items="")
        return in_dollars.part(part, name, metric)


class ContaminationReport(NamedTuple):
    """What a source says about the items of a benchmark in training data.

    `benchmark` is a benchmark_id as in RawRow, `subject` the model or corpus (`subject_kind`) that was looked at.
    `share` is the part of the split's items, read in `unit` (percent or fraction), empty where none was measured.
    `method` says how it was found: shares of two methods are not compared. `reference_url` is where it was published.
    """

    row: str
    benchmark: str
    subject: str
    method: str
    reference_url: str
    subject_kind: str = "model"
    split: str = ""
    share: str = ""
    unit: str = "percent"
    reject: str = ""


class Mention(NamedTuple):
    """That a document of a model's maker reports a benchmark, whatever the score.

    `benchmark` is a benchmark_id as in RawRow, `document` the source's name of the card, report or release post and
    `kind` what it is. `model` is the model or models that it is about, as published. `mentioned_on` is ISO: the day of
    the document, or of the revision that brought the mention in. `url` is where the document stands.
    """

    row: str
    benchmark: str
    document: str
    kind: str
    organisation: str
    model: str
    mentioned_on: str
    url: str
    reject: str = ""


class ListedName(NamedTuple):
    """A `name` that a registry lists under its own entry `listed`: a claim, by which no names are merged.

    `entity` is model or benchmark.
    """

    row: str
    entity: str
    listed: str
    name: str
    reject: str = ""


class OwnClaim(NamedTuple):
    """A claim about a benchmark by someone who imports results on it: who has its labels, and of what it is a twin.

    `benchmark` is a second measurement of what `twin_of` measures, of the kind `twin_kind`. Empty: not said.
    """

    row: str
    benchmark: str
    labels: str = ""
    twin_of: str = ""
    twin_kind: str = ""


class ItemOutcomes(NamedTuple):
    """What a model did on each item of a test, where a file says so: the row at the address `row`, item by item.

    `outcomes` are shares of the item's points, from 0 to 1, in the order of `items`. An item of the row's number of
    items that is not among them is one on which the outcome is 0: some files list what was solved alone. `clusters` are
    what the items belong to (subject, repository, passage) and `chosen` the option that the model gave, both in the
    order of `items`, or empty where the file does not say; an option that could not be read is an empty text. The names
    of options are never stored: a hash is. `missing` are items of the test that this row holds no answer to at all.
    `labels` are what people who checked the items say of each (`ok`, `wrong_groundtruth`), in the order of `items`, or
    empty: a fact about the items, that every list of the same file repeats.
    """

    row: str
    items: tuple[str, ...]
    outcomes: tuple[float, ...]
    reject: str = ""
    clusters: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


class Price(NamedTuple):
    """What a provider asks for a model: dollars for a million tokens read (`input`), written (`output`), or cached.

    `terms` says when the price holds where it is not the usual one (above a number of tokens, between hours), and
    `starts_on` from which day, ISO, where the source says so. Empty means that the source does not say.
    """

    row: str
    provider: str
    model: str
    input: str = ""
    output: str = ""
    cache_read: str = ""
    cache_write: str = ""
    terms: str = ""
    starts_on: str = ""
    reject: str = ""


@dataclass(frozen=True)
class Parsed:
    """Everything one file says; each row, model, report, mention, name, list of items and price is kept or rejected.

    Claims come with rows, which are accounted for.
    """

    rows: list[RawRow] = field(default_factory=list)
    models: list[ModelFact] = field(default_factory=list)
    benchmarks: list[BenchmarkFact] = field(default_factory=list)
    reports: list[ContaminationReport] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    names: list[ListedName] = field(default_factory=list)
    claims: list[OwnClaim] = field(default_factory=list)
    items: list[ItemOutcomes] = field(default_factory=list)
    prices: list[Price] = field(default_factory=list)
