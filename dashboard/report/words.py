"""What a report says in plain words: the verdict, what it means for a decision, and four answers."""

from collections.abc import Mapping

from benchhealth.dashboard.figures.base import is_bounded
from benchhealth.dashboard.pages.benchmark import head
from benchhealth.dashboard.pages.benchmark.alternatives import NONE, alternatives, lacks
from benchhealth.dashboard.pages.benchmark.instead import room as room_left
from benchhealth.dashboard.published.benchmarks import FRESH_MONTHS
from benchhealth.dashboard.report import withheld
from benchhealth.dashboard.report.case import Case, Facts
from benchhealth.dashboard.report.tree import Section, Tile
from benchhealth.dashboard.words.numbers import (
    UNKNOWN,
    correlation,
    day_of,
    month_of,
    of,
    percent,
    points,
    room_interval,
    score,
    score_beside,
)
from benchhealth.dashboard.words.stages import FLAG_WORDS, STAGE_WORDS, stage_label
from benchhealth.dashboard.words.text import count, listed, words_within
from benchhealth.dashboard.words.why import why

SUCCESSORS = 3
"""How many benchmarks are named to ask for instead."""
WHY_LIMIT, NAME_LIMIT = 110, 60

WITHHELD, INFERRED = "Withheld", "the room left is inferred from it, and may be passed on"
"""Where a score may not leave the dashboard."""

SAID: Mapping[str, str] = {
    "saturated": "The best models have used {name} up: no room is left that its results could show.",
    "compressing": "{name} is running out: little room is left, or the best models hardly differ on it.",
    "discriminating": "{name} still tells models apart: there is room above the best score, and models differ.",
    "emerging": "{name} is too new, or too few models have results on it, for a verdict.",
    "unknown": "Too little is known about {name} for a verdict. That is no sign of health.",
}
UNBOUNDED: Mapping[str, str] = {
    "discriminating": "{name} still tells models apart. A rating has no ceiling that it could run into.",
    "compressing": "{name} is running out: the best models hardly differ on it. A rating has no ceiling.",
    "saturated": "The best models cannot be told apart on {name} any more. A rating has no ceiling.",
}
"""What is said of scales without a ceiling."""
BECAUSE: Mapping[str, str] = {
    "saturated": "is saturated",
    "compressing": "is running out",
    "discriminating": "still measures",
}
MEANS: Mapping[str, str] = {
    "saturated": (
        "A better result on {name} would not show progress. It should not be a goal, a milestone or evidence of an "
        "advance; as a check that nothing broke it still serves."
    ),
    "compressing": (
        "A better result on {name} shows progress only where the difference is larger than its error. It should not "
        "stand alone, and a project of some years should not be measured by it."
    ),
    "discriminating": (
        "A better result on {name} would show progress, where the difference is larger than its error and somebody "
        "other than the maker has measured it."
    ),
    "emerging": (
        "A result on {name} shows little yet, because there is hardly anything to compare it with. It may be worth "
        "paying for more measurements."
    ),
    "unknown": (
        "Public results do not say whether a better result on {name} would show progress. Whoever proposes it should "
        "show its chance level, its ceiling, its error, and who else reports it."
    ),
}
ASK: Mapping[str, str] = {
    "contaminated": "Its items are documented in training data: ask for a score on new or private items too.",
    "gap": "A second measurement of the same thing gives lower scores: ask for a result on that one too.",
    "premium": "Makers report higher numbers than independent runs do: ask for a run by somebody else.",
    "self_reported": "Most of its results are the makers' own: ask for a run by somebody else.",
    "unstable": "Its order depends on how tasks are put together: ask for the results of each task.",
    "dormant": "Nobody reports it any more: a new result would have little to be compared with.",
    "stale": "Its sources were not looked at for more than half a year: ask for the newest results.",
}
"""What each flag means for whoever decides."""


def title(case: Case) -> str:
    """The verdict as a sentence."""
    return head.title(case.facts, case.verdict)


