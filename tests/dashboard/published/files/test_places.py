"""Where a number stands, in words and as an address."""

from dashboard.published.files.places import place

RAW = "https://raw.githubusercontent.com/lab/board/4e5207c0ffee/data/results%20all.csv"


def test_a_line_of_a_file_at_a_commit() -> None:
    found = place(RAW, "line 12, column EM")
    assert found is not None
    assert found.said() == "results all.csv, commit 4e5207c, line 12, column EM"
    assert found.address.endswith("/blob/4e5207c0ffee/data/results%20all.csv?plain=1#L12")


def test_a_row_that_cites_leads_to_what_it_cites() -> None:
    found = place("https://arxiv.org", "line 151, https://example.org/paper", "cf3ac00302ca")
    assert found is not None
    assert found.said() == "commit cf3ac00, line 151, which cites example.org/paper"
    assert found.address == "https://example.org/paper"


def test_a_version_that_is_no_commit_is_called_one_and_what_cannot_be_opened_is_none() -> None:
    found = place("https://example.org/board.json", "row 3", "month7")
    assert found is not None and found.said() == "board.json, version month7, row 3"
    assert place("file:///home/me/board.csv", "line 1") is None
    assert place(None, None) is None
