"""What leaves analytics is codes and numbers, and nothing reads a published sentence back: both by the syntax tree."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchhealth.dashboard.words.prose import changes, contamination, forecasts, goodhart, others, record, twins
from benchhealth.dashboard.words.prose.cases import SENTENCES
from benchhealth.dashboard.words.prose.indicators import OF_OTHERS, OF_SATURATION

ROOT = Path(__file__).parents[1]

WORDS = 3
"""So many words in one text make a sentence; a code has underscores for its blanks."""
_WORD = re.compile(r"(?<![\w.-])[a-zA-Z][a-z']+(?!\w)")
_PLACE = re.compile(r"\{[^}]*\}")

DECLARED = ("Indicator", "Measure", "Rung", "Trait", "Case", "by_type")
"""Calls that declare what something is: title, definition and reference are the Methods page's; what a case means;
the names of columns."""

DATA = (
    *("analytics/reproduction/", "analytics/described.py"),
    *("analytics/record/sharing.py", "analytics/record/tables/", "analytics/change/cadences.py"),
)
"""Claims of papers as they were published, the graph as it is printed and drawn, the terms and cadences of sources,
whose words are their names, and the declarations of tables, which say what a column means."""

LABELS = {
    *("UNITS", "_REFERENCE", "SOURCE", "LEADER", "MORRIS", "MOVER", "KISH", "WILSON", "DECLARED"),
    *("POPULATIONS", "ON_SCALE", "CHANCE", "TESTED", "UNTESTED", "NAIVE", "POINTS", "ALL_TOGETHER"),
    *("KIND", "KIND_OF_GAP", "BOOTSTRAP", "FIELDS", "EITHER"),
    *("_NO_EFFORT", "_SHOTS", "_NAMES_ANOTHER_MODEL"),
    *("HEADROOM_LOST", "ANOMALY", "CHURN", "AGREEMENT"),
    *("OF_RUN", "OF_ITEM", "WORK", "ELSEWHERE"),
}
"""Constants that name things: units, references, patterns, kinds of answers and metrics, and labels that tables carry
as codes."""


def texts(tree: ast.AST) -> Iterator[tuple[str, int, str]]:
    """Every text that is a value in a module: the constant that it belongs to, its line, and the text.

    Docstrings, what is raised or asserted, and declarations are none.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            name = next(
                (target.id for each in targets for target in ast.walk(each) if isinstance(target, ast.Name)), ""
            )
        else:
            name = ""
        yield from ((name, line, text) for line, text in _values(node))


def _values(node: ast.AST) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Raise | ast.Assert) or _is_declaration(node):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.lineno, node.value
    elif isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else " {} " for part in node.values]
        yield node.lineno, "".join(str(part) for part in parts)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _values(child)


