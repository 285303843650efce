"""Where a number stands, in words and as an address."""

from benchhealth.dashboard.published.files.places import file_address, opens_at, place

RAW = "https://raw.githubusercontent.com/lab/board/4e5207c0ffee/data/results%20all.csv"


def test_a_line_of_a_file_at_a_commit() -> None:
    place_of = place(RAW, "line 12, column EM")
    assert place_of is not None
    assert place_of.text() == "results all.csv, commit 4e5207c, line 12, column EM"
    assert place_of.address.endswith("/blob/4e5207c0ffee/data/results%20all.csv?plain=1#L12")


def test_a_row_that_cites_leads_to_what_it_cites() -> None:
    place_of = place("https://arxiv.org", "line 151, https://example.org/paper", "cf3ac00302ca")
    assert place_of is not None
    assert place_of.text() == "commit cf3ac00, line 151, which cites example.org/paper"
    assert place_of.address == "https://example.org/paper"


def test_a_version_that_is_no_commit_is_called_one_and_what_cannot_be_opened_is_none() -> None:
    place_of = place("https://example.org/board.json", "row 3", "month7")
    assert place_of is not None and place_of.text() == "board.json, version month7, row 3"
    assert place("file:///home/me/board.csv", "line 1") is None
    assert place(None, None) is None


def test_what_an_address_shows_is_said_as_it_is() -> None:
    json_file = "https://raw.githubusercontent.com/lab/board/4e5207c0ffee/board.json"
    folder = "https://github.com/lab/results/tree/4e5207c/results/model one"
    addresses = {
        "line 12": file_address(RAW, "line 12, column EM"),
        "whole file": file_address(json_file, "/rows/12"),
        "a page": file_address("https://arxiv.org", "line 151, https://example.org/paper"),
        "has no address": file_address("file:///home/me/board.csv", "line 1"),
    }
    assert {row_address: opens_at(address) for row_address, address in addresses.items()} == {
        row_address: row_address for row_address in addresses
    }
    inside = file_address(folder, "AFQMC.json#/scores/validation")
    assert inside == "https://github.com/lab/results/blob/4e5207c/results/model one/AFQMC.json"
    assert opens_at(inside) == "whole file"
