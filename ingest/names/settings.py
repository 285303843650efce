"""How a name says that a model was run in some way: effort, budget, shots, tools, number format, scaffold.

Only what is certain is split off; the tests list what may be part of a name (`Mistral Medium`, `kimi-k2-thinking`).
"""

import re
from typing import NamedTuple

_LEVEL = r"(?P<level>none|minimal|low|medium|high|xhigh)"
_DATED = r"(?:-\d{4}-\d{2}-\d{2}|-\d{8}|-\d{2}-\d{4}|-\d{2}-\d{2})?"
_MAKER = r"(?:[a-z0-9.-]+/|openai[ -]|xai[ -]|google[ -])?"
_UNDATED_WITH_EFFORT = (
    _MAKER + r"(?:o[1-9](?:-mini|-pro)?"
    r"|gpt[- ]5(?:\.\d)?(?:-mini|-nano|-pro|-codex(?:-max|-mini)?|-sol|-terra|-luna)?"
    r"|gpt-oss-\d+b|muse-spark-\d\.\d"
    r"|grok-3-mini(?:-beta)?|grok-4(?:\.\d)?"
    r"|gemini-3(?:\.\d)?-(?:flash|pro)(?:-lite)?(?:-preview)?)"
)
_WITH_EFFORT = _UNDATED_WITH_EFFORT + _DATED
_CLAUDE = r"(?:[a-z0-9.-]+/)?(?:anthropic[ -])?claude-[\w.-]+"
"""No Claude is called by an effort; the board that writes `-high` behind them says how they were run."""

_WITH_BUDGET = r"(?:claude-[\w.-]+|gemini-2\.5-[\w.-]+)"
_HYBRID = (
    r"(?:[a-z0-9.-]+/)?(?:anthropic[ -])?"
    r"(?:claude-[\w.-]+|gemini-2\.5-[\w.-]+|deepseek-v(?:3\.[12]|4)[\w.-]*|glm-4\.[5-7][\w.-]*"
    r"|qwen3-(?:\d+(?:\.\d)?b|30b-a3b|235b-a22b)|grok-4-fast|grok-4[.-]1-fast|kimi-k2[.-][5-9])"
)
"""Models that think or do not as asked: one set of weights. Others of the name are models of their own."""

_FORMAT = (
    r"(?P<level>fp8|fp16|fp32|bf16|nvfp4|mxfp4|int4|int8|4bit|8bit|8bitq|gguf|awq|gptq|gptq-int[48]"
    r"|q[2-8]_[0k](?:_[sml])?)"
)
_API = (
    r"(?:chatgpt|gpt[- ]?(?:3\.5|4o|4\.1|4\.5|4|5)|o[134](?=[- ]|$)|claude|gemini)"
    r"(?:[- ]?(?:\d[\d.]*|\(?[\d-]+\)?|turbo|mini|nano|pro|flash|sonnet|opus|haiku|preview|latest|high|low|medium))*"
)
"""A model that is served and never passed on, so that nobody else's weights can be behind the name."""
_FAMILIES = (
    r"llama|qwen|qwq|vicuna|deepseek|mi[sx]tral|bert|t5|gemma|phi-|llava|blip|falcon|flamingo|kimi"
    r"|claude|sonnet|gemini|gpt|o[134] "
)
"""A model before the plus or the bracket: then two models work together, and the row is of neither."""
_RUN = (
    r"(?:temperature|reasoning|length|budget)[ =][\w.]+|w/ reasoning|\d+k tokens|recommended settings"
    r"|(?:\d+k )?think(?:ing)?(?: tokens)?|(?:no|default|high|low) ?think(?:ing)?|default"
    r"|diff|whole|udiff|diff-fenced|architect|fc(?: any| auto| thinking| tools-[\d-]+)?|prompt(?:ing| \+ thinking)?"
    r"|\d+ steps|\d+[- ]shots?|cot|greedy|fp8|fp16|bf16|int4|int8|4-bit|8-bit"
)
_GENERIC = (
    r"(?:(?:cnn|rnn|lstm|bi|gru|crf|svm|bert|transformer|seq2seq|attention|attn|encoder|decoder|char|word|baseline|model"
    r"|single|ensemble|base|big|large|small|deep|deeper|neural|network|hybrid|joint|pointer|copy|tree|graph|memory"
    r"|self|multi|task|language|parser|feature|features|ours|mlp|dnn|naive|bayes|hmm|glove|elmo|word2vec|linear|moe|combination|syllable|based)"
    r"|[\W\d_])+"
)
"""Words that many methods are called by: such a name says which method only together with its year."""
_AUTHORS = r".*(?:et[ -]al|[ -]and[ -]|&|,)"


class Rule(NamedTuple):
    """How a setting is written: `word` is in every text that the pattern matches, and is quicker to look for."""

    word: str
    pattern: re.Pattern[str]
    words: str


