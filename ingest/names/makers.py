"""Organisations that publish models of their own, or serve those of others unchanged, under `organisation/name`.

Only their prefix may be dropped from a name. A fine-tune by anybody else often keeps the name of what it was made
from, and would become that model if its `organisation/` were dropped.
"""

import re

# fmt: off
MAKERS = frozenset(
    {
        "01-ai", "01.ai", "abacusai", "adept", "ai-forever", "ai21", "ai21labs", "ajibawa-2023", "aleph-alpha",
        "alibaba",
        "alibaba-nlp", "allenai", "alpindale", "amazon", "antgroup", "anthropic", "apple", "arcee-ai", "baai",
        "baichuan-inc", "baidu", "beowolx", "berkeley-nest", "bigcode", "bigscience", "budecosystem", "bytedance",
        "cerebras", "chujiezheng", "chutes", "codellama", "cognitivecomputations", "cohere", "cohereforai",
        "coherelabs", "databricks", "deepinfra", "deepmind", "deepseek", "deepseek-ai", "eleutherai", "facebook",
        "fireworks", "fuseai", "gemini", "genezc", "ghost-x", "google", "google-bert", "google-deepmind", "h2oai",
        "huggingfaceh4", "huggingfacetb", "huggyllama", "ibm", "ibm-granite", "inflection", "infly", "intel",
        "internlm", "intfloat", "ise-uiuc", "jieliu", "jinaai", "kaist-ai", "kakaocorp", "lg-ai", "lgai-exaone",
        "liquidai", "lmsys", "m-a-p", "meetkai", "meta", "meta-llama", "microsoft", "migtissera", "minimax",
        "minimaxai", "mistral", "mistral-community", "mistralai", "mixedbread-ai", "moonshot", "moonshotai",
        "mosaicml", "naver", "nexusflow", "nomic-ai", "nousresearch", "ntqai", "nvidia", "openai",
        "openai-community", "openbmb", "openchat", "opengpt-x", "openrouter", "perplexity", "phind",
        "princeton-nlp", "project-baize", "qwen", "reka", "rekaai", "rhymes-ai", "salesforce", "sambanova",
        "sensellm", "sentence-transformers", "servicenow", "snorkelai", "snowflake", "speakleash", "stabilityai",
        "teknium", "tencent", "thudm", "tiiuae", "together", "togethercomputer", "umd-zhou-lab", "upstage",
        "utter-project", "uukuguy", "voyageai", "whiterabbitneo", "wizardlm", "wizardlmteam", "writer", "wzhouad",
        "x-ai", "xai", "xiaomi", "xiaomimimo", "xwin-lm", "yandex", "yhyu13", "zai-org", "zhipu", "zhipuai",
        "bytedance-seed", "inception", "inceptionlabs", "liquid", "novasky-ai", "poolside", "prime-intellect",
        "stepfun", "thinkingmachines", "xai-org", "z-ai",
    }
)
# fmt: on

_MAKERS_OF_NAMES: tuple[tuple[str, str], ...] = (
    ("01-ai", "yi"),
    ("ai21(?:-labs)?", "jamba|j1|j2|jurassic"),
    ("alibaba", "qwen|qwq"),
    ("allenai", "olmo|tulu|llama-3\\.1-tulu"),
    ("amazon", "nova|titan"),
    ("antgroup", "antfinix|finix"),
    ("anthropic", "claude"),
    ("apple", "openelm"),
    ("baidu", "ernie"),
    ("c4ai", "command|aya"),
    ("cohere(?:forai)?", "command|aya|c4ai"),
    ("databricks", "dbrx|dolly"),
    ("deepseek-ai", "deepseek"),
    ("google", "gemini|gemma|palm-(?:2|chat)|flan|bard"),
    ("ibm", "granite"),
    ("intel", "neural-chat"),
    ("meta", "llama-?[234]|codellama|code-llama"),
    ("microsoft", "phi|orca|wizardlm"),
    ("mistral(?:-?ai)?", "mistral|mixtral|ministral|pixtral|codestral|magistral|devstral"),
    ("moonshot-?(?:ai)?", "kimi"),
    ("nvidia", "nemotron|llama-3\\.\\d-nemotron"),
    ("openai", "gpt|chatgpt|o[1-9](?=-|$)|davinci|text-davinci"),
    ("parasail", "qwen"),
    ("qwen", "qwq|qwen"),
    ("tencent", "hunyuan"),
    ("tii(?:uae)?", "falcon"),
    ("tngtech", "deepseek-tng"),
    ("xai", "grok"),
    ("zhipu-?(?:ai)?", "glm|chatglm"),
)
PRODUCTS = re.compile("^(?:" + "|".join(f"{maker}[-.](?=(?:{products}))" for maker, products in _MAKERS_OF_NAMES) + ")")
"""A maker's name before a product of its own, as boards print it: `OpenAI GPT-4o`, `amazon.nova-pro-v1:0`."""
