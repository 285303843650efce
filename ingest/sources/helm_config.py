"""HELM's configuration: what it knows of models (release, access) and what its authors note about contamination.

A note names models, groups of scenarios and a level. Strong: the developers trained on data of the test's own
distribution. Weak: an analysis by the developers found some overlap. Neither gives a share for one test.
"""

import re
from collections.abc import Iterator

from benchhealth.ingest.formats.bodies import as_text, list_of, object_at, pointer, read_yaml, slug, value_at
from benchhealth.ingest.rows import ContaminationReport, ModelFact, Parsed, PayloadError
from benchhealth.ingest.source import GithubFile, Source

HOMEPAGE = "https://github.com/stanford-crfm/helm"
MODELS = "src/helm/config/model_metadata.yaml"
NOTES = "src/helm/benchmark/static/contamination.yaml"

OPEN_WEIGHTS = {"open": "true", "limited": "false", "closed": "false"}
LEVELS = {
    "strong": "trained on data of the test's distribution, as the developers say (HELM: strong)",
    "weak": "an overlap analysis by the developers (HELM: weak)",
}
BENCHMARKS = {
    "boolq": "boolq",
    "hellaswag": "hellaswag",
    "imdb": "imdb",
    "natural_qa_closedbook": "natural-questions",
    "natural_qa_openbook_longans": "natural-questions",
    "openbookqa": "openbookqa",
}
"""HELM's groups that are one benchmark of the registry; the others get ids of this source."""

_ADDRESS = re.compile(r"https://[^\s)]+")


def parse(body: bytes, path: str) -> Parsed:
    """Read the models, or the notes on contamination: a report for each model and group of each note."""
    document = read_yaml(body)
    if path == MODELS:
        models = list_of(value_at(document, "models"), "no list under the key models")
        return Parsed(models=[_model(index, entry) for index, entry in enumerate(models)])
    if path == NOTES:
        notes = list_of(value_at(document, "points"), "no list under the key points")
        return Parsed(reports=[report for index, note in enumerate(notes) for report in _reports(index, note)])
    raise PayloadError(f"not a file of this source: {path}")


SOURCE = Source(
    key="helm-config",
    title="HELM's configuration: releases of models and notes on contamination",
    homepage=HOMEPAGE,
    licence="Apache-2.0",
    redistributable=True,
    kind="collection",
    cadence="some times a month",
    files=(
        GithubFile("helm-config/models", "stanford-crfm/helm", "main", MODELS),
        GithubFile("helm-config/notes", "stanford-crfm/helm", "main", NOTES),
    ),
    parse=parse,
)


def _model(index: int, entry: object) -> ModelFact:
    row = pointer("models", index)
    if not isinstance(entry, dict):
        return ModelFact(row=row, model="", reject="not a model")
    name = as_text(entry.get("name"))
    access = as_text(entry.get("access"))
    reject = "" if access in OPEN_WEIGHTS else f"unknown access: {access!r}"
    if name.startswith("simple/"):
        reject = "excluded: HELM's own test model"
    return ModelFact(
        row=row,
        model=name,
        organisation=as_text(entry.get("creator_organization_name")),
        # Some entries of 2024 have the date under `release`.
        released_on=as_text(entry.get("release_date", entry.get("release"))),
        open_weights=OPEN_WEIGHTS.get(access, ""),
        reject=reject,
    )


def _reports(index: int, note: object) -> Iterator[ContaminationReport]:
    fields = object_at(note)
    models, groups = fields.get("models"), fields.get("groups")
    if not isinstance(models, list) or not isinstance(groups, list) or not models or not groups:
        yield ContaminationReport(
            row=pointer("points", index),
            benchmark="",
            subject="",
            method="",
            reference_url="",
            reject="a note without its models and groups",
        )
        return
    level = as_text(fields.get("level"))
    addresses = _ADDRESS.findall(as_text(fields.get("description")))
    for position, model in enumerate(models):
        for group in map(as_text, groups):
            yield ContaminationReport(
                row=pointer("points", index, "models", position, group),
                benchmark=BENCHMARKS.get(group) or (f"helm-config-{slug(group)}" if slug(group) else ""),
                subject=as_text(model),
                method=LEVELS.get(level, ""),
                reference_url=addresses[0].rstrip(".") if addresses else HOMEPAGE,
                split="test",
                reject="" if level in LEVELS else f"unknown level: {level!r}",
            )
