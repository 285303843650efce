"""A published name becomes one model by rule or alias; different models stay different."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.ingest.names.identity import (
    LONGEST_NAME,
    NameRefusedError,
    hidden_in,
    identify,
    normalise,
    printable,
    with_normalised,
)
from benchhealth.ingest.names.settings import SETTINGS, Rule
from benchhealth.warehouse.registry import RegistryError
from tests.support.curated_facts import curated_aliases
from tests.support.soaking import examples


@pytest.mark.parametrize(
    ("published", "name", "setting"),
    [
        ("GPT-4o-2024-05-13", "gpt-4o-2024-05-13", ""),
        ("Claude 3.7 Sonnet (thinking-32k)", "claude-3-7-sonnet", "thinking 32k"),
        ("claude-3-7-sonnet-20250219_16K", "claude-3-7-sonnet-20250219", "thinking 16k"),
        ("claude-opus-4-5-20251101-thinking-64k-high-effort", "claude-opus-4-5-20251101", "thinking 64k, high effort"),
        ("o3-2025-04-16_high", "o3-2025-04-16", "high effort"),
        ("o4-mini (Medium)", "o4-mini", "medium effort"),
        ("openai/gpt-5.2-high-2025-12-11", "gpt-5.2-2025-12-11", "high effort"),
        ("o4-mini-low-2025-04-16", "o4-mini-2025-04-16", "low effort"),
        ("gpt-5.2-2025-12-11-nothinking", "gpt-5.2-2025-12-11", "no thinking"),
        ("chutes/gpt-oss-120b_high", "gpt-oss-120b", "high effort"),
        ("DeepSeek-V3.1_thinking", "deepseek-v3.1", "thinking"),
        ("GPT-4o (FC)", "gpt-4o", "fc"),
        ("Claude Sonnet 4 Thinking", "claude-sonnet-4", "thinking"),
        ("Alder_(FC)_", "alder", "fc"),
        ("Alder 7B (5-shot)", "alder-7b", "5-shot"),
        ("meta-llama/Llama-3.1-8B", "llama-3.1-8b", ""),
        ("Ｑｗｅｎ２-72B", "qwen2-72b", ""),
        ("claude-sonnet-5-high", "claude-sonnet-5", "high effort"),
        ("claude-opus-5-max", "claude-opus-5", "max effort"),
        ("claude-opus-4-6-thinking-auto-high-effort", "claude-opus-4-6", "thinking auto, high effort"),
        ("deepseek-v4-pro-thinking", "deepseek-v4-pro", "thinking"),
        ("kimi-k2.6-thinking", "kimi-k2.6", "thinking"),
        ("kimi-k2.5-instant", "kimi-k2.5", "no thinking"),
        ("anthropic/claude-3.7-sonnet:thinking", "claude-3-7-sonnet", "thinking"),
        ("GLM-4.6 (FC thinking)", "glm-4.6", "fc thinking"),
        ("DeepSeek-V3.2-Exp (Prompt + Thinking)", "deepseek-v3.2-exp", "prompt + thinking"),
        ("grok-4 (high)", "grok-4", "high effort"),
        ("muse-spark-1.2 (xHigh)", "muse-spark-1.2", "xhigh effort"),
        ("gemini-3-flash (thinking-minimal)", "gemini-3-flash", "thinking minimal"),
        ("mimo-v2-flash (non-thinking)", "mimo-v2-flash", "no thinking"),
        ("Qwen3-8B w/ thinking", "qwen3-8b", "thinking"),
        ("Qwen3-8B (w/o thinking)", "qwen3-8b", "no thinking"),
        ("GPT\u20114o\u20132024\u201205\u221213", "gpt-4o-2024-05-13", ""),
        ("tf_efficientnet_l2.ns_jft_in1k", "tf-efficientnet-l2.ns-jft-in1k", ""),
    ],
)
def test_what_is_certain_is_split_off(published: str, name: str, setting: str) -> None:
    assert normalise(published) == (name, setting)


@pytest.mark.parametrize(
    "published",
    [
        "Mistral Medium",
        "phi-3-medium",
        "coat_lite_medium",
        "vit_medium_patch16",
        "gemini-2.0-flash-thinking-exp-1219",
        "qwen3-235b-a22b-thinking-2507",
        "kimi-k2-thinking",
        "Hunyuan-Standard-256K",
        "step-2-16k-202411",
        "BERT (single model) (Alder Labs)",
        "Command R+ (08-2024)",
    ],
)
def test_what_may_be_part_of_the_name_stays_in_it(published: str) -> None:
    assert normalise(published)[1] == ""


@pytest.mark.parametrize(
    "names",
    [
        ("claude-2", "Claude 2.0", "anthropic/claude-v2"),
        ("claude-v1.3", "claude-1.3", "Claude 1.3"),
        ("claude-instant-v1.1", "claude-instant-1.1"),
        ("grok-2", "grok-2-2024-08-13", "Grok-2-08-13"),
        ("grok-2-mini", "grok-2-mini-2024-08-13"),
        ("gemini-3-pro", "gemini-3-pro-preview", "Gemini 3 Pro"),
        ("Mistral v0.1 (7B)", "mistral-7b-v0.1", "mistralai/Mistral-7B-v0.1"),
        ("Mistral Instruct v0.3 (7B)", "mistral-7b-instruct-v0.3"),
        ("deepseek-67b-chat", "deepseek-llm-67b-chat", "DeepSeek LLM Chat (67B)"),
        ("GPT-4o (0513)", "gpt-4o-2024-05-13"),
        ("Claude 3.5 Sonnet (0620)", "claude-3-5-sonnet-20240620"),
        ("gpt-5-2-pro-2025-12-11", "GPT-5.2 Pro (2025-12-11)"),
        ("gpt_5_1_codex_max", "gpt-5.1-codex-max"),
        ("google-gemini-3-1-pro-preview", "gemini-3.1-pro-preview"),
        ("grok-4-1-fast", "Grok 4.1 fast"),
        ("qwen_2_5_72b", "qwen2.5-72b"),
        ("z-ai/glm-5", "GLM-5"),
        ("Qwen 3.8 Max", "qwen3.8-max"),
        ("Qwen-1_8B", "Qwen-1.8B"),
        ("xai-org/grok-3", "grok-3"),
    ],
)
def test_names_that_are_certainly_one_model(names: tuple[str, ...]) -> None:
    assert len({identify(name, "anywhere", curated_aliases()) for name in names}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("claude-2", "claude-2.1"),
        ("claude-1", "claude-1.3"),
        ("grok-2", "grok-2-1212"),
        ("grok-2", "grok-2-mini"),
        ("gemini-3-pro", "gemini-3.1-pro"),
        ("mistral-7b-v0.1", "mistral-7b-instruct-v0.1"),
        ("deepseek-67b", "deepseek-67b-chat"),
        ("gpt-4o-0513", "gpt-4o-0806"),
        ("deepseek-r1", "deepseek-r1-0528"),
        ("kimi-k2", "kimi-k2-thinking"),
        ("gpt-5.1-codex", "gpt-5.1-codex-max"),
    ],
)
def test_names_that_are_near_and_not_one_model(one: str, other: str) -> None:
    aliases = curated_aliases()
    assert identify(one, "anywhere", aliases).model_id != identify(other, "anywhere", aliases).model_id


def test_an_alias_that_cannot_be_read_is_named_with_its_file() -> None:
    with pytest.raises(RegistryError, match=r"^alias\.csv, column published_name: 'alder \u0430lpha': a word of"):
        with_normalised({(None, "alder \u0430lpha"): ("alder-alpha", "")})


def test_dates_sizes_and_variants_keep_models_apart() -> None:
    names = [
        "alder-7b",
        "alder-70b",
        "alder-7b-chat",
        "alder-7b-2024-01-01",
        "alder-7b-2024-06-01",
        "alder-1.5-7b",
        "alder+-7b",
    ]
    assert len({normalise(name)[0] for name in names}) == len(names)


@pytest.mark.parametrize(
    ("published", "reason"),
    [
        ("", "no model name"),
        ("\u200b \u00ad", "not to be seen: U\\+200B"),
        ("Alder\\u202e7B", "not to be seen: U\\+202E"),
        ("__", "no model name"),
        ("\u0421laude 3 Opus", "mixes Latin and Cyrillic"),
        ("GPT-4\u03bf-mini \u039fpenAI", "looks Latin and is Greek"),
        ("\u041e\u0420\u0422-175B", "looks Latin and is Cyrillic"),
        ("\u043e3-mini", "looks Latin and is Cyrillic"),
        ("Open\u0391I/\u039f1", "mixes Latin and Greek"),
        ("\u039f1", "looks Latin and is Greek"),
        ("x" * (LONGEST_NAME + 1), "characters"),
    ],
)
def test_a_name_that_names_nothing_is_refused(published: str, reason: str) -> None:
    with pytest.raises(NameRefusedError, match=reason):
        normalise(published)


@pytest.mark.parametrize("published", ["Zephyr β-7B", "Сова-7B", "ФРЕД T5", "Γ-model", "通义千问 2.5"])
def test_letters_of_another_script_are_no_disguise_where_they_show_it(published: str) -> None:
    assert normalise(published) == (published.casefold().replace(" ", "-"), "")


@given(st.text(max_size=40))
def test_normalising_twice_changes_nothing(text: str) -> None:
    try:
        name, _ = normalise(text)
    except NameRefusedError:
        return
    assert name
    if "/" not in name:
        assert normalise(name) == (name, "")


@given(st.text(alphabet="abcXYZ019.+()", min_size=1, max_size=20))
def test_case_and_blanks_make_no_difference(name: str) -> None:
    assert normalise(f"  \u00a0{name.upper()}\u3000 ") == normalise(name)


UNSEEN = (
    *map(chr, (*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0))),
    *"\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060",
    *"\u2061\u2066\u2067\u2068\u2069\u206f\u2800\u3164\ud800\ue000\ufe0f\ufeff\uffa0\ufff9\uffff\U000e0041\U000e0100",
)


@given(st.text(alphabet="abX 1-", max_size=8), st.sampled_from(UNSEEN), st.text(alphabet="abX 1-", max_size=8))
def test_what_is_not_to_be_seen_makes_no_model_and_is_shown_as_an_escape(before: str, mark: str, after: str) -> None:
    name = f"{before}{mark}{after}"
    assert hidden_in(name)
    for spelled in (name, printable(name)):
        with pytest.raises(NameRefusedError, match="not to be seen"):
            identify(spelled, "board", {(None, f"{before}{after}"): ("alder", "")})
    assert printable(name).isprintable()
    assert printable(printable(name)) == printable(name)
    assert printable(name) != printable(f"{before}{after}")


@given(st.text(max_size=30))
def test_whatever_is_published_is_printed_without_what_is_not_to_be_seen(text: str) -> None:
    shown = printable(text)
    shown.encode()
    assert all(character.isprintable() for character in shown)
    assert hidden_in(shown) == hidden_in(shown.strip())


def test_an_alias_of_the_source_goes_before_one_for_all() -> None:
    aliases = {
        ("board", "Alder (June)"): ("alder-20240601", ""),
        (None, "Alder (June)"): ("alder-other", ""),
        (None, "birch"): ("birch-7b", "chat template"),
    }
    assert identify(" Alder  (June)", "board", aliases) == ("alder-20240601", "")
    assert identify("Alder (June)", "another", aliases) == ("alder-other", "")
    assert identify("Birch (FC)", "board", aliases) == ("birch-7b", "chat template, fc")
    assert identify("Cedar", "board", aliases) == ("cedar", "")


def test_an_alias_also_holds_for_the_name_in_another_spelling_and_setting() -> None:
    table = {
        ("board", "Alder 2 Large"): ("alder-2-large-20240601", ""),
        ("board", "alder-2-large"): ("alder-2-large-20240101", ""),
        ("board", "o3-mini-high"): ("another", ""),
        (None, "Birch 3"): ("birch-3-20240601", ""),
    }
    aliases = with_normalised(table)
    assert identify("Birch 3 (thinking-32k)", "board", aliases) == ("birch-3-20240601", "thinking 32k")
    assert identify("ALDER_2_LARGE", "board", aliases) == ("alder-2-large-20240101", "")
    assert identify("o3-mini", "board", aliases) == ("o3-mini", "")
    assert identify("o3-mini-high", "board", aliases) == ("another", "")


def test_a_makers_prefix_is_dropped_and_a_fine_tuners_is_not() -> None:
    assert normalise("meta-llama/Llama-3-8B")[0] == "llama-3-8b"
    assert normalise("somebody/Llama-3-8B")[0] == "somebody/llama-3-8b"


@pytest.mark.parametrize("rule", SETTINGS, ids=lambda rule: rule.words + " " + rule.pattern.pattern[:40])
@given(data=st.data())
@examples(4)
def test_what_a_rule_matches_has_the_word_by_which_it_is_looked_for(rule: Rule, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(rule.pattern).filter(lambda candidate: "\n" not in candidate))
    assert rule.word in text


@pytest.mark.parametrize(
    ("published", "source_id", "model_id"),
    [
        ("Baichuan-2-7B-Base", "epoch", "baichuan2-7b-base"),
        ("Baichuan-2-13B-Base", "epoch-hub", "baichuan2-13b-base"),
        ("gemini-2.0-flash", "llm-stats", "gemini-2.0-flash-exp"),
        ("gemini-2.0-flash", "livebench", "gemini-2.0-flash-001"),
        ("Gemini-3-Flash", "openhands-index", "gemini-3-flash-preview"),
        ("Gemini-3-Flash", "openhands-agents", "gemini-3-flash-preview"),
    ],
)
def test_a_model_is_the_one_that_its_source_measured(published: str, source_id: str, model_id: str) -> None:
    aliases = curated_aliases()
    assert identify(published, source_id, aliases).model_id == model_id


@pytest.mark.parametrize(
    ("source_id", "model_id", "names"),
    [
        ("lmarena-agent", "claude-opus-4-8", ("Claude Opus 4.8 (Thinking)", "Claude Opus 4.8 (High)")),
        ("lmarena-daily", "claude-opus-4-6", ("claude-opus-4-6-thinking", "claude-opus-4-6-high")),
        ("lmarena-daily", "deepseek-v4-flash", ("deepseek-v4-flash-thinking", "deepseek-v4-flash-high-preview")),
    ],
)
def test_a_row_that_its_board_renamed_has_the_effort_that_the_board_now_names(
    source_id: str, model_id: str, names: tuple[str, ...]
) -> None:
    aliases = curated_aliases()
    expected = (model_id, "thinking, high effort")
    assert [tuple(identify(name, source_id, aliases)) for name in names] == [expected] * 2


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("openai/babbage", "babbage (1.3B)"),
        ("cohere/xlarge-20221108", "Cohere xlarge v20221108 (52.4B)"),
        ("google/gemini-1.5-pro-001", "Gemini 1.5 Pro (001)"),
        ("microsoft/TNLGv2_530B", "TNLG v2 (530B)"),
    ],
)
def test_a_model_of_helm_is_the_one_that_its_configuration_shows_so(name: str, shown: str) -> None:
    aliases = curated_aliases()
    assert identify(name, "helm-config", aliases) == identify(shown, "boards-2024", aliases)
