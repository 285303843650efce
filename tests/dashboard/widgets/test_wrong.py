"""Where *Something wrong?* leads: to the operator's address with what is wrong filled in, or nowhere."""

from collections.abc import Iterator
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from benchhealth.dashboard.widgets import wrong

ABOUT = {"generation": "gen-1", "benchmark": "mmlu", "chart": "curve", "view": "https://x.org/benchmark?benchmark=mmlu"}


@pytest.fixture(autouse=True)
def _nowhere() -> Iterator[None]:
    yield
    wrong.use(None)


def test_without_an_address_nothing_is_shown() -> None:
    wrong.use(None)
    assert wrong.address(**ABOUT) is None
    wrong.use("")
    assert wrong.address(**ABOUT) is None


def test_a_form_for_issues_gets_title_and_body_with_all_that_is_known() -> None:
    wrong.use("https://example.org/issues/new?labels=data")
    made = wrong.address(**ABOUT)
    assert made is not None
    asked = parse_qs(urlsplit(made).query)
    assert asked["labels"] == ["data"]
    assert asked["title"] == ["Something wrong: mmlu chart curve"]
    for line in ("Benchmark: mmlu", "Chart: curve", "Generation: gen-1", f"Seen at: {ABOUT['view']}"):
        assert line in asked["body"][0]


def test_fields_of_an_address_are_filled_in_and_nothing_is_added() -> None:
    wrong.use("https://example.org/{benchmark}/{chart}?of={generation}")
    assert wrong.address(**{**ABOUT, "benchmark": "a/b&c"}) == "https://example.org/a%2Fb%26c/curve?of=gen-1"


def test_a_mail_has_a_subject() -> None:
    wrong.use("mailto:data@example.org")
    made = wrong.address(generation="gen-1")
    assert made is not None
    assert made.startswith("mailto:data@example.org?subject=Something%20wrong%3A%20the%20dashboard&body=")
    assert "Benchmark" not in unquote(made)


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "example.org"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="https, http or mailto"):
        wrong.use(address)
