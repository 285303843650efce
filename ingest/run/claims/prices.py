"""Prices of models: each once for a provider, model and terms, as numbers."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple

from benchhealth.ingest.formats.numbers import UnreadableError, read_day, read_number
from benchhealth.ingest.names.identity import printable
from benchhealth.ingest.rows import Price
from benchhealth.ingest.run.facts import Rejection, as_line, each_once


class Priced(NamedTuple):
    """What one provider asks for one model: a row of the schema PRICE_FACT."""

    source_row: str
    provider: str
    published_name: str
    model_id: str
    input: float | None
    output: float | None
    cache_read: float | None
    cache_write: float | None
    terms: str
    starts_on: date | None


def prices(published: Sequence[Price], model_of: Callable[[str], str]) -> tuple[list[Priced], list[Rejection]]:
    """Keep one price of each model at each provider under each terms, from each day.

    `model_of` gives the model_id of a published name, and raises NameRefusedError where there is none.
    """
    return each_once(
        published,
        lambda raw: _price(raw, model_of),
        key=lambda fact: (fact.provider, fact.published_name, fact.terms, fact.starts_on),
        shown=lambda raw: as_line(raw.provider, raw.model, raw.input, raw.output, raw.terms),
    )


def _price(raw: Price, model_of: Callable[[str], str]) -> Priced:
    if raw.reject:
        raise UnreadableError(raw.reject)
    provider, name = printable(raw.provider), printable(raw.model)
    if not provider or not name:
        raise UnreadableError("a price without its provider or model")
    input_price, output_price, cache_read, cache_write = (
        _dollars(text) for text in (raw.input, raw.output, raw.cache_read, raw.cache_write)
    )
    if input_price is None and output_price is None:
        raise UnreadableError("no price of tokens read or written")
    return Priced(
        source_row=raw.row,
        provider=provider,
        published_name=name,
        model_id=model_of(raw.model),
        input=input_price,
        output=output_price,
        cache_read=cache_read,
        cache_write=cache_write,
        terms=printable(raw.terms),
        starts_on=read_day(raw.starts_on) if raw.starts_on else None,
    )


def _dollars(text: str) -> float | None:
    if not text:
        return None
    amount = read_number(text)
    if amount < 0:
        raise UnreadableError(f"a negative price: {text!r}")
    return amount
