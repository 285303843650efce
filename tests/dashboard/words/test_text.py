import string
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.dashboard.words.text import (
    code,
    count,
    day,
    labels,
    listed,
    markdown,
    model_within,
    names_within,
    one_line,
    plotly,
    shorten,
    without_maker,
)
from tests.support.small_generation import HOSTILE


def test_markdown_escapes_every_punctuation_mark() -> None:
    escaped = markdown(string.punctuation)
    assert all(f"\\{mark}" in escaped for mark in string.punctuation)


def test_markdown_keeps_words_and_letters_of_every_script() -> None:
    assert markdown("Qwen 2 通义 Ж") == "Qwen 2 通义 Ж"


def test_code_shows_a_text_as_it_is_and_cannot_be_left() -> None:
    assert code("a-b <i>") == "`a-b <i>`"
    assert code("a` **b**") == "`a **b**`"
    assert code("") == "` `"


@given(st.text())
def test_markdown_leaves_no_mark_unescaped_and_no_line_break(text: str) -> None:
    escaped = markdown(text)
    assert "\n" not in escaped
    plain = escaped
    for mark in string.punctuation:
        plain = plain.replace(f"\\{mark}", "")
    assert not set(plain) & set(string.punctuation)


@given(st.text())
def test_markdown_reads_back_as_the_text(text: str) -> None:
    read = markdown(text).replace("\u2060", "")
    for mark in string.punctuation:
        if mark != "\\":
            read = read.replace(f"\\{mark}", mark)
    assert read.replace("\\\\", "\\") == one_line(text).replace("\u2060", "")


@given(st.text())
def test_plotly_text_holds_no_tag_and_no_latex(text: str) -> None:
    shown = plotly(text)
    assert "<" not in shown
    assert ">" not in shown
    assert "$" not in shown
    assert "%{" not in shown


def test_plotly_escapes_its_own_tags() -> None:
    assert plotly('<b>x</b> & $y$ <a href="z">') == '&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36; &lt;a href="z"&gt;'


@given(st.text(min_size=1), st.integers(min_value=5, max_value=80))
def test_shortened_text_is_no_longer_than_asked(text: str, limit: int) -> None:
    assert len(shorten(text, limit)) <= limit


def test_direction_overrides_and_line_breaks_go() -> None:
    assert one_line("a\u202eb\r\nc") == "a b c"
    assert one_line(HOSTILE) == HOSTILE


def test_prose() -> None:
    assert count(1, "model") == "1 model"
    assert count(1204, "model") == "1,204 models"
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert day(None) == "unknown"
    assert day(date(2024, 2, 3)) == "2024-02-03"


def test_labels_are_short_where_that_tells_names_apart() -> None:
    curated = ["FrontierMath", "FrontierMath, Tier 4", "Toolathlon (Tool Decathlon)", "tau3-Bench, banking"]
    assert labels(curated, curated) == ["FrontierMath", "FrontierMath, Tier 4", "Toolathlon", "tau3-Bench"]
    assert labels(["Toolathlon, v2", "Other (one)"], curated) == ["Toolathlon, v2", "Other"]


def test_a_model_s_name_goes_without_its_maker_s_folder_and_breaks_between_words() -> None:
    assert without_maker("google/gemini-2.5-pro") == "gemini-2.5-pro"
    assert without_maker("accounts/maker/models/oak-7b") == "oak-7b"
    assert without_maker("openai/hf:01-ai/Yi-Coder-9B-Chat") == "Yi-Coder-9B-Chat"
    assert without_maker("google/t5-11b") == "t5-11b"
    assert without_maker("</b>Best") == "</b>Best"
    assert model_within("google/gemini-2.5-pro", 30) == "gemini-2.5-pro"
    assert model_within("gemini-2.0-flash-thinking-exp", 20) == "gemini-2.0-flash…"
    assert model_within("Claude Opus 5 (High) of August", 22) == "Claude Opus 5 (High)…"


@pytest.mark.parametrize(
    "name",
    ["ViT-G/14", "ViT-L/16-224", "ViT-L/14@336px", "GLaM-62B/64E", "CausalLM/7B", "maker/v1", "nlp-12/05/2022-b"],
)
def test_a_name_is_not_cut_at_a_slash_behind_which_there_is_none(name: str) -> None:
    assert without_maker(name) == name
    assert without_maker(f"google/{name}") in {name, f"google/{name}"}


def test_a_name_without_joints_is_cut_in_its_middle() -> None:
    assert len(model_within("x" * 50, 20)) == 20


def test_names_that_are_cut_to_the_same_letters_keep_their_ends() -> None:
    names = ["vit_huge_patch14_clip_224.dfn5b", "vit_huge_patch14_clip_378.dfn5b", "AlexNet"]
    assert names_within(names, 26) == ["vit_huge_patch14…224.dfn5b", "vit_huge_patch14…378.dfn5b", "AlexNet"]
