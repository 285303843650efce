"""MMMU's own board: `leaderboard_data.json`, a model an entry, with what it has on MMMU's two splits and on MMMU-Pro.

A row's address holds the entry's name and not its place in the list, because new models are put in anywhere: so an
entry that is corrected later keeps its address. `source: author` marks numbers that a model's makers report; the others
were run by MMMU's own team. `date` is mostly the day of what an entry's `link` leads to: an announcement, a paper (of
Qwen2.5-VL, Aya Vision and others months after the model), of the first table MMMU's own. So it dates a publication and
not the model; a line of comparison has no date that means anything. `type` calls some open models proprietary and
is not read. MMMU-Pro's overall score is the mean of its two forms, the standard one with ten options and the one where
the question is part of the picture.
"""

import re
from collections import Counter
from collections.abc import Iterator

from benchhealth.ingest.formats.bodies import (
    Entry,
    as_text,
    object_at,
    objects_of,
    owner_of,
    pointer,
    read_json,
    value_at,
)
from benchhealth.ingest.formats.numbers import loose_day
from benchhealth.ingest.names.identity import join_settings
from benchhealth.ingest.rows import BenchmarkFact, ModelFact, Parsed, PayloadError, RawRow
from benchhealth.ingest.source import GithubFile, Source

PAPER, PRO_PAPER = "https://arxiv.org/abs/2311.16502", "https://arxiv.org/abs/2409.02813"
WHOLE = "overall"
SPLITS = {"validation": "mmmu", "test": "mmmu/test", "pro": "mmmu-pro"}
"""The parts of an entry, and the benchmark that each is about; published scores of MMMU are of the validation split."""

DISCIPLINES = {
    "artDesign": ("art-and-design", "art and design"),
    "business": ("business", "business"),
    "science": ("science", "science"),
    "healthMedicine": ("health-and-medicine", "health and medicine"),
    "humanSocialSci": ("humanities-and-social-science", "humanities and social science"),
    "techEng": ("tech-and-engineering", "tech and engineering"),
}
FORMS = {"vision": ("vision", "question in the picture"), "original": ("standard", "ten options")}
COLUMNS = {"validation": DISCIPLINES, "test": DISCIPLINES, "pro": FORMS}
KINDS = {
    "open_source": "model",
    "proprietary": "model",
    "human_expert": "human",
    "random_frequent": "random",
}
MODES = {
    "w/ tools": "tools",
    "w/o tools": "no tools",
    "w/o Python": "no python",
    "w/ thinking": "thinking",
    "w/o thinking": "no thinking",
}
"""What stands behind a name, in any case of letters, and the setting that it means."""

_MODE = re.compile(rf"^(?P<name>.+?) (?P<mode>{'|'.join(MODES)})$", re.IGNORECASE)
_INSIDE = re.compile(r"^(?P<name>.+\(.+) (?P<mode>w/o? thinking)\)$", re.IGNORECASE)
_THINKS = re.compile(
    r"^(?P<name>GPT-5\.\d|Muse Spark|Gemini 3\.\d Pro|Seed 1\.5-VL) Thinking(?: \((?P<level>low|medium|high)\))?$",
    re.IGNORECASE,
)
"""Models that think or do not as asked; a `Thinking` behind other names is a model of its own."""

_SETTINGS = {mode.casefold(): setting for mode, setting in MODES.items()}


def parse(body: bytes, path: str) -> Parsed:
    """Read the board: a row for every cell of every entry."""
    unfit = "not an object with `leaderboardData`, a list of entries with `info`"
    named: Counter[str] = Counter()
    rows: list[RawRow] = []
    models: list[ModelFact] = []
    for entry in objects_of(value_at(read_json(body), "leaderboardData"), unfit, "info"):
        name = as_text(value_at(entry, "info", "name")).strip()
        if not name:
            raise PayloadError("an entry without a name")
        named[name] += 1
        times = f" ({named[name]})" if named[name] > 1 else ""
        where = pointer("leaderboardData", name + times)
        rows.extend(_rows(where, entry))
        models.extend(_maker(where, object_at(entry, "info")))
    if not rows:
        raise PayloadError("no entry with a score")
    return Parsed(rows=rows, models=models, benchmarks=_facts())


