"""τ²-Bench: one `submission.json` for each entry of its leaderboard, by domain, in text and (since 2026-03) by voice.

Each domain is a set of tasks of its own, so it is a part; a run by voice is another test, and so another benchmark. The
score is pass^1, the share of trials that succeed; pass^2 to pass^4 (all of two to four trials) and the cost of a task
are parts of the domain. The whole is the board's own mean of airline, retail and telecom, for entries that have all
three; banking is a board of its own there. Who plays the user, the version of the tasks, the effort, how the bank's
documents are searched and whether the agent is the board's own are the setting.

The Claude 4 entries of 2025 were run on the original τ-bench and say so: they are that benchmark's. An entry that is
dated before τ²-Bench existed is of something else or wrongly dated, and is not taken.
"""

import re
from collections.abc import Iterator
from statistics import fmean

from benchhealth.ingest.formats.bodies import Entry, as_text, object_at, pointer, read_json, value_at
from benchhealth.ingest.formats.metrics import cost_of
from benchhealth.ingest.formats.numbers import UnreadableError, is_nothing, read_day, read_number
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubTree, Source

TEXT, VOICE, ORIGINAL, BANKING = "tau2-bench", "tau2-bench-voice", "tau-bench", "tau3-banking"
NAMES = {TEXT: "tau2-Bench", VOICE: "tau2-Bench by voice", ORIGINAL: "tau-bench", BANKING: "tau3-Bench, banking"}
PAPERS = {
    TEXT: "https://arxiv.org/abs/2506.07982",
    VOICE: "https://github.com/sierra-research/tau2-bench",
    ORIGINAL: "https://arxiv.org/abs/2406.12045",
    BANKING: "https://github.com/sierra-research/tau2-bench",
}
CORE = ("airline", "retail", "telecom")
"""The domains that the board's mean is taken over."""

TRIALS = ("pass_1", "pass_2", "pass_3", "pass_4")
BEGUN = "2025-06-09"
"""When τ²-Bench was published; https://arxiv.org/abs/2506.07982."""

SAME_MAKER = frozenset({frozenset({"Qwen", "Alibaba"})})
"""Two names of one organisation: who submits and who made the model."""

_PATH = re.compile(r"(?:.*/)?submissions/([^/]+)/submission\.json")


def parse(body: bytes, path: str) -> Parsed:
    """Read one entry: a row for each domain, number of trials and cost that it has."""
    match = _PATH.fullmatch(path)
    entry = read_json(body)
    if match is None or not isinstance(entry, dict):
        raise PayloadError(f"not an entry of this leaderboard: {path}")
    results, method = entry.get("results"), entry.get("methodology")
    if not isinstance(results, dict) or not results or not isinstance(method, dict):
        raise PayloadError("an entry without results or methodology")
    benchmark = _benchmark(entry, method)
    reject = _problem(match[1], benchmark, method)
    blank = _blank(benchmark, entry, method)
    rows = [row for domain, scores in results.items() for row in _rows(blank, as_text(domain), scores)]
    rows = [row._replace(reject=row.reject or reject) for row in (*_overall(benchmark, rows), *rows)]
    benchmark_ids = dict.fromkeys(row.benchmark for row in rows)
    return Parsed(rows=rows, models=_models(entry, reject), benchmarks=[_fact(name) for name in benchmark_ids])


SOURCE = Source(
    key="tau2",
    title="tau2-Bench leaderboard, text and voice",
    homepage="https://github.com/sierra-research/tau2-bench",
    licence="MIT",
    redistributable=True,
    cadence="some times a month",
    files=(
        GithubTree(
            "tau2/{0}",
            "sierra-research/tau2-bench",
            "main",
            r"web/leaderboard/public/submissions/([^/]+)/submission\.json",
        ),
    ),
    parse=parse,
)


def _benchmark(entry: Entry, method: Entry) -> str:
    if as_text(method.get("tau2_bench_version")) == "original tau-bench":
        return ORIGINAL
    modality = as_text(entry.get("modality")) or "text"
    if modality not in ("text", "voice"):
        raise PayloadError(f"an unknown modality: {modality!r}")
    return VOICE if modality == "voice" else TEXT


def _problem(folder: str, benchmark: str, method: Entry) -> str:
    if folder.startswith("A_EXAMPLE_"):
        return "excluded: an example of the form, no entry"
    dated_on = as_text(method.get("evaluation_date"))
    try:
        early = benchmark == TEXT and read_day(dated_on) < read_day(BEGUN)
    except UnreadableError:
        return ""
    return f"dated {dated_on}, before the benchmark was published ({BEGUN})" if early else ""


