"""How many benchmarks in use are still measuring, and what the others are: one sentence everywhere.

In use is what a source showed in six months and is still reported by somebody. The counts are of these alone, by the
stage that pages name (`published.benchmarks.named_stage`), so that they add up to all that are in use.
"""

from collections.abc import Mapping
from typing import NamedTuple

from benchhealth.dashboard.words.numbers import day_of, month_of
from benchhealth.dashboard.words.stages import ORDER
from benchhealth.dashboard.words.text import count, listed

Counts = Mapping[str, int]
"""How many of those in use have each stage; what has other keys is not read."""

NO_OTHER_STAGE = "None of them is anything else."


def in_use(counts: Counts) -> int:
    """The number of benchmarks in use, which is the denominator of the shares on the first page."""
    return sum(counts.get(stage, 0) for stage in ORDER)


def title(counts: Counts, noun: str = "AI benchmark", about: str = "", *, past: bool = False) -> str:
    """`Of 129 AI benchmarks in use, 39 are still measuring`; `about` is a month or a domain that it is of."""
    measuring = counts.get("discriminating", 0)
    verb = ("was" if past else "is") if measuring <= 1 else "were" if past else "are"
    every, head = in_use(counts), f"{about}: " if about else ""
    if not every:
        return f"{head}{'no' if about else 'No'} {noun} {'was' if past else 'is'} in use"
    opening = f"{'of' if about else 'Of'} {count(every, noun)} in use"
    return f"{head}{opening}, {measuring or 'none'} {verb} still measuring"


def rest_sentence(counts: Counts, *, past: bool = False) -> str:
    """The other benchmarks, so that all add up: too new, unknown and near a limit cannot be judged."""
    n_others = in_use(counts) - counts.get("discriminating", 0)
    if not n_others:
        return NO_OTHER_STAGE
    singular, plural, cannot = ("was", "were", "could not") if past else ("is", "are", "cannot")
    unjudged = counts.get("emerging", 0) + counts.get("unknown", 0)
    stages = [(counts.get("compressing", 0), "running out"), (counts.get("saturated", 0), "saturated")]
    clauses = [(number, f"{singular if number == 1 else plural} {words}") for number, words in stages if number]
    clauses += [(unjudged, f"{cannot} be judged")] if unjudged else []
    if n_others == 1:
        return f"The other one {clauses[0][1]}."
    return f"Of the other {n_others}, {listed([f'{number} {predicate}' for number, predicate in clauses])}."


class Left(NamedTuple):
    """What the title does not count or takes together: the numbers behind *How we count*."""

    curated: int
    not_looked_at: int
    not_reported: int
    unsure: int
    families: int
    saturated: int
    every: int


def how_we_count(counts: Counts, left: Left, since: object, as_of: object) -> str:
    """What the denominator is, what it leaves out, and what is taken together; as markdown."""
    measuring = counts.get("discriminating", 0)
    too_new, unknown = counts.get("emerging", 0), counts.get("unknown", 0) - left.unsure
    lines = [
        f"**In use**: a source read since {month_of(since)}, six months before {day_of(as_of)}, and still "  # type: ignore[arg-type]
        "reported: a result of the last year, or a maker's document of the last year that shows it.",
        f"Of {count(left.curated, 'curated benchmark')} {in_use(counts)} are in use. Left out are "
        f"{left.not_looked_at} of which no source was read since, and {left.not_reported} that nobody reports any "
        "more.",
        "**Still measuring**, as the title counts: there is room, or no ceiling, and strong and weak models differ, "
        "beyond error where errors are stated. The top five need not differ.",
        f"**Cannot be judged**: {too_new} too new, {unknown} not known well enough, and {left.unsure} too near the "
        "limit between two stages.",
        f"Of all {left.curated}, in use or not, {left.saturated} are saturated: those are what Field counts.",
        f"Releases and parts of one benchmark taken together, the {measuring} are of "
        f"{count(left.families, 'family', 'families')}.",
        f"{left.every:,} benchmarks are on record with all parts and those whose facts nobody checked; *More* shows "
        "them.",
    ]
    return "\n\n".join(lines)
