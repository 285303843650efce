"""MMLU-Pro: `eval_results/model_outputs_<model>_5shots.zip`, a model's answers to 12,032 questions, one JSON a zip.

The score is the share of the questions held that were answered with the key, both as the file gives them. So `pred`
null, where no option could be read out of the answer, is wrong; the authors draw an option there, and what they print
is up to 2 points higher for models that often give none. Of 21 models whose accuracy they print, 20 come to within .3
points of it when a draw is worth one in as many as there are options; Qwen1.5-72B-Chat is another run than the printed
one. Where a file lacks questions, the score is of those it has, as printed (DeepSeek-Coder-V2: 10,351, most of the
others in chemistry and engineering), and the others are missing answers. Some lists hold names of subjects between the
questions, which are counted and left out.

A question belongs to its subject (`category`). Its key is the file's own: 33 were corrected before the last three
files, and 3 of them before the three files before. An option is told apart by its words, a few of which were edited,
and no words are saved: see `keep`.
"""

import re
from collections import Counter
from collections.abc import Iterator

from benchhealth.ingest.formats.bodies import as_text, path_parts, read_json_list
from benchhealth.ingest.formats.by_item.hashed_answers import Answer, hashed, item_outcomes, read_answers, write_answers
from benchhealth.ingest.network import zipped
from benchhealth.ingest.network.payload import FetchError
from benchhealth.ingest.rows import ItemOutcomes, Parsed, PayloadError, RawRow, UnknownFormError
from benchhealth.ingest.source import ZIP_TYPES, GithubTree, Source

HOMEPAGE = "https://github.com/TIGER-AI-Lab/MMLU-Pro"
BENCHMARK = "mmlu-pro"
SETTING = "5-shot, cot"
WEIGHTS_FORMAT = "-hf"
OPTIONS = {letter: place for place, letter in enumerate("ABCDEFGHIJ")}
FIRST, LAST = 70, 12256
_GAPS = (
    "130 236 367 427 537 634 690 987 998 1024 1098 1151 1182 1230 1351 1378 1379 1400 1417 1421 1466 1582 1640 "
    "1700 1743 1884 2012 2025 2038 2094 2250 2402 2433 2585 2628 2629 2636 2641 2685 2689 2708 2720 2761 2764 "
    "2774 2777 2822 2837 3093 3107 3211 3688 3702 3980 4026 4083 4222 4393 4423 4427 4446 4478 4755 4759 4766 "
    "4769 4803 4805 4821 5010 5046 5068 5372 5392 5459 5470 5511 5551 5572 5614 5638 5671 5685 5691 5722 5783 "
    "5802 5835 5925 6025 6084 6192 6283 6365 6538 6694 6835 6991 7039 7067 7131 7197 7229 7254 7305 7320 7337 "
    "7349 7357 7379 7472 7476 7507 8039 8158 8268 8342 8707 8915 9641 9812 9879 9929 9956 10065 10085 10109 10117 "
    "10172 10184 10246 10294 10381 10388 10417 10519 10596 10597 10658 10692 10789 10804 10824 10960 10977 10997 "
    "11027 11103 11112 11113 11131 11277 11387 11470 11876"
)
"""Numbers between the first and the last that no question of the test has."""

QUESTIONS = frozenset(map(str, range(FIRST, LAST + 1))) - frozenset(_GAPS.split())
LEAST_SHARE_OF_TEST = 0.8
"""The smallest share of the questions for which a list is a result on the test."""

MEMBER_BYTES = 64 * 2**20

_FILE = re.compile(r"eval_results/model_outputs_(.+)_5shots\.zip")
_MEMBER = r"(?:[^/]+/)*[^/]+\.json"
_DOT = re.compile(r"(?<=\d)_(?=\d)")


def keep(body: bytes) -> bytes:
    """Of a model's answers what may be saved: subject, outcome and a hash of the chosen option of each question."""
    try:
        lists = [member.body for member in zipped.members(HOMEPAGE, body, _MEMBER, member_bytes=MEMBER_BYTES)]
    except FetchError as error:
        raise PayloadError(error.detail) from error
    if len(lists) != 1:
        raise PayloadError(f"a zip with {len(lists)} lists of answers")
    return write_answers(_answers(lists[0]))


def parse(body: bytes, path: str) -> Parsed:
    """Read what is kept of one model's answers, or the zip itself: its accuracy, and its outcome on each question."""
    file = path_parts(_FILE, path)
    answers = read_answers(keep(body) if body.startswith(b"PK") else body)
    sound = [answer for answer in answers if not answer.problem]
    numbers = Counter(answer.item for answer in sound)
    if unknown := sorted(numbers.keys() - QUESTIONS)[:5]:
        raise UnknownFormError(f"questions that the test does not have: {unknown}")
    if numbers and numbers.most_common(1)[0][1] > 1:
        raise PayloadError(f"question {numbers.most_common(1)[0][0]} is answered twice")
    row = RawRow(
        row=f"every question, {len(sound)} in all",
        benchmark=BENCHMARK,
        model=_DOT.sub(".", file[1]).removesuffix(WEIGHTS_FORMAT),
        score=f"{100 * sum(answer.outcome for answer in sound) / len(sound):.4f}" if sound else "",
        n_items=str(len(sound)),
        setting=SETTING,
        reject=""
        if len(sound) >= LEAST_SHARE_OF_TEST * len(QUESTIONS)
        else f"{len(sound)} of {len(QUESTIONS)} questions",
    )
    items: list[ItemOutcomes] = []
    if not row.reject:
        items.append(item_outcomes(row.row, sound, sorted(QUESTIONS - numbers.keys(), key=int)))
    return Parsed(rows=[row, *_unfit(answers, row)], items=items)


SOURCE = Source(
    key="mmlu-pro",
    title="MMLU-Pro, question by question",
    homepage=HOMEPAGE,
    licence="Apache-2.0",
    redistributable=True,
    cadence="some times a year",
    files=(GithubTree("mmlu-pro/{0}", "TIGER-AI-Lab/MMLU-Pro", "main", _FILE.pattern, ZIP_TYPES),),
    parse=parse,
    keep=keep,
)


def _answers(body: bytes) -> Iterator[Answer]:
    for entry in read_json_list(body):
        if not isinstance(entry, dict):
            yield Answer("", problem="no question")
            continue
        number, key, chosen = (as_text(entry.get(name)) for name in ("question_id", "answer", "pred"))
        options = entry.get("options")
        if not number or key not in OPTIONS or (chosen and chosen not in OPTIONS) or not isinstance(options, list):
            yield Answer(number, problem="no number, no key or no option")
            continue
        # An option that the question does not have was chosen too, and is wrong.
        words = as_text(options[OPTIONS[chosen]]) if chosen and OPTIONS[chosen] < len(options) else chosen
        outcome = float(chosen == key)
        yield Answer(number, as_text(entry.get("category")), outcome, hashed(words) if chosen else "")


def _unfit(answers: list[Answer], row: RawRow) -> Iterator[RawRow]:
    """A rejection for each kind of entry that is no answer, with the number of those."""
    for problem, times in sorted(Counter(answer.problem for answer in answers if answer.problem).items()):
        yield row._replace(row=f"entries: {problem}", score="", n_items="", reject=f"{times} entries: {problem}")
