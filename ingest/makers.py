"""Organisations that publish models of their own, or serve those of others unchanged, under `organisation/name`.

Only their prefix may be dropped from a name. A fine-tune by anybody else often keeps the name of what it was made
from, and would become that model if its `organisation/` were dropped.
"""

# fmt: off
MAKERS = frozenset(
    {
        "01-ai", "01.ai", "abacusai", "adept", "ai21", "ai21labs", "aleph-alpha", "alibaba",
        "alibaba-nlp", "allenai", "amazon", "antgroup", "anthropic", "apple", "arcee-ai", "baai",
        "baichuan-inc", "baidu", "bigcode", "bigscience", "bytedance", "cerebras", "chutes",
        "codellama", "cohere", "cohereforai", "coherelabs", "databricks", "deepmind", "deepseek",
        "deepseek-ai", "eleutherai", "facebook", "fireworks", "google", "google-bert",
        "google-deepmind", "h2oai", "huggingfaceh4", "huggingfacetb", "ibm", "ibm-granite",
        "inflection", "infly", "intel", "internlm", "intfloat", "jinaai", "kakaocorp", "lg-ai",
        "lgai-exaone", "liquidai", "lmsys", "meta", "meta-llama", "microsoft", "minimax", "minimaxai",
        "mistral", "mistralai", "mixedbread-ai", "moonshot", "moonshotai", "mosaicml", "naver",
        "nomic-ai", "nvidia", "openai", "openai-community", "openbmb", "opengpt-x", "openrouter",
        "perplexity", "qwen", "reka", "rekaai", "salesforce", "sambanova", "sentence-transformers",
        "servicenow", "snowflake", "speakleash", "stabilityai", "tencent", "thudm", "tiiuae",
        "together", "togethercomputer", "upstage", "utter-project", "voyageai", "writer", "x-ai",
        "xai", "xiaomi", "xiaomimimo", "yandex", "zai-org", "zhipu", "zhipuai",
    }
)
# fmt: on
