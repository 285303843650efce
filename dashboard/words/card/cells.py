"""The nine cells of the card: the same on the page, on paper and in the picture of a link."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.verdict.probability.stages import DRAWS
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.words.answers.parts import WITHHELD, Names, amount
from benchhealth.dashboard.words.answers.room import handed_in, is_others_alone, two_bests
from benchhealth.dashboard.words.answers.second import other_of
from benchhealth.dashboard.words.answers.seen import incident_note
from benchhealth.dashboard.words.answers.sentences import REPLY_WORDS, Words
from benchhealth.dashboard.words.numbers import correlation, day_of, percent, room_interval, score
from benchhealth.dashboard.words.stages import STAGE_WORDS
from benchhealth.dashboard.words.text import NO_RESULT, capital, count, words_within

SAID_BY = 34
"""The name of who says it is cut after this many characters."""

_TOO_FEW_MODELS = f"Fewer than {LIMITS.min_models} models have a result"
_STAGE: Mapping[str, str] = {
    "few_models": _TOO_FEW_MODELS,
    "few_and_dormant": f"{_TOO_FEW_MODELS}, none of the last year",
    "few_and_undated": f"{_TOO_FEW_MODELS}, none with a day",
    "young": f"It came out less than {LIMITS.young_months:.0f} months before the assessment",
    "proposed_break": "A proposed break waits for a curator's decision",
    "constant_answer_ahead": "One answer, the same to every item, scores above every model",
    "other_condition": "Its comparable results are of another condition",
    "room_and_order_unknown": "Neither room nor the errors at the top are known",
    "exhausted": "Hardly any room is left",
    "exhausted_and_crowded": "Hardly any room is left, and the top five hardly differ",
    "people_passed_and_unresolved": "Above the human line, and the top five do not differ",
    "people_reached_and_stalled": f"At the human line, without an advance for {LIMITS.stalled_months:.0f} months",
    "people_reached_and_order_unknown": "At the human line, with little room left",
    "bunched": "Not even the best and the tenth differ beyond error",
    "crowded_and_spread_unknown": "The top five hardly differ beyond error",
    "crowded_and_room_unknown": "The top five hardly differ beyond error",
    "measures": "No rule of another stage holds",
}
_ROOM: Mapping[str, str] = {
    "chance_unknown": "What chance alone would score is not known",
    "no_result": "No model has a result on it",
    "not_in_bundle": "No source that is loaded here has a result",
    "only_elsewhere": "Its results are of other conditions alone",
    "no_scale": "What its scores count is not on record",
    "no_span": "Its stated ceiling does not lie above chance",
    "open_ended": "Its scale has no ceiling",
}
_SEEN: Mapping[str, str] = {
    "twin": "Held against new items of the same kind",
    "cutoff_break": "Held against items from after their training",
    "anomaly": "Held against benchmarks that they cannot have seen",
}
_LABELS: Mapping[str, str] = {
    "whole": "All items were checked",
    "sample": "A sample drawn from the test was checked",
    "part": "A part was checked; of the other items nothing is known",
}


def brief(row: Row, names: Names) -> str:
    """The line for a row of the table `answer`; empty for a question that is not on the card."""
    line = _SAY[row["question"]](row, names) if row["question"] in _SAY else ""
    return f"{line}." if line else ""


def _stage(row: Row, _names: Names) -> str:
    if row["between"] and row["p"] is not None:
        return f"The likelier of the two in {percent(row['p'])} of {DRAWS} simulations"
    if row["case"] == "narrow":
        opening = f"Over {count(row['n'] or 0, 'model')} less" if row["n_of"] == "models" else "Less"
        return f"{opening} than {percent(LIMITS.narrow_headroom)} of the scale is left"
    return _STAGE[row["case"]]


def _room(row: Row, _names: Names) -> str:
    if row["case"] in _ROOM:
        return _ROOM[row["case"]]
    interval = room_interval(row["low"], row["high"])
    error = f"; {interval} with error" if interval else "; error not known"
    if row["second"] is None:
        return f"The best score is {WITHHELD}{error}"
    n = row["count"] or 0
    if two_bests(row):
        measured, claimed = (score(row[name], row["second_unit"]) for name in ("measured", "claimed"))
        return f"Of {count(n, 'model')}: others {measured}, makers {claimed}{error}"
    of_whom = f"by others of {count(n, 'model')}" if is_others_alone(row) else f"of {count(n, 'listed model')}"
    above = f"; handed in: {handed_in(row)}" if handed_in(row) else ""
    return f"Best {of_whom}: {score(row['second'], row['second_unit'])}{above}{error}"


def _order(row: Row, _names: Names) -> str:
    if row["case"] == "too_few_models":
        return "It takes two models with a result"
    if row["case"] == "errors_unknown":
        return "Not every one of the top five has a known error"
    tied = row["n"] - row["count"]
    if not tied:
        return "All of the top five differ beyond error"
    adjective = "other " if row["count"] else ""
    pairs = "pair of the top five lies" if tied == 1 else f"{tied} pairs of the top five lie"
    return f"The {adjective}{pairs} within error"


def _second(row: Row, names: Names) -> str:
    if row["case"] == "none_known":
        return "No fresh sample, later split or rerun is known"
    if row["case"] == "not_connected":
        return "No model was measured on both"
    results = count(row["n"] or 0, "result")
    if row["case"] == "too_weak":
        return f"The error over {results} hides up to {amount(row['missed'], row['missed_unit'])}"
    twin = words_within(other_of(row, names), SAID_BY + 10)
    if twin.count("(") > twin.count(")"):
        twin = f"it is {twin.partition(' (')[0]}"
    return f"{capital(twin)}, over {results}"


def _exposure_cell(row: Row, _names: Names) -> str:
    return capital(incident_note(row)) or _exposure(row)


def _exposure(row: Row) -> str:
    could_have_seen = round(row["second"]) if row["second"] else 0
    if row["case"] in ("documented", "documented_little", "documented_unmeasured"):
        whose = words_within(row["said_by"], SAID_BY) if row["said_by"] else "published reports"
        return f"By {whose}"
    if row["case"].startswith("declared"):
        return "Their developers name it among training data"
    if row["case"] == "too_weak":
        models = f"{count(could_have_seen, 'model')} could have; the" if could_have_seen else "The"
        return f"{models} test is too weak to say no"
    if row["case"] == "nothing_found":
        return "A smaller leak would have been missed"
    if row["kind"] in _SEEN:
        return _SEEN[row["kind"]]
    return "Its answers are not public" if row["case"] == "withheld" else "No report, declaration or test is on record"


def _labels(row: Row, _names: Names) -> str:
    if row["case"] == "no_labels":
        return "A rating counts wins; no answer is right or wrong"
    return "No audit of its labels is on record" if row["case"] == "not_audited" else _LABELS[row["kind"]]


def _reporters(row: Row, _names: Names) -> str:
    if row["case"] == "no_documents":
        return "No document of a maker was read"
    if row["count"] is None:
        return f"Which documents show it is {WITHHELD}"
    if row["case"] == "never_shown":
        return "No document that was read shows it"
    if row["case"] == "reported_elsewhere":
        return f"Makers report scores elsewhere, last on {day_of(row['on_day'])}"
    maker = words_within(row["said_by"] or "a maker", SAID_BY)
    return f"In documents read, last shown by {maker}, on {day_of(row['on_day'])}"


def _instead(row: Row, _names: Names) -> str:
    if row["case"] == "no_construct":
        return "What it measures is not on record"
    if row["case"] == "none_fits":
        return "None known measures the same and still has room"
    if row["second"] is None:
        return "How alike the two rank models is not known"
    return f"The two rank {count(row['n'], 'model')} alike at tau {correlation(row['second'])}"


_SAY: Mapping[str, Callable[[Row, Names], str]] = {
    "stage": _stage,
    "room": _room,
    "order": _order,
    "second": _second,
    "seen": _exposure_cell,
    "labels": _labels,
    "reporters": _reporters,
    "instead": _instead,
}


UNTIL = "until"
"""The cell that says until when others have measured it; it is made of the answer `looked`."""

ORDER = ("stage", UNTIL, "room", "order", "second", "seen", "labels", "reporters", "instead")
UNTIL_TITLE = "Until when is it known?"
NEUTRAL = "neutral"
"""The kind of a cell that says neither good nor bad."""

_YES_IS_BAD = {"seen"}


@dataclass(frozen=True)
class Cell:
    """One cell: the question, its reply in a word, the number behind it (may be empty) and a line of evidence.

    `kind` is the reply by which it is coloured: yes, partly, no or unknown, `no` for a yes that is bad, or NEUTRAL.
    """

    key: str
    question: str
    word: str
    number: str
    brief: str
    kind: str

    @property
    def tile(self) -> str:
        """The word with its number: `No (0 of 10 pairs)`."""
        return f"{self.word} ({self.number})" if self.number else self.word


def cells(rows: Mapping[str, Row], wordings: Mapping[str, Words], names: Names) -> tuple[Cell, ...]:
    """The cells of a benchmark, from its rows of the table `answer` and their words; what may not leave is missing."""
    listed = []
    for key in ORDER:
        if key == UNTIL and "looked" in rows:
            listed.append(_until(rows["looked"]))
        elif key in wordings:
            answer, row = wordings[key], rows[key]
            listed.append(Cell(key, answer.question, answer.reply, answer.number, brief(row, names), kind_of(row)))
    return tuple(listed)


def stage_until(card: Sequence[Cell]) -> str:
    """Stage and day of a card in one line, for a badge: `saturated, measured until 22 Aug 2026 (by others)`.

    Without a stage that may leave it is not known; without a day nothing is said of one.
    """
    cells_by_key = {cell.key: cell for cell in card}
    stage, until = cells_by_key.get("stage"), cells_by_key.get(UNTIL)
    named = STAGE_WORDS["unknown"].lower() if stage is None else stage.number
    if until is None or until.kind == "unknown":
        return named
    return f"{named}, {'measured until' if until.number else 'data to'} {until.tile}"


def kind_of(row: Row) -> str:
    """The reply that sets the colour of an answer; that models have seen the items is the one bad yes."""
    return "no" if row["reply"] == "yes" and row["question"] in _YES_IS_BAD else str(row["reply"])


def _until(row: Row) -> Cell:
    """The day of the last result of others as the benchmark is judged; that of makers, and of the last look, below."""
    measured, claimed, looked = row["measured_on"], row["claimed_on"], row["known_until"]
    if measured is None and claimed is None:
        if looked is None or row["case"] == "no_result":
            return Cell(UNTIL, UNTIL_TITLE, REPLY_WORDS["unknown"], "", f"{capital(NO_RESULT)}.", "unknown")
        line = "The last day on which its sources were read."
        return Cell(UNTIL, UNTIL_TITLE, day_of(looked), "", line, NEUTRAL)
    if measured is None:
        line = "Nobody else is known to have measured it under its condition."
        return Cell(UNTIL, UNTIL_TITLE, day_of(claimed), "by makers", line, "partly")
    sources = "sources of its condition" if looked and claimed and claimed > looked else "sources"
    looked_text = f"{sources} read until {day_of(looked)}" if looked != measured or not claimed else ""
    clauses = [f"by makers until {day_of(claimed)}" if claimed else "", looked_text]
    line = "; ".join(clause for clause in clauses if clause)
    return Cell(UNTIL, UNTIL_TITLE, day_of(measured), "by others", f"{capital(line)}.", NEUTRAL)
