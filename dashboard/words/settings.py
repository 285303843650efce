"""The setting of a result as pages word it: `effort=high` of a source is `high effort`, as in other sources."""

import re

import polars as pl

from benchhealth.analytics.record.conditions.recognise import LONGEST_SETTING

UNSTATED = "setting not stated"

_REWORDED = (
    (rf"^(.{{{LONGEST_SETTING}}})$", "${1}…"),
    (r"\b(?:effort=none|none effort)\b", "no effort"),
    (r"\beffort=(\w+)", "${1} effort"),
    ("=", " "),
)
"""Regular expressions, each with what stands in its place; what is as long as sources are read was cut."""


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
