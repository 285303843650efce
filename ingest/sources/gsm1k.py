"""GSM8K and GSM1k side by side: the table of 63 models in the paper's appendix F, kept in data/registry.

Facts of Zhang et al., A Careful Examination of Large Language Model Performance on Grade School Arithmetic,
arXiv:2405.00332v4. Differences published elsewhere belong to an older edition with other items and are not mixed in.
"""

from datetime import date

from benchhealth.ingest.formats.bodies import read_csv
from benchhealth.ingest.rows import BenchmarkFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import BundledFile, Source

PAPER = "https://arxiv.org/abs/2405.00332v4"
SETTING = "5-shot, standard prompt"
ITEMS = {"gsm8k": ("GSM8K", "1319"), "gsm1k": ("GSM1k", "1205")}


def parse(body: bytes, path: str) -> Parsed:
    """Read the table: two rows a model, accuracies as fractions, both measured by the paper's authors."""
    records = read_csv(body, ["model", *ITEMS])
    if not records:
        raise PayloadError("a table without models")
    rows = [
        RawRow(
            row=f"line {record.line}, column {benchmark}",
            benchmark=benchmark,
            model=record.cells["model"],
            score=record.cells.get(benchmark, ""),
            unit="fraction",
            n_items=n_items,
            setting=SETTING,
            reject=record.problem,
        )
        for record in records
        for benchmark, (_, n_items) in ITEMS.items()
    ]
    facts = [
        BenchmarkFact(
            row="line 1",
            benchmark=benchmark,
            name=name,
            metric="accuracy",
            domain="math",
            modality="text",
            n_items=n_items,
            paper_url=PAPER,
        )
        for benchmark, (name, n_items) in ITEMS.items()
    ]
    return Parsed(rows=rows, benchmarks=facts)


SOURCE = Source(
    key="gsm1k",
    title="GSM8K and GSM1k side by side (Zhang et al. 2024)",
    homepage=PAPER,
    licence="CC-BY-4.0",
    redistributable=True,
    kind="paper",
    cadence="once",
    files=(
        # The month of the paper's number: the day of its fourth version is not on record here.
        BundledFile("gsm1k/gsm1k", "data/registry/paper_gsm1k.csv", PAPER, date(2024, 5, 1)),
    ),
    parse=parse,
)
