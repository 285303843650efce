"""How many benchmarks are saturated, in words, and why the survival curves count fewer."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.aging import lives
from benchhealth.analytics.answers.counts import Saturated
from benchhealth.analytics.verdict import history
from benchhealth.dashboard.words.text import count, known_at_latest, listed

_UNCOUNTED: Mapping[str, str] = {
    lives.AT_ONCE: "saturated on the first day on which a verdict was possible, so never seen alive",
    lives.ONLY_JUST: "no verdict was possible before the last day of which anything is known",
    lives.NO_BEGINNING: "since when is not known",
    lives.NO_RELEASE: "its release is not known",
    lives.NO_CHANCE: "its chance level is not known",
    lives.OPEN_ENDED: "its score has no end",
    lives.NO_ROOM: "its ceiling is not above chance",
}
assert {lives.WATCHED, *_UNCOUNTED} == set(lives.CASES)

_WITHOUT_BEGINNING: Mapping[str, str] = {
    history.RATED: "ratings of earlier days are no results that stand",
    history.UNDATED: "no result has a day",
    history.UNDATED_DECIDES: "results without a day decide",
    history.REMEMBERED: "within the margin of a limit, the days of results and the versions of sources differ",
}
assert set(_WITHOUT_BEGINNING) == set(history.WITHOUT_BEGINNING)


def why_uncounted(case: str, beginning: str | None) -> str:
    """Why the survival curves leave a benchmark out: by its case in table `life` and how its present stage begins."""
    if case == lives.NO_BEGINNING and beginning is not None:
        return f"{_UNCOUNTED[case]}: {_WITHOUT_BEGINNING[beginning]}"
    return _UNCOUNTED[case]


def uncounted_sentence(saturated: pl.DataFrame) -> str:
    """Which of the saturated benchmarks (`name`, `case`, `how` of each) the curves do not count as deaths, and why."""
    left = saturated.filter(pl.col("case") != lives.WATCHED).sort("name")
    if left.is_empty():
        return ""
    why: dict[str, list[str]] = {}
    for name, case, beginning in left.select("name", "case", "how").iter_rows():
        why.setdefault(why_uncounted(case, beginning), []).append(name)
    clauses = [f"{listed(names)} ({reason})" for reason, names in why.items()]
    subject = f"{left.height:,} of the {count(saturated.height, 'whole curated benchmark')} that are saturated"
    return f"{subject} {'is' if left.height == 1 else 'are'} no death in these curves: {'; '.join(clauses)}."


def saturated_title(counted: Saturated) -> str:
    """`36 of 190 curated benchmarks are saturated`."""
    are = "is" if counted.saturated == 1 else "are"
    return f"{counted.saturated:,} of {count(counted.benchmarks, 'curated benchmark')} {are} saturated"


def saturated_basis(counted: Saturated) -> str:
    """What goes on after `of these`: how many by results that could be watched, and until when that is known."""
    return f"{counted.watched:,} by results that could be watched{known_at_latest(counted.known_until)}."


def while_watched(deaths: int, counted: Saturated) -> str:
    """What the survival curves count, and how many are saturated: `22 saturated while watched (17 of the 36 ...)`."""
    return f"{deaths:,} saturated while watched ({by_curator(deaths, counted)})"


def by_curator(deaths: int, counted: Saturated) -> str:
    """The deaths by curation: `17 of the 36 curated ones that are saturated now and 5 others`."""
    clauses = [f"{counted.watched:,} of the {counted.saturated:,} curated ones that are saturated now"]
    if (n_others := deaths - counted.watched) > 0:
        clauses.append(count(n_others, "other"))
    return listed(clauses)
