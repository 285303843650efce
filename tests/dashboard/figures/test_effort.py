"""The chip beside a name: how hard the model was let think, and nothing else of its setting."""

import polars as pl
import pytest

from benchhealth.dashboard.figures.effort import effort, effort_of, with_effort


@pytest.mark.parametrize(
    ("setting", "chip"),
    [
        ("high effort", "high effort"),
        ("scaffold=Claude Code, xhigh effort, 5-shot", "xhigh effort"),
        ("thinking 32k, turbo", "thinking 32k"),
        ("no thinking", "no thinking"),
        ("effort=high, free tier", "high effort"),
        ("thinking=120k, effort=low", "thinking 120k"),
        ("effort=none", "no effort"),
        ("none effort, 5-shot", "no effort"),
        ("thinking", "thinking"),
        ("5-shot", ""),
        ("best effort of many", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_the_effort_of_a_setting(setting: str | None, chip: str) -> None:
    assert effort_of(setting) == chip
    column = pl.DataFrame({"setting": [setting]}, schema={"setting": pl.String}).select(effort())["effort"]
    assert column.to_list() == [chip or None], "a grid says the same as a chart"


def test_a_label_has_the_chip_behind_its_name() -> None:
    assert with_effort("GPT-5.4", "high effort", "#666") == (
        'GPT-5.4 <span style="font-size:10px;color:#666">high effort</span>'
    )
    assert with_effort("GPT-5.4", "5-shot", "#666") == "GPT-5.4"
