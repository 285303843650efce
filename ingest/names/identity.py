"""Which model a published name means: by rule or by the curated alias table, never by a fuzzy guess.

The rules are few because a wrong merge is worse than a missed one. Dates, sizes and variants stay in the name; only
what is certainly a way of running the same model (effort, thinking budget, shots, tool calling) becomes its setting.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, NewType

from benchhealth.ingest.formats.numbers import UnreadableError
from benchhealth.ingest.names.makers import MAKERS
from benchhealth.ingest.names.settings import split_setting
from benchhealth.ingest.names.spelling import spell
from benchhealth.warehouse.curated.checked import RegistryError

NormalisedName = NewType("NormalisedName", str)
ModelId = NewType("ModelId", str)

Aliases = Mapping[tuple[str | None, str], tuple[str, str]]
"""(source_id or None for any source, published or normalised name) to (model_id, setting)."""

LONGEST_NAME = 300
LISTED_AS = "listed as "

_HYPHEN_FOR = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2212"), "-")
"""The hyphens and dashes of Unicode that are read as the ASCII hyphen; NFKC leaves them apart."""

_SPACES = re.compile(r"[\s_]+")
_HYPHENS = re.compile(r"-{2,}")
_WORD = re.compile(r"[^\W\d_]+")
_ORGANISATION = re.compile(r"^([a-z0-9][\w.-]*)/(?=[a-z0-9]\S*$)")
_LOOKALIKE_SCRIPTS = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")
_LOOK_LATIN = frozenset("аеорсухіјѕһԁԛԝοօ" + "аеорсухіјѕһԁԛԝοօ".upper() + "ВКМНТԌΑΒΕΖΗΙΚΜΝΡΤΥΧ")
"""Cyrillic, Greek and Armenian letters that are drawn as Latin ones, small as they are, large only where large."""

_INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Controls (NUL, the escapes of terminals), zero widths, marks of direction, halves of pairs, what is no character."""

_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Letters and marks that are drawn as nothing."""

_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})")

_MOST_ROUNDS = 20


class NameRefusedError(UnreadableError):
    """A published name that must not become a model; the message says why."""


class Identity(NamedTuple):
    """The model that a published name means, and the setting that the name itself carries."""

    model_id: ModelId
    setting: str


@lru_cache(maxsize=2**16)
def normalise(published_name: str) -> tuple[NormalisedName, str]:
    """Reduce a published name to (normalised name, setting): same text for the same name, however it is written.

    Compatibility forms (NFKC) and hyphens are unified, case folded, whitespace and underscores become one hyphen, a
    leading `maker/` is dropped (see `makers`). Normalising twice changes nothing, unless there is a slash left.
    Raises NameRefusedError where nothing is left, the name is absurdly long, holds a character that is not to be seen,
    or a word is in letters of another script that pass for Latin ones, in part or whole.
    """
    if hidden := hidden_in(published_name):
        raise NameRefusedError(f"a character in the model's name that is not to be seen: {hidden}")
    visible = printable(published_name)
    text = printable(visible.casefold()).translate(_HYPHEN_FOR)
    if not text:
        raise NameRefusedError("no model name")
    if len(text) > LONGEST_NAME:
        raise NameRefusedError(f"a model name of {len(text)} characters")
    _refuse_lookalikes(visible)
    settings: list[str] = []
    for _ in range(_MOST_ROUNDS):
        shorter, setting = split_setting(text)
        if setting:
            settings.insert(0, setting)
        plainer = spell(_without_maker(_hyphenate(shorter)))
        if plainer == text:
            break
        text = shorter if setting else plainer
    if not text:
        raise NameRefusedError("no model name")
    return NormalisedName(text), join_settings(settings)


def with_normalised(aliases: Aliases) -> Aliases:
    """The aliases, and each once more under its normalised name: that of `Alder 2` also holds for `alder-2 (FC)`.

    A name that carries a setting is left as it is, and what the table says itself goes before what follows from it.
    Raises RegistryError for a name that `normalise` refuses.
    """
    also: dict[tuple[str | None, str], tuple[str, str]] = {}
    for (source_id, published_name), target in aliases.items():
        try:
            name, setting = normalise(published_name)
        except NameRefusedError as why:
            raise RegistryError("alias.csv", 0, "published_name", f"{published_name!r}: {why}") from why
        if not setting:
            also[source_id, name] = target
    return {**also, **aliases}


def identify(published_name: str, source_id: str, aliases: Aliases) -> Identity:
    """The model and setting of a published name: a curated alias of the exact name, of the normalised one, or the rule.

    An alias of one source goes before one for all sources. An alias of the exact name replaces what the rules
    would have said about the setting; an alias of the normalised name adds to it. Raises NameRefusedError like
    `normalise`.
    """
    exact = None if hidden_in(published_name) else _alias(printable(published_name), source_id, aliases)
    if exact is not None:
        return exact
    name, setting = normalise(published_name)
    by_rule = _alias(name, source_id, aliases)
    if by_rule is not None:
        return by_rule._replace(setting=join_settings([by_rule.setting, setting]))
    return Identity(ModelId(name), setting)


def printable(text: str) -> str:
    """The text in NFKC with single spaces; invisible characters are written as escapes (`\\u202e`)."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    unified = unicodedata.normalize("NFKC", text)
    visible = "".join(_code_point(character) if _is_hidden(character) else character for character in unified)
    return unicodedata.normalize("NFKC", " ".join(visible.split()))