SOURCE = Source(
    key="mmmu",
    title="MMMU and MMMU-Pro",
    homepage="https://mmmu-benchmark.github.io",
    licence="CC-BY-SA-4.0",
    redistributable=True,
    cadence="some times a year",
    files=(GithubFile("mmmu/mmmu", "MMMU-Benchmark/mmmu-benchmark.github.io", "main", "leaderboard_data.json"),),
    parse=parse,
)


def _rows(where: str, entry: Entry) -> Iterator[RawRow]:
    about = _about(object_at(entry, "info"))
    for split, cells in entry.items():
        if split == "info":
            continue
        if not isinstance(cells, dict) or split not in SPLITS:
            raise PayloadError(f"not a part of an entry that is known: {split!r}")
        reporter = "self" if as_text(cells.get("source")) == "author" else "third_party"
        for column, score in cells.items():
            if column != "source":
                part = COLUMNS[split].get(column)
                is_known = column == WHOLE or part is not None
                problem = "" if is_known else f"a column that {split} does not have: {column!r}"
                yield about._replace(
                    row=f"{where}{pointer(split, column)}",
                    benchmark=f"{SPLITS[split]}/{part[0]}" if part else SPLITS[split],
                    score=as_text(score),
                    reporter=reporter,
                    reject=about.reject or problem,
                )


def _maker(where: str, model_fields: Entry) -> Iterator[ModelFact]:
    """Who published the weights, where the entry's link leads to them."""
    about = _about(model_fields)
    if (owner := owner_of(as_text(model_fields.get("link")))) and about.kind == "model":
        yield ModelFact(row=f"{where}{pointer('info', 'link')}", model=about.model, organisation=owner)


def _about(model_fields: Entry) -> RawRow:
    """The fields that all rows of an entry share."""
    name, kind, published = (as_text(model_fields.get(key)).strip() for key in ("name", "type", "date"))
    is_model = KINDS.get(kind, "model") == "model"
    model, setting = _told_apart(name) if is_model else (name, "")
    return RawRow(
        row="",
        benchmark="",
        model=model,
        score="",
        dated_on=loose_day(published) if is_model else "",
        date_basis="paper",
        setting=setting,
        kind=KINDS.get(kind, "model"),
        reject="" if kind in KINDS else f"an unknown type of entry: {kind[:50]!r}",
    )


def _told_apart(name: str) -> tuple[str, str]:
    """The model and what it was run with: `GPT-5.2 Thinking w/o tools` is GPT-5.2, `thinking, no tools`."""
    mode = _MODE.match(name)
    inside = _INSIDE.match(name)
    if mode is not None:
        model, setting = _told_apart(mode["name"])
        return model, join_settings([setting, _SETTINGS[mode["mode"].casefold()]])
    if inside is not None:
        return inside["name"] + ")", _SETTINGS[inside["mode"].casefold()]
    thinks = _THINKS.match(name)
    if thinks is not None:
        return thinks["name"], f"thinking {thinks['level'].casefold()}" if thinks["level"] else "thinking"
    return name, ""


def _facts() -> list[BenchmarkFact]:
    """The splits, disciplines and forms; where the registry knows one, it is right."""
    validation = BenchmarkFact(
        benchmark="mmmu",
        name="MMMU",
        metric="accuracy",
        domain="multimodal",
        modality="image+text",
        paper_url=PAPER,
    )
    test = validation._replace(benchmark="mmmu/test", name="MMMU: test split", n_items="10500")
    pro = validation._replace(benchmark="mmmu-pro", name="MMMU-Pro", paper_url=PRO_PAPER)
    wholes = {"validation": validation, "test": test, "pro": pro}
    return [*wholes.values()] + [
        fact._replace(
            benchmark=f"{fact.benchmark}/{key}",
            name=f"{fact.name}{',' if split == 'test' else ':'} {words}",
            n_items="1730" if split == "pro" else "",
        )
        for split, fact in wholes.items()
        for key, words in COLUMNS[split].values()
    ]
