"""What the sources of LMArena's boards share: benchmarks, parts, and what a line says of a model and its run.

Raw and style-controlled ratings come from the same votes but are two scales, and so two benchmarks. Ratings of one are
comparable within one file only: LMArena re-anchors its scale from time to time (2025-05, 2025-11).
"""

import re

from benchhealth.ingest.formats.bodies import Entry, Record, as_text, list_of, object_at, objects_of, slug, value_at
from benchhealth.ingest.formats.numbers import is_nothing
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, PayloadError

RAW, STYLE_CONTROLLED = "lmarena-text-bt", "lmarena-text-style-control"
WEBDEV, AGENT = "arena-webdev", "arena-agent"
NAMES = {
    RAW: "LMArena text, Bradley-Terry ratings of raw votes",
    STYLE_CONTROLLED: "LMArena text, Bradley-Terry ratings with style control",
    WEBDEV: "LMArena WebDev",
    "arena-vision": "LMArena vision, ratings of raw votes",
    "arena-vision-style-control": "LMArena vision, ratings with style control",
    "arena-search-style-control": "LMArena search, ratings with style control",
    "arena-document-style-control": "LMArena documents, ratings with style control",
    "arena-text-to-image": "LMArena text to image",
    "arena-image-edit": "LMArena image editing",
    "arena-text-to-video": "LMArena text to video",
    "arena-image-to-video": "LMArena image to video",
    "arena-video-edit": "LMArena video editing",
}
"""Benchmarks by id as these sources store it; the registry has what else is known of each."""

MODALITIES = {"arena-vision": "multimodal", "arena-text-to-image": "image", "arena-image-edit": "image"} | {
    name: "video" for name in NAMES if "video" in name
}
"""Where it is not text: by the beginning of the id."""

PROPRIETARY = "proprietary"
_CUTOFF = re.compile(r"(\d{4})/(\d{1,2})")
_CUTOFF_UNKNOWN = frozenset({"unknown", "online"})
_HARNESS = re.compile(r"\s*\(([a-z]+)-harness\)$")
_WITH_SEARCH = re.compile(r"\s*\[web-search\]$")


def category_id(benchmark: str, category: str, overall: str) -> str:
    """The benchmark_id of one category; `overall` is how this source calls the whole."""
    return benchmark if category == overall else f"{benchmark}/{slug(category)}"


def model_fact(record: Record, model: str, organisation: str, licence: str, cutoff: str = "") -> ModelFact:
    """What a line says of its model, in the columns of these names: weights are closed where they are proprietary."""
    cells = record.cells
    return ModelFact(
        row=f"line {record.line}",
        model=cells[model],
        organisation=cells.get(organisation, ""),
        open_weights=open_weights(cells[licence]),
        knowledge_cutoff=_cutoff_month(cells.get(cutoff, "")),
    )


def _cutoff_month(text: str) -> str:
    """`2023/6` as 2023-06; `Online` and `Unknown` say nothing; other text is passed on to be rejected."""
    if is_nothing(text) or text.strip().casefold() in _CUTOFF_UNKNOWN:
        return ""
    match = _CUTOFF.fullmatch(text.strip())
    return f"{match[1]}-{int(match[2]):02d}" if match else text


def open_weights(licence: str) -> str:
    """`false` where the licence is proprietary, else empty: other licences do not say that weights are open."""
    return "false" if licence.strip().casefold() == PROPRIETARY else ""


def read_entries(document: object, listed: str, counted: str) -> tuple[Entry, list[Entry]]:
    """What a scrape says of itself (`meta`) and the objects of its list `listed`.

    Raises PayloadError where it is not whole by its own account, the number `counted` of `meta`.
    """
    meta = object_at(document, "meta")
    rows = list_of(value_at(document, listed), f"no list `{listed}`")
    if as_text(meta.get(counted)) != str(len(rows)):
        raise PayloadError(f"{len(rows)} {listed} where {as_text(meta.get(counted))[:20]} are announced")
    return meta, objects_of(rows, f"{listed} that are not objects")


def name_and_setting(printed: str) -> tuple[str, str]:
    """The model's name without what it was run with: `(codex-harness)`, `[web-search]`; and that as a setting."""
    harness = _HARNESS.search(printed)
    if harness:
        return printed[: harness.start()], f"scaffold={harness[1]}"
    search = _WITH_SEARCH.search(printed)
    return (printed[: search.start()], "tools=web search") if search else (printed, "")


def entry_fact(address: str, entry: Entry, model: str, organisation: str) -> ModelFact:
    """What an entry of a scrape says of its model, in the fields of these names and in `license`."""
    return ModelFact(
        row=f"{address}/{organisation}",
        model=name_and_setting(as_text(entry.get(model)))[0],
        organisation=as_text(entry.get(organisation)),
        open_weights=open_weights(as_text(entry.get("license"))),
    )


def fact(benchmark: str, category: str, overall: str, modality: str = "") -> BenchmarkFact:
    """The benchmark of one category; where no `modality` is given it follows from the benchmark's id."""
    name = NAMES.get(benchmark) or f"LMArena {benchmark.removeprefix('lmarena-').replace('-', ' ')}"
    return BenchmarkFact(
        benchmark=category_id(benchmark, category, overall),
        name=name if category == overall else f"{name}: {category.replace('_', ' ')}",
        metric="Bradley-Terry rating",
        unit="rating",
        domain="human-preference",
        modality=modality or next((kind for start, kind in MODALITIES.items() if benchmark.startswith(start)), "text"),
        paper_url="https://arxiv.org/abs/2403.04132",
    )
