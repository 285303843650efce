"""A sentence for each case of a change, to follow the name of what changed."""

from collections.abc import Mapping

from benchhealth.dashboard.words.numbers import day_of
from benchhealth.dashboard.words.prose.record import PROPOSED
from benchhealth.dashboard.words.prose.template import Row, Sentence
from benchhealth.dashboard.words.text import count


def _of_year(row: Row) -> str:
    """The model with the year in which it came out, where that is known."""
    return "{names[0]}" if row["numbers"][0] is None else "{names[0]} of {numbers[0]:i}"


_PARTS = {
    "break_waits": "a proposed break of a board awaits a curator",
    "break_decided": "a curator has decided about a proposed break",
    "age": "out for long enough now, with as many models as before",
}


def _stage(row: Row) -> str:
    """What is another under a changed stage, in a few words."""
    said = [_part(name, *row["numbers"]) for name in row["names"]]
    return "; ".join(said) or "results or facts behind it changed, of as many models as before"


def _part(name: str, rules: float | None, models: float | None, more: float | None, pairs: float | None) -> str:
    match name:
        case "rules":
            return f"judged by version {rules:.0f} of the rules"
        case "first_models":
            return f"first evidence: {count(int(models or 0), 'model')}"
        case "models":
            return f"{_difference(int(more or 0))} on record"
        case "pairs":
            return f"{pairs:.0f} of 10 pairs of the top five differ"
    return _PARTS[name]


def _difference(more: int) -> str:
    if more > 0:
        return count(more, "more model", "more models")
    return count(-more, "model fewer", "models fewer")


def _kept_out(row: Row, fault: str) -> str:
    """Which file in which version is kept out, and what stays in service in its place."""
    version = "" if row["on_day"] is None else f" in its version of {day_of(row['on_day'])}"
    copy = row["until_day"]
    stays = "no copy yet" if copy is None else f"the copy of {day_of(copy)} stays in service"
    return f"{{names[0]}}{version} {fault}; {stays}"


SENTENCES: Mapping[str, Sentence] = {
    "stage_changed": _stage,
    "new_benchmark": lambda row: f"new here, with {count(row['n'] or 0, 'model')}",
    "newly_flagged": "newly flagged",
    "flagged_no_longer": "no longer flagged",
    "rules_changed": "benchmarks are judged by version {after} of the rules, where it was version {before}",
    "best_now": lambda row: f"{_of_year(row)} holds the best score",
    "best_found_late": lambda row: f"found late: {_of_year(row)} holds the best score",
    "best_taken_back": lambda row: f"the best score was corrected or taken back; {_of_year(row)} is best",
    "scale_moved": lambda row: f"the scale moved on {day_of(row['until_day'])}; not compared",
    "condition_changed": "is judged under “{names[0]}”, where it was “{names[1]}”; not compared",
    "first_since": lambda row: f"{{names[0]}} is first since {day_of(row['on_day'])}, where {{names[1]}} was",
    "version_held": lambda row: _kept_out(row, "is held"),
    "not_read": lambda row: _kept_out(row, "could not be read"),
    "read_first": "is read for the first time",
    "read_again": "is read again",
    "new_results": lambda row: count(row["n"], "new result"),
    "rows_replaced": lambda row: f"{count(row['n'], 'row')} replaced by its source",
    "not_compared": "not compared across this day",
    "broke": "{names[0]}",
    "happened": "{names[0]}: {names[1]}",
    "break_proposed": lambda row: (
        f"looks like a change of {{names[1]}} ({PROPOSED[row['names'][0]]}); not compared until a curator decides"
    ),
}
