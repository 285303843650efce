"""The setting of a result as pages word it: `effort=high` of a source is `high effort`, as in other sources."""

import re

import polars as pl

from benchhealth.analytics.record.conditions.recognise import LONGEST_SETTING

UNSTATED = "setting not stated"

_CUT = (rf"^(.{{{LONGEST_SETTING}}})$", "${1}…")
"""What is as long as notes of sources are kept was cut."""
_REWORDED = (
    _CUT,
    (r"\b(?:effort=none|none effort)\b", "no effort"),
    (r"\beffort=(\w+)", "${1} effort"),
    ("=", " "),
)
"""Regular expressions, each with what stands in its place."""


def as_published(setting: pl.Expr) -> pl.Expr:
    """The settings of a column in the words of their sources; one that was cut ends in an ellipsis."""
    return setting.str.replace(*_CUT)


def setting_text(setting: str) -> str:
    """One setting in words: `scaffold Codex CLI, high effort`."""
    for pattern, words in _REWORDED:
        setting = re.sub(pattern, words.replace("${1}", r"\1"), setting)
    return setting


def setting_texts(setting: pl.Expr) -> pl.Expr:
    """The same of a column."""
    for pattern, words in _REWORDED:
        setting = setting.str.replace_all(pattern, words)
    return setting
