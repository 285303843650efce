"""ZeroEval as it is published: answers inside what models wrote, beside the accuracies that its authors print."""

import gzip
import io
import json
import tarfile
from typing import Any

import pytest

from benchhealth.ingest.formats.by_item.graders import literal, number_in, written_answer
from benchhealth.ingest.formats.by_item.hashed_answers import hashed
from benchhealth.ingest.formats.folders import join_files, split_files
from benchhealth.ingest.network import archive
from benchhealth.ingest.rows import PayloadError
from benchhealth.ingest.sources.zeroeval import SOURCE, keep, parse
from tests.ingest.sources.payload_rows import resolved

Entry = dict[str, Any]


def answered(number: int, text: str, key: str = "# 18", dataset: str = "gsm") -> Entry:
    return {
        "session_id": f"{dataset}-#{number}",
        "dataset": dataset,
        "output": [text],
        "answer": key,
        "question": "How many oaks?",
    }


def printed(model: str, accuracy: str, total: int, mode: str = "greedy") -> Entry:
    return {"Model": model, "Mode": mode, "Acc": accuracy, "No answer": "0.00", "Total": total, "Reason Lens": "9"}


def joined(test: str, summary: object, **files: object) -> bytes:
    named = {f"{test}.summary.json": summary, **{f"{name}.json": entries for name, entries in files.items()}}
    return join_files((name, keep(json.dumps(entries).encode())) for name, entries in named.items())


def fenced(answer: str) -> str:
    return f'```json\n{{\n "reasoning": "so it\n is",\n "answer": {answer}\n}}\n```'


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (fenced('"18"'), "18"),
        (fenced("18"), "18"),
        (fenced("true"), "True"),
        (fenced('[1, "a"]'), "[1, 'a']"),
        ('Here: {"answer": "7"} and then {"answer": "8"}', "7"),
        ('{"reasoning": "cut off {", "answer": "12", "more": "and', "12"),
        ('{"reasoning": "no comma" "answer": "3"}', "3"),
        ('"answer": "5" or rather "answer": "6"', "6"),
        ("The final answer is: $\\boxed{28}$", "28"),
        ("The final answer is: $\\boxed{-28}$", None),
        ("I do not know.", None),
        ("", None),
        ("}" * 10 + "{" * 50_000, None),
    ],
)
def test_the_answer_is_read_out_of_what_is_fenced_cut_or_boxed(text: str, answer: str | None) -> None:
    assert written_answer(text) == answer


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        ("$1,234.50 a day", 1234.5),
        ("# 18", 18),
        ("-3/4", -0.75),
        ("x = 2 or 3", 2),
        ("none", None),
        ("1/0", 1),
        ("", None),
    ],
)
def test_a_number_is_read_without_what_stands_around_it(answer: str, number: float | None) -> None:
    assert number_in(answer) == number


def test_a_literal_is_compared_letter_by_letter() -> None:
    assert literal("'a\nb'") == "a\\nb"
    assert literal("[1, 2]") != literal("[1,2]")


def test_a_list_that_adds_up_to_the_printed_accuracy_comes_with_it() -> None:
    answers = [answered(place, fenced('"18"' if place else '"17"')) for place in range(1_200)]
    body = joined("gsm", [printed("Alder", "99.92", 1_200)], Alder=answers)
    (row,), (items,) = parse(body, "result_dirs/gsm").rows, parse(body, "result_dirs/gsm").items
    assert (row.benchmark, row.score, row.n_items, row.setting) == ("gsm8k", "99.92", "1200", "0-shot, cot, greedy")
    assert (items.row, items.items[1], items.outcomes[:2]) == ("/0/Acc", "gsm-#1", (0.0, 1.0))
    assert items.chosen[:2] == (hashed("17.0"), hashed("18.0"))
    facts = resolved("zeroeval", "result_dirs/gsm", body)
    assert (facts.results.height, facts.items.height, facts.rejections.height) == (1, 1, 0)


def test_a_model_whose_answers_do_not_add_up_has_its_printed_score_and_no_list() -> None:
    answers = [answered(place, fenced('"18"')) for place in range(1_319)]
    body = joined("gsm", [printed("Alder", "98.50", 1_319)], Alder=answers)
    facts = resolved("zeroeval", "result_dirs/gsm", body)
    assert facts.results["score_published"].to_list() == [98.5]
    assert facts.items.is_empty()
    assert facts.rejections["reason"].to_list() == ["the items add up to 100.00% and the score is 98.50%"]


