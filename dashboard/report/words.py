"""What a report says in plain words: the verdict, what it means for a decision, and the answer to each question."""

from collections.abc import Mapping
from datetime import date

from benchhealth.dashboard.pages.benchmark import head
from benchhealth.dashboard.pages.benchmark.instead import alternatives
from benchhealth.dashboard.published.answers import card_of, words_of
from benchhealth.dashboard.published.benchmarks import FRESH_MONTHS
from benchhealth.dashboard.report.case import Case, Facts, withheld_sources
from benchhealth.dashboard.report.tree import Section, Tile
from benchhealth.dashboard.words.answers.instead import reason, reservations
from benchhealth.dashboard.words.answers.room import passed_by_makers_alone
from benchhealth.dashboard.words.numbers import UNKNOWN, correlation, count_or_share, day_of, month_of, score
from benchhealth.dashboard.words.stages import FLAG_WORDS, stage_label, stage_words
from benchhealth.dashboard.words.text import count, known, listed, words_within

IN_A_ROW = 5
"""How many answers stand beside one another in a row of the card."""
SUCCESSORS = 3
"""How many benchmarks are named to ask for instead."""
WHY_LIMIT, NAME_LIMIT = 110, 60

WITHHELD, INFERRED = "Withheld", "the room left is inferred from it, and may be passed on"
"""Where a score may not leave the dashboard."""
DRAWN_WITHOUT = "The best score is withheld: the line is drawn of the bests that may be passed on, and ends below it."
LISTED_WITHOUT = "The best score on record is withheld; it may be another than the first of this list."

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
    "unstable": "Models that stay listed exchange its top places beyond noise: ask when and how each was run.",
    "dormant": "Nobody reports it any more: a new result would have little to be compared with.",
    "stale": "There are no data of the last half year: ask for the newest results.",
}
"""What each flag means for whoever decides."""


def title(case: Case) -> str:
    """The title of a report: the verdict on the benchmark in a sentence."""
    return head.title(case.facts, case.verdict)


def stage_line(case: Case) -> str:
    """Stage, flags, until when it is known, and what the benchmark is."""
    facts, until = case.facts, case.verdict["known_until"]
    return " · ".join(
        phrase
        for phrase in (
            stage_label(case.verdict["stage"], case.verdict["between"]),
            *(f"⚑ {FLAG_WORDS[flag]}" for flag in case.verdict["flags"]),
            f"data to {day_of(until)}" if until else "",
            f"{facts['n_items']:,} items" if facts["n_items"] else "",
            facts["metric"] or "",
            f"released in {month_of(facts['released_on'])}" if facts["released_on"] else "",
        )
        if phrase
    )


def verdict(case: Case) -> str:
    """The verdict in one paragraph: the stage with its reason, where people stand, and over what until when."""
    return " ".join((*case.line("stage"), *_people(case), _measured_by(case), *_withheld(case), _known_until(case)))


def _people(case: Case) -> tuple[str, ...]:
    """When people were passed, if it is known how they score."""
    human, passed = case.facts["human"], case.computed("months_since_human_passed")
    if human is None:
        return ()
    line = f"The human line of {score(human, case.facts['unit'])}"
    until = known(case.verdict["known_until"])
    if passed is None:
        return (f"{line} was not passed{until}.",)
    models = case.computed("n_models")
    by_models = f" by the best of {count(round(models['value']), 'model')}" if models else ""
    on = passed["on_day"]
    room = case.answered.get("room")
    makers_note = passed_by_makers_alone(room, human, case.facts["higher_is_better"]) if room else ""
    return (f"{line} was passed{by_models}{f' in {month_of(on)}' if on else ''}{makers_note}{until}.",)


def _measured_by(case: Case) -> str:
    models, self_reported = case.computed("n_models"), case.computed("self_reported_share")
    if not models or not models["value"]:
        elsewhere = case.answered.get("room", {}).get("case") == "only_elsewhere"
        return "Its results are of other conditions alone." if elsewhere else "No result of a model is on record."
    on_record = f"Of {count(round(models['value']), 'model')} results are listed"
    if not self_reported:
        return f"{on_record}."
    unsaid = f"; of {number:,} nobody says who measured the best" if (number := case.unsaid) else ""
    if not self_reported["value"]:
        return f"{on_record}, and of none is the best its maker's own report{unsaid}."
    n_by_maker, total = round(self_reported["value"] * (self_reported["n"] or 0)), self_reported["n"] or 0
    share = "all" if n_by_maker == total else count_or_share(n_by_maker, total)
    return f"{on_record}, and of {share} of them the best is the maker's own report{unsaid}."


def _withheld(case: Case) -> tuple[str, ...]:
    if best(case) != WITHHELD:
        return ()
    whose = listed(withheld_sources(case.view, [case.id])) or "its source"
    return (f"The best score is withheld by the terms of {whose}; {INFERRED}.",)


def _known_until(case: Case) -> str:
    until, age = case.verdict["known_until"], case.row["age_months"]
    if until is None:
        return "Until when any of this holds is not known."
    later = " What was published later was not seen." if age is not None and age > FRESH_MONTHS else ""
    return f"All of this is from data to {day_of(until)}.{later}"


def meaning_section(case: Case) -> Section:
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
    rows = alternatives(case.view, case.facts["benchmark_id"]).head(SUCCESSORS)
    none = (*case.line("instead"), "Ask for a new or private set of questions, drawn after the models were trained.")
    return Section(
        heading,
        paragraphs=() if rows["fits"].any() else none,
        points=tuple(alternative(case, row) for row in rows.iter_rows(named=True)),
    )


def alternative(case: Case, row: Facts) -> str:
    """A benchmark to ask for: its stage and room, how alike it ranks models, why a curator names it, what it lacks."""
    agreement = (
        ""
        if row["kendall_tau"] is None
        else f"; it orders {count(row['shared'], 'model')} alike at tau {correlation(row['kendall_tau'])}"
    )
    why = f": {words_within(reason(row, case.facts), WHY_LIMIT)}"
    data_to = f"data to {month_of(row['known_until'])}" if row["models"] else ""
    room = words_of(case.view, row["benchmark_id"]).get("room")
    left = "" if room is None else room.number
    state = ", ".join(phrase for phrase in (stage_words(row["stage"], row["between"]).lower(), left, data_to) if phrase)
    against = reservations(row)
    but = f". But: {'; '.join(against)}" if against else ""
    return f"{words_within(row['name'], NAME_LIMIT)} ({state}){agreement}{why}{but}."


def tiles(case: Case) -> tuple[tuple[Tile, ...], ...]:
    """The card in rows, each cell with its word and number, and at its end whether it will last."""
    all_tiles = [Tile(cell.question, cell.word, cell.number) for cell in card_of(case.view, case.id)]
    if (last := case.answers.get("outlook")) is not None:
        all_tiles.append(Tile(last.question, last.reply, last.number))
    return tuple(tuple(all_tiles[start : start + IN_A_ROW]) for start in range(0, len(all_tiles), IN_A_ROW))


def listed_elsewhere(model: str, dated_on: date) -> str:
    """That a list of leaders does not hold the best score on record, which is of that day."""
    return f"The best score on record, of {model} in {month_of(dated_on)}, is not on this list."


def best(case: Case) -> str:
    """The best score, or that it may not leave: what is left then rests on it all the same."""
    row = case.answered.get("room")
    if row is None or row["second_unit"] is None:
        return UNKNOWN
    return WITHHELD if row["second"] is None else score(row["second"], row["second_unit"])
