"""Organisations under one spelling: sources write `Google`, `google` and `google-deepmind`."""

import polars as pl

# fmt: off
SAME = {
    "metallama": "meta", "facebook": "meta", "metaai": "meta", "mistralai": "mistral", "deepseekai": "deepseek",
    "qwen": "alibaba", "alibabanlp": "alibaba", "googledeepmind": "google", "deepmind": "google",
    "googleresearch": "google", "googleai": "google", "ibmgranite": "ibm", "cohereforai": "cohere",
    "coherelabs": "cohere", "ai2": "allenai", "alleninstituteforai": "allenai", "moonshotai": "moonshot",
    "zhipu": "zai", "zhipuai": "zai", "thudm": "zai", "zaiorg": "zai", "nexusflow": "nexusflowai",
    "huggingfacetb": "huggingface", "huggingfaceh4": "huggingface", "microsoftresearch": "microsoft",
    "microsoftresearchasia": "microsoft", "rekaai": "reka", "openaicommunity": "openai", "ai21": "ai21labs",
    "nvidianemotron": "nvidia", "minimaxai": "minimax", "stabilityai": "stability",
}
# fmt: on
"""Spellings (small letters and digits alone) of the same organisation, or of a part that publishes in its own name."""

NOBODY = ("anonymous", "unknown", "na", "")
"""Words for an organisation that is not known."""


def maker(organisation: pl.Expr) -> pl.Expr:
    """The organisation in small letters and digits, spellings of `SAME` as one; null where none is named."""
    spelt = organisation.str.to_lowercase().str.replace_all(r"[^a-z0-9]", "")
    one = spelt.replace(SAME)
    return pl.when(~one.is_in(NOBODY)).then(one)
