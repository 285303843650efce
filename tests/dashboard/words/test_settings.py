"""Settings of results as pages word them."""

import polars as pl
import pytest

from benchhealth.analytics.record.conditions.recognise import LONGEST_SETTING
from benchhealth.dashboard.words.settings import as_published, setting_text, setting_texts

CUT = "No extended thinking. " * LONGEST_SETTING


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("scaffold=Codex CLI, effort=high", "scaffold Codex CLI, high effort"),
        ("effort=none", "no effort"),
        (CUT[:LONGEST_SETTING], f"{CUT[:LONGEST_SETTING]}…"),
        (CUT[: LONGEST_SETTING - 1], CUT[: LONGEST_SETTING - 1]),
        (CUT[: LONGEST_SETTING + 1], CUT[: LONGEST_SETTING + 1]),
    ],
    ids=len,
)
def test_a_setting_is_worded_alike_alone_and_in_a_column_and_shows_where_it_was_cut(setting: str, said: str) -> None:
    assert setting_text(setting) == said
    assert pl.DataFrame({"setting": [setting]}).select(setting_texts(pl.col("setting"))).item() == said


def test_the_words_of_a_source_stay_and_show_where_they_were_cut() -> None:
    settings = pl.DataFrame({"setting": ["effort=high", CUT[:LONGEST_SETTING], None]})
    shown = settings.select(as_published(pl.col("setting"))).to_series().to_list()
    assert shown == ["effort=high", f"{CUT[:LONGEST_SETTING]}…", None]
