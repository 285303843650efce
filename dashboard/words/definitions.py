"""What the Methods page says, taken from the code that computes it, so that the page cannot say anything else.

Definitions and references are the indicators', methods the docstrings of their functions, stages and flags the rules
that judge, limits and their reasons the fields of `Thresholds`. Only formulas, units and order are here.
"""

import ast
import inspect
import re
from collections.abc import Mapping
from dataclasses import fields
from itertools import pairwise
from textwrap import dedent

import polars as pl

from benchhealth.analytics.indicators import INDICATORS
from benchhealth.analytics.verdict.rule import Rule
from benchhealth.analytics.verdict.rules import FLAG_RULES, OTHERWISE, REMARKS, STAGE_RULES
from benchhealth.analytics.verdict.thresholds import LIMITS, RULES_VERSION, Thresholds
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words.methods.method_list import METHODS, Method
from benchhealth.dashboard.words.numbers import with_minus_signs
from benchhealth.dashboard.words.prose.judged import verdicts
from benchhealth.dashboard.words.stages import FLAG_MEANING, FLAG_WORDS, STAGE_MEANING, stage_label
from benchhealth.dashboard.words.text import markdown

_LINKED = re.compile(r"(arXiv:\d{4}\.\d{4,5}(?:v\d+)?|doi:10\.\d{4,9}/[^\s,;)]+)")
_ITEM = re.compile(r"^(\w+) - ")


FORMULAS: Mapping[str, str] = {
    "headroom": r"\frac{\text{ceiling} - \text{best}}{\text{ceiling} - \text{chance}}",
    "headroom_of_ceiling": r"\frac{\text{ceiling} - \text{best}}{\text{ceiling} - \text{worst}}",
    "human_margin": r"\text{best} - \text{human}",
    "resolution_top5": r"\frac{\#\{i<j \le 5 : |s_i - s_j| > 1.96\sqrt{e_i^2 + e_j^2}\}}{\#\{i<j \le 5\}}",
    "s_index_published": r"e^{-R^2},\quad R = \frac{s_1 - s_5}{\sqrt{s_1(1-s_1)/\sqrt{n_1} + s_5(1-s_5)/\sqrt{n_5}}}",
    "s_index_true_error": r"e^{-R^2},\quad R = \frac{s_1 - s_5}{\sqrt{e_1^2 + e_5^2}}",
    "twin_gap": r"\frac{1}{n}\sum_{i}(\text{original}_i - \text{twin}_i)",
    "turnover_top10_12m": r"\sum_t \frac{|T_t \setminus T_{t+1}|}{|T_t|}",
}

UNITS: Mapping[str, str] = {indicator.key: indicator.unit for indicator in INDICATORS}
"""The unit in which each indicator is counted."""

NOT_SAID: tuple[str, ...] = (
    "That anybody cheated. A model may score *lower on the twin than models with its score*; items seen in training "
    "are one cause among several.",
    "That a benchmark is healthy because we know nothing bad about it. Without evidence it is *unknown*.",
    "That a flat curve means saturation. It may mean that nobody reports any more.",
    "That rank 1 is better than rank 2 where their errors overlap.",
    "That no contamination report means no contamination.",
    "That scores of different sources compare, where settings or prompts differ.",
    "Standard errors that nobody stated and that do not follow from the number of items.",
)


