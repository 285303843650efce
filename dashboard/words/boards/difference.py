"""Is this difference real, in words: the one place that says it, for pages, addresses and the command line.

Plain text: pages escape it for markdown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from benchhealth.analytics.difference.two_scores import (
    EQUAL,
    ERRORS_UNKNOWN,
    IF_SHARED,
    ON_THESE,
    REAL,
    WITHIN,
    Difference,
    Interval,
    Paired,
)
from benchhealth.analytics.record.conditions.recognise import UNSTATED
from benchhealth.analytics.record.frontier import RATING
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS
from benchhealth.dashboard.words.answers.sentences import Words
from benchhealth.dashboard.words.boards.ties import MANY_TIMES
from benchhealth.dashboard.words.items.clusters import CLUSTER, cluster_count, clusters
from benchhealth.dashboard.words.numbers import correlation, fixed, percent, percent_interval, points, score_finely
from benchhealth.dashboard.words.text import capital, count, known, listed, one_line

LEAST_CHANCE = 0.001
"""A chance below this is written as `less than`."""


@dataclass(frozen=True)
class Side:
    """One of two scores: what it is called, on how many items, by whom it was reported, and of which model."""

    name: str
    value: float
    items: int | None = None
    who: str | None = None
    model_id: str | None = None


@dataclass(frozen=True)
class LikeTests:
    """The least and the largest mean correlation of two models' errors, over so many tests known item by item."""

    low: float
    high: float
    tests: int


SECOND_MEASUREMENT, PART, DOMAIN, ANOTHER = "second_measurement", "part", "domain", "another"
_INSTEAD: Mapping[str, str] = {
    SECOND_MEASUREMENT: "its second measurement",
    PART: "a part of it",
    DOMAIN: "a test of the same domain",
    ANOTHER: "a test of another domain",
}


@dataclass(frozen=True)
class Instead:
    """The nearest test with results of both models under one condition; `kind` is its relation to the first test."""

    benchmark_id: str
    benchmark: str
    kind: str


@dataclass(frozen=True)
class ScorePair:
    """Two scores on one benchmark and how they differ.

    `unlike` are the things that differ beside the model: (what, in the first, in the second); with any of them nothing
    is compared, and `instead` is the nearest test on which the models can be. `condition` is the one that both share,
    None where it is not stated; `is_other_condition`: it is not the one by which the benchmark is judged. `picked_of`:
    the second is the best of so many others. `test_items` is how many items the test has, or asks in this condition,
    `cluster` what one of the clusters is called that they come in, `twin` its answer about a second measurement.
    """

    benchmark_id: str
    benchmark: str
    unit: str | None
    first: Side
    second: Side
    difference: Difference
    like: LikeTests | None = None
    pairs: Paired | None = None
    picked_of: int | None = None
    unlike: Sequence[tuple[str, str, str]] = ()
    instead: Instead | None = None
    condition: str | None = None
    is_other_condition: bool = False
    test_items: int | None = None
    cluster: str = CLUSTER
    twin: Words | None = None
    known_until: date | None = None

    @property
    def is_share(self) -> bool:
        """Whether the scores are shares of what can be reached."""
        return self.unit in BOUNDED_UNITS

    @property
    def over(self) -> Interval | None:
        """What other clusters of items might have given, where that is known: the last interval."""
        return next((interval for interval in self.difference.intervals if interval.clusters is not None), None)

    @property
    def clusters(self) -> str:
        """How many clusters: `14 subjects`; empty where nothing is known over clusters."""
        return "" if self.over is None else cluster_count(self.over.clusters or 0, self.cluster)


@dataclass(frozen=True)
class Fact:
    """A question beside the answer, with its short reply and what that rests on."""

    question: str
    reply: str
    detail: str


WHO: Mapping[str, str] = {
    "self": "its maker",
    "others": "others than its maker",
    "both": "its maker and others",
}
"""Who measured a score, by the column `reporter` of the table `position`, which is null where nobody says."""

_HEADS: Mapping[str, str] = {
    REAL: "Beyond error: {by} on {on}",
    ON_THESE: "Beyond error on these items, not over their {over}: {by} on {on}",
    IF_SHARED: "Beyond error only if both err on the same items: {by} on {on}",
    WITHIN: "Within error: {by} on {on}",
    EQUAL: "No difference on {on}: one score twice",
    ERRORS_UNKNOWN: "Not known: {by} on {on}, without an error",
}


def title(pair: ScorePair) -> str:
    """The answer to whether two scores differ, in one line."""
    if pair.unlike:
        differ = "differs" if len(pair.unlike) == 1 else "differ"
        return f"Not compared: {count(len(pair.unlike), 'thing')} beside the model {differ}"
    amount = _amount(pair, pair.difference.value)
    return _HEADS[pair.difference.case].format(by=amount, on=pair.benchmark, over=pair.clusters)