def _is_declaration(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    return name in DECLARED or name.endswith("Error")


def is_sentence(text: str) -> bool:
    return " " in text.strip() and len(_WORD.findall(_PLACE.sub(" ", text))) >= WORDS


def sentences(source: str) -> list[tuple[int, str]]:
    """The sentences that a module of analytics makes: line and text."""
    texts_of = texts(ast.parse(source))
    return [(line, text) for name, line, text in texts_of if is_sentence(text) and name not in LABELS]


READ_BACK = {"reason", "reasons", "sentence", "power_sentence"}
"""Columns of sentences, and what they are called where they are held."""
MAKERS = {"why"}
"""Functions that return a sentence."""
PRINTS = {
    *("markdown", "plotly", "one_line", "shorten", "words_within", "escape", "str", "code", "dict", "texts"),
    *("said", "append", "unique", "GridColumn", "Nothing", "Line", "Series", "len", "_titled_lines"),
}
"""What a sentence may be given to: it is escaped, shortened, shown or put on, and nothing is decided by it."""
TAKES_APART = {
    *("split", "rsplit", "partition", "rpartition", "startswith", "endswith", "removeprefix", "removesuffix", "find"),
    *("starts_with", "ends_with", "contains", "extract", "extract_all", "strip_prefix", "strip_suffix", "index"),
    *("match", "search", "findall", "finditer", "fullmatch", "sub", "replace_all"),
}
"""Methods that look for something in a text."""


def read_back(source: str) -> list[int]:
    """The lines on which a module searches in a published sentence, or hands one to what may."""
    return sorted({node.lineno for node in ast.walk(ast.parse(source)) if _reads(node)})


def _reads(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare) and any(isinstance(one, ast.In | ast.NotIn) for one in node.ops):
        is_text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
        return is_text and any(_is_prose(one) for one in node.comparators)
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr in TAKES_APART:
        return _is_prose(node.func.value) or any(_is_prose(one) for one in node.args)
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    return name not in PRINTS and any(_is_column(one) for one in node.args)


def _is_prose(node: ast.AST) -> bool:
    """Whether an expression is a published sentence, or made of one without more than `or`, `str` or a place in it."""
    if isinstance(node, ast.Name):
        return node.id in READ_BACK
    if isinstance(node, ast.BoolOp):
        return any(_is_prose(one) for one in node.values)
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name == "col":
            return any(isinstance(one, ast.Constant) and one.value in READ_BACK for one in node.args)
        return name in MAKERS or (name == "str" and any(_is_prose(one) for one in node.args))
    if isinstance(node, ast.Attribute):
        return node.attr == "str" and _is_prose(node.value)
    return _is_column(node)


def _is_column(node: ast.AST) -> bool:
    """Whether an expression is the cell of a column of sentences."""
    if isinstance(node, ast.BoolOp):
        return any(_is_column(one) for one in node.values)
    if isinstance(node, ast.Subscript):
        key = node.slice
        return (isinstance(key, ast.Constant) and key.value in READ_BACK) or _is_column(node.value)
    return False


def modules(*rooms: str) -> list[Path]:
    return sorted(module for room in rooms for module in (ROOT / room).rglob("*.py"))


def made_in(module: Path) -> list[tuple[int, str]]:
    return sentences(module.read_text())


def test_no_module_of_analytics_makes_a_sentence() -> None:
    made_sentences = {}
    for module in modules("analytics"):
        name = module.relative_to(ROOT).as_posix()
        if not name.startswith(DATA):
            made_sentences |= {f"{name}:{line}": text for line, text in made_in(module)}
    assert made_sentences == {}


def test_nothing_is_allowed_that_is_not_there() -> None:
    every = [each for module in modules("analytics") for each in texts(ast.parse(module.read_text()))]
    assert {name for name, _, text in every if is_sentence(text)} >= LABELS


def test_nothing_searches_in_a_published_sentence() -> None:
    made = {
        f"{module.relative_to(ROOT)}:{line}"
        for module in modules("dashboard", "pipeline")
        for line in read_back(module.read_text())
    }
    assert made == set()


@pytest.mark.parametrize(
    "source",
    [
        'if "though" in why(case.verdict, case.indicators): pass',
        'reason = why(verdict, told)\nleft = "" if "though" in reason else room',
        'found = _TWIN.match((row and row["reason"]) or "")',
        'when = month_of(day_in(since["reason"], "since"))',
        'line, on = score(facts["human"]), _day_in(passed["reason"])',
        "any(reason.endswith(text) for reason in reasons)",
        "if near := _NEAR.match(reason): pass",
        'word = str(advance["reason"]).split("since ")[-1]',
        'rows.filter(pl.col("reason").str.starts_with("below"))',
    ],
)
def test_what_was_read_back_would_be_found(source: str) -> None:
    assert read_back(source)


@pytest.mark.parametrize("source", ['markdown(row["reason"] or "")', 'if "reason" in row: pass', 'row["reason"]'])
def test_a_sentence_may_be_printed(source: str) -> None:
    assert read_back(source) == []


@pytest.mark.parametrize(
    "source",
    [
        'Unless(pl.col("n").is_null(), "no model is listed")',
        'note=pl.format("{} of {} listed models", "by_maker", "n")'.replace("note=", "note = "),
        'text = f"fewer than {FEWEST} models near the best"',
    ],
)
def test_a_sentence_of_analytics_would_be_found(source: str) -> None:
    assert sentences(source)


def test_a_docstring_an_error_and_a_code_are_no_sentences() -> None:
    assert sentences('"""What a module is for, in words."""\nraise ValueError(f"no such thing as {name}")') == []
    assert sentences('Unless(pl.col("n").is_null(), "no_model_listed")') == []


def test_every_case_has_one_sentence_and_every_sentence_a_case() -> None:
    words = (changes, contamination, forecasts, goodhart, others, record, twins)
    every = [OF_SATURATION, OF_OTHERS, *(module.SENTENCES for module in words)]
    assert len(SENTENCES) == sum(len(part) for part in every)
    sources = "\n".join(module.read_text() for module in modules("analytics"))
    made = {*re.findall(r'"([a-z_0-9]+)"', sources)}
    composed = re.compile(r"(nothing_of|too_few_against|few|alike|gap)_\w+")
    assert sorted(case for case in SENTENCES if case not in made and not composed.fullmatch(case)) == []


def test_no_case_is_left_out_of_the_sentences() -> None:
    """Of those that are written as a text; one that is computed is missed where the first row of it is published."""
    # The words of an answer, and of the case that made a stage, are tested case by case beside them.
    others = {ROOT / "analytics" / "answers", ROOT / "analytics" / "verdict"}
    rooms = [module for module in modules("analytics") if others.isdisjoint(module.parents)]
    codes = {code for module in rooms for code in cases(ast.parse(module.read_text()))}
    assert len(codes) > 100
    assert sorted(codes - set(SENTENCES)) == [], "write their sentences in dashboard/words/prose/"


CASE_AT = {"Case": 0, "Unless": 1, "no_value": 3}
"""Calls that name a case, and as which of their arguments."""


def cases(tree: ast.AST) -> Iterator[str]:
    """The cases that a module names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            wanted = ("note",) if name == "settle" else ("case",)
            named = [word.value for word in node.keywords if word.arg in wanted]
            position = CASE_AT.get(name)
            given = node.args[position : position + 1] if position is not None else []
            yield from (str(one.value) for one in (*given, *named) if isinstance(one, ast.Constant) and one.value)
