"""The tables of facts as the warehouse stores them. They are never handed out: published tables are made from them."""

from collections.abc import Mapping

from benchhealth.analytics.record.tables import shared
from benchhealth.analytics.record.tables.declared import (
    FACTS,
    Column,
    Sharing,
    Table,
    count,
    day,
    instant,
    link,
    sentence,
    text,
)
from benchhealth.analytics.record.tables.of_facts import FACT_TABLES, ITEM_BITS
from benchhealth.analytics.record.tables.of_forecasts import BACKCAST_COLUMNS, ISSUED_COLUMNS
from benchhealth.analytics.record.tables.of_verdicts import VERDICT_ISSUED_COLUMNS

_PUBLISHED = {table.name: table for table in FACT_TABLES}
_BENCHMARK, _MODEL, _SOURCE = (_PUBLISHED[name] for name in ("benchmark", "model", "source"))
_ITEMS, _MENTION, _RUN = (_PUBLISHED[name] for name in ("item_result", "mention", "run"))
_PRICE = _PUBLISHED["price"]
_SNAPSHOT = _PUBLISHED["snapshot"]
_KIND = text("kind", "What it is: model, human, random or cheating; only models are ranked.")
_PRINTED_IN = text(
    "printed_in", "The document or board that the row names as where its number stands; null: it names none."
)
_ROW_SETTING = text("row_setting", "The setting that the row states beside the name; null: nobody noted it.")
_AT = (shared.SNAPSHOT_ID, shared.SOURCE_ROW)
"""Where a fact was read: the version of a file, and the address of the row in it."""


def _table(name: str, row: str, columns: tuple[Column, ...], *key: str) -> Table:
    """A stored table: `row` says what one row is, `key` names the columns that identify a row."""
    return Table(name, row, columns, key, Sharing.STAYS, made_by=FACTS)


_STORED = (
    _table(
        "source",
        "a source as it declares itself",
        _SOURCE.take("source_id", "title", "homepage", "licence", "redistributable", "cadence", "kind"),
        "source_id",
    ),
    _table("snapshot", _SNAPSHOT.row, _SNAPSHOT.columns, *_SNAPSHOT.key),
    _table(
        "result",
        "a resolved result; day and basis are null where the source gives none",
        (
            *_PUBLISHED["result"].without("condition", "stands", "date_precision", "side"),
            shared.PUBLISHED_NAME,
            _KIND,
            _PRINTED_IN,
            _ROW_SETTING,
        ),
        *_PUBLISHED["result"].key,
    ),
    _table(
        "rejection",
        _PUBLISHED["rejection"].row,
        _PUBLISHED["rejection"].take("snapshot_id", "source_row", "reason", "published"),
        *_PUBLISHED["rejection"].key,
    ),
    _table(
        "model_fact",
        "what a row of a file says of a model",
        (
            *_AT,
            *_MODEL.without("released_precision"),
            day("knowledge_cutoff", "When its training data ended."),
        ),
        "snapshot_id",
        "source_row",
        "model_id",
    ),
    _table(
        "benchmark_fact",
        "what a version of a file says of a benchmark",
        (
            shared.SNAPSHOT_ID,
            *_BENCHMARK.take("benchmark_id", "name", "metric", "unit", "higher_is_better", "domain", "modality"),
            *_BENCHMARK.take("floor", "n_items", "released_on", "paper_url"),
        ),
        "snapshot_id",
        "benchmark_id",
    ),
    _table(
        "report_fact",
        "what a row of a file reports about items in training data",
        (*_AT, *_PUBLISHED["contamination_report"].columns),
        "snapshot_id",
        "source_row",
        *_PUBLISHED["contamination_report"].key,
    ),
    _table(
        "look",
        "an answer of a source about one of its files",
        (shared.SOURCE_ID, shared.BOARD_ID, instant("looked_at", "Until when the answer spoke, in UTC.")),
        "source_id",
        "board_id",
        "looked_at",
    ),
    _table(
        "mention_fact",
        "that a document of a model's maker reports a benchmark",
        (*_AT, *_MENTION.without("source_id")),
        "snapshot_id",
        "source_row",
        "benchmark_id",
    ),
    _table(
        "name_fact",
        "that a registry lists a name under one of its entries",
        (
            *_AT,
            text("entity", "The kind of thing: model or benchmark."),
            text("listed", "The registry's entry."),
            text("name", "The name."),
            text("key", "What the name would be among the ids here."),
        ),
        "snapshot_id",
        "source_row",
        "entity",
        "listed",
        "name",
    ),
    _table(
        "price_fact",
        "what a version of a file says that a provider asks for a model",
        (
            *_AT,
            *_PRICE.take("provider", "published_name", "model_id", "input", "output"),
            *_PRICE.take("cache_read", "cache_write", "terms", "starts_on"),
        ),
        "snapshot_id",
        "source_row",
    ),
    _table(
        "own_fact",
        "what came with results of one's own about a benchmark",
        (
            shared.SNAPSHOT_ID,
            *_BENCHMARK.take("benchmark_id", "labels"),
            text("twin_of", "The benchmark that it is a twin of."),
            text("twin_kind", "What kind of twin."),
        ),
        "snapshot_id",
        "benchmark_id",
        "twin_of",
    ),
    _table("item", _PUBLISHED["item"].row, _PUBLISHED["item"].columns, *_PUBLISHED["item"].key),
    _table(
        "item_run",
        "a result item by item",
        (
            *_AT,
            *_ITEMS.take("list_id"),
            count("n_named", "The items of which the file itself says the outcome."),
            *ITEM_BITS,
        ),
        "snapshot_id",
        "source_row",
    ),
    _table(
        "forecast_issued",
        "a forecast as it was published; nothing of it is ever changed",
        (*ISSUED_COLUMNS, instant("issued_at", "When it was published, in UTC.")),
        "benchmark_id",
        "horizon_months",
        "issued_on",
    ),
    _table(
        "forecast_backcast",
        "a forecast as it would have been made on a past day; nothing of it is ever changed",
        (*BACKCAST_COLUMNS, instant("issued_at", "When it was entered, in UTC.")),
        "benchmark_id",
        "horizon_months",
        "issued_on",
    ),
    _table(
        "verdict_issued",
        "a verdict as it was published or backcast; nothing of it is ever changed",
        (*VERDICT_ISSUED_COLUMNS, instant("issued_at", "When it was entered, in UTC.")),
        "benchmark_id",
        "issued_on",
        "held_on",
    ),
    _table(
        "ledger",
        "something that happened to a file of a source",
        (
            count("seq", "Its place in the order."),
            shared.SOURCE_ID,
            link("url", "The address that was asked."),
            text("path", "The file's path at the source."),
            text("ref", "Its version."),
            text("etag", "What the server calls the version."),
            text("sha256", "The hash of the bytes."),
            text("state", "What happened."),
            sentence("detail", "The same in words."),
            instant("at", "When, in UTC."),
        ),
        "seq",
    ),
    _table("run_start", "a run that began", _RUN.take("run_id", "started_at", "command"), "run_id"),
    _table("run_end", "a run that ended", _RUN.take("run_id", "ended_at", "status", "detail"), "run_id"),
)

STORED: Mapping[str, Table] = {table.name: table for table in _STORED}
"""Every table of the facts database by name."""
