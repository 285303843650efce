"""LiveCodeBench: `performances_generation.json`, pass@1 of every model on every problem, each problem dated.

The scores here are means over problems, computed from the file: over all of them, over those released in one half
year, which tells what a model does on problems newer than itself, and within those over each month's problems of one
difficulty (`<half year>/<month>-<difficulty>`), so that a break at a date can be
distinguished from problems that got harder. A model without a result for every problem has no score over all of them,
so no answer is missing in what is stored. A problem belongs to its contest, by platform and day.
The standard error is that of the mean over problems. `release_date` is what upstream takes for the end of a model's
training data, and it has changed for some models. The name is the id that was called; effort and thinking stand in
brackets in the displayed name.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from statistics import fmean, stdev
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import Entry, as_text, objects_of, pointer, read_json, slug, value_at
from benchhealth.ingest.formats.numbers import UnreadableError, read_number
from benchhealth.ingest.rows import BenchmarkFact, ItemOutcomes, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

BENCHMARK = "livecodebench"
PAPER = "https://arxiv.org/abs/2403.07974"
SETTINGS = {"low": "low effort", "med": "medium effort", "medium": "medium effort", "high": "high effort"}

_BRACKETS = re.compile(r"\(([^()]+)\)\s*$")
_EFFORT = re.compile(r"_+(?:low|medium|high)$")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Part = str
Scores = Mapping[str, float]
Parts = Mapping[Part, Sequence[str]]


class _Result(NamedTuple):
    model: str
    question: str
    day: datetime
    difficulty: str
    platform: str
    score: float


def parse(body: bytes, path: str) -> Parsed:
    """Read all problems: a row for every model over all problems, and one for every half year."""
    document = read_json(body)
    unfit = "not an object with `performances` and `models`"
    models = objects_of(value_at(document, "models"), unfit)
    performances = objects_of(value_at(document, "performances"), unfit)
    parts, contests, scores = _by_model(_results(performances))
    names = [as_text(model.get("model_repr")) for model in models]
    if len(set(names)) < len(names) or set(names) != set(scores):
        raise PayloadError("the models are not those of the performances, each once")
    rated = [
        (row, part, scores[name])
        for index, (name, model) in enumerate(zip(names, models, strict=True))
        for part, row in _rows(pointer("models", index), name, model, parts, scores[name])
    ]
    facts = [_cutoff(pointer("models", index), model) for index, model in enumerate(models)]
    cutoffs = [fact for fact in facts if fact.knowledge_cutoff]
    return Parsed(
        rows=[row for row, _, _ in rated],
        models=cutoffs,
        benchmarks=_facts(parts),
        items=[
            _items(row.row, parts[part], contests, solved)
            for row, part, solved in rated
            if "/" not in part and not row.reject
        ],
    )


SOURCE = Source(
    key="livecodebench",
    title="LiveCodeBench, problem by problem",
    homepage="https://livecodebench.github.io",
    licence="CC-BY-SA-4.0",
    redistributable=False,
    cadence="some times a year",
    files=(
        GithubFile(
            "livecodebench/livecodebench",
            "LiveCodeBench/livecodebench.github.io",
            "main",
            "src/mocks/performances_generation.json",
        ),
    ),
    parse=parse,
)


def _results(performances: Sequence[Entry]) -> Iterator[_Result]:
    for index, entry in enumerate(performances):
        question, model = as_text(entry.get("question_id")), as_text(entry.get("model"))
        try:
            score = read_number(as_text(entry.get("pass@1")))
            day = _day(as_text(entry.get("date")))
        except UnreadableError as error:
            raise PayloadError(f"/performances/{index}: {error}") from error
        if not question or not model or not 0 <= score <= 100:
            raise PayloadError(f"no question, no model or no score from 0 to 100: /performances/{index}")
        difficulty, platform = slug(as_text(entry.get("difficulty"))), as_text(entry.get("platform"))
        yield _Result(model, question, day, difficulty, platform, score)


def _by_model(results: Iterator[_Result]) -> tuple[Parts, Mapping[str, str], Mapping[str, dict[str, float]]]:
    """(problems of each part, contest of each problem, its score by model); contradictions are the file's."""
    days: dict[str, datetime] = {}
    platform: dict[str, str] = {}
    difficulty: dict[str, str] = {}
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    for result in results:
        # A few problems are dated a day apart in the results of different models; the earlier day counts.
        days[result.question] = min(result.day, days.get(result.question, result.day))
        difficulty.setdefault(result.question, result.difficulty)
        platform.setdefault(result.question, result.platform)
        if result.question in scores[result.model]:
            raise PayloadError(f"{result.model} has two results for {result.question}")
        scores[result.model][result.question] = result.score
    parts: dict[Part, list[str]] = defaultdict(list)
    for question, day in days.items():
        half = f"{day.year}h{1 if day.month <= 6 else 2}"
        parts[""].append(question)
        parts[half].append(question)
        if difficulty[question]:
            parts[f"{half}/{day:%Y-%m}-{difficulty[question]}"].append(question)
    contests = {question: f"{platform[question]} {day:%Y-%m-%d}".strip() for question, day in days.items()}
    return dict(sorted(parts.items())), contests, scores


