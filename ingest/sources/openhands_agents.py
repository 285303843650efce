"""OpenHands Index, other agents: `alternative_agents/AGENT/MODEL/{scores,metadata}.json`.

The same five benchmarks and models as in `openhands-index`, run under the makers' own agents: a source of its own, so
that one model under two agents can be held against one another. The files are read by `ingest.formats.openhands`.
"""

import re

from benchhealth.ingest.formats.bodies import path_parts
from benchhealth.ingest.formats.openhands import HOMEPAGE, REPOSITORY, read_folder
from benchhealth.ingest.rows import Parsed
from benchhealth.ingest.source import GithubTree, Source

_PATH = re.compile(r"(?:.*/)?alternative_agents/([^/]+)/([^/]+)/(scores|metadata)\.json")


def parse(body: bytes, path: str) -> Parsed:
    """Read one file of a model's folder under one agent."""
    match = path_parts(_PATH, path)
    return read_folder(body, match[1], match[2], f"{match[3]}.json")


SOURCE = Source(
    key="openhands-agents",
    title="OpenHands Index: the same models under other agents",
    homepage=HOMEPAGE,
    licence="MIT",
    redistributable=True,
    kind="collection",
    cadence="some times a month",
    files=(
        GithubTree(
            "openhands-agents/{0}/{1}",
            REPOSITORY,
            "main",
            r"alternative_agents/([^/]+)/([^/]+)/(?:scores|metadata)\.json",
        ),
    ),
    parse=parse,
)
