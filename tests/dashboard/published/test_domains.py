"""Groups of domains: their ids, their names, and the words that addresses of earlier editions used."""

from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.words import DOMAIN, GROUPS, grouped
from benchhealth.dashboard.published import generation
from benchhealth.dashboard.published.domains import FORMER, groups, groups_of, in_groups
from benchhealth.dashboard.words.domains import NAMES, domain
from tests.support.curated_facts import curated


def test_each_group_has_a_name_and_each_domain_that_a_list_knows_a_group() -> None:
    assert tuple(NAMES) == GROUPS
    registry = curated()
    assert set(registry.domain["domain_group"]) == set(GROUPS)
    words = registry.word.filter(kind="domain")["word"].drop_nulls()
    assert set(words) <= set(registry.domain.filter(pl.col("modality").is_null())["domain"])
    assert set(FORMER.values()) <= set(GROUPS)
    assert domain(None) == "Not grouped"


@pytest.mark.parametrize(
    ("about", "modality", "group"),
    [
        ("code", "text", "code"),
        ("votes", "text", "language"),
        ("votes", None, "language"),
        ("votes", "video", "vision"),
        ("gardening", "text", None),
        (None, "text", None),
    ],
)
def test_the_row_of_a_modality_goes_before_that_of_the_domain(
    about: str | None, modality: str | None, group: str | None
) -> None:
    rows = [("code", None, "code", None), ("votes", None, "language", None), ("votes", "video", "vision", None)]
    table = pl.DataFrame(
        {"domain": [about], "modality": [modality]}, schema={"domain": pl.String, "modality": pl.String}
    )
    assert grouped(table, pl.DataFrame(rows, schema=DOMAIN, orient="row"))["domain_group"].to_list() == [group]


def test_words_of_earlier_addresses_lead_to_groups(small_home: Path) -> None:
    generation.use(small_home)
    view = generation.current()
    assert groups(view) == {"science": "Science", "language": "Language"}
    assert groups_of(view, "reading") == ("language",)
    assert groups_of(view, "coding") == ("code",)
    assert groups_of(view, "chat") == ()
    assert in_groups(view, ["reading", "language", "", "math", "nothing"]) == ["language", "mathematics", "nothing"]
