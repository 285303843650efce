"""genai-prices: `prices/data.json`, what providers ask for a million tokens of each model, version by version.

No results. Where a price has tiers, each is a price of its own under the terms `above N tokens`; where prices hold at
hours of the day or from a day on, that is said (`terms`, `starts_on`). A model has several providers, each with its own
prices. Those of audio, of images and of requests are not read; an entry that has no others is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from benchhealth.ingest.formats.bodies import as_text, objects_of, pointer, read_json
from benchhealth.ingest.rows import Parsed, PayloadError, Price
from benchhealth.ingest.source import GithubFile, Source

HOMEPAGE = "https://github.com/pydantic/genai-prices"
FIELDS = {
    "input_mtok": "input",
    "output_mtok": "output",
    "cache_read_mtok": "cache_read",
    "cache_write_mtok": "cache_write",
}
CONSTRAINTS = frozenset({"start_date", "start_time", "end_time"})
NO_TOKENS = "excluded: no price of tokens read or written"


class _Tier(NamedTuple):
    """A price above a number of tokens; the usual one is above 0."""

    above: int
    price: str


def parse(body: bytes, path: str) -> Parsed:
    """Read all providers' lists: a price for every model, tier and condition."""
    prices: list[Price] = []
    for index, provider in enumerate(objects_of(read_json(body), "not a list of providers", "id")):
        models = provider.get("models")
        if not isinstance(models, list):
            raise PayloadError(f"{pointer(index)} is no provider with models")
        for position, model in enumerate(models):
            prices += _of_model(pointer(index, "models", position), as_text(provider["id"]), model)
    if not prices:
        raise PayloadError("no model with a price")
    return Parsed(prices=prices)


SOURCE = Source(
    key="genai-prices",
    title="Prices of models by provider (genai-prices)",
    homepage=HOMEPAGE,
    licence="MIT",
    redistributable=True,
    kind="collection",
    cadence="weekly",
    files=(GithubFile("genai-prices/prices", "pydantic/genai-prices", "main", "prices/data.json"),),
    parse=parse,
)


def _of_model(row: str, provider: str, model: object) -> Iterator[Price]:
    if not isinstance(model, dict) or "id" not in model or "prices" not in model:
        yield Price(row, provider, "", reject="a model without its id or prices")
        return
    name, listed = as_text(model["id"]), model["prices"]
    for position, entry in enumerate(listed if isinstance(listed, list) else [{"prices": listed}]):
        address = f"{row}/prices/{position}" if isinstance(listed, list) else f"{row}/prices"
        yield from _entry(Price(address, provider, name), entry)


def _entry(price: Price, entry: object) -> Iterator[Price]:
    """The prices of one entry: one, or one for each tier."""
    if not isinstance(entry, dict) or not isinstance(entry.get("prices"), dict):
        yield price._replace(reject="not a list of prices")
        return
    constraint = entry.get("constraint") or {}
    if not isinstance(constraint, dict):
        yield price._replace(reject="a condition that is no object")
        return
    if set(constraint) - CONSTRAINTS:
        yield price._replace(reject=f"an unknown condition: {', '.join(sorted(constraint))}")
        return
    hours = (
        f"{as_text(constraint['start_time'])[:5]} to {as_text(constraint['end_time'])[:5]} UTC"
        if {"start_time", "end_time"} <= set(constraint)
        else ""
    )
    price = price._replace(terms=hours, starts_on=as_text(constraint.get("start_date")))
    columns = {column: _tiers(entry["prices"][field]) for field, column in FIELDS.items() if field in entry["prices"]}
    if not {"input", "output"} & set(columns):
        yield price._replace(reject=NO_TOKENS)
    elif None in columns.values():
        yield price._replace(reject="a price that is no number and has no tiers")
    else:
        yield from _at_tiers(price, {column: tiers for column, tiers in columns.items() if tiers})


def _at_tiers(price: Price, columns: Mapping[str, Sequence[_Tier]]) -> Iterator[Price]:
    for above in sorted({tier.above for tiers in columns.values() for tier in tiers}):
        holds = {
            column: max((tier for tier in tiers if tier.above <= above), key=lambda tier: tier.above).price
            for column, tiers in columns.items()
        }
        words = (price.terms, f"above {above:,} tokens" if above else "")
        yield price._replace(
            row=f"{price.row}, above {above}" if above else price.row,
            terms=", ".join(term for term in words if term),
            **holds,
        )


def _tiers(value: object) -> list[_Tier] | None:
    """The prices of a field; None where it is neither a number nor tiers."""
    if not isinstance(value, dict):
        return None if isinstance(value, list) or value is None else [_Tier(0, as_text(value))]
    tiers = value.get("tiers")
    if "base" not in value or not isinstance(tiers, list):
        return None
    if not all(isinstance(tier, dict) and as_text(tier.get("start")).isdecimal() and "price" in tier for tier in tiers):
        return None
    return [
        _Tier(0, as_text(value["base"])),
        *(_Tier(int(as_text(tier["start"])), as_text(tier["price"])) for tier in tiers),
    ]
