"""What the Methods page says, taken from the code that computes it, so that the page cannot say anything else.

Definitions and references are the indicators', methods the docstrings of their functions, stages and flags the rules
that judge, limits and their reasons the fields of `Thresholds`. Only formulas, units and order are here.
"""

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from itertools import pairwise
from textwrap import dedent

import polars as pl

from benchhealth.analytics.churn.churn import churn, renames
from benchhealth.analytics.churn.dwell import dwell, volatility
from benchhealth.analytics.churn.noise import expected_exchanges
from benchhealth.analytics.churn.rank import ranks
from benchhealth.analytics.contamination.anomaly.against_fresh import boards
from benchhealth.analytics.contamination.anomaly.leave_out import leave_out
from benchhealth.analytics.contamination.calibration import calibrate
from benchhealth.analytics.contamination.cutoff.break_at import break_at
from benchhealth.analytics.contamination.cutoff.placebo import placebo_calibration
from benchhealth.analytics.contamination.declared_leakage import declared_leakage
from benchhealth.analytics.contamination.exposure import exposures
from benchhealth.analytics.contamination.findings import judged
from benchhealth.analytics.contamination.table import overall
from benchhealth.analytics.contamination.tail import tail
from benchhealth.analytics.indicators import INDICATORS
from benchhealth.analytics.multi_task.first_place import diversities, first_places
from benchhealth.analytics.multi_task.stability import kendall_diversity, stability
from benchhealth.analytics.saturation.leader import leader_interval
from benchhealth.analytics.statistics.errors import true_error, wilson_low
from benchhealth.analytics.statistics.false_discovery import benjamini_hochberg
from benchhealth.analytics.statistics.rank_agreement import kendall_tau, rank_biased_overlap, turnover
from benchhealth.analytics.statistics.regression import least_squares, probit
from benchhealth.analytics.statistics.units.clustered_tau import clustered_tau
from benchhealth.analytics.statistics.units.line import shared_line
from benchhealth.analytics.statistics.units.rank_sets import critical_values, rank_intervals
from benchhealth.analytics.twins.expected import response, straight
from benchhealth.analytics.twins.gap import gap_cause, gaps, power
from benchhealth.analytics.twins.groups import ages, effective_robustness, groups, shrink
from benchhealth.analytics.twins.off_line import fit_of
from benchhealth.analytics.twins.order import transfers
from benchhealth.analytics.twins.pairs import matched
from benchhealth.analytics.twins.tables import residuals, twins
from benchhealth.analytics.twins.uncertainty import mean_gap
from benchhealth.analytics.verdict.rule import Rule
from benchhealth.analytics.verdict.rules import FLAG_RULES, OTHERWISE, REMARKS, STAGE_RULES
from benchhealth.analytics.verdict.thresholds import RULES_VERSION, Thresholds
from benchhealth.dashboard.widgets import links
from benchhealth.dashboard.words.methods.aging import AGING
from benchhealth.dashboard.words.methods.forecasts import FORECASTS
from benchhealth.dashboard.words.methods.goodhart import GOODHART
from benchhealth.dashboard.words.methods.record import RECORD
from benchhealth.dashboard.words.methods.renewal import RENEWAL
from benchhealth.dashboard.words.methods.shared_items import SHARED_ITEMS
from benchhealth.dashboard.words.numbers import with_minus_signs
from benchhealth.dashboard.words.prose.judged import verdicts
from benchhealth.dashboard.words.stages import FLAG_MEANING, FLAG_WORDS, STAGE_MEANING, stage_label
from benchhealth.dashboard.words.text import markdown

LIMITS = Thresholds()
_LINKED = re.compile(r"(arXiv:\d{4}\.\d{4,5}(?:v\d+)?|doi:10\.\d{4,9}/[^\s,;)]+)")
_ITEM = re.compile(r"^(\w+) - ")


