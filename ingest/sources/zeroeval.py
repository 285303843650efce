"""ZeroEval: `result_dirs/<test>/<model>.json`, what models wrote to each question of three tests, asked alike.

The tests are GSM8K, CRUXEval (what a short program returns) and the questions of MATH, level 5, whose answer is a whole
number. The score is the authors', from `<test>.summary.json`. The outcomes are graded here, from the answer inside the
text, as their graders do (`formats/by_item/graders.py`). A model whose outcomes do not add up to its printed accuracy,
to within one question, has a score and no list: the rejection says both numbers. Some files are called otherwise than
in the summary. A run of fewer than 80% of the questions is no result on the test; of the others, questions that a
model's file lacks are missing answers. Neither question nor answer is saved: see `keep`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import as_text, objects_of, path_parts, pointer, read_json, read_json_list
from benchhealth.ingest.formats.by_item.graders import literal, number_in, written_answer
from benchhealth.ingest.formats.by_item.hashed_answers import Answer, hashed, item_outcomes, read_answers, write_answers
from benchhealth.ingest.formats.folders import split_files
from benchhealth.ingest.formats.numbers import UnreadableError, read_count
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, ItemOutcomes, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubArchive, Source

HOMEPAGE = "https://github.com/WildEval/ZeroEval"
SETTING = "0-shot, cot, greedy"
LEAST_SHARE_OF_TEST = 0.8
"""The smallest share of a test's questions for which a run is a result on it."""


class _Test(NamedTuple):
    benchmark: str
    n_items: int
    subset: str = ""


TESTS: Mapping[str, _Test] = {
    "gsm": _Test("gsm8k", 1_319),
    "crux": _Test("zeroeval-cruxeval-o", 800),
    "math-l5": _Test("math-level-5", 721, "subset=whole-number answers"),
}
LITERALS = "crux"
"""The test whose answers are literals of a program; those of the others are numbers."""

CRUXEVAL = BenchmarkFact(
    benchmark=TESTS["crux"].benchmark,
    name="CRUXEval-O (ZeroEval)",
    metric="accuracy",
    domain="code",
    modality="text",
    floor="0",
    n_items="800",
    released_on="2024-01-05",
    paper_url="https://arxiv.org/abs/2401.03065",
)
CALLED: Mapping[str, str] = {
    "DeepSeek-Coder-V2-0724": "deepseek-v2-coder-0724",
    "Llama-3.1-405B-Inst-fp8": "Llama-3.1-405B-Inst-fp8@together",
    "Llama-3.1-405B-Instruct-Turbo": "Llama-3.1-405B-Inst-fp8@together",
    "Meta-Llama-3.1-405B-Instruct@hyperbolic": "Llama-3.1-405B-Inst@hyperbolic",
    "deepseek-chat": "deepseek-v2-chat-0628",
    "deepseek-coder": "deepseek-v2-coder-0614",
    "gemma-2-27b-it@together": "gemma-2-27b-it",
}
"""What a file is called to what the summary calls the model, where that is another name."""

LONGEST_ANSWER = 40_000
"""Characters of a text out of which an answer is read; the longest there are have 23,000."""

PRINTED = ("Model", "Mode", "Acc", "Total")
_FOLDER = re.compile(r"result_dirs/(gsm|crux|math-l5)")


def keep(body: bytes) -> bytes:
    """Of one file what may be saved: the printed accuracies, or the outcomes and hashes of a model's answers."""
    try:
        entries = read_json_list(body)
        first = next(entries, None)
        if isinstance(first, dict) and "Acc" in first:
            return json.dumps([_printed(first), *map(_printed, entries)]).encode()
        return write_answers([_graded(first), *map(_graded, entries)])
    except PayloadError as error:
        return write_answers([Answer("", problem=str(error))])