def line(case: Case) -> str:
    """Stage, flags, until when it is known, and what the benchmark is."""
    facts, until = case.facts, case.verdict["known_until"]
    return " · ".join(
        part
        for part in (
            stage_label(case.verdict["stage"]),
            *(f"⚑ {FLAG_WORDS[flag]}" for flag in case.verdict["flags"]),
            f"known until {day_of(until)}" if until else "",
            f"{facts['n_items']:,} items" if facts["n_items"] else "",
            facts["metric"] or "",
            f"released in {month_of(facts['released_on'])}" if facts["released_on"] else "",
        )
        if part
    )


def verdict(case: Case) -> str:
    """The verdict in one paragraph."""
    return " ".join(
        part
        for part in (
            _stage(case),
            _left(case),
            _measured(case),
            _known(case),
        )
        if part
    )


def _stage(case: Case) -> str:
    """What the stage says of the benchmark, with the reason where the rules give one."""
    stage, reason = case.verdict["stage"], why(case.verdict, case.indicators).text
    bounded = is_bounded(case.facts["unit"])
    if reason and bounded:
        return f"{case.name} {BECAUSE[stage]}: {reason}."
    return (SAID if bounded else {**SAID, **UNBOUNDED})[stage].format(name=case.name)


def _left(case: Case) -> str:
    """What is left, when people were passed, what is documented: one sentence of what is known."""
    facts, parts = case.facts, []
    room, least = case.known("headroom"), case.known("headroom_of_ceiling")
    if why(case.verdict, case.indicators).says_room:
        room = least = None
    if room:
        parts.append(f"{percent(room['value'])} of the way from chance to the ceiling is left")
    elif least and is_bounded(facts["unit"]):
        parts.append(f"at least {percent(least['value'])} of the scale is left (chance is not known)")
    if passed := case.known("months_since_human_passed"):
        line, on = score(facts["human"], facts["unit"]), passed["on_day"]
        parts.append(f"the human line of {line} was passed{f' in {month_of(on)}' if on else ''}")
    elif facts["human"] is not None:
        parts.append(f"the human line of {score(facts['human'], facts['unit'])} was not passed")
    if seen := case.known("contamination_max_share"):
        items = f"its {facts['n_items']:,} items" if facts["n_items"] else "its items"
        parts.append(f"a report documents that {percent(seen['value'])} of {items} were in training data")
    said = "; ".join(parts)
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _measured(case: Case) -> str:
    models, own = case.known("n_models"), case.known("self_reported_share")
    if not models or not models["value"]:
        return "No result of a model is on record."
    said = f"Results of {count(round(models['value']), 'model')} are on record"
    if not own:
        return f"{said}."
    if not own["value"]:
        return f"{said}, none of them reported by the maker alone."
    return f"{said}, {of(round(own['value'] * (own['n'] or 0)), own['n'] or 0)} of them reported by the maker alone."


def _known(case: Case) -> str:
    until, age = case.verdict["known_until"], case.row["age_months"]
    if until is None:
        return "Until when any of this holds is not known."
    later = " What was published later was not seen." if age is not None and age > FRESH_MONTHS else ""
    return f"All of this is known until {day_of(until)}.{later}"


def meaning(case: Case) -> Section:
    """What the verdict means for a decision, and what to ask applicants for instead."""
    return Section(
        "What this means for a decision",
        paragraphs=(MEANS[case.verdict["stage"]].format(name=case.name),),
        points=tuple(ASK[flag] for flag in case.verdict["flags"]),
        framed=True,
    )


def instead(case: Case) -> Section:
    """What to ask applicants for instead, or beside it where it still measures."""
    heading = {
        "discriminating": "What to ask applicants for beside it",
        "emerging": "What to ask applicants for beside it",
    }.get(case.verdict["stage"], "What to ask applicants for instead")
    found = alternatives(case.view, case.facts).head(SUCCESSORS)
    none = f"{NONE} Ask for a new or private set of questions, drawn after the models were trained, with its error."
    return Section(
        heading,
        paragraphs=() if found["fits"].any() else (none,),
        points=tuple(alternative(row) for row in found.iter_rows(named=True)),
    )