def hidden_in(text: str) -> str:
    """The first invisible character of the text, or the escape of one, as `U+202E`; empty where there is none.

    Two names that differ in nothing else look alike, and a mark of direction shows a name backwards.
    """
    if escape := _ESCAPE.search(text):
        return f"U+{int(escape[0][2:], 16):04X}"
    if text.isascii() and text.isprintable():
        return ""
    return next((f"U+{ord(character):04X}" for character in text if _is_hidden(character)), "")


def _is_hidden(character: str) -> bool:
    if character in "\t\n\r":
        return False
    return unicodedata.category(character) in _INVISIBLE or bool(_BLANK.fullmatch(character))


def _code_point(character: str) -> str:
    return f"\\u{ord(character):04x}" if ord(character) < 2**16 else f"\\U{ord(character):08x}"


def listings(names: Sequence[str]) -> list[str]:
    """Settings to add, by published name, so that rows of one model in one setting stay distinct.

    A source may list one model under two names (`o1` and `o1-2024-12-17`). Both rows stay: the name that comes first
    in the alphabet stands as it is, the others are `listed as` theirs. Empty for the same name, however it is written.
    The order of rows makes no difference.
    """
    plain = min(map(_comparable_name, names), default="")
    return ["" if _comparable_name(name) == plain else f"{LISTED_AS}{printable(name)}" for name in names]


def join_settings(settings: Iterable[str]) -> str:
    """One setting out of several, in order, each once."""
    return ", ".join(dict.fromkeys(setting for setting in settings if setting))


@lru_cache(maxsize=2**12)
def both_settings(of_row: str, of_name: str) -> str:
    """One setting out of the row's own and that of the name, each part once: a file has few, and many rows of each."""
    return join_settings([*of_row.split(", "), *of_name.split(", ")])


def _alias(name: str, source_id: str, aliases: Aliases) -> Identity | None:
    entry = aliases.get((source_id, name)) or aliases.get((None, name))
    if entry is None:
        return None
    model_id, setting = entry
    return Identity(ModelId(model_id), setting)


def _without_maker(text: str) -> str:
    prefix = _ORGANISATION.match(text)
    return text[prefix.end() :] if prefix and prefix[1] in MAKERS else text


def _comparable_name(name: str) -> str:
    return _hyphenate(printable(name).casefold().translate(_HYPHEN_FOR))


def _hyphenate(text: str) -> str:
    return _HYPHENS.sub("-", _SPACES.sub("-", text)).strip("-")


def _refuse_lookalikes(text: str) -> None:
    """Refuse a word that mixes Latin letters with letters of other scripts, or that only looks Latin: a disguise."""
    if text.isascii():
        return
    for word in _WORD.findall(text):
        scripts = {unicodedata.name(letter, "").split(" ", 1)[0] for letter in word}
        foreign = scripts.intersection(_LOOKALIKE_SCRIPTS)
        if foreign and "LATIN" in scripts:
            raise NameRefusedError(
                f"a word of the model's name mixes Latin and {', '.join(sorted(foreign)).title()} letters"
            )
        if _LOOK_LATIN.issuperset(word):
            raise NameRefusedError(
                f"a word of the model's name looks Latin and is {', '.join(sorted(foreign)).title()}"
            )