def attribute_docs(owner: type) -> dict[str, str]:
    """The docstrings that stand below the fields of a class, on one line each; absent where a field has none.

    Python drops them when it runs, so they are read from the source.
    """
    tree = ast.parse(dedent(inspect.getsource(owner))).body[0]
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    docstrings = {}
    for node, below in pairwise(body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(below, ast.Expr):
            text = ast.literal_eval(below.value) if isinstance(below.value, ast.Constant) else ""
            docstrings[node.target.id] = " ".join(str(text).split())
    return docstrings


def thresholds() -> pl.DataFrame:
    """Every limit of the rules: name, value and why it is that, with the version of the rules."""
    reasons = attribute_docs(Thresholds)
    rows = [(field.name, float(getattr(LIMITS, field.name)), reasons.get(field.name)) for field in fields(LIMITS)]
    schema = {"threshold": pl.String, "value": pl.Float64, "reason": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(rules_version=pl.lit(RULES_VERSION))


def stages_text() -> str:
    """The stages in the order in which they are asked for, each with its meaning and its cases, as markdown."""
    lines = []
    for stage, cases in STAGE_RULES:
        lines.append(f"- **{stage_label(stage)}** ({stage}): {STAGE_MEANING[stage]}. It applies where")
        conditions = [", and ".join(_condition(rule) for rule in case.rules) for case in cases]
        lines += [
            f"    - {condition}{'' if number == len(cases) else ', or'}"
            for number, condition in enumerate(conditions, 1)
        ]
    otherwise = f"**{stage_label(OTHERWISE)}** ({OTHERWISE}): {STAGE_MEANING[OTHERWISE]}"
    lines.append(f"- {otherwise}. It applies where no other stage does.")
    return "\n".join(lines)


def flags_text() -> str:
    """The flags, each with its meaning and its rule, and what a verdict remarks, as markdown."""
    remarks = [f"- **Remark**: {verdicts.MEANING[rule.name]}. It is made where {_condition(rule)}." for rule in REMARKS]
    flags = (
        f"- **⚑ {FLAG_WORDS[rule.name]}** ({markdown(rule.name)}): {FLAG_MEANING[rule.name]}. It applies where "
        f"{_condition(rule)}."
        for rule in FLAG_RULES
    )
    return "\n".join([*flags, *remarks])


def _condition(rule: Rule) -> str:
    """The definition of a rule, in which the keys of indicators lead to what they mean."""
    titles = {indicator.key: indicator.title for indicator in INDICATORS}

    def named(key: re.Match[str]) -> str:
        title = titles[key[1]]
        return f"[{markdown(title[:1].lower() + title[1:])}]({links.address('methods')}#{key[1]})"

    return re.sub(r"`(\w+)`", named, with_minus_signs(verdicts.definition(rule, LIMITS)))


def method_text(method: Method) -> str:
    """A method's definition, source and edge cases, as markdown."""
    function = inspect.unwrap(method.function)
    return prose(_with_values(inspect.getdoc(function) or "", getattr(function, "__globals__", {})))


def _with_values(docstring: str, names: Mapping[str, object]) -> str:
    """The docstring with numbers and texts in place of the constants of its module that have them."""

    def value(name: re.Match[str]) -> str:
        held = names.get(name[1])
        return f"{held:,}" if isinstance(held, int | float) else f"“{held}”" if isinstance(held, str) else name[0]

    return re.sub(r"`?\b([A-Z]{2,}(?:_[A-Z]+)*)\b`?", value, docstring)


def prose(docstring: str) -> str:
    """A docstring as markdown: paragraphs, lines such as `word - meaning` as a list, code in backticks, links to
    papers. What it raises is for programmers and left out."""
    paragraphs = []
    for paragraph in docstring.split("\n\n"):
        lines: list[str] = []
        for line in paragraph.splitlines():
            item = _ITEM.match(line)
            if item:
                lines.append(f"\n- **{markdown(item[1])}**: {_linked_text(line[item.end() :])}")
            else:
                lines.append(_linked_text(line.strip()))
        paragraphs.append(" ".join(lines).replace(" \n", "\n").strip())
    return re.sub(r"\s*Raises `?\w+`?[^.]*\.", "", "\n\n".join(paragraphs)).strip()


def markdown_link(reference: str) -> str:
    """A reference as markdown, with arXiv and DOI numbers as links."""
    return "".join(_link(text) if _LINKED.fullmatch(text) else _bare(text) for text in _LINKED.split(reference) if text)


def _linked_text(line: str) -> str:
    pieces = with_minus_signs(line).split("`")
    return "".join(f"`{piece}`" if index % 2 else markdown_link(piece) for index, piece in enumerate(pieces))


def _bare(text: str) -> str:
    """Escaped, with the blanks at its ends, which escaping drops."""
    lead, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{lead}{markdown(text)}{tail}" if text.strip() else text


def _link(number: str) -> str:
    kind, _, identifier = number.partition(":")
    identifier = identifier.rstrip(".")
    return f"[{markdown(number)}](<{'https://arxiv.org/abs/' if kind == 'arXiv' else 'https://doi.org/'}{identifier}>)"


ANCHORS: frozenset[str] = frozenset(
    {
        "verdict",
        "stages",
        "flags",
        "probability",
        "lines",
        "stale",
        "dormant",
        "thresholds",
        "indicators",
        "methods",
        "glossary",
        "desk",
        "not-said",
        "reproduction",
        *(indicator.key for indicator in INDICATORS),
        *(method.anchor for method in METHODS),
    }
)
"""Every place on the Methods page that a chart may point to."""
