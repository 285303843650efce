"""How hard a text is to read: the grade of Flesch and Kincaid, with syllables counted as groups of vowels.

J. P. Kincaid and others, Derivation of New Readability Formulas for Navy Enlisted Personnel (1975): 0.39 words a
sentence + 11.8 syllables a word - 15.59.
"""

import re

_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*|\d[\d,.]*")
_END = re.compile(r"(?<=[.!?])\s+")


def sentences(text: str) -> list[str]:
    """The sentences of a plain text."""
    return [part for part in _END.split(text.strip()) if part]


def words(text: str) -> list[str]:
    """Its words; a number is one."""
    return _WORD.findall(text)


def syllables(word: str) -> int:
    """About how many syllables a word has: groups of vowels without a silent e; a number is read as two."""
    if word[0].isdigit():
        return 2
    letters = re.sub(r"[^a-z]", "", word.lower())
    groups = len(re.findall(r"[aeiouy]+", letters))
    silent = (letters.endswith("e") and not letters.endswith(("le", "ee"))) or re.search(r"[^td]ed$", letters)
    return max(1, groups - bool(silent))


def grade(text: str) -> float:
    """The years of school that a text asks for."""
    said = words(text)
    return 0.39 * len(said) / len(sentences(text)) + 11.8 * sum(map(syllables, said)) / len(said) - 15.59
