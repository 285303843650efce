"""SQuAD's leaderboards 1.1 and 2.0: every dated submission with exact match and F1.

A submission is described in free text, usually `Name (single model) (Institution) http://paper`. The address is taken
off; the institution stays in the name, because two institutions mean two systems, and is given as the organisation too.
The same name submitted again later is another result of the same model: its setting says when it was submitted.
"""

import re
from collections import defaultdict
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import as_text, declared_file, list_of, read_json, value_at
from benchhealth.ingest.formats.numbers import day_of_instant
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, RawRow
from benchhealth.ingest.source import GithubFile, Source

BENCHMARKS = {"out-v1.1.json": ("squad-1.1", "SQuAD 1.1"), "out-v2.0.json": ("squad-2.0", "SQuAD 2.0")}
METRICS = (("exact_match", "", "exact match"), ("f1", "/f1", "F1"))

_ADDRESS = re.compile(r"\s*(?:https?://|www\.)\S*\s*$")
_INSTITUTION = re.compile(r"\)\s*\(([^()]+)\)\s*$")


class _Submission(NamedTuple):
    place: int
    name: str
    created: str
    submitted_on: str
    scores: dict[str, str]
    reject: str


def parse(body: bytes, path: str) -> Parsed:
    """Read one leaderboard: two rows a submission, exact match and F1, and a model fact for an institution named."""
    benchmark, title = declared_file(BENCHMARKS, path)
    entries = list_of(value_at(read_json(body), "leaderboard"), "no list under the key leaderboard")
    submissions = [_submission(rank, entry) for rank, entry in enumerate(entries)]
    settings = _settings(submissions)
    return Parsed(
        rows=[
            _score_row(submission, benchmark + suffix, metric, settings[submission.place])
            for submission in submissions
            for metric, suffix, _ in METRICS
        ],
        models=_models(submissions),
        benchmarks=[
            BenchmarkFact(
                benchmark=benchmark + suffix,
                name=title if not suffix else f"{title}, {words}",
                metric=words,
                domain="reading-comprehension",
                modality="text",
            )
            for _, suffix, words in METRICS
        ],
    )


SOURCE = Source(
    key="squad",
    title="SQuAD leaderboards",
    homepage="https://rajpurkar.github.io/SQuAD-explorer/",
    licence="MIT",
    redistributable=True,
    cadence="closed since 2023",
    files=(
        GithubFile("squad/squad-1.1", "rajpurkar/SQuAD-explorer", "master", "out-v1.1.json"),
        GithubFile("squad/squad-2.0", "rajpurkar/SQuAD-explorer", "master", "out-v2.0.json"),
    ),
    parse=parse,
)


def _submission(rank: int, entry: object) -> _Submission:
    submission, scores = value_at(entry, "submission"), value_at(entry, "scores")
    if not isinstance(submission, dict) or not isinstance(scores, dict):
        return _Submission(rank, "", "", "", {}, "not a submission with scores")
    description = submission.get("description")
    name = " ".join(_ADDRESS.sub("", description).split()) if isinstance(description, str) else ""
    reject = ""
    if not name:
        reject = "a submission without a name"
    elif name.startswith("{") and '"submit_id"' in name:
        reject = "a record of identifiers where the name should be"
    created = as_text(submission.get("created"))
    written = {key: value if isinstance(value, str) else "" for key, value in scores.items()}
    return _Submission(rank, name, created, day_of_instant(created) or "no date", written, reject)


def _settings(submissions: list[_Submission]) -> dict[int, str]:
    """Nothing for a name's first submission; the day of the submission for the later ones, numbered within a day."""
    by_name: defaultdict[str, list[_Submission]] = defaultdict(list)
    for submission in submissions:
        by_name[submission.name.casefold()].append(submission)
    settings: dict[int, str] = {}
    for same_name in by_name.values():
        in_time = sorted(same_name, key=lambda submission: (submission.submitted_on, submission.created))
        used: set[str] = set()
        for number, submission in enumerate(in_time):
            setting = f"resubmitted {submission.submitted_on}" if number else ""
            settings[submission.place] = setting if setting not in used else f"{setting}, number {number + 1}"
            used.add(setting)
    return settings


def _score_row(submission: _Submission, benchmark: str, metric: str, setting: str) -> RawRow:
    return RawRow(
        row=f"/leaderboard/{submission.place}/scores/{metric}",
        benchmark=benchmark,
        model=submission.name,
        score=submission.scores.get(metric, ""),
        dated_on=submission.submitted_on,
        date_basis="submission",
        setting=setting,
        reject=submission.reject,
    )


def _models(submissions: list[_Submission]) -> list[ModelFact]:
    """One fact a name: the institution is the last of several parentheses."""
    facts: dict[str, ModelFact] = {}
    for submission in submissions:
        institution = _INSTITUTION.search(submission.name)
        if institution and not submission.reject:
            row = f"/leaderboard/{submission.place}/submission/description"
            fact = ModelFact(row=row, model=submission.name, organisation=institution[1].strip())
            facts.setdefault(submission.name.casefold(), fact)
    return list(facts.values())
