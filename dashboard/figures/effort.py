"""How hard a model was let think, as the chip beside its name: of a setting, in the words of pages.

A name never carries it (`analytics.record.names`). A chart has the chip as `beside`, a grid as the column of `EFFORT`.
"""

import re

import polars as pl

from benchhealth.analytics.record.tables.declared import Column, text
from benchhealth.dashboard.words.settings import setting_text, setting_texts
from benchhealth.dashboard.words.text import plotly

_EFFORT = r"(?:^|, )((?:no|default|minimal|low|medium|high|xhigh|max) effort|(?:no )?thinking(?: [\w.]+)?)(?:,|$)"

EFFORT: Column = text("effort", "How hard the model was let think, where the setting says it.", label="Effort")
"""The column of a grid that lists models in their settings."""


def effort_of(setting: str | None) -> str:
    """`high effort`, `thinking 32k`, `no thinking`; empty where the setting says nothing of it."""
    match = re.search(_EFFORT, setting_text(setting or ""))
    return match[1] if match else ""


def effort() -> pl.Expr:
    """The effort that the column `setting` states, as `effort`; null where it states none."""
    return setting_texts(pl.col("setting")).str.extract(_EFFORT).alias("effort")


def with_effort(name: str, setting: str | None, colour: str) -> str:
    """A label of Plotly's, escaped before, with the chip behind it in small letters of this colour."""
    chip = effort_of(setting)
    return f'{name} <span style="font-size:10px;color:{colour}">{plotly(chip)}</span>' if chip else name
