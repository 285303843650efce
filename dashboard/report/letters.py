"""The letters that printed text and charts are set in: DejaVu Sans, which matplotlib carries and is not run for.

Letters that it lacks (Chinese, emoji) are written as their code point, `[U+4E66]`, rather than as an empty box.
"""

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from benchhealth.dashboard.words.text import one_line

FAMILY = "DejaVu Sans"
FILES = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
"""The font files of regular and of bold text."""


@cache
def font_folder() -> Path:
    """The folder with the fonts that matplotlib brings."""
    spec = find_spec("matplotlib")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf"


def writable(text: str) -> str:
    """The text on one line, in letters that both fonts have."""
    return _missing_letters().sub(lambda match: f"[U+{ord(match.group()):04X}]", one_line(text))


@cache
def _missing_letters() -> re.Pattern[str]:
    """A pattern that finds every character which one of the two fonts cannot draw."""
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]  # noqa: PLC0415

    letters = []
    for file in FILES:
        with TTFont(font_folder() / file) as font:
            letters.append(set(font.getBestCmap()))
    drawn = "".join(map(chr, sorted(set.intersection(*letters))))
    return re.compile(f"[^{re.escape(drawn)}]")
