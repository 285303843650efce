"""Samples of Every Eval Ever: one file, one record of one model, in the versions that its collectors wrote.

HELM and the Open LLM leaderboard evaluate parts of a benchmark, or in their own ways: an evaluation is never taken for
the registry's benchmark of the same name, it is `eee-<collection>-<evaluation>`.
"""

from benchhealth.ingest.formats.bodies import slug
from benchhealth.ingest.formats.eee import Evaluation, parse_record, read_record
from benchhealth.ingest.rows import Parsed
from benchhealth.ingest.source import GithubTree, Source

HOMEPAGE = "https://github.com/evaleval/auto-benchmarkcard"


def parse(body: bytes, path: str) -> Parsed:
    """Read one record; `path` does not matter."""
    return parse_record(read_record(body), _benchmark)


SOURCE = Source(
    key="eee",
    title="Every Eval Ever, sample records",
    homepage=HOMEPAGE,
    licence="MIT",
    redistributable=True,
    kind="crawl",
    cadence="some times a year",
    files=(GithubTree("eee/{0}", "evaleval/auto-benchmarkcard", "main", r"external/eee_samples/([^/]+)\.json"),),
    parse=parse,
)


def _benchmark(evaluation: Evaluation) -> str:
    return "-".join(["eee", *filter(None, [slug(evaluation.collection), slug(evaluation.name)])])
