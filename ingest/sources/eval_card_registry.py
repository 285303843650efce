"""A registry of names: which spellings of models and benchmarks one project takes for the same.

`seed/benchmarks.yaml` and `seed/models/core.yaml` list entries with their aliases, and
`seed/models/enrichments/aliases.yaml` more aliases of models. They are candidates for a curator: nothing is merged by
them. `scoped_aliases` hold within one source alone (`Anatomy` is part of MMLU there) and are left out; so are drafts.
"""

from collections.abc import Iterator

from benchhealth.ingest.formats.bodies import Entry, as_text, objects_of, read_yaml
from benchhealth.ingest.rows import ListedName, Parsed, PayloadError
from benchhealth.ingest.source import GithubFile, Source

REPO = "evaleval/eval-card-registry"
FILES = {
    "seed/benchmarks.yaml": ("benchmarks", "benchmark"),
    "seed/models/core.yaml": ("models", "model"),
    "seed/models/enrichments/aliases.yaml": ("aliases", "model"),
}
"""Path to its board, and what its entries are."""


def parse(body: bytes, path: str) -> Parsed:
    """Read one file: a name for every entry, its displayed name and its aliases."""
    if path not in FILES:
        raise PayloadError(f"not a file of this source: {path}")
    document = read_yaml(body)
    entries = document.get("entries") if isinstance(document, dict) else document
    named = objects_of(entries, "not a list of entries with an id", "id")
    return Parsed(names=[name for entry in named for name in _names(entry, FILES[path][1])])


SOURCE = Source(
    key="eval-card-registry",
    title="Evaluation card registry: names of models and benchmarks taken for the same",
    homepage=f"https://github.com/{REPO}",
    licence="none stated",
    redistributable=False,
    kind="collection",
    cadence="weekly",
    files=tuple(GithubFile(f"eval-card-registry/{board}", REPO, "main", path) for path, (board, _) in FILES.items()),
    parse=parse,
)


def _names(entry: Entry, entity: str) -> Iterator[ListedName]:
    listed, aliases = as_text(entry["id"]).strip(), entry.get("aliases") or []
    if not listed or not isinstance(aliases, list):
        raise PayloadError(f"no id, or aliases that are no list: {listed[:50]!r}")
    reject = "excluded: a draft" if as_text(entry.get("review_status")) == "draft" else ""
    display_name = as_text(entry.get("display_name")).strip()
    for name in dict.fromkeys([listed, *([display_name] if display_name else []), *map(as_text, aliases)]):
        yield ListedName(row=f"{listed}, {name}", entity=entity, listed=listed, name=name, reject=reject)
