"""The answer inside what a model wrote, and whether it is the key, as ZeroEval's own graders have it.

Where they are lenient or strict, so is this: a list of outcomes is of use only if it adds up to the printed accuracy.
"""

import json
import re

_BRACE = re.compile(r"[{}]")
_FIELD = re.compile(r'"?answer"?\s*:\s*(\{[^}]*\}|".*?"|[^,}]+)', re.DOTALL)
_BOXED = re.compile(r"\\boxed\{(\d+)\}")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_FRACTION = re.compile(r"(-?\d+(?:\.\d+)?)\s*/\s*(\d+(?:\.\d+)?)")


def written_answer(text: str) -> str | None:
    """The field `answer` of the first object in braces, else what follows the last `answer:`, else a last boxed number.

    The object ends where its braces are level, also those inside strings, and may have line breaks in strings. A boxed
    number is one of digits alone. None where there is nothing of these.
    """
    entry = _first_object(text)
    if isinstance(entry, dict) and "answer" in entry:
        return str(entry["answer"])
    if fields := _FIELD.findall(text):
        return str(fields[-1]).strip().strip('"')
    boxed = _BOXED.findall(text)
    return boxed[-1] if boxed else None


def number_in(answer: str) -> float | None:
    """The first number of an answer without commas and dollars; a fraction of two numbers is their quotient."""
    plain = answer.replace("$", "").replace(",", "").replace("#", "").strip()
    fraction = _FRACTION.fullmatch(plain)
    if fraction and float(fraction[2]):
        return float(fraction[1]) / float(fraction[2])
    number = _NUMBER.search(plain)
    return float(number[0]) if number else None


def literal(answer: str) -> str:
    """A literal of a program, without the quotes around it and with line breaks as it writes them."""
    return answer.strip("'\"").replace("\n", "\\n")


def _first_object(text: str) -> object:
    depth, start = 0, 0
    for brace in _BRACE.finditer(text):
        if brace[0] == "{":
            start = brace.start() if depth == 0 else start
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                try:
                    return json.loads(text[start : brace.end()].replace("\n", ""))
                except (ValueError, RecursionError):
                    return None
    return None
