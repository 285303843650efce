"""The glossary: every term of the dashboard in plain words, each with its own heading on the Methods page.

A term that is counted as an indicator or a method has its full text there as a topic of its own; `topic` leads to it.
"""

import re
from typing import Any, NamedTuple

from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.words.stages import STAGE_WORDS
from benchhealth.dashboard.words.text import count

ADDRESS = "methods?topic=glossary"


class Term(NamedTuple):
    """A term: its meaning, other words that it is looked for by, and the topic of the Methods page that says more."""

    name: str
    meaning: str
    also: tuple[str, ...] = ()
    topic: str = ""

    @property
    def anchor(self) -> str:
        """Its anchor in the glossary, as Streamlit makes it of a heading."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower().replace("'", "")).strip("-")

    @property
    def address(self) -> str:
        """The address of the term on the Methods page, relative to any page."""
        return f"{ADDRESS}#{self.anchor}"


_STALE, _DORMANT = (count(round(months), "month") for months in (LIMITS.stale_months, LIMITS.dormant_months))

TERMS: tuple[Term, ...] = (
    Term(
        "Ability",
        "How strong a model is over all benchmarks that list it, on one scale (also called capability). It "
        "is fitted to results, not measured by itself.",
        ("capability",),
    ),
    Term(
        "Alternative",
        "A benchmark that can be used in place of another: the same ability, the same kind of answer, "
        "and still able to tell models apart.",
        ("use instead", "successor"),
    ),
    Term("Benchmark", "A test with a metric on which models are compared."),
    Term(
        "Breakpoint",
        "A day on which a source changed its scale, names, data or rules. Nothing is compared across one.",
        ("break",),
    ),
    Term(
        "Ceiling",
        "The best score that can be reached. Where wrong labels were counted, they are taken off.",
        ("maximum",),
    ),
    Term("Chance", "The score of pure guessing, also called the floor.", ("floor", "guessing")),
    Term(
        "Churn", "Everything that changed on a leaderboard between two days: who entered, left, was renamed or moved."
    ),
    Term(
        "Condition",
        "What two results must share to be compared: tools, attempts, subset, judge, version. Each "
        "benchmark is judged under one.",
        ("reference condition",),
        "conditions",
    ),
    Term(
        "Confidence interval",
        "The range that a number may well have in truth; here 95% unless stated. Wide means uncertain.",
        ("interval", "error bar"),
    ),
    Term(
        "Contamination",
        "Test items, or their answers, were in a model's training data. It is evidence about items, "
        "not about anyone's conduct.",
        ("leak", "leaked", "leakage", "contaminated"),
        "contamination",
    ),
    Term(
        "Curated",
        "A person has described the benchmark here, with a source for each fact. All others are "
        "uncurated: their facts are as a source states them.",
    ),
    Term(
        "Dormant",
        f"Sources were read, and there was no new result for {_DORMANT} or more. It says nothing about room.",
        ("no new results",),
        "dormant",
    ),
    Term(
        "Edition",
        "What was known here at the end of a month, kept for ever: tables, charts, answers and reports to cite.",
        ("frozen edition",),
    ),
    Term(
        "Effective robustness",
        "How much better a model does on a second test than models with its score on the first.",
        ("robustness",),
        "robustness",
    ),
    Term(
        "False discovery",
        "A difference that chance alone made. Where many tests are made at once, at most 5% of "
        "those shown are expected to be false.",
        ("q value", "benjamini-hochberg"),
        "false_discoveries",
    ),
    Term(
        "Family",
        "Benchmarks that share tasks, or models of one line. They rise and fall together, so they count once.",
        ("cluster",),
    ),
    Term(
        "Flag",
        "A warning beside the stage: for example that makers report higher scores than others measure.",
        (),
        "flags",
    ),
    Term(
        "Frontier",
        "The best score so far, by day. It ends on the day of the last data.",
        ("running best", "best score"),
        "frontier",
    ),
    Term("Generation", "One published state of all data here. It never changes; a newer one replaces it."),
    Term(
        "Gini coefficient",
        "How unequally results are spread over benchmarks. 0: all have as many. 1: one has all.",
        ("gini",),
        "gini",
    ),
    Term("Goodhart's law", "A measure that becomes a target stops being a good measure.", ("goodhart",)),
    Term(
        "Half-life",
        "The age by which half of all benchmarks are saturated, with those still in use counted in.",
        ("survival", "kaplan-meier"),
        "half_life",
    ),
    Term("Hazard ratio", "How many times as fast one kind of benchmark saturates as another.", ("hazard",)),
    Term(
        "Headroom",
        "How much of the way from chance to the ceiling is left above the best score.",
        ("room",),
        "headroom",
    ),
    Term("Human line", "The score of people on the same tasks, where a source states one.", ("human baseline",)),
    Term("Independent", "Measured by somebody other than the model's maker.", ("third party", "measured by others")),
    Term("Indicator", "A number computed here about a benchmark.", (), "indicators"),
    Term("Item", "One question or task of a benchmark.", ("question",)),
    Term(
        "Kendall's tau",
        "How far two rankings agree: 1 is the same order, 0 none, −1 the reverse.",
        ("tau", "kendall", "rank correlation", "rank agreement"),
        "kendall_tau",
    ),
    Term(
        "Known until",
        "The day of the newest data on a benchmark. What is said of it holds up to that day.",
        ("data to",),
    ),
    Term("Label error", "An item whose stored answer is wrong. No honest model can be right on it.", ("wrong label",)),
    Term("Leaderboard", "Models ranked by their scores on one benchmark, by one source, on one day.", ("board",)),
    Term(
        "Lineage", "One leaderboard under several addresses over time. Its history is one; each move is a breakpoint."
    ),
    Term("Look", "One reading of a source, with its day. A copy counts as of the newest version in it."),
    Term(
        "Maker",
        "Who built a model. Makers often report results of their own models.",
        ("self-reported", "makers report"),
    ),
    Term("Metric", "What a benchmark reports, such as accuracy."),
    Term(
        "Noise",
        "Differences that come from which items were drawn, not from the models.",
        ("within error", "beyond error", "within noise", "beyond noise"),
        "noise",
    ),
    Term(
        "Premium",
        "How far makers' own numbers lie above independent ones for the same model.",
        ("makers report higher scores",),
    ),
    Term(
        "Probit",
        "A scale that stretches scores near 0% and 100%, so that a step there counts as much as one in the middle.",
        (),
        "probit",
    ),
    Term(
        "Proxy",
        "What is optimised, in place of what is wanted: here the first test of a twin, against the second.",
        ("target", "proxy, target"),
        "proxy",
    ),
    Term(
        "Rank",
        "A model's place on a leaderboard. Where errors overlap, several places are possible.",
        (),
        "rank_intervals",
    ),
    Term("Rejection", "A published row that could not be read without guessing. It stays listed, with its reason."),
    Term("Replication gap", "The score on the first test minus the score on its twin.", ("gap",), "twin_gap"),
    Term(
        "Resolved",
        "Two models are resolved where their scores differ by more than their errors. Resolution is the "
        "share of such pairs at the top.",
        ("resolution", "told apart", "apart"),
        "resolution_top5",
    ),
    Term("Result", "One published score of one model, with its source. The number alone is the score.", ("score",)),
    Term(
        "Running out",
        "Little room or difference is left at the top; in the data the stage is called compressing.",
        ("compressing",),
        "stages",
    ),
    Term(
        "Saturated",
        "No room is left that results could show: the best models are too close to the ceiling, or to each other.",
        ("saturation",),
        "stages",
    ),
    Term(
        "Setting",
        "How a model was run: prompt, shots, effort, scaffold. It is no part of the model's name.",
        ("scaffold", "prompt", "effort"),
    ),
    Term("Snapshot", "What a source said on one day."),
    Term(
        "Stage",
        f"Where a benchmark is in its life: {STAGE_WORDS['emerging'].lower()}, "
        f"{STAGE_WORDS['discriminating'].lower()}, {STAGE_WORDS['compressing'].lower()} or "
        f"{STAGE_WORDS['saturated'].lower()}.",
        ("emerging",),
        "stages",
    ),
    Term(
        "Stale",
        f"There are no data for more than {_STALE}, so what holds now is not known.",
        ("no recent data",),
        "stale",
    ),
    Term(
        "Still measuring",
        "It can tell models apart: there is room to the ceiling, and strong and weak models "
        "differ. In the data the stage is called discriminating.",
        ("discriminating", "alive"),
        "stages",
    ),
    Term(
        "Still reports",
        "A maker's document that names the benchmark was read, and it came out in the last 12 months.",
        ("reports", "makers mention"),
    ),
    Term("Stratum", "A group of like items, such as a subject, from which items are drawn.", ("subject",)),
    Term("Survival curve", "The share of benchmarks of an age that are not saturated yet.", ("censoring",), "survival"),
    Term(
        "Tied",
        "Models whose scores do not differ by more than error. Tied for first: each could truly be first, all "
        "compared at once, so that more tie than pair by pair.",
        ("tied for first", "tie", "tier"),
        "tiers",
    ),
    Term("Turnover", "The share of the top places whose models were replaced between two days.", (), "turnover"),
    Term(
        "Twin",
        "A second measurement of the same thing: new items, a harder form, another metric, a live part, or a "
        "rerun by others.",
        ("second measurement",),
        "twins",
    ),
    Term(
        "Uncurated",
        "Nobody here has checked the benchmark's facts; they are as a source states them.",
        ("not curated",),
    ),
    Term(
        "Verdict", "The stage and the flags of a benchmark. Both follow from indicators by fixed rules.", (), "verdict"
    ),
)
"""The terms of the glossary, in alphabetical order."""


def as_markdown() -> str:
    """The glossary as it stands on the Methods page: a heading for each term, so that each has an anchor."""
    return "\n\n".join(
        f"### {term.name}\n{term.meaning}{f' [More](methods?topic={term.topic}#{term.topic})' if term.topic else ''}"
        for term in TERMS
    )


EVERYDAY = frozenset({
    "apart", "benchmark", "board", "break", "cluster", "effort", "gap", "interval", "item", "look", "maker",
    "maximum", "metric", "noise", "prompt", "question", "rank", "reports", "result", "room", "score", "setting",
    "subject", "target", "tie", "tier", "data to", "best score", "told apart", "makers report", "use instead",
})  # fmt: skip
"""Words that every reader knows and most sentences have: search finds them, and pages do not mark them."""


def as_dict() -> list[dict[str, Any]]:
    """For the popovers of a page: each term's name, the words that are marked there, its meaning and its address."""
    marked = [(term, [name for name in (term.name, *term.also) if name.lower() not in EVERYDAY]) for term in TERMS]
    return [
        {"name": term.name, "marked": names, "meaning": term.meaning, "address": term.address}
        for term, names in marked
        if names
    ]
