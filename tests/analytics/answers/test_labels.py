"""What audits found of a test's labels."""

from typing import Any

from tests.support.answers import AS_OF, answer
from tests.support.frames import benchmark, frames

FACTS = frames([], [benchmark("a")])
AUDIT = {"benchmark_id": "a", "covers": "whole", "n_checked": 1000, "share_flawed": 0.058, "method": "by hand"}


def labels(*audits: dict[str, Any]) -> dict[str, Any]:
    return answer(FACTS, "labels", label_error=audits)


def test_the_share_known_to_be_faulty_is_said_with_who_checked_how_many() -> None:
    row = labels(AUDIT)
    assert (row["reply"], row["case"], row["value"], row["count"], row["n"]) == ("no", "wrong", 0.058, 58, 1000)
    assert (row["said_by"], row["kind"], row["known_until"]) == ("by hand", "whole", AS_OF)


def test_an_audit_of_the_whole_counts_before_one_of_a_sample_or_a_part() -> None:
    sample = {**AUDIT, "covers": "sample", "share_flawed": 0.2}
    part = {**AUDIT, "covers": "part", "part": "chemistry", "share_flawed": 0.3, "n_checked": None}
    assert labels(part, sample, AUDIT)["case"] == "wrong"
    assert labels(part, sample)["case"] == "wrong_in_sample"
    alone = labels(part)
    assert (alone["case"], alone["part"], alone["n"], alone["count"]) == ("wrong_in_part", "chemistry", None, None)


def test_an_audit_that_found_nothing_says_so_of_what_it_covered() -> None:
    assert labels({**AUDIT, "share_flawed": 0.0})["reply"] == "yes"
    assert labels({**AUDIT, "share_flawed": 0.0, "covers": "sample"})["reply"] == "partly"


def test_nobody_audited_and_no_labels_are_two_things() -> None:
    assert (labels()["case"], labels()["why_unknown"]) == ("not_audited", "nobody_looked")
    rating = answer(frames([], [benchmark("a", unit="rating")]), "labels")
    assert (rating["case"], rating["why_unknown"]) == ("no_labels", "cannot_be_asked")
