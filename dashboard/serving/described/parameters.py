"""The parameters of addresses: what each means, what may stand in it, and whether it must be there."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from benchhealth.analytics.answers.desk.rules import ROLES
from benchhealth.analytics.goodhart.pressure import GAPS
from benchhealth.analytics.models.summary import CLOCKS as MODEL_CLOCKS
from benchhealth.analytics.record.tables import FLAGS, STAGES
from benchhealth.dashboard.figures.chart import ChartSpec
from benchhealth.dashboard.pages import PAGES
from benchhealth.dashboard.pages.benchmark.page import CURVES
from benchhealth.dashboard.pages.benchmark.tabs.top_models import WEIGHTS
from benchhealth.dashboard.pages.compare.curves import CLOCKS as COMPARED_CLOCKS
from benchhealth.dashboard.pages.compare.curves import KINDS as COMPARED_WEIGHTS
from benchhealth.dashboard.pages.field.findings import BY as CLAIMS_BY
from benchhealth.dashboard.pages.leaderboards.many_tasks import ORDERS
from benchhealth.dashboard.pages.trust.rung_tables import TESTS
from benchhealth.dashboard.published.deciding import question as desk
from benchhealth.dashboard.published.field.goodhart import ADVANCES, PREMIUMS
from benchhealth.dashboard.published.twin_pairs import CLOCKS as TWIN_CLOCKS
from benchhealth.dashboard.published.twin_pairs import SCALES
from benchhealth.dashboard.replies.cited import MOST_EACH
from benchhealth.dashboard.replies.reply import LONGEST_VALUE, ReplySpec
from benchhealth.dashboard.replies.reply_list import REPLIES
from benchhealth.dashboard.words.answers.sentences import TITLES
from benchhealth.dashboard.words.stories.story_list import STORIES

TEXT: Mapping[str, Any] = {"type": "string"}
SWITCH: Mapping[str, Any] = {"type": "string", "enum": ["1"]}
SCORE: Mapping[str, Any] = {"type": "number"}
ONE_OR_TWO: Mapping[str, Any] = {"type": "string", "pattern": r"^\d+(,\d+)?$"}
MONTHS: Mapping[str, Any] = {"type": "string", "pattern": r"^\d{4}-\d{2}(\.\.\d{4}-\d{2})?$"}
DAY: Mapping[str, Any] = {"type": "string", "format": "date"}


@dataclass(frozen=True)
class Parameter:
    """A parameter of a query: its meaning, a JSON Schema of what may stand in it, and an example that is replied to."""

    meaning: str
    schema: Mapping[str, Any] = field(default_factory=lambda: TEXT)
    example: str | int | float | None = None
    required: bool = False

    @property
    def must(self) -> "Parameter":
        """The same parameter as a required one."""
        return replace(self, required=True)


def one_of(meaning: str, options: Mapping[str, object] | tuple[str, ...] | list[str], example: str = "") -> Parameter:
    """A parameter with a closed list of values; the first is the default, unless the meaning says otherwise."""
    values = list(options)
    return Parameter(meaning, {"type": "string", "enum": values}, example or values[0])


def separated(meaning: str, options: tuple[str, ...], example: str) -> Parameter:
    """Some of a closed list, with commas between them."""
    alternatives = "|".join(options)
    return Parameter(meaning, {"type": "string", "pattern": f"^({alternatives})(,({alternatives}))*$"}, example)


BENCHMARK = Parameter("the id of a benchmark", example="gpqa-diamond")
BOARD = Parameter("the id of a leaderboard", example="lmarena/lmarena-text")
MODEL = Parameter("the id of a model", example="gpt-5")
TWIN = Parameter("the id of a pair of measurements, of the table twin", example="gsm8k-to-gsm1k")
THEME = Parameter("dark for the dark colours", {"type": "string", "enum": ["light", "dark"]}, "dark")
STORY = replace(one_of("a story", tuple(STORIES)), required=True)
BY = "the parts that are shown apart"
UNCURATED = Parameter("1 where benchmarks that are not curated count too", SWITCH)
DOMAIN = Parameter("a domain of the table decision, as language", example="language")

QUESTION: Mapping[str, Parameter] = {
    desk.ROLE: one_of(f"what it is for; {desk.USUAL} where it is not said", tuple(ROLES), desk.USUAL),
    desk.DOMAIN: DOMAIN,
    desk.CONSTRUCT: Parameter("a construct of that domain"),
    desk.SINCE: Parameter(
        "the month since which it must be known, or any",
        {"type": "string", "pattern": rf"^(\d{{4}}-\d{{2}}|{desk.NO_LIMIT})$"},
        desk.NO_LIMIT,
    ),
    desk.MAKERS: Parameter("1 where results of makers count too", SWITCH),
    desk.BUDGET: Parameter(
        "dollars a run at most, where a cost is known, or any",
        {"type": "string", "pattern": rf"^(\d{{1,7}}|{desk.NO_LIMIT})$"},
        desk.BUDGETS[0],
    ),
}
"""The parameters of a question to the desk."""

MONTH = Parameter("a month, or months as 2026-06..2026-08", MONTHS, "2026-08")
REPORTED: Mapping[str, Parameter] = {
    "benchmark": Parameter("ids of benchmarks; or else a domain", {"type": "array", "items": TEXT}, "gpqa-diamond"),
    "domain": Parameter("a domain, as code", example="code"),
}
OEMBED: Mapping[str, Parameter] = {
    "url": Parameter("the address of a page, a card or a chart of this dashboard", {**TEXT, "format": "uri"}).must,
    "format": one_of("json; xml is not spoken", ("json",)),
    "maxwidth": Parameter("pixels", {"type": "integer", "minimum": 1}, 640),
    "maxheight": Parameter("pixels", {"type": "integer", "minimum": 1}, 480),
}

_OF_ANY_CHART: Mapping[str, Parameter] = {
    **QUESTION,
    "benchmark": BENCHMARK.must,
    "board": BOARD.must,
    "twin": TWIN.must,
    "model": MODEL.must,
    "tasks": Parameter("the id of a board of many tasks", example="helm-capabilities").must,
    "story": STORY,
    "other": replace(MODEL, meaning="the id of another model").must,
    "benchmarks": Parameter("ids of benchmarks, with commas between them", example="gpqa-diamond,mmlu-pro"),
    "scale": one_of("on which the pair is compared; the first where none is named", SCALES),
    "uncurated": UNCURATED,
    "parts": Parameter("1 where parts of benchmarks count too", SWITCH),
    "open": Parameter("1 for benchmarks whose scale is open-ended alone", SWITCH),
    "recent": Parameter("1 for benchmarks that are in use alone", SWITCH),
    "search": Parameter("parts of names", example="gpqa"),
    "stage": separated("stages, with commas between them", STAGES, "saturated"),
    "flag": separated("flags, with commas between them", FLAGS, "contaminated"),
    "at": Parameter("a month that was replayed", MONTHS, "2026-06"),
    "curve": one_of("whether open and closed weights are apart", CURVES),
    "first": Parameter("a score as published, in percent where it is a share, or else a model in `a`", SCORE, 71.2),
    "second": Parameter("another, where the first is one", SCORE, 72.4),
    "n": Parameter("items of both, or of each with a comma", ONE_OR_TWO, "198"),
    "shots": Parameter("examples in the prompt of both, or of each with a comma", ONE_OR_TWO, "0"),
    "a": Parameter("a model in place of the first score, by its id or its name"),
    "b": Parameter("another in place of the second; the best of the others where none is named"),
    "weights_of": one_of("models of such weights alone", WEIGHTS),
    "maker": Parameter("models of these makers alone, with commas between them", example="OpenAI"),
    "condition": Parameter("a condition of results, of the table result"),
    "subject": Parameter("a subject of the items"),
    "weights": one_of("whether open and closed weights are apart", COMPARED_WEIGHTS),
    "day": Parameter("a day on which a source was read; the last where none is named", DAY),
    "k": Parameter("how many places from the top", {"type": "integer", "minimum": 1, "maximum": 100}, 10),
    "out": Parameter("tasks that are left out, with | between them"),
    "on": Parameter("on how many of the chosen benchmarks a model must stand"),
    "models": Parameter("ids of models, with | between them"),
    "from": Parameter("the id of the benchmark whose order is carried over"),
    "rung": one_of("which evidence of contamination", TESTS),
    "dated": Parameter("the id of a benchmark whose items are dated"),
    "gap": one_of("between which two measurements", GAPS),
    "reports": one_of(BY, PREMIUMS),
    "cost": Parameter("the id of a benchmark of which runs have a cost"),
    "claims": one_of(BY, CLAIMS_BY),
    "measure": Parameter("a measure of the table static_dynamic"),
    "kind": Parameter("a kind of pair; all where none is named"),
    "month": MONTH,
    "period": one_of("edition: since the edition before, not by day", ("edition",)),
    "about": Parameter("what published claims are about; everything where it is not said"),
    "frame": Parameter("which of its frames", {"type": "integer", "minimum": 1}, 1),
    "evidence": separated(
        "strengths of evidence, with commas between them", ("evidence", "hint", "nothing", "weak", "unknown"), "hint"
    ),
}
"""Parameters that mean the same wherever a chart reads them."""

_OF_CHART: Mapping[tuple[str, str], Parameter] = {
    ("map", "domain"): Parameter("groups of domains, with commas between them", example="science"),
    ("top", "board"): BOARD,
    ("best-of-several", "board"): BOARD,
    ("evidence", "benchmark"): BENCHMARK,
    ("item-age", "model"): MODEL,
    ("standing", "clock"): one_of("against which best", MODEL_CLOCKS),
    ("compared", "clock"): one_of("from when time is counted", COMPARED_CLOCKS),
    ("lives", "clock"): one_of("from when time is counted", COMPARED_CLOCKS),
    ("twin-ages", "clock"): one_of("by what time models are apart", TWIN_CLOCKS),
    ("left-out", "by"): one_of("how tasks make the order", ORDERS),
    ("twin-groups", "by"): one_of(BY, ("organisation", "weights", "family")),
    ("survival", "by"): Parameter(f"{BY}; all at once where it is not said", example="domain"),
    ("advances", "by"): one_of(BY, ADVANCES),
    ("desk-panel", "domain"): DOMAIN.must,
}
"""Where a chart reads another thing under that name, or can be drawn without it."""


UNDESCRIBED = Parameter("as on the page")
"""A parameter that nothing is said of here: a test finds it."""


def of_chart(spec: ChartSpec) -> Mapping[str, Parameter]:
    """The parameters of a chart with their descriptions, in the order in which the chart declares them."""
    return {name: _OF_CHART.get((spec.name, name)) or _OF_ANY_CHART.get(name, UNDESCRIBED) for name in spec.params}


_OF_REPLIES: Mapping[str, Parameter] = {
    "benchmark": replace(BENCHMARK, schema={**TEXT, "maxLength": LONGEST_VALUE}),
    "model": replace(MODEL, schema={**TEXT, "maxLength": LONGEST_VALUE}),
    "question": one_of("", tuple(TITLES)),
    "a": Parameter("", example="gpt-5"),
    "b": Parameter("", example="best"),
    "first": Parameter("", SCORE, 71.2),
    "second": Parameter("", SCORE, 72.4),
    "n": Parameter("", ONE_OR_TWO, "198"),
    "shots": Parameter("", ONE_OR_TWO, "0"),
    "q": Parameter("", {**TEXT, "minLength": 1, "maxLength": LONGEST_VALUE}, "swe bench"),
    "each": Parameter("", {"type": "integer", "minimum": 0, "maximum": MOST_EACH}, 6),
    "chart": one_of("", tuple(sorted(spec.name for page in PAGES for spec in page.charts)), "curve"),
}


def of_reply(spec: ReplySpec) -> Mapping[str, Parameter]:
    """The parameters of a question, with the meanings that it declares itself."""
    return {
        name: replace(_OF_REPLIES[name], meaning=meaning, required=name in spec.required)
        for name, meaning in spec.params.items()
    }


SEARCH = of_reply(REPLIES["search"])
