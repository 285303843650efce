"""The name to show for a model: as its maker writes it, without effort, host or date, and no other model's."""

import csv
import re
from pathlib import Path

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.analytics.record.names.display import MODEL_NAME, display_names
from benchhealth.ingest.names.identity import normalise

FILE = Path(__file__).resolve().parents[3] / "data" / "registry" / "model_name.csv"
CURATED = list(csv.DictReader(FILE.read_text().splitlines()))
DATE = re.compile(r"20[12]\d-?[01]\d|[01]\d-20[12]\d|\b[012]\d-?[0-3]\d\b")
EFFORT = re.compile(r"effort|\((?:x?high|medium|low|max|minimal|none|(?:no )?thinking|\d+k)\)|\bxhigh\b", re.IGNORECASE)


def named(spellings: dict[str, list[str]], curated: dict[str, str] | None = None) -> dict[str, str]:
    rows = [(model_id, name) for model_id, names in spellings.items() for name in names]
    names_seen = pl.DataFrame(rows, schema={"model_id": pl.String(), "name": pl.String()}, orient="row")
    chosen = [(*row, "https://example.org") for row in (curated or {}).items()]
    display = display_names(
        pl.Series(list(spellings), dtype=pl.String()), names_seen, pl.DataFrame(chosen, schema=MODEL_NAME, orient="row")
    )
    return dict(display.iter_rows())


def test_effort_host_and_date_are_no_part_of_a_name() -> None:
    printed = ["openai/gpt-5.4-2026-03-05", "GPT 5.4 (High)", "GPT-5.4", "gpt-5.4-2026-03-05"]
    assert named({"gpt-5.4-2026-03-05": printed}) == {"gpt-5.4-2026-03-05": "GPT-5.4"}
    assert named({"deepseek-v3.2": ["deepseek-reasoner", "DeepSeek-V3.2"]}) == {"deepseek-v3.2": "DeepSeek-V3.2"}
    assert named({"alder": ["host/Alder Max"]}) == {"alder": "alder"}, "no spelling of its id"


def test_a_bracket_of_a_board_hides_no_spelling_of_the_maker() -> None:
    assert named({"toolace-2-8b": ["ToolACE-2-8B (FC)"]}) == {"toolace-2-8b": "ToolACE-2-8B"}
    assert named({"rzn-t": ["rzn-t", "RZN-T (Prompt)"]}) == {"rzn-t": "RZN-T"}
    assert named({"alder": ["Alder Pro (FC)", "alder"]}) == {"alder": "alder"}, "no spelling of its id without it"


def test_names_that_a_crawl_prints_beside_its_ids_are_curated() -> None:
    """Sixty drawn results showed these two by their id; LLM Stats prints both beside it."""
    names = {row["model_id"]: row["name"] for row in CURATED}
    assert names["gpt-5.1-instant-2025-11-12"] == "GPT-5.1 Instant"
    assert names["gemma-4-e4b-it"] == "Gemma 4 E4B IT"


def test_two_snapshots_keep_their_dates() -> None:
    both = {"alder-2025-01-02": ["Alder", "Alder-2025-01-02"], "alder-2025-03-04": ["Alder 2025-03-04"]}
    assert list(named(both).values()) == ["Alder-2025-01-02", "Alder 2025-03-04"]
    undated = {"alder": ["Alder"], "alder-2025-01-02": ["alder-2025-01-02", "Alder"]}
    assert named(undated) == {"alder": "Alder", "alder-2025-01-02": "alder-2025-01-02"}


def test_a_curated_name_stands_and_no_other_model_has_it() -> None:
    names = named({"elm-1": ["Elm 1"], "elm-2": ["Elm"]}, {"elm-2": "Elm 1"})
    assert names == {"elm-1": "elm-1", "elm-2": "Elm 1"}
    assert named({"ash": ["Ash"], "a": []}, {"a": "Ash"})["ash"] == "ash (ash)", "its id is that name too"


@given(st.dictionaries(st.text("aAbB-.1/", min_size=1), st.lists(st.text("aAbB-.1/ ", max_size=5)), max_size=8))
def test_every_model_has_a_name_and_none_that_another_has(spellings: dict[str, list[str]]) -> None:
    lower = {model_id.lower(): names for model_id, names in spellings.items()}
    display = named(lower)
    assert display.keys() == lower.keys()
    assert len({name.lower() for name in display.values()}) == len(display)


def test_curated_names_carry_no_effort_and_no_host_and_a_date_only_where_snapshots_share_a_name() -> None:
    assert len(CURATED) >= 300
    names = [row["name"] for row in CURATED]
    assert len({name.lower() for name in names}) == len(names)
    bare = [re.sub(r" \([^)]*\)$", "", name) for name in names]
    for row, shared in zip(CURATED, bare, strict=True):
        assert not EFFORT.search(row["name"]), row
        assert "/" not in row["name"]
        assert normalise(row["model_id"]) == (row["model_id"], ""), "ids carry no setting"
        if DATE.search(row["name"]):
            makers_own = DATE.search(re.sub(r"-20\d\d-?\d\d-?\d\d$", "", row["model_id"]))
            assert makers_own or bare.count(shared) > 1, row


def test_qwens_names_have_hyphens_as_their_maker_writes_them() -> None:
    assert named({"qwen2.5-vl-7b": ["Qwen2.5-VL 7B"]}) == {"qwen2.5-vl-7b": "Qwen2.5-VL-7B"}
    assert not [row for row in CURATED if row["name"].startswith(("Qwen", "QwQ")) and " " in row["name"].split(" (")[0]]