SETTINGS: tuple[Rule, ...] = tuple(
    Rule(word, re.compile(pattern), words)
    for word, pattern, words in (
        ("effort", rf"^(?P<name>.+)[-_]{_LEVEL}-effort$", "{level} effort"),
        ("max-effort", r"^(?P<name>.+)[-_](?P<level>max)-effort$", "{level} effort"),
        ("max", rf"^(?P<name>{_MAKER}gpt-5\.6-(?:sol|terra|luna))[-_ ]\(?(?P<level>max)\)?$", "{level} effort"),
        ("", rf"^(?P<name>{_WITH_EFFORT})[-_ ]\(?{_LEVEL}\)?(?:-reasoning)?$", "{level} effort"),
        ("-20", rf"^(?P<name>{_UNDATED_WITH_EFFORT})-{_LEVEL}(?P<date>-20\d\d-\d\d-\d\d)$", "{level} effort"),
        ("claude", rf"^(?P<name>{_CLAUDE})[-_ ]\(?(?P<level>low|medium|high|xhigh|max)\)?$", "{level} effort"),
        ("xhigh", r"^(?P<name>.+?)[-_ ]\(?(?P<level>xhigh)\)?$", "{level} effort"),
        ("claude", rf"^(?P<name>{_CLAUDE})-thinking-(?P<level>auto)$", "thinking {level}"),
        ("w/", r"^(?P<name>.+?)[-_ ]\(?w/[- ]?think(?:ing)?\)?$", "thinking"),
        ("w/o", r"^(?P<name>.+?)[-_ ]\(?w/o[- ]?think(?:ing)?\)?$", "no thinking"),
        ("think", rf"^(?P<name>{_HYBRID})[-_ ]no-?think(?:ing)?$", "no thinking"),
        ("think", rf"^(?P<name>gpt-5\.\d{_DATED})-nothinking$", "no thinking"),
        ("think", r"^(?P<name>.+)[-_ ]thinking-(?P<level>\d+k)$", "thinking {level}"),
        ("think", r"^(?P<name>.+?)[-_ ]?\(thinking-(?P<level>\d+k|minimal|low|medium|high)\)$", "thinking {level}"),
        ("think", r"^(?P<name>.+?)[-_ ]?\((?P<level>\d+k)[- ]think(?:ing)?(?:[- ]tokens)?\)$", "thinking {level}"),
        ("_", rf"^(?P<name>{_WITH_BUDGET})_(?P<level>\d+k)$", "thinking {level}"),
        ("think", r"^(?P<name>gemini-2\.5-[\w.-]+)-highthinking$", "thinking high"),
        ("default", r"^(?P<name>gemini-2\.5-[\w.-]+)-default$", "thinking default"),
        ("-", rf"^(?P<name>{_HYBRID})-(?:non-reasoning|base)$", "no thinking"),
        ("-", rf"^(?P<name>{_HYBRID})-(?:thinking|think|reasoning)$", "thinking"),
        (":", rf"^(?P<name>{_HYBRID}):thinking$", "thinking"),
        ("instant", r"^(?P<name>(?:[a-z0-9.-]+/)?kimi-k2[.-][5-9])-instant$", "no thinking"),
        ("_", r"^(?P<name>[\w./-]+)_thinking$", "thinking"),
        ("(", r"^(?P<name>.+?)[-_ ]?\((?P<level>\d+)[- ]shots?\)$", "{level}-shot"),
        (
            "(",
            r"^(?P<name>(?:gpt|palm|gopher|glam|chinchilla|megatron|llama)[^()]*(?:\([^()]*\))?)"
            r"[- ]\((?P<level>zero|one|few)[- ]shot\)$",
            "{level}-shot",
        ),
        ("(", r"^(?P<name>.+?)[-_ ]?\(non?[- ]think(?:ing)?\)$", "no thinking"),
        ("(", rf"^(?P<name>.+?)[-_ ]?\((?P<level>(?:{_RUN})(?:,[- ]?(?:{_RUN}))*)\)$", "{level}"),
        ("(", rf"^(?!{_GENERIC}\()(?!{_AUTHORS})(?P<name>.+?)[- ]\((?P<level>(?:19|20)\d\d)\)$", "{level}"),
        ("_", r"^(?P<name>.+)_(?P<level>verbose|concise)$", "{level}"),
        ("best-of", r"^(?P<name>.+)-best-of-(?P<level>\d+)$", "best of {level}"),
        ("turbo", r"^(?P<name>(?:[a-z0-9.-]+/)?(?:meta-)?(?:llama|qwen)[\w.-]+-instruct)-turbo$", "turbo"),
        ("", rf"^(?P<name>.+[\w)])[-_ :]\(?{_FORMAT}\)?$", "{level}"),
        ("hf", r"^(?P<name>[\w./ -]+b(?:-[\w.-]+)?)-hf$", "hf"),
        ("(", rf"^(?!.*(?:{_FAMILIES}).*[+(])(?P<level>[^()]+?) ?\((?P<name>{_API})\)$", "scaffold {level}"),
        ("+", rf"^(?!.*(?:{_FAMILIES}).* \+)(?P<level>.+?) \+ (?P<name>{_API}(?: ?\([\d-]+\))?)$", "scaffold {level}"),
    )
)


def split_setting(text: str) -> tuple[str, str]:
    """The name without the setting that it ends (or, for a scaffold, begins) with, and that setting, else empty."""
    for word, pattern, words in SETTINGS:
        match = pattern.match(text) if word in text else None
        if match is not None:
            groups = match.groupdict()
            name = groups["name"].strip() + (groups.get("date") or "")
            if name:
                return name, words.format(**groups)
    return text, ""