@dataclass(frozen=True)
class Method:
    """A method under its anchor: title, formula in LaTeX, and the function whose docstring is its text."""

    anchor: str
    title: str
    formula: str | None
    function: Callable[..., object]


METHODS: tuple[Method, ...] = (
    *(Method(*entry) for entry in RECORD),
    Method("errors", "Standard errors", r"e = \sqrt{\frac{p\,(1-p)}{n}}", true_error),
    Method("wilson", "Interval of a share", None, wilson_low),
    Method("rank", "Ranks", None, ranks),
    Method(
        "rank_intervals",
        "Ranks that errors leave open",
        r"1 + \#\{j : s_j - s_i > c\,e_{ij}\} \;\text{ to }\; n - \#\{j : s_i - s_j > c\,e_{ij}\},"
        r"\quad e_{ij} = \sqrt{e_i^2+e_j^2}",
        rank_intervals,
    ),
    Method("critical_values", "The difference that two models must show", None, critical_values),
    Method("leader", "The true score of the model that leads", None, leader_interval),
    Method("churn", "Churn between two days", None, churn),
    Method("turnover", "Turnover", r"\frac{|T_1 \setminus T_2|}{|T_1|}", turnover),
    Method("noise", "Exchange by noise alone", None, expected_exchanges),
    Method("renames", "Renames", None, renames),
    Method("kendall_tau", "Kendall's tau", r"\tau_b = \frac{C - D}{\sqrt{(C+D+T_x)(C+D+T_y)}}", kendall_tau),
    Method(
        "rbo",
        "Rank-biased overlap",
        r"\mathrm{RBO} = A_k\,p^k + \frac{1-p}{p}\sum_{d=1}^{k} A_d\,p^d",
        rank_biased_overlap,
    ),
    Method("dwell", "Time at the top", None, dwell),
    Method("volatility", "Movement by rank", None, volatility),
    Method("stability", "Boards of many tasks", r"\text{sensitivity} = \tfrac{1 - \tau_b}{2}", stability),
    Method("diversity", "Diversity of tasks", None, diversities),
    Method(
        "kendall_w",
        "Kendall's W with ties",
        r"W = \frac{12\,S}{m^2(n^3-n) - m\sum_j T_j},\quad T_j = \sum_g (t_g^3 - t_g)",
        kendall_diversity,
    ),
    Method("first_place", "What first place depends on", None, first_places),
    Method("twins", "Twins", r"\text{gap} = \overline{\text{original} - \text{twin}}", twins),
    Method("line", "The line through a twin", r"\text{twin} = a + b \cdot \text{original}", least_squares),
    Method("probit", "The probit scale", r"\Phi^{-1}(p)", probit),
    Method("twin_pairs", "How the two sides of a twin are matched", None, matched),
    Method("residuals", "Models off the expectation", r"r_i = \text{twin}_i - \text{expected}_i", residuals),
    Method(
        "twin_scale",
        "The scale on which a twin is straight",
        r"\operatorname{logit}\frac{\text{twin}-\text{floor}}{\text{ceiling}-\text{floor}} = a + "
        r"b\,\operatorname{logit}\frac{\text{original}-\text{floor}}{\text{ceiling}-\text{floor}}",
        straight,
    ),
    Method("twin_fit", "Whether a line fits a twin", None, fit_of),
    Method("twin_response", "Where a score lies about its expectation", None, response),
    Method(
        "errors_in_both",
        "A line with errors in both scores, families and shared items",
        r"b = \frac{S_{xy}}{S_{xx} - \overline{e_x^2}}",
        shared_line,
    ),
    Method(
        "mean_gap",
        "The error of a mean gap",
        r"\mathrm{Var}(\bar d) = \sigma^2_{\text{families}} + \sigma^2_{\text{items}} + \sigma^2_{\text{items}'} "
        r"- \sigma^2_{\text{models}\times\text{items}}",
        mean_gap,
    ),
    Method("twin_gaps", "What a gap can be called, and what a twin could show", None, gaps),
    Method("gap_cause", "The three gaps between test sets", None, gap_cause),
    Method("power", "How likely a leak is to be flagged", None, power),
    Method("twin_groups", "Groups of models", None, groups),
    Method("shrink", "Shrunk means", None, shrink),
    Method("twin_ages", "A gap over time", None, ages),
    Method(
        "robustness",
        "Effective robustness",
        r"\rho_i = \text{twin}_i - \Phi\!\left(a + b\,\Phi^{-1}(\text{original}_i)\right)",
        effective_robustness,
    ),
    Method("contamination", "The risk of contamination", None, overall),
    Method("contamination_exposure", "Who could have seen what", None, exposures),
    Method("contamination_levels", "From tests to levels of risk", None, judged),
    Method("contamination_break", "A break at the end of training data", None, break_at),
    Method("contamination_placebo", "Breaks where nothing can break", None, placebo_calibration),
    Method("contamination_fresh", "Benchmarks against fresh ones", None, boards),
    Method("contamination_residuals", "A model against the line through all others", None, leave_out),
    Method("contamination_tail", "How far off a model can lie by itself", None, tail),
    Method("contamination_calibration", "Tests where the truth is known", None, calibrate),
    Method("declared_leakage", "Whether declared leakage shows", None, declared_leakage),
    Method("transfer", "Transfer of rankings to other benchmarks", None, transfers),
    Method("clustered_tau", "Kendall's tau over families of models", None, clustered_tau),
    *(Method(*entry) for entry in AGING),
    Method(
        "false_discoveries",
        "Many tests at once",
        r"q_{(i)} = \min_{j \ge i} \frac{m\,p_{(j)}}{j}",
        benjamini_hochberg,
    ),
    *(Method(*entry) for entry in (*SHARED_ITEMS, *FORECASTS, *RENEWAL, *GOODHART)),
)

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
    for here, below in pairwise(body):
        if isinstance(here, ast.AnnAssign) and isinstance(here.target, ast.Name) and isinstance(below, ast.Expr):
            text = ast.literal_eval(below.value) if isinstance(below.value, ast.Constant) else ""
            docstrings[here.target.id] = " ".join(str(text).split())
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
    return prose(inspect.getdoc(method.function) or "")


