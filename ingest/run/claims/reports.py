"""Reports of a benchmark's items in training data: each once, with its share as a fraction."""

from collections.abc import Sequence

from benchhealth.ingest.formats.numbers import UnreadableError, is_nothing, read_number
from benchhealth.ingest.names.identity import printable
from benchhealth.ingest.rows import ContaminationReport
from benchhealth.ingest.run.facts import BOUNDED, Rejection, Report, as_line, each_once

SUBJECTS = ("model", "corpus")


def reports(published: Sequence[ContaminationReport]) -> tuple[list[Report], list[Rejection]]:
    """Keep each report once; the same one in other words of the file's is another report."""
    return each_once(
        published,
        _report,
        key=lambda fact: fact._replace(source_row=""),
        shown=lambda raw: as_line(raw.benchmark, raw.subject, raw.split, raw.share, raw.method),
    )


def _report(raw: ContaminationReport) -> Report:
    if raw.subject_kind not in SUBJECTS or raw.unit not in BOUNDED:
        raise ValueError(f"{raw.row}: subject kind {raw.subject_kind!r}, unit {raw.unit!r}")
    if raw.reject:
        raise UnreadableError(raw.reject)
    subject, method = printable(raw.subject), printable(raw.method)
    if not (raw.benchmark and subject and method and raw.reference_url):
        raise UnreadableError("a report without its benchmark, subject, method or reference")
    share, size = None, BOUNDED[raw.unit]
    if not is_nothing(raw.share):
        share = read_number(raw.share, percent_sign=raw.unit == "percent")
        if not 0 <= share <= size:
            raise UnreadableError(f"outside 0 to {size:g}: {raw.share!r}")
        share /= size
    return Report(
        source_row=raw.row,
        benchmark_id=raw.benchmark,
        subject=subject,
        subject_kind=raw.subject_kind,
        split=printable(raw.split) or None,
        share=share,
        method=method,
        reference_url=raw.reference_url,
    )
