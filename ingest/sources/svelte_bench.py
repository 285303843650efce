"""SvelteBench: `benchmarks/benchmark-results-<time>.json`, a run of one model a file, on nine small components.

A model writes each component ten times (fewer where answers failed to come: `numSamples`), and tests say which are
right. `pass1` is the share of right ones, `pass10` whether any is, which is another condition (`pass@10`). The whole is
the mean of the nine, given for a run that has all of them, of `pass10` where all have ten tries. Ten tries of one
component are no ten items: they say how often the same answer comes. So only the whole has a number of items, nine.
The files hold the code that was written, of which nothing is kept here. Each run is a board of its own.
"""

import json
from collections.abc import Iterator, Sequence
from statistics import fmean

from benchhealth.ingest.formats.bodies import Entry, as_text, objects_of, pointer, read_json, slug
from benchhealth.ingest.formats.numbers import UnreadableError, read_number
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, Parsed, RawRow
from benchhealth.ingest.source import GithubTree, Source

HOMEPAGE = "https://github.com/khromov/svelte-bench"
BENCHMARK = "svelte-bench"
TESTS = ("counter", "derived", "derived-by", "each", "effect", "hello-world", "inspect", "props", "snippets")
KEPT_FIELDS = ("testName", "provider", "modelId", "numSamples", "numCorrect", "pass1", "pass10", "timestamp")
SAMPLES = "10"
ONE, ANY = "pass1", "pass10"
FREE = ":free"


def keep(body: bytes) -> bytes:
    """What may be saved of a run: everything but the code that models wrote."""
    entries = [{key: entry.get(key) for key in KEPT_FIELDS} | {"context": _context(entry)} for entry in _entries(body)]
    return json.dumps(entries, indent=1, default=str).encode()


def parse(body: bytes, path: str) -> Parsed:
    """Read a run: two rows a component, and two for their mean."""
    entries = _entries(body)
    rows = [row for index, entry in enumerate(entries) for row in _rows(index, entry)]
    return Parsed(rows=rows + list(_wholes(entries, rows)), benchmarks=list(_facts()))


SOURCE = Source(
    key="svelte-bench",
    title="SvelteBench",
    homepage=HOMEPAGE,
    licence="MIT",
    redistributable=True,
    cadence="weekly",
    files=(
        GithubTree(
            "svelte-bench/run-{0}-{1}-{2}-{3}",
            "khromov/svelte-bench",
            "main",
            r"benchmarks/benchmark-results-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2}\.\d{3})Z\.json",
        ),
    ),
    parse=parse,
    keep=keep,
)


def _entries(body: bytes) -> Sequence[Entry]:
    return objects_of(read_json(body), "not a list of tests with name, model and score", "testName", "modelId", "pass1")


def _context(entry: Entry) -> dict[str, object]:
    context = entry.get("context")
    return {"used": context.get("used")} if isinstance(context, dict) else {}


def _rows(index: int, entry: Entry) -> Iterator[RawRow]:
    name, samples = as_text(entry["testName"]), as_text(entry.get("numSamples"))
    problem = _problem(entry, name)
    settings = ["with a context" if as_text(_context(entry).get("used")) == "true" else ""]
    settings.append(f"samples={samples}" if samples != SAMPLES else "")
    for score in (ONE, ANY):
        yield RawRow(
            row=pointer(index, score),
            benchmark=f"{BENCHMARK}/{slug(name)}",
            model=_model(entry),
            score=as_text(entry.get(score)),
            unit="fraction",
            dated_on=as_text(entry.get("timestamp"))[:10],
            date_basis="evaluation",
            setting=join_settings([*settings, f"pass@{samples}" if score == ANY else ""]),
            reject=problem,
        )


def _problem(entry: Entry, name: str) -> str:
    if name not in TESTS:
        return f"unknown test: {name!r}"
    try:
        n_right, n_samples, share = (
            read_number(as_text(entry.get(key))) for key in ("numCorrect", "numSamples", "pass1")
        )
    except UnreadableError as error:
        return str(error)
    if n_samples < 1 or abs(n_right / n_samples - share) > 1e-6:
        return f"{n_right:g} right of {n_samples:g} are no {share:g}"
    return ""


def _model(entry: Entry) -> str:
    """The model as its maker or the host calls it, without what the host charges."""
    return as_text(entry["modelId"]).removesuffix(FREE)


def _wholes(entries: Sequence[Entry], rows: Sequence[RawRow]) -> Iterator[RawRow]:
    """The mean over the components of each model: one that lacks any has none."""
    for model in dict.fromkeys(_model(entry) for entry in entries):
        for score in (ONE, ANY):
            components = [row for row in rows if row.model == model and row.row.endswith(f"/{score}")]
            problem = _no_mean(components, score)
            yield components[0]._replace(
                row=f"all tests, {score}, {model}",
                benchmark=BENCHMARK,
                score="" if problem else f"{fmean(read_number(row.score) for row in components):.12g}",
                n_items=str(len(TESTS)),
                dated_on=max(row.dated_on for row in components),
                setting=f"pass@{SAMPLES}" if score == ANY else "",
                reject=problem,
            )


def _no_mean(components: Sequence[RawRow], score: str) -> str:
    """Why the components of a model have no mean; empty where they have one."""
    tests = [row.benchmark for row in components if not row.reject]
    if sorted(tests) != [f"{BENCHMARK}/{test}" for test in TESTS]:
        return f"excluded: {len(tests)} of {len(TESTS)} tests, so no mean"
    if score == ANY and any("samples=" in row.setting for row in components):
        return f"excluded: fewer than {SAMPLES} tries of a test, so no mean of any in {SAMPLES}"
    return ""


def _facts() -> Iterator[BenchmarkFact]:
    mean = BenchmarkFact(
        benchmark=BENCHMARK,
        name="SvelteBench",
        metric="mean share of right answers",
        unit="fraction",
        domain="code",
        modality="text",
        floor="0",
        n_items=str(len(TESTS)),
        paper_url=HOMEPAGE,
    )
    yield mean
    for test in TESTS:
        yield mean.part(test, test, "share of right answers")._replace(n_items="")
