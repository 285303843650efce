"""What a maker's name says of a date, and the many names that only seem to."""

from datetime import date

import pytest

from benchhealth.analytics.record.model_facts.named_dates import NO_DATE, NamedDate, month_end, named_date


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("gpt-4o-2024-05-13", NamedDate(day=date(2024, 5, 13))),
        ("gpt-4o-2024-05-13-dspy-zs-cot", NamedDate(day=date(2024, 5, 13))),
        ("claude-3-5-sonnet-20240620", NamedDate(day=date(2024, 6, 20))),
        ("command-r-plus-08-2024", NamedDate(month=date(2024, 8, 1))),
        ("mistral-large-2407", NamedDate(month=date(2024, 7, 1))),
        ("qwen3-235b-a22b-instruct-2507", NamedDate(month=date(2025, 7, 1))),
        ("olmo-2-1124-13b-instruct", NamedDate(month=date(2024, 11, 1))),
        ("gpt-3.5-turbo-0125", NamedDate(month_and_day=(1, 25))),
        ("gemini-2.5-flash-preview-05-20", NamedDate(month_and_day=(5, 20))),
        ("gemini-exp-0229", NamedDate(month_and_day=(2, 29))),
    ],
)
def test_a_date_is_read_in_the_makers_way(name: str, named: NamedDate) -> None:
    assert named_date(name) == named


@pytest.mark.parametrize(
    "name",
    [
        "aligner-2b-claude-3-opus-20240229",
        "deepseek-r1-+-claude-3-5-sonnet-20241022",
        "gpt-4o-mini-transcribe-gpt-4o-2024-11-20",
        "nhyha/merge-qwen2.5-7b-instruct-20241023-0314",
        "yoyo-ai/qwen2.5-14b-yoyo-0505",
        "sthenno-com/miscii-14b-0130",
        "transformer-xl-(dai-et-al.,-2018)",
        "wrn-28-10",
        "gpt-4-9999",
        "gpt-4-2024-02-30",
        "gpt-4-2024-05-13-2024-08-06",
        "gpt-3.5-turbo-0125-0613",
        "mistral-large-0725",
        "mistral-large-2413",
        "mistral-7b-2048",
        "llama-3-8b-instruct",
        "",
    ],
)
def test_what_is_not_certain_is_no_date(name: str) -> None:
    assert named_date(name) == NO_DATE


def test_a_month_ends_with_its_last_day() -> None:
    assert [month_end(date(2024, month, 1)) for month in (2, 11, 12)] == [
        date(2024, 2, 29),
        date(2024, 11, 30),
        date(2024, 12, 31),
    ]
