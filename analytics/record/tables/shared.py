"""Columns that several tables have, each with its one meaning."""

from collections.abc import Callable

from benchhealth.analytics.record.tables.declared import (
    Column,
    Unit,
    count,
    day,
    flag,
    instant,
    link,
    number,
    numbers,
    probability,
    score,
    sentence,
    text,
    texts,
)

BENCHMARK_ID = text("benchmark_id", "The benchmark.")
MODEL_ID = text("model_id", "The model.")
SOURCE_ID = text("source_id", "The source.")
SNAPSHOT_ID = text("snapshot_id", "The version of the file that says so.")
SOURCE_ROW = text("source_row", "The address of the row in that file.", label="row")
BOARD_ID = text("board_id", "The leaderboard: source and benchmark.")
TWIN_ID = text("twin_id", "The declared pair of measurements.")
SETTING = text("setting", "What the model was run with: shots, effort, tools, scaffold; empty where not stated.")
REPORTER = text("reporter", "Who reports the score: `self`, the model's maker, or `third_party`.")
CONDITION = text("condition", "What results must share to be compared: tools, attempts, subset, judge.")
PUBLISHED_NAME = text("published_name", "The name as the source prints it.")
SOURCE_URL = link("source_url", "Where this is said.", label="said at")
OBSERVED_AT = instant("observed_at", "When the source said it, in UTC.", label="said at (UTC)")
DATED_ON = day("dated_on", "The day that it is true of.")
DATE_PRECISION = text(
    "date_precision",
    "How exactly that day is stated: `day`, or a `month` or `year`, of which it is the last day.",
    label="stated to the",
)
KNOWN_UNTIL = day("known_until", "The last look: all that is said is said of this day.")
AS_OF = day("as_of", "The day of the assessment.")
SCORE = score("score", "The score; a fraction where the unit is bounded.")
CARRIED = flag("carried", "Whether this is the best so far, extended to the day until which all is known.")
N = count("n", "How many observations the value rests on.")
N_MODELS = count("n_models", "How many models it rests on.", label="models")
N_ITEMS = count("n_items", "How many items it rests on.", label="items")
STATUS = text("status", "`ok`, `insufficient` or `not_applicable`; where it is not `ok` there is no value.")
REASON = sentence("reason", "Why there is no value, or what it rests on.")
NOTE = sentence("note", "What a reader should know of it.")
CASE = text("case", "The code of what the sentence says.")
NUMBERS = numbers("numbers", "The numbers of the case, in the order of its sentence.")
NAMES = texts("names", "The names of the case, in the order of its sentence.")
UNTIL_DAY = day("until_day", "The day until which the case holds.")
CASE_COLUMNS = (
    CASE,
    text("other_id", "The other benchmark, board, condition or model that the case is about."),
    text("kind", "Of which kind that is."),
    day("on_day", "The day of the case, or from which it holds."),
    UNTIL_DAY,
    NUMBERS,
    NAMES,
)
"""What a row says in codes and numbers, of which its sentence is made: see `case`."""
P_VALUE = probability("p_value", "One-sided p-value.", label="p")
Q_VALUE = probability("q_value", "Benjamini-Hochberg value among the tests that were made.", label="q")
HORIZON_MONTHS = count("horizon_months", "How many months ahead.", unit=Unit.MONTHS, label="months ahead")


def columns(names: str) -> tuple[Column, ...]:
    """Several of the columns above, by their names with spaces between."""
    return tuple(globals()[name.upper()] for name in names.split())


def interval(form: Callable[..., Column], quantity: str = "", unit: Unit | None = None) -> tuple[Column, ...]:
    """The two ends of an interval: `low` and `high`, or `<of>_low` and `<of>_high`."""
    before = f"{quantity}_" if quantity else ""
    about = f" of {quantity.replace('_', ' ')}" if quantity else ""
    more = {} if unit is None else {"unit": unit}
    return (
        form(f"{before}low", f"Lower end of the 95% interval{about}.", **more),
        form(f"{before}high", f"Upper end of the 95% interval{about}.", **more),
    )


def of_row(name: str, meaning: str, label: str = "") -> Column:
    """A column of numbers whose unit another column of the row states."""
    return number(name, meaning, unit=Unit.OF_ROW, label=label)