def prose(docstring: str) -> str:
    """A docstring as markdown: paragraphs, lines such as `word - meaning` as a list, code in backticks, links to
    papers. What it raises is for programmers and left out."""
    parts = []
    for paragraph in docstring.split("\n\n"):
        lines: list[str] = []
        for line in paragraph.splitlines():
            item = _ITEM.match(line)
            if item:
                lines.append(f"\n- **{markdown(item[1])}**: {_escaped(line[item.end() :])}")
            else:
                lines.append(_escaped(line.strip()))
        parts.append(" ".join(lines).replace(" \n", "\n").strip())
    return re.sub(r"\s*Raises `?\w+`?[^.]*\.", "", "\n\n".join(parts)).strip()


def linked(reference: str) -> str:
    """A reference as markdown, with arXiv and DOI numbers as links."""
    return "".join(_link(part) if _LINKED.fullmatch(part) else _bare(part) for part in _LINKED.split(reference) if part)


def _escaped(line: str) -> str:
    pieces = with_minus_signs(line).split("`")
    return "".join(f"`{piece}`" if index % 2 else linked(piece) for index, piece in enumerate(pieces))


def _bare(text: str) -> str:
    """Escaped, with the blanks at its ends, which escaping drops."""
    lead, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{lead}{markdown(text)}{tail}" if text.strip() else text


def _link(number: str) -> str:
    kind, _, rest = number.partition(":")
    rest = rest.rstrip(".")
    return f"[{markdown(number)}](<{'https://arxiv.org/abs/' if kind == 'arXiv' else 'https://doi.org/'}{rest}>)"


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
