"""Stored facts follow the rules for names: when rules or aliases change, what is stored is resolved again."""

import hashlib
import re
from datetime import datetime
from pathlib import Path

import polars as pl

from benchhealth.ingest.names import identity, makers
from benchhealth.ingest.names import settings as identity_settings
from benchhealth.ingest.names import spelling as identity_spelling
from benchhealth.ingest.names.identity import (
    LISTED_AS,
    both_settings,
    identify,
    join_settings,
    listings,
    with_normalised,
)
from benchhealth.warehouse.ledger import LedgerEntry
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.store import Store

REGISTRY_SOURCE = "registry"
"""The source_id of the registry in the ledger: it names results, and nothing is fetched for it."""

RULES_URL = "registry:names"
"""The key under which the ledger keeps the rules and aliases that last named the stored facts."""

_MODULES = (identity, identity_settings, identity_spelling, makers)
_LISTED = re.compile(rf"(?:^|, ){LISTED_AS}.*$")


def follow_rules(store: Store, registry: Registry, instant: datetime, *, always: bool = False) -> int:
    """Resolve stored names again if rules or aliases are not those of the last time; the number of changed rows.

    With `always` also where they are: facts of a bundle may have been named by others.
    """
    rules = rules_version(registry)
    last = store.ledger.last(RULES_URL)
    if not always and last is not None and last.sha256 == rules:
        return 0
    changed = resolve_again(store, registry)
    if last is None or last.sha256 != rules:
        detail = f"{changed} rows named again"
        store.ledger.record(
            LedgerEntry(
                source_id=REGISTRY_SOURCE,
                url=RULES_URL,
                path="alias.csv",
                ref="",
                etag="",
                sha256=rules,
                state="written",
                detail=detail,
                at=instant,
            )
        )
    return changed


def rules_version(registry: Registry) -> str:
    """A digest of the rules and aliases that names are resolved by."""
    digest = hashlib.sha256()
    for module in _MODULES:
        digest.update(Path(str(module.__file__)).read_bytes())
    digest.update(repr(sorted(registry.aliases().items(), key=repr)).encode())
    return digest.hexdigest()


def resolve_again(store: Store, registry: Registry) -> int:
    """Give every stored result and model fact the model that today's rules make of its published name.

    Nothing else changes: no row comes or goes. The setting is the row's own and what the name carries by today's rules.
    Where nobody noted the row's own, what an earlier rule took from the name stays in the setting. Rows of one file
    that come to be the same key are distinguished as `resolve` does it, and keep what they had where even that leaves
    them the same.
    """
    renamed = _renamed(store.names(), registry)
    if renamed.is_empty():
        return 0
    rows = store.rows_like(renamed.select("source_id", "published_name"))
    same = ["source_id", "published_name", "model_id", "setting", "row_setting"]
    named_anew = _distinguished(
        rows.join(renamed, on=same, how="left", nulls_equal=True).with_columns(
            model=pl.coalesce("new_model", "model_id"), run=pl.coalesce("new_setting", "setting")
        )
    )
    changes = named_anew.filter((pl.col("model") != pl.col("model_id")) | (pl.col("run") != pl.col("setting")))
    return store.rename(changes.select("row", model_id="model", setting="run"), _model_names(renamed))


def _renamed(names: pl.DataFrame, registry: Registry) -> pl.DataFrame:
    """The names as they are stored (`Store.names`) that today's rules see otherwise, with new values."""
    aliases = with_normalised(registry.aliases())
    ids = [identify(name, source, aliases) for source, name in names.select("source_id", "published_name").iter_rows()]
    settings = [
        _setting(old or "", new.setting) if row_setting is None else both_settings(row_setting, new.setting)
        for old, row_setting, new in zip(names["setting"], names["row_setting"], ids, strict=True)
    ]
    return names.with_columns(
        new_model=pl.Series([new.model_id for new in ids], dtype=pl.String),
        new_setting=pl.Series(settings, dtype=pl.String),
    ).filter((pl.col("new_model") != pl.col("model_id")) | (pl.col("new_setting") != pl.col("setting")))


def _setting(stored: str, of_name: str) -> str:
    """The stored setting with that of the name behind the rest, as `resolve` writes it."""
    stored_settings, named = _LISTED.sub("", stored).split(", "), of_name.split(", ")
    remaining = iter(stored_settings)
    if all(setting in remaining for setting in named if setting):
        return join_settings(stored_settings)
    return join_settings([*(setting for setting in stored_settings if setting not in named), *named])


def _distinguished(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with `run` such that no two of one file have the same key, as far as their names tell them apart."""
    key = ["snapshot_id", "benchmark_id", "model", "run", "reporter"]
    repeated = rows.filter(pl.len().over(key) > 1)
    if repeated.is_empty():
        return rows
    listed = repeated.group_by(key, maintain_order=True).agg("row", "published_name")
    listed_as = [
        (row, join_settings([run, listing]))
        for run, positions, names in listed.select("run", "row", "published_name").iter_rows()
        for row, listing in zip(positions, listings(names), strict=True)
    ]
    settings = pl.DataFrame(listed_as, schema={"row": pl.Int64(), "listed_as": pl.String()}, orient="row")
    distinct = rows.join(settings, on="row", how="left").with_columns(run=pl.coalesce("listed_as", "run"))
    still = pl.len().over(key) > 1
    return distinct.with_columns(
        model=pl.when(still).then("model_id").otherwise("model"), run=pl.when(still).then("setting").otherwise("run")
    )


def _model_names(renamed: pl.DataFrame) -> pl.DataFrame:
    return renamed.select("source_id", "published_name", model_id="new_model").unique()
