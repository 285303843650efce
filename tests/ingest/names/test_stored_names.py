"""Facts that are stored follow the rules for names, and nothing but their names changes."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.ingest.names.identity import with_normalised
from benchhealth.ingest.names.stored_names import RULES_URL, follow_rules, resolve_again, rules_version
from benchhealth.ingest.rows import ModelFact, Parsed, RawRow
from benchhealth.ingest.run.resolve import resolve
from benchhealth.warehouse import registry as files
from benchhealth.warehouse.batch import Batch
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.store import Store, fact_table
from tests.support.curated_facts import curated

AT = datetime(2025, 6, 1)
NAMES = ("Alder 7B", "Alder 7B (June)", "birch-2", "Birch 2 (FC)")


def with_aliases(*rows: tuple[str | None, str, str, str]) -> Registry:
    aliases = [(*row, "known", "https://example.org") for row in rows]
    return replace(curated(), alias=pl.DataFrame(aliases, schema=files.ALIAS, orient="row"))


def setting_of(home: Path, model: str) -> str:
    return str(fact_table(home, "result").filter(model_id=model)["setting"].item())


def batch(registry: Registry, ref: str = "one", row_setting: str = "") -> Batch:
    rows = [RawRow(f"line {n}", "mmlu", name, str(50 + n), setting=row_setting) for n, name in enumerate(NAMES, 2)]
    parsed = Parsed(rows=rows, models=[ModelFact("line 9", "Alder 7B", "Alder Labs")])
    aliases = with_normalised(registry.aliases())
    resolved = resolve(parsed, source_id="board", benchmarks={"mmlu": "percent"}, aliases=aliases)
    return Batch(
        snapshot_id=f"snapshot-{ref}",
        source_id="board",
        board_id="board",
        observed_at=AT,
        fetched_at=AT,
        url=f"https://example.org/{ref}",
        ref=ref,
        sha256="00",
        rows_in=resolved.rows_in,
        results=resolved.results,
        rejections=resolved.rejections,
        models=resolved.models,
        benchmarks=resolved.benchmarks,
        reports=resolved.reports,
    )


PLAIN = with_aliases()
CURATED = with_aliases(
    (None, "alder-7b-(june)", "alder-7b", ""), ("board", "birch-2", "birch-2-20250601", ""), (None, "oak", "elm", "")
)


def test_facts_resolved_again_are_those_that_a_new_ingest_would_bring(tmp_path: Path) -> None:
    for home, first in ((tmp_path / "old", PLAIN), (tmp_path / "new", CURATED)):
        with Store.open(home) as store:
            store.write(batch(first))
            changed = resolve_again(store, CURATED)
            assert bool(changed) == (first is PLAIN)
    for table in ("result", "model_fact", "rejection", "snapshot"):
        old, new = (fact_table(tmp_path / home, table).sort(pl.all()) for home in ("old", "new"))
        assert old.equals(new)
    models = dict(fact_table(tmp_path / "old", "result").select("published_name", "model_id").rows())
    assert models["Birch 2 (FC)"] == "birch-2-20250601"


def test_two_names_of_one_model_in_one_file_stay_two_rows(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.write(batch(PLAIN))
        resolve_again(store, CURATED)
    rows = fact_table(tmp_path, "result").filter(model_id="alder-7b").sort("published_name")
    assert rows.select("published_name", "setting", "score").rows() == [
        ("Alder 7B", "", 0.52),
        ("Alder 7B (June)", "listed as Alder 7B (June)", 0.53),
    ]


def test_a_setting_of_the_row_stays_and_one_of_the_name_is_added_once(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.write(batch(PLAIN))
        renamed = with_aliases((None, "Birch 2 (FC)", "birch", "tools, fc"))
        resolve_again(store, renamed)
        assert resolve_again(store, renamed) == 0
    rows = fact_table(tmp_path, "result").filter(model_id="birch")
    assert rows["setting"].to_list() == ["tools, fc"]


@pytest.mark.parametrize(
    ("row_setting", "before", "after"),
    [("", "tools, fc", ""), ("effort=high", "effort=high, tools, fc", "effort=high"), ("tools", "tools, fc", "tools")],
)
def test_what_an_earlier_rule_took_from_the_name_goes_and_what_the_row_says_stays(
    row_setting: str, before: str, after: str, tmp_path: Path
) -> None:
    earlier, today = (with_aliases((None, "Birch 2 (FC)", "birch", setting)) for setting in ("tools, fc", ""))
    with Store.open(tmp_path) as store:
        store.write(batch(earlier, row_setting=row_setting))
        assert setting_of(tmp_path, "birch") == before
        assert resolve_again(store, today) == 1
        assert resolve_again(store, today) == 0
    assert setting_of(tmp_path, "birch") == after


def test_of_rows_whose_own_setting_nobody_noted_what_the_name_carried_stays(tmp_path: Path) -> None:
    earlier, today = (with_aliases((None, "Birch 2 (FC)", "birch", setting)) for setting in ("tools", "fc"))
    unnoted = batch(earlier)
    with Store.open(tmp_path) as store:
        store.write(replace(unnoted, results=unnoted.results.with_columns(row_setting=pl.lit(None, pl.String))))
        resolve_again(store, today)
    assert setting_of(tmp_path, "birch") == "tools, fc"


def test_only_changed_rules_are_followed_and_the_ledger_knows_by_which(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert follow_rules(store, PLAIN, AT) == 0
        store.write(batch(CURATED))
        assert follow_rules(store, PLAIN, AT) == 0
        assert follow_rules(store, PLAIN, AT, always=True) > 0
        assert follow_rules(store, CURATED, AT) > 0
        last = store.ledger.last(RULES_URL)
        assert last is not None
        assert last.sha256 == rules_version(CURATED) != rules_version(PLAIN)


@pytest.mark.parametrize("table", ["result", "snapshot"])
def test_an_empty_store_has_nothing_to_name(tmp_path: Path, table: str) -> None:
    with Store.open(tmp_path) as store:
        assert follow_rules(store, CURATED, AT) == 0
    assert fact_table(tmp_path, table).is_empty()
    assert table in PUBLISHED
