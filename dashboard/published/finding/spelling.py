"""Questions that are spelt like one that found little, and find more."""

import polars as pl

from benchhealth.dashboard.published.finding.search import Found, index, search, worded
from benchhealth.dashboard.published.generation import View, always

SHORTEST_WORD, LONGEST_WORD = 3, 30
"""Letters of a word that is looked for among names."""

SHORT_WORD, MOST_OFFERED = 4, 3
"""Up to this many letters one slip is allowed, and two in longer words; this many questions are offered."""

_NEAR_SQL = """
    SELECT word FROM (SELECT unnest($words) AS word) WHERE damerau_levenshtein(word, $asked) <= $slips
    ORDER BY damerau_levenshtein(word, $asked), list_position($words, word) LIMIT $most
"""


def meant(view: View, query: str, groups: list[Found]) -> list[str]:
    """At most MOST_OFFERED questions in which words that begin nothing known are others, a slip or two away.

    A slip is a letter too many, too few, another one, or two that changed places (Damerau 1964). Empty where a name
    that was `found` begins with the question, or with its words, and where no word is near. Each finds something.
    """
    words = worded(query)
    if not words or any(group.fit for group in groups):
        return []
    near = [_near(view, word) for word in words]
    if not any(near) or not all(others or _begins(view, word) for word, others in zip(words, near, strict=True)):
        return []
    offered = [
        " ".join(
            others[min(nth, len(others) - 1)] if others else word for word, others in zip(words, near, strict=True)
        )
        for nth in range(max(len(others) for others in near))
    ]
    return [question for question in dict.fromkeys(offered) if search(view, question, 1)]


def _begins(view: View, word: str) -> bool:
    """Whether a word of any name, id, maker or domain begins with it."""
    return bool(index(view)["text"].str.contains(f" {word}", literal=True).any())


def _near(view: View, word: str) -> list[str]:
    """Words of names near this one, the nearest first; none for one that begins a word which is known."""
    if not SHORTEST_WORD <= len(word) <= LONGEST_WORD or _begins(view, word):
        return []
    slips = 1 if len(word) <= SHORT_WORD else 2
    names = vocabulary(view)
    alike = names.filter((names.str.len_bytes().cast(pl.Int64) - len(word)).abs() <= slips)
    asked = {"words": alike.to_list(), "asked": word, "slips": slips, "most": MOST_OFFERED}
    return view.published.query(_NEAR_SQL, asked)["word"].to_list() if len(alike) else []


@always
def vocabulary(view: View) -> pl.Series:
    """The words of all names, and names written as one word: those of what most is known about first."""
    rows = index(view)
    words = rows.select("weight", word=pl.col("folded").str.split(" ")).explode("word")
    every = pl.concat([words, rows.select("weight", word="squeezed")])
    of_length = pl.col("word").str.len_bytes().is_between(SHORTEST_WORD, LONGEST_WORD)
    best = every.filter(of_length).group_by("word").agg(pl.col("weight").max())
    return best.sort("weight", "word", descending=[True, False])["word"]
