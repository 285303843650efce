"""A leaderboard sent to the server: answered as a card in four forms, refused where it is none, never kept."""

import pytest
import requests

from benchhealth.dashboard.serving.printed.audit import MOST_BYTES

BOARD = b"model,score,n\nalder,90,400\nbirch,50,400\n"
pytestmark = pytest.mark.browser


def sent(server: str, body: bytes, **more: str) -> requests.Response:
    return requests.post(f"{server}/audit", files={"file": ("board.csv", body)}, data=more, timeout=30)


def test_the_form_is_there(server: str) -> None:
    answer = requests.get(f"{server}/audit", timeout=30)
    assert answer.status_code == 200 and 'enctype="multipart/form-data"' in answer.text
    assert "form-action 'self'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("form", "kind", "begins"),
    [
        ("html", "text/html", b"<!doctype html>"),
        ("pdf", "application/pdf", b"%PDF"),
        ("md", "text/markdown", b"### alder is first by more than its error"),
        ("json", "application/json", b"{"),
    ],
)
def test_a_board_is_answered_in_each_form(server: str, form: str, kind: str, begins: bytes) -> None:
    answer = sent(server, BOARD, form=form)
    assert answer.status_code == 200 and answer.headers["content-type"].startswith(kind)
    assert answer.content.startswith(begins) and answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("body", "more", "status", "why"),
    [
        (b"model,q\nalder,1\n", {}, 400, "one model alone"),
        (BOARD, {"form": "exe"}, 400, "form html"),
        (BOARD, {"missing": "guess"}, 400, "missing is wrong"),
        (b"0" * (MOST_BYTES + 1), {}, 413, "at most 20 MB"),
    ],
)
def test_what_cannot_be_answered_is_said(server: str, body: bytes, more: dict[str, str], status: int, why: str) -> None:
    answer = sent(server, body, **more)
    assert (answer.status_code, why in answer.text) == (status, True), answer.text


def test_a_reader_gets_the_form_again_with_what_was_wrong(server: str) -> None:
    body = b"model,q\n<b>,1\n"
    answer = requests.post(
        f"{server}/audit", files={"file": ("board.csv", body)}, headers={"Accept": "text/html"}, timeout=30
    )
    assert answer.status_code == 400 and "This is no leaderboard: there is one model alone" in answer.text
    assert 'enctype="multipart/form-data"' in answer.text and "<b>" not in answer.text


ELSEWISE = b"Team,Right %,Asked,<b>\nalder,90,400,x\nbirch,50,400,y\n"


def test_columns_of_other_names_can_be_chosen(server: str) -> None:
    asked = sent(server, ELSEWISE)
    assert asked.status_code == 400 and asked.headers["content-type"].startswith("text/html")
    assert '<option value="Right %">' in asked.text and "<b>" not in asked.text
    answer = sent(server, ELSEWISE, form="md", model="Team", score="Right %", n="Asked")
    usual, chosen = (one.text.splitlines()[:3] for one in (sent(server, BOARD, form="md"), answer))
    assert chosen == usual and chosen[0] == "### alder is first by more than its error"


def test_how_long_it_is_has_to_be_said(server: str) -> None:
    answer = requests.post(f"{server}/audit", data=iter([b"x"]), timeout=30)
    assert answer.status_code == 411
