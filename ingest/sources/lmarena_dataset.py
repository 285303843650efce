"""LMArena's own dataset of its leaderboards: one Parquet table an arena, every edition since 2023 in one of them.

Off by default, and asked only when it is named: it could not be reached where this was written. Columns are those that
others read from it; a table with other ones is held until a curator has looked. Each day of publication is one version
of the board, as CSV; a day that comes again with other rows is held. Agent Arena is left out: its table has other
columns and another kind of score. `variance`, `rating_lower` and `rating_upper` say one error; the bounds are read.
"""

from collections.abc import Mapping

from benchhealth.ingest.formats import arena_ratings as arena
from benchhealth.ingest.formats.bodies import Record, read_csv, slug
from benchhealth.ingest.formats.numbers import error_of_bounds, read_day, read_number, readable
from benchhealth.ingest.rows import ModelFact, Parsed, PayloadError, RawRow, UnknownFormError
from benchhealth.ingest.source import DatedTable, Source

HOMEPAGE = "https://huggingface.co/datasets/lmarena-ai/leaderboard-dataset"
COLUMNS = (
    "model_name",
    "organization",
    "license",
    "rating",
    "rating_lower",
    "rating_upper",
    "variance",
    "vote_count",
    "rank",
    "category",
    "leaderboard_publish_date",
)
DAY = COLUMNS[-1]
OVERALL = "overall"
ARENAS: Mapping[str, tuple[str, str]] = {
    "text": (arena.RAW, "text"),
    "text_style_control": (arena.STYLE_CONTROLLED, "text"),
    "vision": ("lmarena-vision", "image+text"),
    "vision_style_control": ("lmarena-vision-style-control", "image+text"),
    "search": ("lmarena-search", "text"),
    "search_style_control": ("lmarena-search-style-control", "text"),
    "document": ("lmarena-document", "text"),
    "document_style_control": ("lmarena-document-style-control", "text"),
    "webdev": ("lmarena-webdev", "text"),
    "text_to_image": ("lmarena-text-to-image", "image"),
    "image_edit": ("lmarena-image-edit", "image"),
    "text_to_video": ("lmarena-text-to-video", "video"),
    "image_to_video": ("lmarena-image-to-video", "video"),
    "video_edit": ("lmarena-video-edit", "video"),
}
"""Subset of the dataset to the benchmark and its modality."""

_PARQUET = b"PAR1"


def parse(body: bytes, path: str) -> Parsed:
    """Read one day of one arena: a row for every model and category, and what it says about each model."""
    if path not in ARENAS:
        raise PayloadError(f"not an arena of this source: {path}")
    if body.startswith(_PARQUET):
        raise UnknownFormError(f"no column {DAY} of days in the Parquet table of {path}")
    records = read_csv(body, [])
    _check(records)
    benchmark, modality = ARENAS[path]
    categories = dict.fromkeys(record.cells["category"] for record in records)
    return Parsed(
        rows=[_rating_row(record, benchmark) for record in records],
        models=[_model(record) for record in records if record.cells["category"] == OVERALL],
        benchmarks=[arena.fact(benchmark, category, OVERALL, modality) for category in categories if slug(category)],
    )


SOURCE = Source(
    key="lmarena-dataset",
    title="LMArena's own dataset of its leaderboards",
    homepage=HOMEPAGE,
    licence="CC-BY-4.0",
    redistributable=True,
    cadence="some times a week",
    files=tuple(
        DatedTable(
            board_id=f"lmarena-dataset/{benchmark}",
            url=f"{HOMEPAGE}/resolve/main/{subset}/latest-00000-of-00001.parquet",
            history=f"{HOMEPAGE}/resolve/main/{subset}/full-00000-of-00001.parquet",
            path=subset,
            day=DAY,
        )
        for subset, (benchmark, _) in ARENAS.items()
    ),
    parse=parse,
    default=False,
)


def _check(records: list[Record]) -> None:
    """Hold a table that is not as documented: other columns, more than one day, or ratings that are no numbers."""
    if not records:
        raise UnknownFormError("a table without rows")
    columns = set(records[0].cells)
    if columns != set(COLUMNS):
        missing, new = sorted(set(COLUMNS) - columns), sorted(columns - set(COLUMNS))
        raise UnknownFormError(f"columns not found: {missing}; columns not known: {new}"[:500])
    days = {record.cells[DAY] for record in records}
    if len(days) != 1 or not readable(days.pop(), read_day):
        raise UnknownFormError(f"not one {DAY}")
    if not any(readable(record.cells["rating"], read_number) for record in records):
        raise UnknownFormError("no rating is a number")
    if not any(record.cells["category"] == OVERALL for record in records):
        raise UnknownFormError(f"no category {OVERALL!r}")


def _rating_row(record: Record, benchmark: str) -> RawRow:
    cells = record.cells
    return RawRow(
        # The line within the table is not the same tomorrow: the row is named by what it is about.
        row=f"{cells[DAY]}, {cells['category']}, {cells['model_name']}",
        benchmark=arena.category_id(benchmark, cells["category"], OVERALL),
        model=cells["model_name"],
        score=cells["rating"],
        unit="rating",
        std_error=error_of_bounds(cells["rating_lower"], cells["rating_upper"]),
        n_items=cells["vote_count"],
        dated_on=cells[DAY],
        date_basis="evaluation",
        reject=record.problem or ("" if slug(cells["category"]) else "no category"),
    )


def _model(record: Record) -> ModelFact:
    cells = record.cells
    return ModelFact(
        row=f"{cells[DAY]}, {cells['model_name']}, organization",
        model=cells["model_name"],
        organisation=cells["organization"],
        open_weights=arena.open_weights(cells["license"]),
        reject=record.problem,
    )