def test_files_are_matched_to_the_names_of_the_summary_and_questions_that_one_lacks_are_missing() -> None:
    all_of_it = [answered(place, "answer: 3", "3", "math-l5") for place in range(721)]
    body = joined(
        "math-l5",
        [printed("deepseek-v2-chat-0628", "100.00", 721), printed("Birch@host", "100.00", 700)],
        **{"deepseek-chat": all_of_it, "Birch@host": all_of_it[:700], "Cedar": all_of_it},
    )
    parsed = parse(body, "result_dirs/math-l5")
    assert [items.row for items in parsed.items] == ["/0/Acc", "/1/Acc", "Cedar"]
    assert parsed.items[1].missing == tuple(f"math-l5-#{place}" for place in range(700, 721))
    assert (parsed.rows[1].model, parsed.rows[1].setting.split(", ")[-1]) == ("Birch", "host=host")
    assert parsed.items[2].reject == "no accuracy is printed of it"
    assert "subset=whole-number answers" in parsed.rows[0].setting


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (printed("Alder", "50", 425), "425 of 1319 questions"),
        (printed("Alder", "50", 1_319, mode="sampling"), "asked in another way: 'sampling'"),
        (printed("Alder", "50", 0) | {"Total": "most"}, "not a number"),
    ],
)
def test_a_run_in_part_or_of_another_kind_is_no_result_on_the_test(entry: Entry, reason: str) -> None:
    facts = resolved("zeroeval", "result_dirs/gsm", joined("gsm", [entry], Alder=[answered(1, "18")]))
    assert facts.results.is_empty()
    assert all(why.startswith(reason) for why in facts.rejections["reason"])
    assert facts.rejections.height == 2


@pytest.mark.parametrize(
    "odd",
    [
        "text",
        {"session_id": "gsm-#1"},
        answered(1, "18") | {"output": []},
        answered(1, "18") | {"dataset": "zebra"},
        answered(1, "18") | {"answer": None},
        answered(1, "answer: " * 6_000),
    ],
)
def test_an_entry_of_another_form_costs_its_model_the_list(odd: object) -> None:
    body = joined("gsm", [printed("Alder", "100", 1_319)], Alder=[answered(0, "answer: 18"), odd])
    (items,) = parse(body, "result_dirs/gsm").items
    assert items.reject.startswith("Alder.json: ")


def test_a_file_that_cannot_be_read_costs_its_model_the_list_and_nobody_else() -> None:
    answers = [answered(place, "answer: 18") for place in range(1_319)]
    models = [printed("Alder", "100", 1_319), printed("Birch", "100", 1_319)]
    files = [
        ("gsm.summary.json", keep(json.dumps(models).encode())),
        ("Alder.json", keep(json.dumps(answers).encode()[:-9])),
    ]
    files.append(("Birch.json", keep(json.dumps(answers).encode())))
    alder, birch = parse(join_files(files), "result_dirs/gsm").items
    assert (alder.reject[:11], birch.reject) == ("Alder.json:", "")


def test_nothing_of_questions_and_answers_is_saved() -> None:
    saved = joined("gsm", [printed("Alder", "100", 1_319)], Alder=[answered(0, fenced('"18 oaks"'))])
    assert b"oaks" not in saved
    assert b"so it" not in saved


def test_a_test_without_its_accuracies_or_with_two_of_a_model_is_refused() -> None:
    for odd in (joined("crux", [printed("Alder", "1", 800)]), joined("gsm", [printed("Alder", "1", 1_319)] * 2)):
        with pytest.raises(PayloadError):
            parse(odd, "result_dirs/gsm")


def test_the_archive_gives_each_test_with_the_accuracies_beside_its_folder() -> None:
    (files,) = SOURCE.files
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name in ("gsm.summary.json", "gsm.summary.md", "gsm/Alder.json", "gsm/Birch.json", "zebra/Alder.json"):
            info = tarfile.TarInfo(f"ZeroEval-1/result_dirs/{name}")
            info.size = 2
            tar.addfile(info, io.BytesIO(b"[]"))
    archive_members = archive.members("https://example.org", io.BytesIO(gzip.compress(out.getvalue())), files.pattern)  # type: ignore[union-attr]
    (folder,) = archive.folders("https://example.org", archive_members, files.folder)  # type: ignore[union-attr]
    assert (folder.path, folder.match[1]) == ("result_dirs/gsm", "gsm")
    assert [name for name, _ in split_files(folder.body)] == ["gsm.summary.json", "Alder.json", "Birch.json"]
