"""A registry of model cards: which benchmarks makers' own cards, reports and release posts mention, and some scores.

`data/model_cards.yml` lists documents with the benchmarks that each mentions, `data/benchmark_scores.yml` numbers that
were read out of them. One project chooses the documents and reads them by hand: a benchmark that no document mentions
may be mentioned in others. A document that gained a benchmark later says when it was `revised`: a mention of a
benchmark that is younger than the document is of that day. `retrieved_at` is when the project read it and dates
nothing.

A number that a maker repeats of another maker's model is no result of either. The protocol is the setting; `as
reported` says nothing. Scores are dated by their document.

Which name is which benchmark is declared in `data/registry/published_benchmark.csv`. Mentions are filed under names
that may stand for several editions (`aime` for any year, `terminal_bench` for 1.0 to 3.0): such a name keeps an id of
the source's own, because nobody can say which edition was meant. A harder subset or a stricter check of the same
problems (HealthBench Hard, HumanEval+, MATH-500 beside MATH) is mentioned under the name of the whole. Scores are filed
under the edition as well; a maker's score under the bare name of a board whose problems change (`livecodebench`) is of
some window of them, and is no result of the board: such a name is declared for mentions alone.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from benchhealth.ingest.formats.bodies import Entry, as_text, objects_of, read_yaml, slug, value_at
from benchhealth.ingest.formats.numbers import UnreadableError, read_day
from benchhealth.ingest.formats.upstream import NamedBenchmark, benchmarks_by_name, scales
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, Mention, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

KEY = "model-cards"
REPO = "ktwu01/benchmark-radar"
CARDS, SCORES = "data/model_cards.yml", "data/benchmark_scores.yml"
OPEN_ENDED: Mapping[str, str] = {"elo": "rating", "rating": "rating", "usd": "dollars", "dollars": "dollars"}
"""Units of metrics that are no percentage, as published and as they are called here."""

PARTS_IN_PROTOCOL: Mapping[str, tuple[str, ...]] = {"tau2-bench": ("Airline", "Retail", "Telecom")}
"""Benchmarks of which the protocol says that only a part was run."""


def parse(body: bytes, path: str) -> Parsed:
    """Read one of the two files."""
    document = read_yaml(body)
    if as_text(value_at(document, "schema_version")) != "1":
        raise PayloadError("not the first version of the registry's schema")
    benchmarks = objects_of(value_at(document, "benchmarks"), "no list of benchmarks")
    if path == CARDS:
        return _mentions(benchmarks, objects_of(value_at(document, "model_cards"), "no list of model_cards"))
    if path == SCORES:
        return _scores(benchmarks, objects_of(value_at(document, "results"), "no list of results"))
    raise PayloadError(f"not a file of this source: {path}")


SOURCE = Source(
    key=KEY,
    title="Benchmark Radar: which benchmarks makers' model cards mention",
    homepage=f"https://github.com/{REPO}",
    licence="MIT",
    redistributable=True,
    kind="collection",
    cadence="weekly",
    files=(
        GithubFile("model-cards/mentions", REPO, "main", CARDS),
        GithubFile("model-cards/scores", REPO, "main", SCORES),
    ),
    parse=parse,
)


def _benchmark(published: str, used_for: str) -> NamedBenchmark:
    """The benchmark that a mention or a score is filed under, and the subset that its name states as a setting."""
    own_benchmark = NamedBenchmark(f"{KEY}-{slug(published)}")
    return benchmarks_by_name(KEY, used_for).get(published, own_benchmark)


def _mentions(benchmarks: Sequence[Entry], cards: Sequence[Entry]) -> Parsed:
    released = {as_text(entry.get("id")): as_text(entry.get("released")) for entry in benchmarks}
    if "" in released or len(released) < len(benchmarks):
        raise PayloadError("a benchmark without an id, or two of one id")
    return Parsed(
        mentions=[mention for card in cards for mention in _of_card(card, released)],
        benchmarks=[_fact(entry) for entry in benchmarks],
    )


def _of_card(card: Entry, released: Mapping[str, str]) -> Iterator[Mention]:
    listed = card.get("benchmarks")
    if not isinstance(listed, list) or not as_text(card.get("id")):
        raise PayloadError("a card without an id or a list of benchmarks")
    published, revised = as_text(card.get("published")), as_text(card.get("revised"))
    for name in map(as_text, listed):
        is_younger = released.get(name, "") > published
        yield Mention(
            row=f"{as_text(card['id'])}, {name}",
            benchmark=_benchmark(name, "mention").benchmark,
            document=as_text(card["id"]),
            kind=as_text(card.get("document_type")),
            organisation=as_text(card.get("organization")),
            model=as_text(card.get("model")),
            mentioned_on=revised if is_younger and revised else published,
            url=as_text(card.get("url")),
            reject=_problem(name, released, is_younger=is_younger and not revised),
        )


def _problem(name: str, released: Mapping[str, str], *, is_younger: bool) -> str:
    if name not in released:
        return f"a benchmark that the registry does not list: {name[:50]!r}"
    return "the benchmark is younger than the document, which was not revised" if is_younger else ""


def _fact(entry: Entry) -> BenchmarkFact:
    published, address = as_text(entry["id"]), as_text(entry.get("url"))
    published_scale = scales(KEY).get(published)
    return BenchmarkFact(
        benchmark=_benchmark(published, "mention").benchmark,
        name=as_text(entry.get("name")) or published,
        metric="score",
        unit=published_scale.unit if published_scale else "percent",
        domain=as_text(entry.get("domain")).replace("_", "-"),
        released_on=_day(as_text(entry.get("released"))),
        paper_url=address if address.startswith("https://") else "",
    )


def _day(published: str) -> str:
    """The day where it is one, else empty: a benchmark is known without it."""
    try:
        return read_day(published).isoformat()
    except UnreadableError:
        return ""


def _scores(benchmarks: Sequence[Entry], results: Sequence[Entry]) -> Parsed:
    metrics = {as_text(entry.get("benchmark_id")): entry for entry in benchmarks}
    occurrences: Counter[str] = Counter()
    rows: list[RawRow] = []
    for entry in results:
        row = _score_row(entry, metrics)
        occurrences[row.row] += 1
        rows.append(row._replace(row=f"{row.row} ({occurrences[row.row]})") if occurrences[row.row] > 1 else row)
    facts = {row.benchmark: _measure(entry, row, metrics) for entry, row in zip(results, rows, strict=True)}
    return Parsed(rows=rows, benchmarks=list(facts.values()))


def _score_row(entry: Entry, metrics: Mapping[str, Entry]) -> RawRow:
    instrument, protocol = as_text(entry.get("instrument")), as_text(entry.get("protocol"))
    document, model = as_text(entry.get("source_id")), as_text(entry.get("model"))
    benchmark, subset = _benchmark(instrument, "score")
    if benchmark in PARTS_IN_PROTOCOL:
        of_part = [words for words in protocol.split(", ") if words in PARTS_IN_PROTOCOL[benchmark]]
        benchmark = f"{benchmark}/{slug(of_part[0])}" if len(of_part) == 1 else benchmark
        protocol = ", ".join(words for words in protocol.split(", ") if words not in of_part)
    reported_by, maker = as_text(entry.get("reported_by")), as_text(entry.get("organization"))
    is_described = as_text(entry.get("benchmark_id")) in metrics and bool(slug(instrument))
    return RawRow(
        row=f"{document}, {model}, {instrument}, {as_text(entry.get('protocol'))}",
        benchmark=benchmark,
        model=model,
        score=as_text(entry.get("value")),
        unit=_unit(entry, metrics),
        dated_on=as_text(entry.get("reported_at")),
        date_basis="paper",
        setting=join_settings([subset, "" if protocol == "as reported" else protocol]),
        reporter="self",
        reject=(
            f"excluded: a number of {maker}'s model that {reported_by} repeats"
            if reported_by and reported_by != maker
            else ""
            if is_described
            else "a score without a benchmark that the file describes"
        ),
    )


def _unit(entry: Entry, metrics: Mapping[str, Entry]) -> str:
    unit = as_text(metrics.get(as_text(entry.get("benchmark_id")), {}).get("unit")).casefold()
    return OPEN_ENDED.get(unit, unit or "percent")


def _measure(entry: Entry, row: RawRow, metrics: Mapping[str, Entry]) -> BenchmarkFact:
    about = metrics.get(as_text(entry.get("benchmark_id")), {})
    return BenchmarkFact(
        benchmark=row.benchmark,
        name=as_text(entry.get("instrument")).replace("_", " "),
        metric=as_text(about.get("metric")) or "score",
        unit=row.unit,
        higher_is_better=as_text(about.get("direction")) != "lower_is_better",
    )
