"""MMLU-Redux: `outputs/multi_expert_helm/all.csv`, 5,700 questions of MMLU with what 14 models answered, by HELM.

A line a question: the key of MMLU (0 to 3), what people who checked it say is wrong with it (`error_type`, `ok` where
nothing is), and a column a model with the letter that it gave. The file holds 100 questions of each of 57 subjects, in
the order of the subjects' names, and names none of them: a question is called by its subject and its place there, and
by its place alone, of no subject, where a file has another number of lines. A score is the share answered with MMLU's
key, a faulty one too: it is a result on a part of MMLU, and no score on the repaired questions. What is no letter from
A to D is an answer that could not be read, and wrong. The columns that begin with `majority`, `gt`, `entropy` and
`pred` are made from the models' answers and the key together, and are not used.
"""

import csv
import io
from collections.abc import Mapping, Sequence

from benchhealth.ingest.formats.bodies import Record, read_csv
from benchhealth.ingest.formats.by_item.hashed_answers import hashed
from benchhealth.ingest.rows import ItemOutcomes, Parsed, PayloadError, RawRow, UnknownFormError
from benchhealth.ingest.source import GithubFile, Source

BENCHMARK = "mmlu"
SETTING = "5-shot, subset=questions of MMLU-Redux"
KEY, LABEL = "groundtruth_answer", "error_type"
OPTION_LETTERS = "ABCD"
LABELS = frozenset(
    {
        *("ok", "wrong_groundtruth", "no_correct_answer", "multiple_correct_answers"),
        *("bad_question_clarity", "bad_options_clarity", "expert"),
    }
)
MODELS = (
    "anthropic_claude-3-5-sonnet-20240620",
    "anthropic_claude-3-opus-20240229",
    "meta_llama-3.1-405b-instruct-turbo",
    "openai_gpt-4o-2024-05-13",
    "qwen_qwen2.5-72b-instruct-turbo",
    "google_gemini-1.5-pro-001",
    "openai_gpt-4-0613",
    "qwen_qwen2-72b-instruct",
    "writer_palmyra-x-004",
    "openai_gpt-4-turbo-2024-04-09",
    "google_gemini-1.5-pro-preview-0409",
    "meta_llama-3.2-90b-vision-instruct-turbo",
    "meta_llama-3.1-70b-instruct-turbo",
    "mistralai_mistral-large-2407",
)
A_SUBJECT = 100
SUBJECTS = (
    *("abstract-algebra", "anatomy", "astronomy", "business-ethics", "clinical-knowledge", "college-biology"),
    *("college-chemistry", "college-computer-science", "college-mathematics", "college-medicine", "college-physics"),
    *("computer-security", "conceptual-physics", "econometrics", "electrical-engineering", "elementary-mathematics"),
    *("formal-logic", "global-facts", "high-school-biology", "high-school-chemistry"),
    *("high-school-computer-science", "high-school-european-history", "high-school-geography"),
    *("high-school-government-and-politics", "high-school-macroeconomics", "high-school-mathematics"),
    *("high-school-microeconomics", "high-school-physics", "high-school-psychology", "high-school-statistics"),
    *("high-school-us-history", "high-school-world-history", "human-aging", "human-sexuality", "international-law"),
    *("jurisprudence", "logical-fallacies", "machine-learning", "management", "marketing", "medical-genetics"),
    *("miscellaneous", "moral-disputes", "moral-scenarios", "nutrition", "philosophy", "prehistory"),
    *("professional-accounting", "professional-law", "professional-medicine", "professional-psychology"),
    *("public-relations", "security-studies", "sociology", "us-foreign-policy", "virology", "world-religions"),
)
_RIGHT, _WRONG = "right", "wrong"


def keep(body: bytes) -> bytes:
    """Of the file what may be saved: label, and of each model's answer whether it is the key, and a hash of it."""
    records = read_csv(body, [KEY, LABEL, *MODELS])
    text = io.StringIO(newline="")
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow((LABEL, *MODELS))
    lines.writerows(_kept_cells(record) for record in records)
    return text.getvalue().encode()


