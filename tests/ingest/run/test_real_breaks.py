"""What the real upstreams changed without a word: what is held, at which version, and what a curator has let pass."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cache
from itertools import pairwise

import polars as pl
import pytest

from ingest.run.drift import Finding, drift, released_between
from ingest.run.resolve import BOUNDED, Resolved, resolve
from tests.ingest.sources.payload_rows import BY_KEY, ROOT, registry_units
from tests.ingest.sources.test_versions import real, versions
from warehouse.registry import Registry, read_registry

pytestmark = real

TEXT = "data/leaderboard-text.json"
STYLE = "data/leaderboard-text-style-control.json"


@cache
def registry() -> Registry:
    return read_registry(ROOT / "data" / "registry")


@cache
def history(key: str, path: str) -> tuple[tuple[date, Resolved], ...]:
    """Every version of one file as the ingest reads it, oldest first (the index lists them in order)."""
    aliases = registry().aliases()
    return tuple(
        (
            version.committed_on,
            resolve(
                BY_KEY[key].parse(version.body(), path),
                source_id=key,
                benchmarks=registry_units(),
                aliases=aliases,
                observed_on=version.committed_on,
            ),
        )
        for version in sorted(versions(key, path), key=lambda version: version.committed_on)
    )


def bounded(version: Resolved) -> set[str]:
    units = {**dict(version.benchmarks.select("benchmark_id", "unit").iter_rows()), **registry_units()}
    return {benchmark for benchmark, unit in units.items() if unit in BOUNDED}


def findings(key: str, path: str, *, curated: bool = False) -> Iterator[tuple[date, Finding]]:
    """What stands against each version as the next one of the one before it."""
    breakpoints = registry().breakpoint.clear() if not curated else registry().breakpoint
    for (since, before), (on, after) in pairwise(history(key, path)):
        released = released_between(breakpoints, since, on)
        for finding in drift(before.results, after.results, source_id=key, bounded=bounded(after), released=released):
            yield on, finding


def of_wholes(key: str, path: str) -> list[tuple[date, str, str]]:
    """(day, board, kind) of what stands against the boards, their parts left out."""
    return [(on, found.board_id, found.kind) for on, found in findings(key, path) if found.board_id.count("/") == 1]


def test_three_shifts_of_the_whole_arena_are_found_and_no_refit_in_85_others() -> None:
    assert len(history("lmarena", "csv/lmsys.csv")) > 85
    assert of_wholes("lmarena", "csv/lmsys.csv") == [
        (date(2025, 5, 20), "lmarena/lmarena-text", "scale"),
        (date(2025, 6, 3), "lmarena/lmarena-text", "scale"),
        (date(2025, 6, 12), "lmarena/lmarena-text", "scale"),
    ]


@pytest.mark.parametrize(("path", "board"), [(TEXT, "lmarena-text-bt"), (STYLE, "lmarena-text-style-control")])
def test_the_json_tables_change_their_scale_twice(path: str, board: str) -> None:
    on = [
        day
        for day, board_id, kind in of_wholes("lmarena-tables", path)
        if (board_id, kind) == (f"lmarena-tables/{board}", "scale")
    ]
    assert on == [date(2025, 5, 27), date(2025, 11, 6)]


@pytest.mark.parametrize(
    ("key", "path", "on", "board", "kind"),
    [
        ("vectara", "README.md", date(2025, 11, 18), "vectara/vectara-hallucination", "data"),
        ("bfcl", "data_overall.csv", date(2025, 8, 28), "bfcl/bfcl", "data"),
        ("bfcl", "data_live.csv", date(2025, 8, 28), "bfcl/bfcl-live", "data"),
        (
            "livebench",
            "public/table_2026_01_08.csv",
            date(2026, 1, 19),
            "livebench/livebench-2026-01-08",
            "data",
        ),
        ("swe-bench-live", "reports-0605.jsonl", date(2026, 1, 8), "*", "data"),
    ],
)
def test_what_began_anew_is_found(key: str, path: str, on: date, board: str, kind: str) -> None:
    assert (on, board, kind) in [(day, found.board_id, found.kind) for day, found in findings(key, path)]


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("lmarena", "csv/lmsys.csv"),
        ("lmarena-tables", TEXT),
        ("lmarena-tables", STYLE),
        ("vectara", "README.md"),
        ("bfcl", "data_overall.csv"),
        ("bfcl", "data_live.csv"),
        ("bfcl", "data_non_live.csv"),
        ("livebench", "public/table_2026_01_08.csv"),
        ("swe-bench", "data/leaderboards.json"),
        ("swe-bench-live", "reports-0605.jsonl"),
        ("mmmu", "leaderboard_data.json"),
        ("model-cards", "data/benchmark_scores.yml"),
    ],
)
def test_with_the_curated_breakpoints_the_newest_version_is_in_service(key: str, path: str) -> None:
    """The gate compares with the last version let pass: replayed here, the newest must be among those."""
    kept = history(key, path)[0]
    held: list[tuple[date, list[Finding]]] = []
    for on, after in history(key, path)[1:]:
        released = released_between(registry().breakpoint, kept[0], on)
        found = drift(kept[1].results, after.results, source_id=key, bounded=bounded(after), released=released)
        if found:
            held.append((on, found))
        else:
            kept = (on, after)
    assert kept[0] == history(key, path)[-1][0], held[-1]


def test_the_arena_renamed_thinking_to_high_and_no_model_is_new() -> None:
    """2026-08-13: of seven names that appear six carry on a row, and one (grok-4.6-high) is a newcomer."""
    path = "data/lmarena/2026-08-{}/text.json"
    (_, before), (_, after) = (history("lmarena-daily", path.format(day))[0] for day in (12, 13))
    old, new = (
        version.results.filter(pl.col("benchmark_id") == "lmarena-text-bt").select("model_id", "setting")
        for version in (before, after)
    )
    assert old.join(new, on=["model_id", "setting"], how="anti").is_empty()
    assert new.join(old, on=["model_id", "setting"], how="anti")["model_id"].to_list() == ["grok-4.6"]


@pytest.mark.soak
@pytest.mark.parametrize("name", ["text", "text_style_control"])
def test_no_daily_refit_of_the_arena_is_held(name: str) -> None:
    paths = sorted({v.path for v in versions("lmarena-daily") if v.path.endswith(f"/{name}.json")})
    days = [(path, history("lmarena-daily", path)[0][1]) for path in paths]
    assert len(days) > 15
    for (_, before), (path, after) in pairwise(days):
        assert drift(before.results, after.results, source_id="lmarena-daily", bounded=set(), released=set()) == [], (
            path
        )
