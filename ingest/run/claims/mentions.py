"""Mentions of benchmarks by documents: each once for a document, with a day and an address."""

from collections.abc import Callable, Container, Sequence
from datetime import date
from typing import NamedTuple

from benchhealth.ingest.formats.numbers import UnreadableError
from benchhealth.ingest.names.identity import printable
from benchhealth.ingest.rows import Mention
from benchhealth.ingest.run.facts import Rejection, as_line


class Mentioned(NamedTuple):
    """One benchmark that one document mentions: a row of the schema MENTION_FACT."""

    source_row: str
    benchmark_id: str
    document: str
    document_kind: str
    organisation: str
    model: str
    mentioned_on: date
    url: str


def mentions(
    published: Sequence[Mention], benchmark_ids: Container[str], day_of: Callable[[str], date | None]
) -> tuple[list[Mentioned], list[Rejection]]:
    """Keep one mention of each benchmark by each document.

    `benchmark_ids` are those that there are; `day_of` reads a date, None where there is none, and raises
    UnreadableError, or another ValueError, where it is no date or too late a one.
    """
    accepted: dict[tuple[str, str], Mentioned] = {}
    rejected: list[Rejection] = []
    for raw in published:
        first = accepted.get((raw.benchmark, printable(raw.document)))
        try:
            if first is not None and not raw.reject:
                raise UnreadableError(f"duplicate of {first.source_row}")
            fact = _mention(raw, benchmark_ids, day_of)
        except ValueError as error:
            shown = as_line(raw.benchmark, raw.document, raw.organisation, raw.mentioned_on)
            rejected.append(Rejection(raw.row, str(error), shown))
        else:
            accepted[fact.benchmark_id, fact.document] = fact
    return list(accepted.values()), rejected


def _mention(raw: Mention, benchmark_ids: Container[str], day_of: Callable[[str], date | None]) -> Mentioned:
    if raw.reject:
        raise UnreadableError(raw.reject)
    if raw.benchmark not in benchmark_ids:
        raise UnreadableError(f"unknown benchmark: {raw.benchmark!r}")
    document, organisation, model = printable(raw.document), printable(raw.organisation), printable(raw.model)
    if not (document and organisation and model and raw.kind and raw.url.startswith("https://")):
        raise UnreadableError("a mention without its document, maker, model or address")
    mentioned_on = day_of(raw.mentioned_on)
    if mentioned_on is None:
        raise UnreadableError("a document without a date")
    return Mentioned(
        source_row=raw.row,
        benchmark_id=raw.benchmark,
        document=document,
        document_kind=raw.kind,
        organisation=organisation,
        model=model,
        mentioned_on=mentioned_on,
        url=raw.url,
    )
