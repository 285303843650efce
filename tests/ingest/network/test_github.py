import json
from datetime import datetime

import pytest

from benchhealth.ingest.network.fetch import Fetcher, Pace
from benchhealth.ingest.network.github import Commit, GithubApi, archive_url, listing_url, raw_url, tree_paths, tree_url
from benchhealth.ingest.network.payload import Payload, RateLimited, UnexpectedAnswer
from tests.support.scripted_server import Answer, fixed, serving

SHA = "0123456789abcdef0123456789abcdef01234567"
NOW = datetime(2025, 3, 1)


def api(url: str) -> GithubApi:
    return GithubApi(Fetcher(url, lambda: NOW, pace=Pace(attempts=1)))


def listing(*commits: tuple[str, str], **headers: str) -> Answer:
    body = [{"sha": sha, "commit": {"committer": {"date": date}}} for sha, date in commits]
    return fixed(200, json.dumps(body).encode(), Content_Type="application/json; charset=utf-8", **headers)


def tree(body: object) -> Payload:
    return Payload(tree_url("o/r", "main"), "", NOW, "", "application/json", json.dumps(body).encode())


def test_addresses_are_quoted_part_by_part() -> None:
    assert raw_url("o/r", "main", "a b/c#d?.csv") == "https://raw.githubusercontent.com/o/r/main/a%20b/c%23d%3F.csv"
    assert archive_url("o/r", SHA) == f"https://codeload.github.com/o/r/tar.gz/{SHA}"
    assert (
        listing_url("o/r", "gh-pages", "a&b.csv")
        == "https://api.github.com/repos/o/r/commits?path=a%26b.csv&sha=gh-pages&per_page=100"
    )


def test_pages_are_followed_by_number_whatever_the_link_says() -> None:
    more = {"Link": '<https://api.github.com/repositories/7/odd?cursor=x>; rel="next"'}
    with serving(
        listing((SHA, "2025-01-02T01:00:00+02:00"), **more), listing((SHA[::-1], "2024-12-31T00:00:00Z"))
    ) as s:
        pages = list(api(s.url).pages("o/r", "main", "a.csv"))
        assert pages == [
            [Commit(SHA, datetime(2025, 1, 1, 23))],
            [Commit(SHA[::-1], datetime(2024, 12, 31))],
        ]
        assert [asked.path.rpartition("&")[2] for asked in s.asked] == ["page=1", "page=2"]


def test_the_next_page_is_asked_for_only_when_wanted() -> None:
    with serving(listing((SHA, "2025-01-01T00:00:00Z"), Link='<https://x>; rel="next"')) as script:
        next(api(script.url).pages("o/r", "main", "a.csv"))
        assert len(script.asked) == 1


@pytest.mark.parametrize(
    "answer",
    [
        fixed(200, b"{}[", Content_Type="application/json"),
        fixed(200, b'{"message": "moved"}', Content_Type="application/json"),
        fixed(200, b'[{"sha": 1}]', Content_Type="application/json"),
        listing(("../../etc", "2025-01-01T00:00:00Z")),
        listing((SHA, "yesterday")),
    ],
)
def test_an_answer_of_another_shape_is_a_typed_error(answer: Answer) -> None:
    with serving(answer) as script, pytest.raises(UnexpectedAnswer):
        list(api(script.url).pages("o/r", "main", "a.csv"))


def test_after_the_limit_nothing_more_is_asked() -> None:
    with serving(fixed(403, X_RateLimit_Remaining="0")) as script:
        asking = api(script.url)
        for _ in range(3):
            with pytest.raises(RateLimited):
                asking.get(tree_url("o/r", "main"))
        assert asking.limited
        assert len(script.asked) == 1


def test_a_tree_lists_its_files() -> None:
    entries = [{"path": "a", "type": "tree"}, {"path": "a/b.csv", "type": "blob"}, {"path": "sub", "type": "commit"}]
    assert tree_paths(tree({"tree": entries, "truncated": False})) == ["a/b.csv"]


@pytest.mark.parametrize(
    "body", [{"tree": [], "truncated": True}, {"tree": []}, [], {"tree": [{}], "truncated": False}]
)
def test_a_partial_or_strange_tree_is_an_error(body: object) -> None:
    with pytest.raises(UnexpectedAnswer):
        tree_paths(tree(body))
