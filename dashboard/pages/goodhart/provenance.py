"""Which sources the results of some benchmarks are from, for the line below a chart."""

from collections.abc import Sequence

from dashboard.published.generation import View
from dashboard.widgets.chart import SourceLine

_SQL = """
SELECT s.source_id, max(s.observed_at) AS observed_at, count(DISTINCT r.benchmark_id) AS n
FROM result r JOIN snapshot s USING (snapshot_id)
WHERE r.benchmark_id = ANY($ids) AND (len($only) = 0 OR s.source_id = ANY($only))
GROUP BY s.source_id ORDER BY n DESC, s.source_id
"""


def of_benchmarks(view: View, benchmark_ids: Sequence[str], only: Sequence[str] = ()) -> list[SourceLine]:
    """The sources that hold results of these benchmarks, those of most of them first; `only` some where named."""
    ids, named = sorted(set(benchmark_ids)), sorted(set(only))
    return view.kept(("provenance", tuple(ids), tuple(named)), lambda: _looked_up(view, ids, named))


def _looked_up(view: View, ids: list[str], only: list[str]) -> list[SourceLine]:
    if not ids:
        return []
    found = view.query(_SQL, ids=ids, only=only)
    titled = found.join(
        view.table("source").select("source_id", "title", "homepage"),
        on="source_id",
        how="left",
        maintain_order="left",
    )
    return [
        SourceLine(title or source_id, homepage or "", observed_at)
        for source_id, title, homepage, observed_at in titled.select(
            "source_id", "title", "homepage", "observed_at"
        ).iter_rows()
    ]
