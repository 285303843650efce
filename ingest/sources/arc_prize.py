"""ARC Prize's own runs of ARC-AGI-1, -2 and -3: `evaluations.json`, with names and releases from `models.json`.

Each test has sets of tasks of its own: the semi-private one is the board's and stands as the benchmark itself, the
public and private ones are parts. A row is a model at one effort or budget, under an id that says so in many ways
(`-thinking-120K-high`, `_max`, `- medium`); the model is the id without it. Rows that the board hides (`display` is
false), its human lines, and entries of the Kaggle contest and refinement systems are told apart. The files are those of
a translation of the site that others keep.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Entry, as_text, objects_of, pointer, read_json
from benchhealth.ingest.formats.folders import split_files
from benchhealth.ingest.formats.metrics import cost_of
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubArchive, Source

FOLDER = "public/media/data"
EVALUATIONS, MODELS = "evaluations.json", "models.json"


class _Set(NamedTuple):
    benchmark: str
    n_items: str
    subset: str


SETS = {
    "v1_Semi_Private": _Set("arc-agi-1", "100", "subset=semi-private"),
    "v1_Public_Eval": _Set("arc-agi-1/public", "400", ""),
    "v1_Private_Eval": _Set("arc-agi-1/private", "100", ""),
    "v2_Semi_Private": _Set("arc-agi-2", "", "subset=semi-private"),
    "v2_Public_Eval": _Set("arc-agi-2/public", "120", ""),
    "v2_Private_Eval": _Set("arc-agi-2/private", "", ""),
    "v3_Semi_Private": _Set("arc-agi-3", "", "subset=semi-private"),
    "v3_Public_Demo": _Set("arc-agi-3/public", "", ""),
}
"""Data set to the benchmark and its number of tasks, where that is published; https://arcprize.org/arc-agi-pub."""

PAPERS = {
    "arc-agi-1": "https://arxiv.org/abs/1911.01547",
    "arc-agi-2": "https://arxiv.org/abs/2505.11831",
    "arc-agi-3": "https://arcprize.org/arc-agi/3",
}
HUMANS = ("2025_human_panel", "mturker", "stem_grad")
CONTEST = "Custom"
SYSTEMS = (CONTEST, "Refinement")
_HOST = re.compile(r"-(?:openrouter|together|bedrock)$")
_BUDGET = re.compile(r"[-_ ](?:thinking-)?(?P<level>\d+k)$", re.IGNORECASE)
_EFFORT = re.compile(r"(?:[-_ ]|(?<=\d)-)(?:- )?(?P<level>none|minimal|low|medium|high|xhigh|max)(?:-effort)?$")
_THINKING = re.compile(r"(?P<name>.+?)[-_ ]thinking$", re.IGNORECASE)


def parse(body: bytes, path: str) -> Parsed:
    """Read the folder: a row for the score and one for the cost of every model on every set."""
    if not path.endswith(FOLDER):
        raise PayloadError(f"not a folder of this source: {path}")
    files = dict(split_files(body))
    models = {as_text(entry.get("id")): entry for entry in _entries(files, MODELS)}
    evaluations = _entries(files, EVALUATIONS)
    listed = Counter(_key(entry) for entry in evaluations)
    rows = [row for index, entry in enumerate(evaluations) for row in _rows(index, entry, models, listed[_key(entry)])]
    benchmark_ids = dict.fromkeys(row.benchmark for row in rows if row.benchmark)
    return Parsed(rows=rows, models=list(_models(models)), benchmarks=[_fact(name) for name in benchmark_ids])


SOURCE = Source(
    key="arc-prize",
    title="ARC Prize leaderboards, a copy",
    homepage="https://arcprize.org/leaderboard",
    licence="none given",
    redistributable=False,
    kind="crawl",
    cadence="some times a year",
    files=(
        GithubArchive(
            "arc-prize/evaluations",
            "hu-qi/arcprize-leaderboard-zh",
            "main",
            (f"{FOLDER}/{EVALUATIONS}",),
            rf"{FOLDER}/(?:evaluations|models)\.json",
            folder=FOLDER,
        ),
    ),
    parse=parse,
)