def _setting(entry: Entry, method: Entry) -> str:
    """What the entry says about its run. `v` before a version is dropped: both forms are in use for one version."""
    verified = object_at(method, "verification")
    kind = as_text(entry.get("submission_type")) or "standard"
    return join_settings(
        (
            _setting_part("effort", as_text(entry.get("reasoning_effort"))),
            _setting_part("user simulator", as_text(method.get("user_simulator"))),
            _setting_part("version", as_text(method.get("tau2_bench_version")).removeprefix("v")),
            "" if kind == "standard" else f"scaffold={kind}",
            "prompt=modified" if verified.get("modified_prompts") is True else "",
            "subset=questions omitted" if verified.get("omitted_questions") is True else "",
        )
    )


def _setting_part(name: str, value: str) -> str:
    return f"{name}={value}" if value else ""


def _blank(benchmark: str, entry: Entry, method: Entry) -> RawRow:
    """What all rows of an entry have in common."""
    evaluated_on = as_text(method.get("evaluation_date"))
    return RawRow(
        row="",
        benchmark=benchmark,
        model=as_text(entry.get("model_name")),
        score="",
        dated_on=evaluated_on or as_text(entry.get("submission_date")),
        date_basis="evaluation" if evaluated_on else "submission",
        setting=_setting(entry, method),
        reporter="self" if _reports_on_itself(entry) else "third_party",
    )


def _rows(blank: RawRow, domain: str, scores: object) -> Iterator[RawRow]:
    banking = domain == "banking_knowledge" and blank.benchmark == TEXT
    is_known, fields = banking or domain in CORE, {} if scores is None else scores
    if not is_known or not isinstance(fields, dict):
        problem = "not scores" if is_known else f"an unknown domain: {domain!r}"
        yield blank._replace(row=pointer("results", domain), reject=problem)
        return
    row = blank._replace(
        row=pointer("results", domain, "pass_1"),
        benchmark=BANKING if banking else f"{blank.benchmark}/{domain}",
        score=as_text(fields.get("pass_1")),
        setting=join_settings((blank.setting, _setting_part("retrieval", as_text(fields.get("retrieval_config"))))),
    )
    yield row
    for trials in TRIALS[1:]:
        if fields.get(trials) is not None:
            test = f"{row.benchmark}/{trials.replace('_', '-')}"
            yield row._replace(row=pointer("results", domain, trials), benchmark=test, score=as_text(fields[trials]))
    if fields.get("cost") is not None:
        yield cost_of(row, pointer("results", domain, "cost"), as_text(fields["cost"]))


def _overall(benchmark: str, rows: list[RawRow]) -> Iterator[RawRow]:
    """The board's mean over its three domains, to four decimals; nothing where one of them has no score."""
    core = [row for row in rows for domain in CORE if row.benchmark == f"{benchmark}/{domain}"]
    try:
        scores = [read_number(row.score) for row in core if not is_nothing(row.score)]
    except UnreadableError:
        return
    if benchmark != ORIGINAL and len(scores) == len(CORE):
        row = pointer("results") + ", mean of airline, retail and telecom"
        yield core[0]._replace(row=row, benchmark=benchmark, score=f"{fmean(scores):.4f}")


def _reports_on_itself(entry: Entry) -> bool:
    maker, submitter = as_text(entry.get("model_organization")), as_text(entry.get("submitting_organization"))
    return maker == submitter or frozenset({maker, submitter}) in SAME_MAKER


def _models(entry: Entry, reject: str) -> list[ModelFact]:
    released_on = as_text(value_at(entry, "model_release", "release_date"))
    if not released_on or reject.startswith("excluded"):
        return []
    organisation = as_text(entry.get("model_organization"))
    name = as_text(entry.get("model_name"))
    return [ModelFact(pointer("model_release"), name, organisation=organisation, released_on=released_on)]


def _fact(benchmark: str) -> BenchmarkFact:
    board, *subsets = benchmark.split("/")
    words = [subset.replace("-", " ") for subset in subsets]
    trials = words[-1].removeprefix("pass ") if words and words[-1].startswith("pass") else "1"
    cost = bool(words) and words[-1] == "cost"
    return BenchmarkFact(
        benchmark=benchmark,
        name=": ".join((NAMES[board], ", ".join(words))) if words else NAMES[board],
        metric="cost of a task" if cost else f"pass^{trials}",
        unit="dollars" if cost else "percent",
        higher_is_better=not cost,
        domain="agentic",
        modality="audio" if board == VOICE else "text",
        floor="" if cost else "0",
        paper_url=PAPERS[board],
    )
