"""One spelling for names that makers, hosts and boards write in several ways: the same words, nothing left out.

Almost every rule is about one family of one maker, because the same word means different things elsewhere: `chat` and
`instruct` are two models of MosaicML's and one of Meta's. What cannot be told from the name alone is an alias.
"""

import re

from benchhealth.ingest.names.makers import PRODUCTS

_SIZE = r"\d+(?:\.\d+)?b"
_DAY = r"(20\d\d)-?(\d\d)-?(\d\d)"
_TIER = r"(sonnet|opus|haiku)"
_POINT = r"(\d)-([1-9]\d?)(?=-|$)"
"""A version whose point is written as a hyphen; a year or a month after it has four digits or begins with 0."""

Rules = tuple[tuple[re.Pattern[str], str], ...]


def _rules(*pairs: tuple[str, str]) -> Rules:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in pairs)


_BRACKETS = _rules(
    # A size or a version in brackets: LLaMA (7B), DeepSeek V3 (0324), GPT 4o (2024-08-06).
    (rf"^(.+?)-?\(({_SIZE}|\d+m)\)$", r"\1-\2"),
    (r"^(.+?)-?\((\d{4}-\d{2}-\d{2}|20\d{6}|\d{2}-20\d{2}|[01]\d[0-3]\d|2[2-9][01]\d)\)$", r"\1-\2"),
)
_SIZE_LAST = _rules(
    # Kind before size: falcon-instruct-40b, qwen-chat-14b, deepseek-coder-instruct-6.7b.
    (rf"^([a-z][a-z0-9.]*(?:-[a-z][a-z0-9.]*)?(?:-\d(?:\.\d)?)?)-(instruct|chat|base)-({_SIZE})$", r"\1-\3-\2"),
)
_TAGGED = _rules(
    # ollama writes model:tag; a tag without a kind is the instruct model for some and the base model for others.
    (r"^ollama/(?=.*(?:instruct|chat))", ""),
    (r"^([a-z][\w.-]*):((?:\d+(?:\.\d+)?b)[\w.-]*)$", r"\1-\2"),
)
_FAMILIES: tuple[tuple[tuple[str, ...], Rules], ...] = (
    (
        ("gpt", "chatgpt", "o1", "o3", "o4"),
        _rules(
            (r"^gpt(?=(?:3\.5|[345])(?:\.\d)?o?(?:-|$))", "gpt-"),
            (r"^(gpt-4-(?:1106|0125))$", r"\1-preview"),
            (rf"^((?:gpt|chatgpt|o\d)-.*?)-{_DAY}$", r"\1-\2-\3-\4"),
            (rf"^(o\d)-{_DAY}$", r"\1-\2-\3-\4"),
            (r"^chatgpt-4o(?:-latest)?-(\d\d)-(\d\d)-(20\d\d)$", r"chatgpt-4o-latest-\3-\1-\2"),
        ),
    ),
    (
        # The tier stands after the number up to 3.7, before it since 4.
        ("claude",),
        _rules(
            (r"^claude-(instant-)?v(?=\d)", r"claude-\1"),
            (r"^claude-2\.0$", "claude-2"),
            (r"^claude-([3-9])\.(\d)(?=-|$)", r"claude-\1-\2"),
            (rf"^claude-{_TIER}-([4-9])\.(\d)(?=-|$)", r"claude-\1-\2-\3"),
            (rf"^claude-{_TIER}-3(?=-\D|-20|$)", r"claude-3-\1"),
            (rf"^claude-{_TIER}-3[.-]([57])(?=-|$)", r"claude-3-\2-\1"),
            (rf"^claude-([4-9](?:-\d)?)-{_TIER}(?=-|$)", r"claude-\2-\1"),
            (r"^(claude-.*)-(20\d\d)-(\d\d)-(\d\d)$", r"\1-\2\3\4"),
            (r"^claude-3-7-(20\d{6})$", r"claude-3-7-sonnet-\1"),
        ),
    ),
    (
        ("gemini",),
        _rules(
            (r"^gemini-(pro|flash|ultra)-(\d\.\d)(?=-|$)", r"gemini-\2-\1"),
            (rf"^gemini-{_POINT}", r"gemini-\1.\2"),
            (r"^gemini-pro$", "gemini-1.0-pro"),
            (r"^(gemini-.*)-experimental$", r"\1-exp"),
            (r"^(gemini-2\.5-.*-(?:exp|preview))-(\d\d)(\d\d)$", r"\1-\2-\3"),
        ),
    ),
    (("gpt",), _rules((rf"^gpt-{_POINT}", r"gpt-\1.\2"))),
    (("grok",), _rules((rf"^grok-{_POINT}", r"grok-\1.\2"))),
    (
        ("gemma", "codegemma"),
        _rules(
            (r"^gemma([23]n?)(?=-)", r"gemma-\1"),
            (r"^((?:code)?gemma-.*\d+b)-instruct$", r"\1-it"),
        ),
    ),
    (
        # Meta dropped the prefix of its repositories; from Llama 3 on the chat models are called Instruct.
        ("llama", "meta-llama", "code-llama", "codellama"),
        _rules(
            (r"^meta-llama-(?=\d)", "llama-"),
            (r"^llama-?(?=[234])", "llama-"),
            (rf"^(llama-3(?:\.\d)?-{_SIZE})-chat$", r"\1-instruct"),
            (r"^code-llama-", "codellama-"),
            (rf"^((?:llama-[23](?:\.\d)?|codellama)-{_SIZE})-base$", r"\1"),
        ),
    ),
    (
        ("qwen",),
        _rules(
            (rf"^qwen-{_POINT}", r"qwen-\1.\2"),
            (r"^qwen-1-8b(?=-|$)", "qwen-1.8b"),
            (r"^qwen-(1\.5|2(?:\.5)?|3(?:\.\d)?)(?=-)", r"qwen\1"),
            (rf"^(qwen2(?:\.5)?-(?:coder-)?{_SIZE})-chat$", r"\1-instruct"),
        ),
    ),
    (
        # The chat model of the API is the one that goes by V2.5 and V3.
        ("deepseek",),
        _rules(
            (r"^deepseek-llm-(?=\d+b(?:-|$))", "deepseek-"),
            (r"^deepseek-(?:chat-)?v(3|2\.5)(?:-chat)?(?=-\d|$)", r"deepseek-v\1"),
            (r"^deepseek-(?:chat-v2|v2-api|v2-chat)(?:-(?:2024-)?(\d\d)-?(\d\d))$", r"deepseek-v2-chat-\1\2"),
            (r"^deepseek-chat-v2$", "deepseek-v2-chat"),
            (r"^(deepseek-coder-v2)(?:-instruct)?-(?:2024-)?07-?24$", r"\1-0724"),
        ),
    ),
    (
        # The version is the month; the undated name and the repository's `instruct` of that month are one model.
        ("mistral", "ministral", "mixtral", "codestral", "open-mi"),
        _rules(
            (r"^((?:codestral|mistral-[a-z]+).*?)-?\(?(2\d)\.(\d\d)\)?$", r"\1-\2\3"),
            (
                rf"^mistral-(large|small|medium)(?:-\d(?:\.\d)?)?(?:-{_SIZE})?(?:-instruct)?-(2[3-9][01]\d)$",
                r"mistral-\1-\2",
            ),
            (rf"^(mistral|mixtral)(-instruct)?-v(0\.\d)-({_SIZE})$", r"\1-\4\2-v\3"),
            (rf"^(ministral-{_SIZE})-instruct-(2\d{{3}})$", r"\1-\2"),
            (r"^(?:open-)?mistral-nemo(?:-12b)?-instruct(?:-2407)?$", "mistral-nemo-2407"),
            (r"^open-mistral-nemo(?:-2407)?$", "mistral-nemo-2407"),
            (r"^(?:open-)?(mixtral-8x(?:7b|22b))-instruct$", r"\1-instruct-v0.1"),
            (r"^open-(mixtral-8x(?:7b|22b))$", r"\1-instruct-v0.1"),
            (r"^(mixtral-8x(?:7b|22b))-base$", r"\1-v0.1"),
            (r"^codestral-22b(?:-v0\.1)?$", "codestral-2405"),
        ),
    ),
    (("command",), _rules((r"^command-r\+(?=-|$)", "command-r-plus"))),
    (("nova",), _rules((r"^nova-(micro|lite|pro|premier)-v1(?:[.:-]0)?$", r"nova-\1"))),
    (("internlm",), _rules((r"^internlm2-5-", "internlm2.5-"))),
    (("phi",), _rules((r"^phi-([13])-5(?=-|$)", r"phi-\1.5"))),
)


def spell(text: str) -> str:
    """A hyphenated, case-folded name in the one spelling of its family; without the maker's name where it comes first.

    `openai-gpt-4o` is `gpt-4o`: a maker's name is dropped only before a product of that same maker.
    """
    text = PRODUCTS.sub("", text)
    if text.endswith(")"):
        text = _with_rules(_BRACKETS, text)
    if ":" in text:
        text = _with_rules(_TAGGED, text)
    if text.endswith("b"):
        text = _with_rules(_SIZE_LAST, text)
    for starts, rules in _FAMILIES:
        if text.startswith(starts):
            text = _with_rules(rules, text)
    return text


def _with_rules(rules: Rules, text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text, count=1)
    return text