def _entries(files: Mapping[str, bytes], name: str) -> list[Entry]:
    if name not in files:
        raise PayloadError(f"no {name} in the folder")
    return objects_of(read_json(files[name]), f"{name} is not a list of objects")


def _key(entry: Entry) -> tuple[str, str]:
    return as_text(entry.get("datasetId")), as_text(entry.get("modelId"))


def _rows(index: int, entry: Entry, models: Mapping[str, Entry], times: int) -> Iterator[RawRow]:
    dataset, model_id = _key(entry)
    model = models.get(model_id)
    if dataset not in SETS or model is None:
        problem = f"an unknown model: {model_id!r}" if dataset in SETS else f"an unknown set: {dataset!r}"
        yield RawRow(pointer(EVALUATIONS, index), "", model_id, "", reject=problem)
        return
    where = SETS[dataset]
    name, setting = run_of(model_id)
    row = RawRow(
        row=pointer(EVALUATIONS, index, "score"),
        benchmark=where.benchmark,
        model=name,
        score=as_text(entry.get("score")),
        unit="fraction",
        n_items=where.n_items,
        dated_on=_released_on(model),
        date_basis="model_release",
        setting=join_settings((setting, _scaffold(model), where.subset)),
        kind="human" if model_id in HUMANS else "model",
        reject=_problem(entry, times),
    )
    yield row
    for field, part in (("costPerTask", "cost"), ("cost", "total-cost")):
        if entry.get(field) is not None:
            where_cost = pointer(EVALUATIONS, index, field)
            yield cost_of(row, where_cost, as_text(entry[field]), part=part, of_nothing="a cost of 0: not recorded")


def _problem(entry: Entry, times: int) -> str:
    if times > 1:
        return f"{times} rows of one model on one set"
    return "excluded: hidden by the board" if as_text(entry.get("display")) != "true" else ""


def run_of(model_id: str) -> tuple[str, str]:
    """(model, setting) of an id: `opus-4-6-thinking-120K-high` is opus-4-6 in `thinking=120k, effort=high`."""
    name, effort, budget = _HOST.sub("", model_id), "", ""
    if match := _EFFORT.search(name):
        name, effort = name[: match.start()].rstrip(" -"), f"effort={match['level']}"
    if match := _BUDGET.search(name):
        name, budget = name[: match.start()], f"thinking={match['level'].casefold()}"
    if (effort or budget) and (match := _THINKING.fullmatch(name)):
        name = match["name"]
    return name, join_settings((budget, effort))


def _scaffold(model: Entry) -> str:
    """A system around models, or one made for the contest, by the board's own word for it."""
    kind, provider = as_text(model.get("modelType")), as_text(model.get("providerId"))
    return f"scaffold={provider}" if kind in SYSTEMS else ""


def _released_on(model: Entry) -> str:
    """Entries of the contest carry the day of another year's (`NVARC_2025` that of 2024): they have no date."""
    return "" if as_text(model.get("modelType")) == CONTEST else as_text(model.get("modelReleaseDate"))[:10]


def _models(models: Mapping[str, Entry]) -> Iterator[ModelFact]:
    named: set[str] = set()
    for index, (model_id, model) in enumerate(models.items()):
        name = run_of(model_id)[0]
        released_on = _released_on(model)
        if released_on and as_text(model.get("modelType")) not in SYSTEMS and name not in named:
            named.add(name)
            where = pointer(MODELS, index, "modelReleaseDate")
            yield ModelFact(where, name, organisation=as_text(model.get("providerId")), released_on=released_on)


def _fact(benchmark: str) -> BenchmarkFact:
    test, *subsets = benchmark.split("/")
    cost = bool(subsets) and subsets[-1] in ("cost", "total-cost")
    words = ", ".join(subset.replace("-", " ") for subset in subsets)
    name = test.upper()
    return BenchmarkFact(
        benchmark=benchmark,
        name=f"{name}: {words}" if words else name,
        metric=("cost of a task" if subsets[-1] == "cost" else "cost of the run") if cost else "accuracy",
        unit="dollars" if cost else "fraction",
        higher_is_better=not cost,
        domain="abstract-reasoning",
        modality="text",
        floor="" if cost else "0",
        paper_url=PAPERS[test],
    )