def parse(body: bytes, path: str) -> Parsed:
    """Read what is kept of a test: a row for every model of its summary, and the lists of those that have a file."""
    folder = path_parts(_FOLDER, path)
    test, summary = TESTS[folder[1]], f"{folder[1]}.summary.json"
    files = dict(split_files(body))
    if summary not in files:
        raise PayloadError(f"the accuracies are not there: {summary}")
    entries = objects_of(read_json(files.pop(summary)), "not a list of models")
    rows = {as_text(entry.get("Model")): _test_row(pointer(index), entry, test) for index, entry in enumerate(entries)}
    if len(rows) < len(entries):
        raise PayloadError("a model has two accuracies")
    lists = {name: read_answers(content) for name, content in files.items()}
    everything = {answer.item: None for answers in lists.values() for answer in answers if answer.item}
    return Parsed(
        rows=list(rows.values()),
        benchmarks=[CRUXEVAL] if folder[1] == LITERALS else [],
        items=[_items(name.removesuffix(".json"), answers, rows, everything) for name, answers in lists.items()],
    )


SOURCE = Source(
    key="zeroeval",
    title="ZeroEval, question by question",
    homepage=HOMEPAGE,
    licence="none stated",
    redistributable=False,
    cadence="some times a year",
    files=(
        GithubArchive(
            "zeroeval/{0}",
            "WildEval/ZeroEval",
            "main",
            tuple(f"result_dirs/{test}.summary.json" for test in TESTS),
            r"result_dirs/(?:gsm|crux|math-l5)(?:\.summary\.json|/[^/]+\.json)",
            folder=_FOLDER.pattern,
            keep=keep,
        ),
    ),
    parse=parse,
)


def _printed(entry: object) -> dict[str, str]:
    if not isinstance(entry, dict):
        raise PayloadError("not a list of models")
    return {name: as_text(entry.get(name)) for name in PRINTED}


def _graded(entry: object) -> Answer:
    """One answer with its outcome; of another form, with what is wrong."""
    if not isinstance(entry, dict):
        return Answer("", problem="not an answer")
    output = entry.get("output")
    item, key, test = (as_text(entry.get(name)) for name in ("session_id", "answer", "dataset"))
    text = output[0] if isinstance(output, list) and output and isinstance(output[0], str) else None
    if not item or not key or test not in TESTS or text is None or len(text) > LONGEST_ANSWER:
        return Answer(
            item, problem=f"no name, no key, no text of up to {LONGEST_ANSWER} characters, or an unknown test"
        )
    answer = written_answer(text)
    if answer is None:
        return Answer(item)
    chosen, right = _graded_text(answer, key, is_literal=test == LITERALS)
    return Answer(item, outcome=float(right), chosen=hashed(chosen))


def _graded_text(answer: str, key: str, *, is_literal: bool) -> tuple[str, bool]:
    """(the answer in its plainest form, whether it is the key)."""
    if is_literal:
        return literal(answer), literal(answer) == literal(key)
    number = number_in(answer)
    return (answer, False) if number is None else (repr(number), number == number_in(key))


def _test_row(where: str, entry: Mapping[str, object], test: _Test) -> RawRow:
    model, _, host = as_text(entry.get("Model")).partition("@")
    total = as_text(entry.get("Total"))
    return RawRow(
        row=f"{where}/Acc",
        benchmark=test.benchmark,
        model=model,
        score=as_text(entry.get("Acc")),
        n_items=total,
        setting=join_settings([SETTING, test.subset, f"host={host}" if host else ""]),
        reject=_problem(as_text(entry.get("Mode")), total, test),
    )


def _problem(mode: str, total: str, test: _Test) -> str:
    if mode != "greedy":
        return f"asked in another way: {mode!r}"
    try:
        answered = read_count(total)
    except UnreadableError as error:
        return str(error)
    if not LEAST_SHARE_OF_TEST * test.n_items <= answered <= test.n_items:
        return f"{answered} of {test.n_items} questions"
    return ""


def _items(
    name: str, answers: Sequence[Answer], rows: Mapping[str, RawRow], everything: Mapping[str, None]
) -> ItemOutcomes:
    row = rows.get(CALLED.get(name, name))
    if row is None:
        return ItemOutcomes(name, (), (), reject="no accuracy is printed of it")
    problem = next((answer.problem for answer in answers if answer.problem), "")
    answered = {answer.item for answer in answers}
    missing = [item for item in everything if item not in answered]
    return item_outcomes(row.row, answers, missing, f"{name}.json: {problem}" if problem else row.reject)
