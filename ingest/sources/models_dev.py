"""models.dev, a list of models by the name that their makers serve them under: release, open weights, knowledge cutoff.

One folder for each maker, in it one file for each model. Three kinds of entries speak of no single version, and what
they say of dates is left out: a name that ends in `latest` follows the newest version; a name that was renewed after
its release (`last_updated` is another day) has the first date of one version beside the data of another; an entry with
a `base_model` holds prices, and its facts stand in a file that is not a maker's. A month without a day is read as its
first. The maker's folder is who serves the model, so it is not taken for an organisation.
"""

import re

from benchhealth.ingest.formats.bodies import as_text, path_parts, read_toml
from benchhealth.ingest.formats.folders import split_files
from benchhealth.ingest.rows import ModelFact, Parsed, PayloadError
from benchhealth.ingest.source import GithubArchive, Source

HOMEPAGE = "https://models.dev"
MAKERS = ("openai", "anthropic", "google", "xai", "deepseek", "alibaba", "moonshotai", "zai", "mistral")
"""The folders of those who serve their own models."""

ANCHORS = (
    "openai/models/gpt-5.5",
    "anthropic/models/claude-sonnet-5",
    "google/models/gemini-3.5-flash",
    "xai/models/grok-4.3",
    "deepseek/models/deepseek-v4-pro",
    "alibaba/models/qwen3.7-plus",
    "moonshotai/models/kimi-k2.6",
    "zai/models/glm-5.2",
    "mistral/models/mistral-medium-2604",
)
"""A leading model of each maker: changes that reach it mostly reach its neighbours, and then the list is taken again.

The list changes several times a day, each time as a whole for what GitHub's API is concerned.
"""

_FOLDER = re.compile(rf"providers/({'|'.join(MAKERS)})/models")
_FILE = re.compile(r"[^/\s]+\.toml")
_POINT = re.compile(r"^(qwen\d)-(\d)-")
"""Alibaba writes `qwen2-5-72b-instruct` for Qwen2.5 in names of its service."""


def parse(body: bytes, path: str) -> Parsed:
    """Read one maker's folder: a fact for each of its models."""
    path_parts(_FOLDER, path)
    files = split_files(body)
    if not any(_FILE.fullmatch(name) for name, _ in files):
        raise PayloadError("no file of a model in the folder")
    return Parsed(models=[_model(name, content) for name, content in files])


SOURCE = Source(
    key="models-dev",
    title="models.dev: releases, cutoffs and open weights of models",
    homepage=HOMEPAGE,
    licence="MIT",
    redistributable=True,
    kind="collection",
    cadence="daily; taken again when a leading model's entry changes",
    files=(
        GithubArchive(
            "models-dev/{0}",
            "anomalyco/models.dev",
            "dev",
            tuple(f"providers/{model}.toml" for model in ANCHORS),
            rf"{_FOLDER.pattern}/[^/]+\.toml",
            folder=_FOLDER.pattern,
        ),
    ),
    parse=parse,
)


def _model(file: str, content: bytes) -> ModelFact:
    name = _POINT.sub(r"\1.\2-", file.removesuffix(".toml"))
    if not _FILE.fullmatch(file):
        return ModelFact(file, name, reject="not a model's file")
    try:
        entry = read_toml(content)
    except PayloadError as error:
        return ModelFact(file, name, reject=str(error))
    reject = _excluded(name, entry)
    if reject:
        return ModelFact(file, name, reject=reject)
    released, updated, cutoff = (as_text(entry.get(key)) for key in ("release_date", "last_updated", "knowledge"))
    return ModelFact(
        row=file,
        model=name,
        released_on=released if released == updated else "",
        open_weights=as_text(entry["open_weights"]),
        knowledge_cutoff=cutoff if released == updated else "",
    )


def _excluded(name: str, entry: dict[str, object]) -> str:
    if "base_model" in entry:
        return "excluded: its facts stand in the file of its base model"
    if name.endswith("-latest"):
        return "excluded: a name that follows the newest version"
    missing = [key for key in ("name", "release_date", "last_updated", "open_weights") if key not in entry]
    return f"without {', '.join(missing)}" if missing else ""