def alternative(row: Facts) -> str:
    """A benchmark to ask for: its stage and room, how alike it ranks models, why a curator names it, what it lacks."""
    alike = (
        ""
        if row["kendall_tau"] is None
        else f"; it orders {count(row['shared'], 'model')} alike at tau {correlation(row['kendall_tau'])}"
    )
    why = "" if row["why"] is None else f": {words_within(row['why'], WHY_LIMIT)}"
    known = f"known until {month_of(row['known_until'])}" if row["models"] else ""
    state = ", ".join(part for part in (STAGE_WORDS[row["stage"]].lower(), room_left(row), known) if part)
    but = f". But: {'; '.join(lacks(row))}" if lacks(row) else ""
    return f"{words_within(row['name'], NAME_LIMIT)} ({state}){alike}{why}{but}."


def tiles(case: Case) -> tuple[Tile, ...]:
    """Four fixed questions, each with its answer and the evidence behind it."""
    return (
        Tile("How much room is left?", *_room(case)),
        Tile("Can the top be told apart?", *_resolution(case)),
        Tile("Does a second measurement agree?", *_twin(case)),
        Tile("Have models seen the answers?", *_seen(case)),
    )


def room(case: Case) -> tuple[str, str]:
    """How much room is left, and its interval in words or why there is none."""
    left, least = case.known("headroom"), case.known("headroom_of_ceiling")
    if not is_bounded(case.facts["unit"]):
        return "No ceiling", "a rating has none"
    if left:
        return percent(left["value"]), room_interval(left["low"], left["high"]) or "error not known"
    if least:
        return f"at least {percent(least['value'])}", "chance is not known"
    return UNKNOWN, case.why_not("headroom")


def _room(case: Case) -> tuple[str, str]:
    answer, interval = room(case)
    said = best(case)
    whose = listed(withheld.sources(case.view, [case.id])) or "its source"
    terms = f" (terms of {whose}); {INFERRED}" if said == WITHHELD else ""
    more = "" if said == UNKNOWN else f"; best {said[:1].lower()}{said[1:]}{terms}"
    return answer[:1].upper() + answer[1:], f"{interval}{' with error' if '%' in interval else ''}{more}"


def best(case: Case) -> str:
    """The best score, or that it may not leave: what is left then rests on it all the same."""
    if found := case.known("frontier"):
        return score_beside(found["value"], case.facts["unit"], case.facts["ceiling"])
    rests_on_it = case.known("headroom") or case.known("headroom_of_ceiling")
    return WITHHELD if rests_on_it and "frontier" not in case.indicators else UNKNOWN


def _resolution(case: Case) -> tuple[str, str]:
    row = case.known("resolution_top5")
    if not row:
        return UNKNOWN, case.why_not("resolution_top5")
    pairs = int(row["n"] or 10)
    return of(round(row["value"] * pairs), pairs), "pairs of the top five differ beyond error"


def _twin(case: Case) -> tuple[str, str]:
    row = case.known("twin_gap")
    if not row:
        return UNKNOWN, case.why_not("twin_gap")
    within = row["low"] is not None and row["low"] <= 0 <= row["high"]
    answer = "It agrees" if within else f"{points(row['value'] / 100)} {'lower' if row['value'] > 0 else 'higher'}"
    ends = "" if row["low"] is None else f"{row['low']:.1f} to {row['high']:.1f} points, "
    return answer, f"{ends}{count(int(row['n'] or 0), 'model')} on both".replace("-", "\u2212")


def _seen(case: Case) -> tuple[str, str]:
    documented, odd = case.known("contamination_max_share"), case.known("anomaly_share")
    if documented:
        return f"{percent(documented['value'])} documented", "the largest share of items that a report found"
    if odd:
        tested, found = int(odd["n"] or 0), round(odd["value"] * int(odd["n"] or 0))
        return ("No trace" if found == 0 else f"{found} stand out"), f"{found} of {count(tested, 'tested model')}"
    labels = {"public": "; its answers are public", "private": "; its answers are private"}
    return UNKNOWN, f"no report, no test{labels.get(case.facts['labels'] or '', '')}"
