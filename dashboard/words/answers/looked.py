"""The words of the answer to: do results still come in?"""

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.verdict.thresholds import LIMITS
from benchhealth.dashboard.words.answers.parts import NOBODY, Names, Wording
from benchhealth.dashboard.words.numbers import day_of, months
from benchhealth.dashboard.words.text import NO_RESULT, capital, count

_SHOWN = {
    None: "",
    0: ", and no maker's document of the last year that was read shows it",
}


def wording(row: Row, _names: Names) -> Wording:
    """How old the newest result was at the last look, and how long ago that look is."""
    if row["case"] == "no_result":
        return Wording(NOBODY, capital(NO_RESULT))
    look = months(row["second"])
    if row["case"] == "not_looked":
        newest = f"; the newest result then was of {day_of(row['on_day'])}" if row["on_day"] else ""
        return Wording(f"sources not read for {look}", f"Its sources were not read for {look}{newest}")
    if row["case"] == "undated":
        return Wording("no result has a day", f"None of {count(row['n'] or 0, 'result')} has a day")
    day, until = day_of(row["on_day"]), row["known_until"]
    is_later = until is not None and row["on_day"] > until
    when = (
        "later than the last reading of what it is judged by"
        if is_later
        else f"{months(row['value'])} before its sources were last read"
    )
    results = count(row["n"] or 0, "result")
    newest = f"The newest of {results} under any condition, copies counted once, is of {day}, {when}"
    makers = _SHOWN.get(row["count"], f", and {count(row['count'] or 0, 'maker')} showed it within the last year")
    limit = f"After {LIMITS.dormant_months:.0f} months without a result nobody is taken to report it."
    return Wording(f"newest result of {day}", f"{newest}{makers if row['case'] != 'results_come_in' else ''}", (limit,))