def _rows(
    where: str, name: str, model: Mapping[str, object], parts: Parts, scores: Scores
) -> Iterator[tuple[Part, RawRow]]:
    published, setting = _name(name, as_text(model.get("model_name")))
    for part, questions in parts.items():
        solved = [scores[question] for question in questions if question in scores]
        missing = len(questions) - len(solved)
        score, error = _mean(solved)
        yield (
            part,
            RawRow(
                row=f"{where}, {len(questions)} problems{' of ' + part if part else ''} in /performances",
                benchmark=f"{BENCHMARK}/{part}" if part else BENCHMARK,
                model=published,
                score=score,
                std_error=error,
                n_items=str(len(solved)),
                setting=setting,
                reject=f"no result for {missing} of {len(questions)} problems" if missing else "",
            ),
        )


def _items(where: str, questions: Sequence[str], contests: Mapping[str, str], scores: Scores) -> ItemOutcomes:
    """The score of a model on each problem of the whole or of a half year; months of one difficulty have too few."""
    return ItemOutcomes(
        row=where,
        items=tuple(questions),
        outcomes=tuple(scores[question] / 100 for question in questions),
        clusters=tuple(contests[question] for question in questions),
    )


def _mean(solved: Sequence[float]) -> tuple[str, str]:
    """Mean and its standard error, as texts, in points; no error for a single problem."""
    if not solved:
        return "", ""
    error = f"{stdev(solved) / len(solved) ** 0.5:.4f}" if len(solved) > 1 else ""
    return f"{fmean(solved):.4f}", error


def _name(displayed: str, called: str) -> tuple[str, str]:
    """(the model, its setting): `o4-mini__high`, displayed as `O4-Mini (High)`, is o4-mini at high effort."""
    brackets = _BRACKETS.search(displayed)
    if brackets is None:
        return called or displayed, ""
    word = brackets[1].strip().casefold()
    return _EFFORT.sub("", called) or displayed, SETTINGS.get(word, word)


def _cutoff(where: str, model: Mapping[str, object]) -> ModelFact:
    name, _ = _name(as_text(model.get("model_repr")), as_text(model.get("model_name")))
    published = as_text(model.get("release_date"))
    try:
        cutoff = f"{_day(published):%Y-%m-%d}" if published else ""
    except UnreadableError:
        cutoff = published
    return ModelFact(row=f"{where}/release_date", model=name, knowledge_cutoff=cutoff)


def _day(milliseconds: str) -> datetime:
    """The instant of milliseconds since 1970. Raises UnreadableError, also outside the years 1970 to 2100."""
    number = read_number(milliseconds)
    if not 0 <= number < 4_102_444_800_000:
        raise UnreadableError(f"not milliseconds since 1970: {milliseconds!r}")
    return _EPOCH + timedelta(milliseconds=number)


def _facts(parts: Parts) -> list[BenchmarkFact]:
    all_problems = BenchmarkFact(
        benchmark=BENCHMARK,
        name="LiveCodeBench",
        metric="pass@1",
        domain="code",
        modality="text",
        floor="0",
        paper_url=PAPER,
    )
    return [all_problems] + [
        all_problems.part(part, _part_name(part), all_problems.metric)._replace(n_items=str(len(questions)))
        for part, questions in parts.items()
        if part
    ]


def _part_name(part: Part) -> str:
    half, _, stratum = part.partition("/")
    if not stratum:
        return f"problems of {half[:4]}, half {half[-1]}"
    return f"{stratum[8:]} problems of {stratum[:7]}"
