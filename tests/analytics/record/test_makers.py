"""Organisations under one spelling."""

import polars as pl

from analytics.record.makers import SAME, maker


def test_spellings_are_one_and_nobody_is_null() -> None:
    named = pl.DataFrame({"by": ["Google DeepMind", "google", "Meta-Llama", "Z.ai", "anonymous", "", None, "N/A"]})
    assert named.select(maker(pl.col("by"))).to_series().to_list() == [
        "google", "google", "meta", "zai", None, None, None, None,
    ]  # fmt: skip


def test_no_spelling_is_of_another_spelling() -> None:
    assert not set(SAME) & set(SAME.values())
    assert all(name.isalnum() and name == name.lower() for name in (*SAME, *SAME.values()))
