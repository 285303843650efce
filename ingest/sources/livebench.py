"""LiveBench, release by release until 2026-01-08: `public/table_YYYY_MM_DD.csv` of the site's first repository.

Later releases lie in another repository, which `new_livebench` follows; the tables are read alike.
"""

from benchhealth.ingest.formats.livebench_tables import HOMEPAGE, parse_table
from benchhealth.ingest.rows import Parsed
from benchhealth.ingest.source import GithubTree, Source


def parse(body: bytes, path: str) -> Parsed:
    """Read one release's table; how many questions its tasks have is not said."""
    return parse_table(body, path, {})


SOURCE = Source(
    key="livebench",
    title="LiveBench",
    homepage=HOMEPAGE,
    licence="Apache-2.0",
    redistributable=True,
    cadence="weekly",
    files=(
        GithubTree(
            "livebench/livebench-{0}-{1}-{2}",
            "LiveBench/livebench.github.io",
            "main",
            r"public/table_(\d{4})_(\d{2})_(\d{2})\.csv",
        ),
    ),
    parse=parse,
)
