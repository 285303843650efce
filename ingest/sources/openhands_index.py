"""OpenHands Index: every model under one agent on five benchmarks, `results/MODEL/{scores,metadata}.json`.

How the files are read, and what changed in them, is in `ingest.formats.openhands`. Folders were renamed four times
(`202601_gpt-5.2`, `v1.8.3_gpt-5.2`, `gpt-5.2`, `GPT-5.2`): the names stand for the same models.
"""

import re

from benchhealth.ingest.formats.bodies import path_parts
from benchhealth.ingest.formats.openhands import HOMEPAGE, REPOSITORY, read_folder
from benchhealth.ingest.rows import Parsed
from benchhealth.ingest.source import GithubTree, Source

_PATH = re.compile(r"(?:.*/)?results/([^/]+)/(scores|metadata)\.json")


def parse(body: bytes, path: str) -> Parsed:
    """Read one file of a model's folder."""
    match = path_parts(_PATH, path)
    return read_folder(body, "", match[1], f"{match[2]}.json")


SOURCE = Source(
    key="openhands-index",
    title="OpenHands Index: all models under one agent",
    homepage=HOMEPAGE,
    licence="MIT",
    redistributable=True,
    kind="collection",
    cadence="weekly",
    files=(GithubTree("openhands-index/{0}", REPOSITORY, "main", r"results/([^/]+)/(?:scores|metadata)\.json"),),
    parse=parse,
)
