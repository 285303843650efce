"""GSM8K and GSM1k side by side: the table of 63 models in the paper's appendix F, kept in data/registry.

Facts of Zhang et al., A Careful Examination of Large Language Model Performance on Grade School Arithmetic,
arXiv:2405.00332v4. Differences published elsewhere belong to an older edition with other items and are not mixed in.
"""

from datetime import date

from benchhealth.ingest.formats.csv_board import CsvBoard, Measure
from benchhealth.ingest.rows import BenchmarkFact
from benchhealth.ingest.source import BundledFile, Source

PAPER = "https://arxiv.org/abs/2405.00332v4"
SETTING = "5-shot, standard prompt"
ITEMS = {"gsm8k": ("GSM8K", "1319"), "gsm1k": ("GSM1k", "1205")}


def _measure(benchmark: str, name: str, n_items: str) -> Measure:
    """Accuracies as fractions, measured by the paper's authors."""
    fact = BenchmarkFact(
        benchmark=benchmark,
        name=name,
        metric="accuracy",
        domain="math",
        modality="text",
        n_items=n_items,
        paper_url=PAPER,
    )
    return Measure(benchmark, "fraction", n_items, fact)


BOARD = CsvBoard(
    {benchmark: _measure(benchmark, *about) for benchmark, about in ITEMS.items()},
    complete=lambda row, _: row._replace(setting=SETTING),
)
parse = BOARD.parse

SOURCE = Source(
    key="gsm1k",
    title="GSM8K and GSM1k side by side (Zhang et al. 2024)",
    homepage=PAPER,
    licence="CC-BY-4.0",
    redistributable=True,
    kind="paper",
    cadence="once",
    files=(BundledFile("gsm1k/gsm1k", "data/registry/paper_gsm1k.csv", PAPER, date(2024, 11, 22)),),
    parse=parse,
)
