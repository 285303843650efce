"""A crawl of LLM Stats' site: `llm_stats_benchmark_scores_DATE.csv`, a line for each model on each benchmark.

`benchmark_max_score` does not say the unit: 100 stands over shares of 1 and over points. A score is a share of 1 unless
the benchmark is known to have a scale of its own; one above 1 is then no score, also where the largest is 1 and it is
dollars. `announcement_date` is the model's, so results are dated by the model. The site leaves out how a model was
run. A row's address are its benchmark and model, each pair being there once, because lines shift from crawl to crawl.
"""

from collections.abc import Iterator, Mapping, Sequence

from benchhealth.ingest.formats.bodies import Record, read_csv, slug
from benchhealth.ingest.formats.llm_stats.ids import benchmark_of, has_own_scale, more_is_better, unfit, unit_of
from benchhealth.ingest.formats.numbers import UnreadableError, read_number
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, RawRow

PATH = r"data/leaderboard_snapshots/llm_stats_benchmark_scores_\d{4}-\d{2}-\d{2}\.csv"
COLUMNS = (
    "benchmark_id",
    "benchmark_name",
    "benchmark_modality",
    "benchmark_max_score",
    "model_id",
    "organization_name",
    "benchmark_score",
    "self_reported",
    "release_date",
    "announcement_date",
)

Cells = Mapping[str, str]


def parse(body: bytes) -> Parsed:
    """Read one crawl: a row for every score, a fact for every model and every benchmark."""
    records = read_csv(body, COLUMNS, empty="a crawl without scores")
    sound = [record.cells for record in records if not record.problem]
    return Parsed(
        rows=[_score_row(record) for record in records],
        models=list(_models(sound)),
        benchmarks=list({fact.benchmark: fact for cells in sound for fact in _benchmark(cells)}.values()),
    )


def _score_row(record: Record) -> RawRow:
    cells = record.cells
    if record.problem:
        line = f"line {record.line}"
        return RawRow(row=line, benchmark="llm-stats-", model="", score="", unit="fraction", reject=record.problem)
    published = cells["benchmark_id"]
    meant = benchmark_of(published)
    return RawRow(
        row=f"{published}, {cells['model_id']}",
        benchmark=meant.benchmark,
        model=cells["model_id"],
        score=cells["benchmark_score"],
        unit=unit_of(published),
        dated_on=cells["announcement_date"],
        date_basis="model_release",
        setting=meant.setting,
        reporter="self" if cells["self_reported"] == "True" else "third_party",
        reject=_reason(cells),
    )


def _reason(cells: Cells) -> str:
    published = cells["benchmark_id"]
    if cells["self_reported"] not in ("True", "False"):
        return f"neither reported by the maker nor not: {cells['self_reported'][:20]!r}"
    if not slug(published):
        return "no benchmark"
    if why := unfit(published):
        return why
    try:
        score, largest = read_number(cells["benchmark_score"]), read_number(cells["benchmark_max_score"])
    except UnreadableError:
        return ""  # the cell itself says why, where it is read
    if score > largest:
        return f"above the largest score, which is {cells['benchmark_max_score']}"
    return "above 1 on no known scale" if score > 1 and not has_own_scale(published) else ""


def _models(lines: Sequence[Cells]) -> Iterator[ModelFact]:
    """The distinct statements on each model."""
    columns = ("model_id", "organization_name", "release_date")
    for cells in {tuple(cells[name] for name in columns): cells for cells in reversed(lines)}.values():
        yield ModelFact(
            row=f"{cells['benchmark_id']}, {cells['model_id']}",
            model=cells["model_id"],
            organisation=cells["organization_name"],
            released_on=cells["release_date"],
        )


def _benchmark(cells: Cells) -> Iterator[BenchmarkFact]:
    """The facts of the benchmark under its own name; none where the name states how it was run."""
    published = cells["benchmark_id"]
    meant = benchmark_of(published)
    if meant.setting:
        return
    yield BenchmarkFact(
        benchmark=meant.benchmark,
        name=cells["benchmark_name"] or published,
        metric="score",
        unit=unit_of(published),
        higher_is_better=more_is_better(published),
        modality=cells["benchmark_modality"],
    )
