"""What was said before, in words: with how many of what, and until when."""

from datetime import date

import polars as pl
import pytest

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.of_verdicts import CAUSES
from benchhealth.analytics.verdict.history import KNOWN_THEN, SAME_SOURCES
from benchhealth.dashboard.words.prose.judged.known_then import (
    backcast_sentence,
    held_sentence,
    held_subtitle,
    held_title,
    published_statements_sentence,
    revision_count_list,
    revisions_sentence,
)
from tests.support.generalising import faults

MAY, JULY, AUGUST = date(2025, 5, 31), date(2025, 7, 31), date(2026, 8, 20)
STRETCH = {"basis": KNOWN_THEN, "from_on": MAY, "lag": None, "began_on": None, "cause": None}


def test_a_benchmark_tells_what_was_said_and_what_was_taken_back() -> None:
    back = {**STRETCH, "stage": "saturated", "fate": "taken_back", "cause": "late"}
    now = {
        **STRETCH,
        "stage": "compressing",
        "fate": "holds",
        "from_on": JULY,
        "lag": 38,
        "began_on": date(2025, 6, 23),
    }
    assert revisions_sentence([back, now, {**now, "basis": SAME_SOURCES}]) == (
        "Known then, by what sources had said at the ends of months: saturated from May 2025 and running out "
        "from Jul 2025; taken back since: saturated of May 2025 (by results of that time that were seen later); by "
        "what is known now running out holds since Jun 2025, which was said 38 days later."
    )
    assert revisions_sentence([now]).endswith(
        "none of it was taken back; by what is known now running out holds since "
        "Jun 2025, which was said 38 days later."
    )
    assert revisions_sentence([]) == ""


COUNT = {
    **{f"by_{cause}": 0 for cause in CAUSES},
    **{"basis": KNOWN_THEN, "of": "curated", "said": 41, "taken_back": 3, "share_low": 0.02, "share_high": 0.19},
    **{"benchmarks": 38, "by_late": 2, "by_edits": 1, "days": 61.0, "lags": 22, "lag": 38.0},
    **{"first_on": MAY, "last_on": AUGUST, "on_days": 16},
}


def test_methods_tell_how_many_of_how_many_and_until_when() -> None:
    sentence = revision_count_list(
        [{**COUNT, "stage": "any"}, {**COUNT, "stage": "saturated"}, {**COUNT, "stage": "any", "of": "all"}]
    )
    assert sentence.splitlines()[2] == (
        "- **3 of 41 ‘saturated’ verdicts** were taken back (95% interval 2 to 19%, 38 benchmarks): 1 by a best score "
        "that was changed or withdrawn and 2 by results of that time that were seen later; after 61 days in the "
        "median; 22 stages that began since known 38 days later in the median; data to Aug 2026 at the latest."
    )
    assert faults(sentence) == []
    assert revision_count_list([]) == ""


HELD = {
    **{"what": "interval", "horizon_months": 6, "shown": None, "least": 0.8, "expected": 0.8, "statements": 412},
    **{"held": 0.79, "held_low": 0.7, "held_high": 0.86, "benchmarks": 60, "months": 18, "width": 9.0},
    **{"first_on": MAY, "last_on": AUGUST},
}


def test_the_record_of_forecasts_is_one_line() -> None:
    sentence = held_sentence([HELD, {**HELD, "shown": True}, {**HELD, "what": "chance"}])
    assert sentence == (
        "of 412 backcast statements at 80% 6 months ahead, on 60 benchmarks at 18 month ends from May 2025 to "
        "Aug 2026, 79% held (95% interval 70 to 86%; half of them span at most 9 points)"
    )
    assert faults(f"{sentence}.") == []
    assert held_sentence([]) == ""


@pytest.mark.parametrize(
    ("shown", "expected"), [(None, "None of the 412 statements"), (40, "40 of the 412 statements")]
)
def test_it_is_said_how_many_would_have_been_published(shown: int | None, expected: str) -> None:
    rows = [HELD, *([] if shown is None else [{**HELD, "shown": True, "statements": shown}])]
    assert published_statements_sentence(rows).startswith(expected)
    assert faults(published_statements_sentence(rows)) == []
    assert published_statements_sentence([]) == ""


def test_charts_of_them_have_their_numbers_in_words() -> None:
    rows = pl.DataFrame([HELD, {**HELD, "what": "chance", "least": 0.4}], schema=PUBLISHED["forecast_held"])
    assert held_title(rows) == "Of 412 backcast statements at 80%, 79% held (95% interval 70 to 86%)"
    assert held_subtitle(rows).startswith(
        "On 60 benchmarks, 6 months ahead, at months' ends from May 2025 to Aug 2026;"
    )
    assert held_title(rows.filter(what="chance")) == "No backcast interval can be judged yet"
    dated = pl.DataFrame({"issued_on": [MAY, JULY, JULY], "inside": [True, False, None]})
    assert backcast_sentence(dated) == (
        "1 of 2 backcast forecasts held the best score, made from May 2025 to Jul 2025; 1 cannot be judged"
    )
    assert backcast_sentence(dated.filter(pl.col("inside").is_null())) == (
        "none of 1 backcast forecast can be judged yet, made from Jul 2025 to Jul 2025"
    )
