"""MMLU-Redux's file: labels of people and answers of models, question by question."""

import csv
import io
from collections import Counter

import pytest

from benchhealth.ingest.formats.by_item.hashed_answers import hashed
from benchhealth.ingest.rows import PayloadError, UnknownFormError
from benchhealth.ingest.sources.mmlu_redux import KEY, LABEL, MODELS, SUBJECTS, keep, parse
from tests.ingest.sources.payload_rows import payload, resolved
from tests.ingest.sources.test_versions import real, versions

PATH = "outputs/multi_expert_helm/all.csv"


def table(questions: int, letter: str = "A", label: str = "ok", key: str = "0") -> bytes:
    text = io.StringIO(newline="")
    lines = csv.writer(text)
    lines.writerow(["question", KEY, LABEL, *MODELS, "gt_majority_agreement_top_3"])
    lines.writerows(
        [f"Which tree is {number}?", key, label, *[letter] * len(MODELS), "True"] for number in range(questions)
    )
    return text.getvalue().encode()


def test_nothing_of_questions_and_answers_is_saved_and_what_is_saved_reads_the_same() -> None:
    body = payload("mmlu-redux", "all.csv")
    saved = keep(body)
    assert not any(word in saved for word in (b"Which", b"tree", b"majority", b"groundtruth_answer"))
    assert parse(saved, PATH) == parse(body, PATH)


def test_labels_and_hashes_of_letters_come_with_every_model_and_odd_letters_with_none() -> None:
    items = parse(payload("mmlu-redux", "all.csv"), PATH).items
    assert {one.labels for one in items} == {("ok", "wrong_groundtruth", "expert", "ok")}
    assert items[0].chosen == tuple(map(hashed, "ABCD"))
    assert items[2].chosen == ("", "", hashed("C"), hashed("D"))
    assert items[4].chosen == (hashed("D"), "", hashed("C"), "")
    assert not items[0].clusters


def test_a_hundred_lines_a_subject_name_the_questions_and_their_subjects() -> None:
    items = parse(table(5_700), PATH).items[0]
    assert (items.items[0], items.items[199], items.items[-1]) == (
        "abstract-algebra/0",
        "anatomy/99",
        "world-religions/99",
    )
    assert Counter(items.clusters) == dict.fromkeys(SUBJECTS, 100)
    assert len(set(items.items)) == 5_700
    assert not parse(table(5_699), PATH).items[0].clusters


@pytest.mark.parametrize("key", ["", "4", "A", "1.0"])
def test_a_question_without_a_key_is_refused(key: str) -> None:
    with pytest.raises(PayloadError, match="line 2: no key"):
        parse(table(3, key=key), PATH)


def test_a_label_that_is_not_known_holds_the_file_back() -> None:
    with pytest.raises(UnknownFormError, match="half_right"):
        parse(table(3, label="half_right"), PATH)


@real
def test_of_5700_questions_people_found_370_at_fault() -> None:
    (version,) = versions("mmlu-redux")
    parsed = parse(version.body(), version.path)
    labels = Counter(parsed.items[0].labels)
    assert sum(labels.values()) - labels["ok"] == 370  # 6.49% of 5,700, as the paper prints
    wrong = [place for place, label in enumerate(parsed.items[0].labels) if label == "wrong_groundtruth"]
    assert len(wrong) == 107
    # Who answers with a key that is wrong is rare among good models: the key graded with is MMLU's own.
    assert all(sum(one.outcomes[place] for place in wrong) / len(wrong) < 0.5 for one in parsed.items)
    assert resolved("mmlu-redux", version.path, version.body()).items.height == len(MODELS)
