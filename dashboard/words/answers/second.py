"""Does a second measurement agree, in words."""

from benchhealth.analytics.answers.second import CLOSE_POINTS
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.twins.tables import FEWEST_RERUN
from benchhealth.dashboard.words.answers.parts import Names, Wording, a, amount, gap, gap_interval, name_or_id
from benchhealth.dashboard.words.measurers.houses import head_of
from benchhealth.dashboard.words.numbers import correlation
from benchhealth.dashboard.words.text import count

_BEYOND = {
    "agrees": "within the error of drawing items and models",
    "differs": "beyond the error of drawing items and models",
    "rerun": "on the same items",
    "new_items_error_unknown": "the error of drawing items is not known",
    "equal_preparation": "on the same items, all models prepared alike",
    "by_design": "which is expected of its design",
}
MEANS = {
    "agrees": "Another draw of items and models would change as much.",
    "differs": "Other items may be harder, or models may be tuned to these; it proves no cause.",
    "rerun": "A rerun differs in prompt, effort and harness: it says how models were run, not whether items were seen.",
    "new_items_error_unknown": "Later items may be harder; without an error nobody can say whether the two agree.",
    "equal_preparation": "What changes is preparation: it is no evidence that items were seen.",
    "by_design": "A variant or another metric is no second measurement of the same thing.",
}


def wording(row: Row, names: Names) -> Wording:
    """The gap, over how many results, on which second measurement and of which kind.

    A model in three settings has three results on either side of one source.
    """
    case, results = row["case"], count(row["n"] or 0, "result")
    if case == "none_known":
        return Wording("none known", "No second measurement of it is known: no fresh sample, later split or rerun")
    twin = other_of(row, names)
    if case == "not_connected":
        return Wording("0 results on both", f"No model has a result both on it and on {twin}")
    if case == "few_models":
        return Wording(f"{results} on both", f"{results} on both it and {twin}: fewer than {FEWEST_RERUN} say nothing")
    if case == "too_weak":
        missed = amount(row["missed"], row["missed_unit"])
        sentence = f"Over {results} it and {twin} differ by no more than error, which hides a gap of up to {missed}"
        limit = f"Only an error of up to {CLOSE_POINTS:.0f} points would let two that look alike count as agreeing."
        return Wording(f"a gap below {missed} is hidden", sentence, (limit,))
    interval = gap_interval(row)
    error = f", 95% interval {interval}" if interval else ""
    sentence = f"Scores are {gap(row)} on {twin}{error}, over {results}, {_BEYOND[case]}"
    measured_in = "" if case == "agrees" else f" in {a(row['kind'])}"
    is_within = case == "agrees" or (row["low"] is not None and row["low"] <= 0 <= row["high"])
    tau = None if row["second"] is None else correlation(row["second"])
    order = (f"The order of the {results} agrees at Kendall's tau {tau}.",) if tau else ()
    answer = f"{gap(row)}{measured_in}{', within error' if is_within else ''}"
    return Wording(answer, sentence, (MEANS[case], *order))


def other_of(row: Row, names: Names) -> str:
    """What the second measurement is: `GSM1k (a fresh sample)`, `an independent rerun as Epoch AI lists it`."""
    kind = row["kind"]
    if row["other_id"] == row["benchmark_id"]:
        listed_by = f" as {head_of(row['said_by'])} lists it" if row["said_by"] else ""
        return f"{a(kind)}{listed_by}"
    if row["side"] == "second":
        return f"{name_or_id(names, row['other_id'])} (of which it is {a(kind)})"
    return f"{name_or_id(names, row['other_id'])} ({a(kind)})"
