"""LM Contamination Index (Sainz et al. 2023): which splits of which test were found in which model or corpus.

`<split>_percent` is the share found, in percent; the papers that it comes from looked in different ways, so each report
keeps its paper's method. `contaminated` and `suspicious` are reports, with or without a share; `clean` says that it was
looked for and not found, which gives no share of zero and is a declared exclusion.
"""

from collections.abc import Iterator

from benchhealth.ingest.formats.bodies import Entry, as_text, objects_of, pointer, read_json, slug
from benchhealth.ingest.formats.numbers import is_nothing
from benchhealth.ingest.rows import ContaminationReport, Parsed
from benchhealth.ingest.source import GithubFile, Source

HOMEPAGE = "https://hitz-zentroa.github.io/lm-contamination/"
CORPORA = ("C4", "OSCAR", "The Pile", "RedPajama")
SPLITS = ("train", "dev", "test")

N_GRAM = "an N-gram of 8 to 13 words in the training data"
METHODS = {
    "": "asked to recite examples of the split",
    "https://arxiv.org/abs/2005.14165": N_GRAM,
    "https://arxiv.org/abs/2109.01652": f"{N_GRAM}, after Brown et al. 2020",
    "https://arxiv.org/abs/2112.06905": f"{N_GRAM}, after Brown et al. 2020",
    "https://arxiv.org/abs/2204.02311": "at least 70% of the 8-grams in the training data",
    "https://arxiv.org/abs/2303.08774": "any of three 50-character substrings of the question in the training data",
    "https://arxiv.org/abs/2307.09288": "runs of tokens that match the training data",
    "https://arxiv.org/abs/2308.08493": "asked to complete an instance of the split, judged by a language model",
    "https://arxiv.org/abs/2310.20707": "all inputs of an instance in one document of the corpus",
}
"""By paper. A paper that is not here keeps its report, with a method that says no more than that."""
AS_STATED = "as the paper says"

BENCHMARKS = {
    "ARC (challenge)": "arc-challenge",
    "BoolQ": "boolq",
    "DROP": "drop",
    "GSM8K": "gsm8k",
    "HellaSwag": "hellaswag",
    "HumanEval": "humaneval",
    "HummanEval": "humaneval",
    "IMDB": "imdb",
    "LAMBADA": "lambada",
    "MMLU": "mmlu",
    "MNLI-m": "glue/mnli/m",
    "MNLI-mm": "glue/mnli/mm",
    "MRPC": "glue/mrpc",
    "Natural Questions": "natural-questions",
    "OpenBookQA": "openbookqa",
    "PIQA": "piqa",
    "QNLI": "glue/qnli",
    "QQP": "glue/qqp",
    "RTE": "glue/rte",
    "SQuADv2": "squad-2.0",
    "STSB": "glue/sts-b",
    "TriviaQA": "triviaqa",
    "WNLI": "glue/wnli",
    "WinoGrande": "winogrande",
}
"""Data sets that are one benchmark of the registry; the others get ids of this source."""


def parse(body: bytes, _path: str) -> Parsed:
    """Read the index: a report for each split of each entry of which something is said."""
    entries = objects_of(read_json(body), "not a list of entries with corpus and dataset", "corpus", "dataset")
    return Parsed(reports=[report for index, entry in enumerate(entries) for report in _reports(index, entry)])


SOURCE = Source(
    key="lm-contamination",
    title="LM Contamination Index",
    homepage=HOMEPAGE,
    licence="none stated",
    redistributable=False,
    kind="retired",
    cadence="closed since 2023-11",
    files=(GithubFile("lm-contamination/index", "hitz-zentroa/lm-contamination", "main", "data.json"),),
    parse=parse,
)


def _reports(index: int, entry: Entry) -> Iterator[ContaminationReport]:
    dataset, subject = as_text(entry["dataset"]), as_text(entry["corpus"])
    source = as_text(entry.get("source"))
    entry_report = ContaminationReport(
        row=pointer(index),
        benchmark=BENCHMARKS.get(dataset) or (f"lm-contamination-{slug(dataset)}" if slug(dataset) else ""),
        subject=subject,
        method=METHODS.get(source, AS_STATED),
        reference_url=source or HOMEPAGE,
        subject_kind="corpus" if subject in CORPORA else "model",
        reject="excluded: nothing is said of any split",
    )
    stated_splits = [split for split in SPLITS if _is_said(entry, split)]
    if not stated_splits:
        yield entry_report
    for split in stated_splits:
        judged, share = as_text(entry.get(f"{split}_split")), as_text(entry.get(f"{split}_percent"))
        yield entry_report._replace(
            row=pointer(index, split),
            split=split,
            share=share,
            **_method_and_doubt(judged, entry_report.method, nothing=is_nothing(share)),
        )


def _is_said(entry: Entry, split: str) -> bool:
    return not all(is_nothing(as_text(entry.get(f"{split}_{field}"))) for field in ("split", "percent"))


def _method_and_doubt(judged: str, method: str, *, nothing: bool) -> dict[str, str]:
    """The method with the index's own doubt, and why the report does not count (or empty)."""
    if judged == "suspicious":
        return {"method": f"{method}; suspicious, not certain", "reject": ""}
    if judged == "clean" and nothing:
        return {"method": method, "reject": "excluded: looked for and not found"}
    is_judgement = judged in ("contaminated", "clean")
    return {"method": method, "reject": "" if is_judgement else f"unknown judgement: {judged!r}"}
