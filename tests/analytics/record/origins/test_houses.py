"""Who measured a row, on rows as Epoch's tables and boards print them."""

from pathlib import Path

import polars as pl
import pytest

from benchhealth.analytics.record.origins.houses import makers_words
from benchhealth.analytics.record.origins.origins import origins, with_passed_on
from benchhealth.warehouse.curated.checked import read
from benchhealth.warehouse.curated.names import MEASURER_FILE
from tests.support.frames import Row, frame, result

REGISTRY = read(Path(__file__).parents[4] / "data" / "registry", MEASURER_FILE)
MODELS = frame(
    "model",
    [
        {"model_id": "claude", "organisation": "Anthropic"},
        {"model_id": "gpt", "organisation": "OpenAI"},
        {"model_id": "gopher", "organisation": "Google"},
        {"model_id": "mt-nlg", "organisation": "Microsoft & NVIDIA"},
        {"model_id": "smaug", "organisation": "Abacus.AI"},
        {"model_id": "nobody's"},
    ],
)


def printed_on(board: str, model: str, printed_in: str | None, **more: object) -> Row:
    source = board.split("/", maxsplit=1)[0]
    return result(board.split("/")[1], model, 0.5, source_id=source, printed_in=printed_in, **more)


LLAMA = "LLaMA: Open and Efficient Foundation Language Models"


@pytest.mark.parametrize(
    ("benchmark_id", "model", "reporter"),
    [
        ("boolq", "gopher", "self"),
        ("gsm8k", "gopher", "self"),
        ("piqa", "gpt", "self"),
        ("mmlu", "gopher", "third_party"),
        ("triviaqa", "gopher", "third_party"),
        ("boolq", "nobody's", "self"),
    ],
)
def test_what_a_document_says_that_it_quotes_is_the_makers_own_word(
    benchmark_id: str, model: str, reporter: str
) -> None:
    """LLaMA's table 3 has its numbers "from the corresponding papers", table 7 those of Google's from Google's paper;
    of MMLU and TriviaQA it does not say whence."""
    rows = makers_words(frame("result", [printed_on(f"epoch-hub/{benchmark_id}", model, LLAMA)]), MODELS, REGISTRY)
    assert rows["reporter"].item() == reporter
    assert with_passed_on(rows, REGISTRY)["passed_on"].item() is (reporter != "self")


@pytest.mark.parametrize(
    ("board", "model", "printed_in", "reporter", "passed_on"),
    [
        ("epoch-hub/mmlu", "claude", "Stanford CRFM Leaderboard", "third_party", False),
        ("epoch-hub/gsm8k", "gpt", "Standford HELM", "third_party", False),
        ("epoch-hub/mmlu", "claude", "Qwen Technical Report", "third_party", True),
        ("epoch-hub/osworld-verified", "claude", "Anthropic annoucement", "self", False),
        ("epoch-hub/osworld-verified", "gpt", "Anthropic annoucement", "third_party", True),
        ("epoch-hub/osworld-verified", "gpt", "OS World Website", "third_party", False),
        ("epoch-hub/cybench", "claude", "Opus 4.5 System Card", "self", False),
        ("epoch-hub/mmlu", "claude", "a document that nobody entered", "third_party", True),
        ("epoch-hub/winogrande", "mt-nlg", "Phi-3 Technical Report: A Highly Capable Language Model Locally on Your "
         "Phone", "self", False),
        ("epoch-hub/gdpval", "gpt", None, "self", False),
        ("epoch-hub/gdpval", "claude", None, "third_party", False),
        ("livebench/livebench-2024-06-24", "smaug", None, "self", False),
        ("livebench/livebench-2024-06-24", "nobody's", None, "third_party", False),
    ],
)  # fmt: skip
def test_who_reports_is_read_from_the_document_then_the_board(
    board: str, model: str, printed_in: str | None, reporter: str, passed_on: bool
) -> None:
    rows = makers_words(frame("result", [printed_on(board, model, printed_in)]), MODELS, REGISTRY)
    assert rows["reporter"].item() == reporter
    assert with_passed_on(rows, REGISTRY)["passed_on"].item() is passed_on


def test_the_house_of_a_document_measured_its_rows() -> None:
    rows = frame("result", [printed_on("epoch-hub/mmlu", "claude", "Stanford CRFM Leaderboard")])
    assert origins(rows, frame("lineage", []), REGISTRY)["measured_by"].to_list() == ["helm"]


def test_two_papers_of_one_maker_do_not_become_one_row() -> None:
    """Gopher on TriviaQA, 64-shot: in its own paper, and in that of PaLM."""
    own_paper = printed_on("epoch-hub/triviaqa", "gopher", None, setting="64-shot", reporter="self")
    again = printed_on(
        "epoch-hub/triviaqa", "gopher", "PaLM: Scaling Language Modeling with Pathways", setting="64-shot"
    )
    rows = makers_words(frame("result", [own_paper, again]), MODELS, REGISTRY)
    assert rows["reporter"].to_list() == ["self", "third_party"]
    assert with_passed_on(rows, REGISTRY)["passed_on"].to_list() == [False, True]


def test_every_document_is_entered_once_and_every_maker_is_named_as_models_are() -> None:
    documents = REGISTRY.filter(pl.col("board_id") == "*")
    assert documents.height >= 90
    assert not documents.filter(pl.col("measured_by").is_not_null(), pl.col("note").str.contains("by a maker")).height


@pytest.mark.parametrize(
    ("published", "reporter"),
    [
        ("CNN-MC (Kim, 2014)", "self"),
        ("BERT-large (ensemble) (Devlin et al., 2019a)", "self"),
        ("supWSD", "third_party"),
        ("BiLSTM (baseline)", "third_party"),
    ],
)
def test_a_name_with_the_authors_of_the_cited_paper_is_their_own_word(published: str, reporter: str) -> None:
    row = printed_on("nlp-progress/imdb", "nobody's", None, published_name=published)
    elsewhere = printed_on("squad/squad-1.1", "nobody's", None, published_name=published)
    rows = makers_words(frame("result", [row, elsewhere]), MODELS, REGISTRY)
    assert rows["reporter"].to_list() == [reporter, "third_party"]
