"""What a file claims beside results (names, prices, reports, mentions): each once, or rejected with the reason.

Months where days are stated are refused, but of sources of which the record knows that they have months.
"""

from collections.abc import Callable, Container, Sequence
from datetime import date

from benchhealth.analytics.record.model_facts.precision import COARSEST, MONTHS_OF_RELEASES
from benchhealth.ingest.formats.bodies import slug
from benchhealth.ingest.formats.numbers import UnreadableError, is_month, is_nothing, read_day, read_number
from benchhealth.ingest.names.identity import printable
from benchhealth.ingest.rows import ContaminationReport, ListedName, Mention, Price
from benchhealth.ingest.run.records import BOUNDED, Fact, Rejection, as_line, each_once
from benchhealth.warehouse.batch import REPORT_FACT

ENTITIES = ("model", "benchmark")


def listed_names(names: Sequence[ListedName], model_of: Callable[[str], str]) -> tuple[list[Fact], list[Rejection]]:
    """The names with their `key`: the model_id that `model_of` gives, or the benchmark's name in the form of an id.

    Of one entry each key is kept once. `model_of` may raise NameRefusedError. Raises ValueError for an entity that is
    none of ENTITIES.
    """
    return each_once(
        names,
        lambda raw: _listed_name(raw, model_of),
        key=("entity", "listed", "key"),
        text_of=lambda raw: as_line(raw.listed, raw.name),
        repeated="excluded: the same name as",
    )


def _listed_name(raw: ListedName, model_of: Callable[[str], str]) -> Fact:
    if raw.entity not in ENTITIES:
        raise ValueError(f"{raw.row}: entity {raw.entity!r}")
    key = model_of(raw.name) if raw.entity == "model" else slug(raw.name)
    if not key:
        raise UnreadableError("no name")
    return {
        "source_row": raw.row,
        "entity": raw.entity,
        "listed": printable(raw.listed),
        "name": printable(raw.name),
        "key": key,
    }


def prices(published: Sequence[Price], model_of: Callable[[str], str]) -> tuple[list[Fact], list[Rejection]]:
    """Keep one price of each model at each provider under each terms, from each day.

    `model_of` gives the model_id of a published name, and raises NameRefusedError where there is none.
    """
    return each_once(
        published,
        lambda raw: _price(raw, model_of),
        key=("provider", "published_name", "terms", "starts_on"),
        text_of=lambda raw: as_line(raw.provider, raw.model, raw.input, raw.output, raw.terms),
    )


def _price(raw: Price, model_of: Callable[[str], str]) -> Fact:
    provider, name = printable(raw.provider), printable(raw.model)
    if not provider or not name:
        raise UnreadableError("a price without its provider or model")
    input_price, output_price, cache_read, cache_write = (
        _dollars(text) for text in (raw.input, raw.output, raw.cache_read, raw.cache_write)
    )
    if input_price is None and output_price is None:
        raise UnreadableError("no price of tokens read or written")
    return {
        "source_row": raw.row,
        "provider": provider,
        "published_name": name,
        "model_id": model_of(raw.model),
        "input": input_price,
        "output": output_price,
        "cache_read": cache_read,
        "cache_write": cache_write,
        "terms": printable(raw.terms),
        "starts_on": read_day(raw.starts_on) if raw.starts_on else None,
    }


def _dollars(text: str) -> float | None:
    if not text:
        return None
    amount = read_number(text)
    if amount < 0:
        raise UnreadableError(f"a negative price: {text!r}")
    return amount


SUBJECTS = ("model", "corpus")


def reports(published: Sequence[ContaminationReport]) -> tuple[list[Fact], list[Rejection]]:
    """Keep each report once; the same one in other words of the file's is another report."""
    return each_once(
        published,
        _report,
        key=[column for column in REPORT_FACT if column != "source_row"],
        text_of=lambda raw: as_line(raw.benchmark, raw.subject, raw.split, raw.share, raw.method),
    )


def _report(raw: ContaminationReport) -> Fact:
    if raw.subject_kind not in SUBJECTS or raw.unit not in BOUNDED:
        raise ValueError(f"{raw.row}: subject kind {raw.subject_kind!r}, unit {raw.unit!r}")
    subject, method = printable(raw.subject), printable(raw.method)
    if not (raw.benchmark and subject and method and raw.reference_url):
        raise UnreadableError("a report without its benchmark, subject, method or reference")
    share, size = None, BOUNDED[raw.unit]
    if not is_nothing(raw.share):
        share = read_number(raw.share, percent_sign=raw.unit == "percent")
        if not 0 <= share <= size:
            raise UnreadableError(f"outside 0 to {size:g}: {raw.share!r}")
        share /= size
    return {
        "source_row": raw.row,
        "benchmark_id": raw.benchmark,
        "subject": subject,
        "subject_kind": raw.subject_kind,
        "split": printable(raw.split) or None,
        "share": share,
        "method": method,
        "reference_url": raw.reference_url,
    }


def refuse_month(text: str, source_id: str, *, of_release: bool = False) -> None:
    """Raise UnreadableError for a month without a day of a result, or of a model's release."""
    coarse: Container[str] = MONTHS_OF_RELEASES if of_release else COARSEST
    if is_month(text) and source_id not in coarse:
        raise UnreadableError(f"a month and no day, of a source that states days: {text!r}")


def mentions(
    published: Sequence[Mention], benchmark_ids: Container[str], day_of: Callable[[str], date | None]
) -> tuple[list[Fact], list[Rejection]]:
    """Keep one mention of each benchmark by each document.

    `benchmark_ids` are those that there are; `day_of` reads a date, None where there is none, and raises
    UnreadableError where it is no date or too late a one.
    """
    return each_once(
        published,
        lambda raw: _mention(raw, benchmark_ids, day_of),
        key=("benchmark_id", "document"),
        text_of=lambda raw: as_line(raw.benchmark, raw.document, raw.organisation, raw.mentioned_on),
    )


def _mention(raw: Mention, benchmark_ids: Container[str], day_of: Callable[[str], date | None]) -> Fact:
    if raw.benchmark not in benchmark_ids:
        raise UnreadableError(f"unknown benchmark: {raw.benchmark!r}")
    document, organisation, model = printable(raw.document), printable(raw.organisation), printable(raw.model)
    if not (document and organisation and model and raw.kind and raw.url.startswith("https://")):
        raise UnreadableError("a mention without its document, maker, model or address")
    mentioned_on = day_of(raw.mentioned_on)
    if mentioned_on is None:
        raise UnreadableError("a document without a date")
    return {
        "source_row": raw.row,
        "benchmark_id": raw.benchmark,
        "document": document,
        "document_kind": raw.kind,
        "organisation": organisation,
        "model": model,
        "mentioned_on": mentioned_on,
        "url": raw.url,
    }
