"""LMArena's leaderboards, scraped daily into `data/lmarena/DATE/*.json` since 2026-06: text, WebDev, vision and others.

The folder's date is that of the scrape; the leaderboard's own is `meta.leaderboard_publish_date`, and the files of
several days may hold the same leaderboard. `variance`, `rating_lower` and `rating_upper` say the same error; the
bounds are read. Some categories list models several times with different ratings (japanese on 2026-07-16, all of
multi_image_edit on 2026-07-28, one model of WebDev always): none of these is taken.
"""

from benchhealth.ingest.formats import arena_ratings as arena
from benchhealth.ingest.formats.bodies import Entry, as_text, pointer, read_json, slug
from benchhealth.ingest.formats.numbers import UnreadableError, error_of_bounds, read_day
from benchhealth.ingest.rows import ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubTree, Source

OVERALL = "overall"
SUBSETS = {
    "text": arena.RAW,
    "text_style_control": arena.STYLE_CONTROLLED,
    "webdev": arena.WEBDEV,
    "vision_style_control": "arena-vision-style-control",
    "search_style_control": "arena-search-style-control",
    "document_style_control": "arena-document-style-control",
    "text_to_image": "arena-text-to-image",
    "image_edit": "arena-image-edit",
    "text_to_video": "arena-text-to-video",
    "image_to_video": "arena-image-to-video",
    "video_edit": "arena-video-edit",
}
"""The subset, which names the file and which it must say it holds, to the benchmark."""


def parse(body: bytes, path: str) -> Parsed:
    """Read one day's file: a row for every model and category, and what it says about each model."""
    subset = path.rsplit("/", 1)[-1].removesuffix(".json")
    if subset not in SUBSETS:
        raise PayloadError(f"not a file of this source: {path}")
    benchmark = SUBSETS[subset]
    meta, entries = arena.read_entries(read_json(body), "rows", "n_rows")
    published_on = _published_on(meta, subset)
    listed: dict[tuple[str, str], set[str]] = {}
    for entry in entries:
        listed.setdefault(_key(entry), set()).add(as_text(entry.get("rating")))
    rows = [
        _rating_row(index, entry, benchmark, published_on, len(listed[_key(entry)]))
        for index, entry in enumerate(entries)
    ]
    categories = dict.fromkeys(as_text(entry.get("category")) for entry in entries)
    if OVERALL not in categories:
        raise PayloadError(f"no category {OVERALL!r}")
    facts = [arena.fact(benchmark, category, OVERALL) for category in categories if slug(category)]
    return Parsed(rows=rows, models=_models(entries), benchmarks=facts)


SOURCE = Source(
    key="lmarena-daily",
    title="LMArena's leaderboards by category, day by day",
    homepage="https://github.com/Scarlett9826/arena-ai-leaderboards",
    licence="MIT",
    redistributable=True,
    kind="crawl",
    cadence="daily",
    files=tuple(
        GithubTree(
            f"lmarena-daily/{benchmark}",
            "Scarlett9826/arena-ai-leaderboards",
            "main",
            rf"data/lmarena/\d{{4}}-\d{{2}}-\d{{2}}/{subset}\.json",
        )
        for subset, benchmark in SUBSETS.items()
    ),
    parse=parse,
)


def _published_on(meta: Entry, subset: str) -> str:
    """The leaderboard's day. Raises PayloadError where there is none, or the file is of another subset."""
    if as_text(meta.get("subset")) != subset:
        raise PayloadError(f"the subset is {as_text(meta.get('subset'))[:50]!r}, not {subset!r}")
    published_on = as_text(meta.get("leaderboard_publish_date"))
    try:
        read_day(published_on)
    except UnreadableError as error:
        raise PayloadError(f"leaderboard_publish_date: {error}") from error
    return published_on


def _key(entry: Entry) -> tuple[str, str]:
    return as_text(entry.get("category")), as_text(entry.get("model_name"))


def _rating_row(index: int, entry: Entry, benchmark: str, published_on: str, ratings: int) -> RawRow:
    category, printed = _key(entry)
    model, setting = arena.name_and_setting(printed)
    reject = ""
    if not slug(category):
        reject = "no category"
    elif ratings > 1:
        reject = f"{ratings} different ratings of the same model in {category}"
    return RawRow(
        row=pointer("rows", index),
        benchmark=arena.category_id(benchmark, category, OVERALL),
        model=model,
        score=as_text(entry.get("rating")),
        unit="rating",
        std_error=error_of_bounds(as_text(entry.get("rating_lower")), as_text(entry.get("rating_upper"))),
        n_items=as_text(entry.get("vote_count")),
        dated_on=published_on,
        date_basis="evaluation",
        setting=setting,
        reject=reject,
    )


def _models(entries: list[Entry]) -> list[ModelFact]:
    """One fact for each model, from its place in the overall ranking."""
    return [
        arena.entry_fact(pointer("rows", index), entry, "model_name", "organization")
        for index, entry in enumerate(entries)
        if as_text(entry.get("category")) == OVERALL
    ]