def sentence(pair: ScorePair) -> str:
    """The answer in one sentence: by how much, within which interval, and how often chance alone does as much."""
    if pair.unlike:
        named = listed([condition for condition, _, _ in pair.unlike])
        return f"A difference of these scores can be one of {named}, not of the models: no interval is given."
    first, second = _side_label(pair, pair.first), _side_label(pair, pair.second)
    value = pair.difference.value
    if pair.difference.case == ERRORS_UNKNOWN:
        why = "it is not known on how many items, and no error" if pair.is_share else "no error"
        return f"Nobody can say whether {first} and {second} differ: {why} is reported."
    if value == 0:
        return f"{capital(first)} and {second} are one number{_error(pair)}."
    upper, lower = (second, first) if value > 0 else (first, second)
    subject = upper if pair.first.model_id else capital(upper)
    statement = f"{subject} is {_amount(pair, value)} above {lower}"
    until = known(pair.known_until) if pair.first.model_id and pair.benchmark_id else ""
    return f"{statement}{_error(pair)}{_over_clusters(pair)}{_by_chance(pair)}{until}."


def text(pair: ScorePair) -> str:
    """The whole answer as lines for a terminal."""
    paragraphs = [title(pair), sentence(pair), runs(pair), limits(pair), nearest(pair)]
    paragraphs += [f"{fact.question} {fact.reply}. {fact.detail.rstrip('.')}." for fact in facts(pair)]
    return "\n".join(line for line in paragraphs if line)


def limits(pair: ScorePair) -> str:
    """What the answer does not cover; empty where the two were not compared."""
    if pair.unlike or not pair.difference.intervals:
        return ""
    paired_by = "these items" if pair.pairs else "the items that were asked"
    head = "It" if pair.over is None else f"But for the interval over {clusters(pair.cluster)} it"
    return (
        f"{head} speaks of {paired_by}: other items of the kind, another prompt, another run or another harness add to "
        "the error and can be larger than it."
    )


def runs(pair: ScorePair) -> str:
    """How much of the error other runs of the same items make; empty where an item was run once."""
    pairs = pair.pairs
    if pairs is None or pairs.of_runs is None or pairs.if_run_for_ever is None:
        return ""
    low, high = pairs.if_run_for_ever
    ends = (low, high) if pairs.difference.value >= 0 else (-high, -low)
    return (
        f"Each item was run several times: {percent(pairs.of_runs)} of the variance of the difference is between runs "
        f"of one item. With any number of runs of these items the interval would still be about {_end(pair, ends[0])} "
        f"to {_end(pair, ends[1])}; more items narrow it further."
    )


def nearest(pair: ScorePair) -> str:
    """The nearest comparison that can be made instead; empty where this one was made, or none is near."""
    if not pair.unlike:
        return ""
    if pair.instead is None:
        if pair.first.model_id:
            return "No like test is known on which both stand under one condition."
        return "Two scores can be compared that were made under one condition."
    return f"Both stand under one condition on {pair.instead.benchmark}, {_INSTEAD[pair.instead.kind]}."


def facts(pair: ScorePair) -> tuple[Fact, ...]:
    """What stands beside the answer: items that would settle it, conditions, a second measurement, who reported."""
    rows = [_items(pair), _conditions(pair)]
    if pair.twin is not None:
        rows.append(Fact(pair.twin.question, pair.twin.tile, pair.twin.line))
    return (*rows, _reporters_fact(pair))


def lines(pair: ScorePair) -> list[tuple[str, str]]:
    """The intervals by name, from the widest assumption to the narrowest: `0.1 to 2.3 points`."""
    return (
        []
        if pair.unlike
        else [(assumption(pair, interval), _ends(pair, interval)) for interval in pair.difference.intervals]
    )


def assumption(pair: ScorePair, interval: Interval) -> str:
    """What an interval assumes of the errors of the two scores."""
    if interval.clusters is not None:
        return f"over {pair.clusters}" if pair.pairs else f"over {pair.clusters}, as other models differ"
    if pair.pairs is not None:
        return "item by item"
    if interval.correlation == 0:
        return "independent errors"
    return f"errors shared as on like tests ({correlation(interval.correlation or 0.0)})"


def _side_label(pair: ScorePair, side: Side) -> str:
    value = f"{side.value * 100:.4g}%" if pair.is_share else score_finely(side.value, pair.unit)
    return f"{one_line(side.name)} ({value})" if side.model_id else f"{side.name} score ({value})"


def _amount(pair: ScorePair, value: float) -> str:
    if pair.is_share:
        return points(value)
    return f"{abs(value):.3g} {'points' if pair.unit in (None, RATING) else pair.unit}"