def parse(body: bytes, path: str) -> Parsed:
    """Read what is kept of the file, or the file itself: every model's accuracy, and its outcome on each question."""
    records = read_csv(body if not _is_whole(body) else keep(body), [LABEL, *MODELS], empty="no question")
    if broken := next((record for record in records if record.problem), None):
        raise PayloadError(f"line {broken.line}: {broken.problem}")
    labels = tuple(record.cells[LABEL] for record in records)
    if unknown_labels := sorted(set(labels) - LABELS)[:3]:
        raise UnknownFormError(f"labels that are not known: {unknown_labels}")
    evaluated = [_model(model, records, labels) for model in MODELS]
    return Parsed(rows=[row for row, _ in evaluated], items=[items for _, items in evaluated])


SOURCE = Source(
    key="mmlu-redux",
    title="MMLU-Redux: faulty questions of MMLU, and HELM's answers to them",
    homepage="https://github.com/aryopg/mmlu-redux",
    licence="CC-BY-4.0",
    redistributable=True,
    kind="paper",
    cadence="once",
    files=(GithubFile("mmlu-redux/mmlu-redux", "aryopg/mmlu-redux", "main", "outputs/multi_expert_helm/all.csv"),),
    parse=parse,
    keep=keep,
)


def _is_whole(body: bytes) -> bool:
    return KEY.encode() in body.partition(b"\n")[0]


def _kept_cells(record: Record) -> Sequence[str]:
    """Raises PayloadError for a line without a key: nobody can say who is right."""
    cells = record.cells
    if record.problem or cells[KEY] not in ("0", "1", "2", "3"):
        raise PayloadError(f"line {record.line}: {record.problem or f'no key: {cells[KEY][:20]!r}'}")
    key = OPTION_LETTERS[int(cells[KEY])]
    return (cells[LABEL], *(_answer(cells[model], key) for model in MODELS))


def _answer(letter: str, key: str) -> str:
    if len(letter) != 1 or letter not in OPTION_LETTERS:
        return _WRONG
    return f"{_RIGHT if letter == key else _WRONG} {hashed(letter)}"


def _model(model: str, records: Sequence[Record], labels: tuple[str, ...]) -> tuple[RawRow, ItemOutcomes]:
    answers = [_outcome(record.cells, model) for record in records]
    right = sum(outcome for outcome, _ in answers)
    subjects = _subjects(len(records))
    row = RawRow(
        row=f"column {model}",
        benchmark=BENCHMARK,
        model=model.replace("_", "/", 1),
        score=f"{100 * right / len(answers):.4f}",
        n_items=str(len(answers)),
        setting=SETTING,
    )
    items = ItemOutcomes(
        row=row.row,
        items=tuple(f"{subject}/{position % A_SUBJECT}" for position, subject in enumerate(subjects))
        or tuple(map(str, range(len(records)))),
        outcomes=tuple(outcome for outcome, _ in answers),
        clusters=subjects,
        chosen=tuple(chosen for _, chosen in answers),
        labels=labels,
    )
    return row, items


def _subjects(lines: int) -> tuple[str, ...]:
    """The subject of each line; empty where the file has another number of lines than 100 of each subject."""
    if lines != A_SUBJECT * len(SUBJECTS):
        return ()
    return tuple(subject for subject in SUBJECTS for _ in range(A_SUBJECT))


def _outcome(cells: Mapping[str, str], model: str) -> tuple[float, str]:
    """(outcome, hash of the option). Raises PayloadError where a cell is not as `keep` writes it."""
    outcome, _, chosen = cells[model].partition(" ")
    if outcome not in (_RIGHT, _WRONG) or (outcome == _RIGHT and not chosen):
        raise PayloadError(f"not an answer that was kept: {cells[model][:30]!r}")
    return float(outcome == _RIGHT), chosen
