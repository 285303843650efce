"""What a sentence says of a limit is printed from the limit."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from benchhealth import analytics, dashboard
from benchhealth.analytics.forecast.indicators import USED_UP_IN
from benchhealth.analytics.forecast.table import MONTHS_AHEAD, USED_UP_AT
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.dashboard.pages.overview.figures import map as map_figure
from benchhealth.dashboard.words.answers.sentences import words
from benchhealth.dashboard.words.numbers import percent

TYPED = re.compile(r"\ba tenth of (the|a)\b|\ba tenth or more\b|\bbelow a tenth\b")
"""A limit in words: those of the rules change, and the sentence would not."""


def _sentences(path: Path) -> Iterator[str]:
    """The texts of a module that are no docstring."""
    tree = ast.parse(path.read_text())
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value


def test_no_sentence_types_a_limit() -> None:
    files = [path for room in (analytics, dashboard) for path in Path(str(room.__file__)).parent.rglob("*.py")]
    suspects = [path for path in files if "tenth" in path.read_text()]
    assert suspects
    assert [(path.name, sentence) for path in suspects for sentence in _sentences(path) if TYPED.search(sentence)] == []


def test_used_up_is_what_the_verdicts_call_so() -> None:
    limit = percent(Thresholds().exhausted_headroom)
    assert percent(USED_UP_AT) == limit
    assert USED_UP_IN.title.endswith(f"below {limit}")
    row = {"benchmark_id": "a", "question": "outlook", "reply": "no", "known_until": None, "n": None, "second": None}
    assert f"less than {limit} of the way" in words({**row, "case": "used_up"}, {}).line
    later = words({**row, "case": "beyond_ten_years"}, {}).line
    assert f"more than {MONTHS_AHEAD / 12:.0f} years until less than {limit}" in later
    assert f"less than {limit} of the scale left" == map_figure.LITTLE_SAID
