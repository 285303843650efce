"""Samples of Every Eval Ever: one file, one record of one model, in the versions that its collectors wrote.

HELM and the Open LLM leaderboard evaluate parts of a benchmark, or in their own ways: an evaluation is never taken for
the registry's benchmark of the same name, it is `eee-<collection>-<evaluation>`.
"""

from ingest.formats.addresses import slug
from ingest.formats.eee import Evaluation, parse_record, read_record
from ingest.rows import Parsed

HOMEPAGE = "https://github.com/evaleval/auto-benchmarkcard"


def parse(body: bytes, path: str) -> Parsed:
    """Read one record; `path` does not matter."""
    return parse_record(read_record(body), _benchmark)


def _benchmark(evaluation: Evaluation) -> str:
    return "-".join(["eee", *filter(None, [slug(evaluation.collection), slug(evaluation.name)])])