def _end(pair: ScorePair, value: float) -> str:
    scaled = value * 100 if pair.is_share else value
    return fixed(scaled)


def _ends(pair: ScorePair, interval: Interval) -> str:
    """The interval of the higher score less the lower one."""
    low, high = (interval.low, interval.high) if pair.difference.value >= 0 else (-interval.high, -interval.low)
    return f"{_end(pair, low)} to {_end(pair, high)}"


def _error(pair: ScorePair) -> str:
    alone, *shared = (limits for limits in pair.difference.intervals if limits.clusters is None)
    if pair.pairs is not None:
        pairs = pair.pairs
        return (
            f" over {count(pairs.items, 'item')} that both answered, 95% interval {_ends(pair, alone)}: "
            f"{pairs.only_first:,} went better for the first alone, {pairs.only_second:,} for the second"
        )
    picked = "" if pair.picked_of is None else f" that allows for the choice among {pair.picked_of} others"
    interval = f", 95% interval{picked} {_ends(pair, alone)} with independent errors"
    if not shared or pair.like is None:
        return interval
    ends = " and ".join(dict.fromkeys(_ends(pair, limits) for limits in (shared[0], shared[-1])))
    return f"{interval}, {ends} if they are shared as on {count(pair.like.tests, 'like test')}"


def _over_clusters(pair: ScorePair) -> str:
    """What other clusters of items might have given: of the two themselves, or as models differ that were measured."""
    if pair.over is None:
        return ""
    if_drawn = f"if other {clusters(pair.cluster)} than its {pair.over.clusters} had been drawn"
    measured = "" if pair.pairs else ", as between models known item by item"
    return f"; {_ends(pair, pair.over)} {if_drawn}{measured}"


def _by_chance(pair: ScorePair) -> str:
    if pair.picked_of is not None:
        return ""
    chances = [interval.chance for interval in pair.difference.intervals if interval.clusters is None]
    low, high = min(chances), max(chances)
    if high < LEAST_CHANCE:
        share = f"less than {percent(LEAST_CHANCE)}"
    else:
        share = percent(high) if percent(low) == percent(high) else percent_interval(low, high)
    over_others = ""
    if pair.over is not None:
        over_others = f", with other {clusters(pair.cluster)} in {percent(pair.over.chance)}"
    return (
        f"; two equally good models come out in this order, at least as far apart, in {share} of such tests"
        f"{over_others}"
    )


def _items(pair: ScorePair) -> Fact:
    question = "How many items would settle it?"
    settles = pair.difference.settles
    if pair.unlike or settles is None:
        why = "the conditions differ" if pair.unlike else _why_no_items(pair)
        return Fact(
            question, "No number" if pair.unlike or pair.difference.case == EQUAL else "Not known", capital(why)
        )
    if pair.difference.case == ON_THESE:
        more = f"It takes other {clusters(pair.cluster)}: more items of these {pair.clusters} do not settle it"
        return Fact(question, "No number of items", more)
    fewest, most = settles
    shared = "" if fewest == most else f" with independent errors, {fewest:,} if they are shared as on like tests"
    size = pair.test_items
    has = "" if size is None else f"; the test has {size:,}"
    if size is not None and fewest > MANY_TIMES * size:
        return Fact(
            question,
            "No number of items",
            f"{most:,} each at this distance{shared}{has}: by then the choice of tasks counts for more",
        )
    return Fact(question, f"{most:,} each", f"At this distance{shared}{has}")


def _why_no_items(pair: ScorePair) -> str:
    if pair.difference.case == EQUAL:
        return "equal scores lie no distance apart"
    return "its scores are not counted in items" if pair.difference.intervals else "no error is known"


def _conditions(pair: ScorePair) -> Fact:
    question = "Are the conditions alike?"
    if pair.unlike:
        return Fact(
            question, "No", "; ".join(f"{aspect}: {first} against {second}" for aspect, first, second in pair.unlike)
        )
    if pair.is_other_condition:
        judged = "the benchmark is judged under another condition"
        if pair.condition == UNSTATED:
            return Fact(question, "Not known", f"Neither states its condition; {judged}")
        return Fact(question, "As far as stated", f"Both {pair.condition}; {judged}")
    if pair.condition is not None:
        return Fact(question, "As far as stated", capital(pair.condition))
    return Fact(question, "Not known", "Nothing is stated of prompt, examples, tools and attempts")


def _reporters_fact(pair: ScorePair) -> Fact:
    question = "Who reported them?"
    if pair.first.who is None or pair.second.who is None:
        return Fact(question, "Not stated", "A maker and somebody else may have run it in different ways")
    sides = (pair.first, pair.second)
    reply = "The same side" if pair.first.who == pair.second.who else "Not the same"
    return Fact(question, reply, "; ".join(f"{side.name}: {WHO[side.who]}" for side in sides if side.who))
