"""Old addresses with a domain lead to its group; others are answered as they are."""

import pytest
import requests


@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        ("/?domain=reading&search=fresh", "./?domain=language&search=fresh"),
        ("/?domain=reading,science,math", "./?domain=language,science,mathematics"),
        ("/report?domain=reading", "./report?domain=language"),
        ("/report.pdf?domain=coding", "./report.pdf?domain=code"),
    ],
)
def test_an_old_address_leads_to_the_group(server: str, asked: str, leads_to: str) -> None:
    answer = requests.get(f"{server}{asked}", timeout=30, allow_redirects=False)
    assert (answer.status_code, answer.headers["Location"]) == (307, leads_to)


@pytest.mark.parametrize(
    "asked", ["/?domain=science", "/?domain=astrology", "/report?domain=science", "/?search=domain"]
)
def test_what_is_an_id_or_no_domain_at_all_is_answered_as_it_is(server: str, asked: str) -> None:
    assert requests.get(f"{server}{asked}", timeout=30, allow_redirects=False).status_code == 200
