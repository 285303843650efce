"""What changed, in words: plain text, which pages escape for markdown and the feed for XML."""

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.dashboard.words.answers.parts import WITHHELD
from benchhealth.dashboard.words.boards.ties import tied_of
from benchhealth.dashboard.words.numbers import day_of, percent, score, score_finely
from benchhealth.dashboard.words.prose.incidents import HEADS
from benchhealth.dashboard.words.stages import FLAG_WORDS, STAGE_WORDS
from benchhealth.dashboard.words.text import count, one_line, short


def subject(row: Row) -> str:
    """What the change is about: a benchmark by its label, else a source, else the rules."""
    if row["kind"] == "rules":
        return "Rules"
    return row["label"] or short(row["title"] or "A source")


def what_changed(row: Row) -> str:
    """What changed, as the part of a line that follows the name of its subject."""
    kind, text = row["kind"], one_line(row["text"] or "")
    if kind == "stage":
        before = f"{STAGE_WORDS[row['before']].lower()} → " if row["before"] else ""
        return f"{before}{STAGE_WORDS[row['after']].lower()}: {text}"
    if kind == "flag":
        flag = FLAG_WORDS.get(row["after"] or row["before"], "")
        return f"{text}: {flag}"
    if kind == "leader":
        tied = f", {'but ' if row['beyond_noise'] else ''}{tied_of(row['n'])}" if row["n"] else ""
        tied = "" if row["beyond_noise"] and row["n"] == 1 else tied
        return f"on {one_line(row['title']).split(':')[0]}, {text}, {noise(row)}{tied}"
    if kind in ("best", "best_late"):
        return f"{best(row)}: {text}"
    if kind in ("break", "incident"):
        head = "" if kind == "break" else f"{HEADS[row['after']].lower()}, "
        return f"{head}{day_of(row['on_day']) if row['on_day'] else 'day not on record'}: {text}"
    return text


def best(row: Row) -> str:
    """A best score before and now, and whether their errors part."""
    return f"best score of all leaderboards {step(row)}, {noise(row)}"


def step(row: Row) -> str:
    """A best score before and now, each as finely as tells them apart; one before that may not leave is said to be."""
    before, now = (score(row[name], row["unit"]) for name in ("value_before", "value"))
    if row["value_before"] is None:
        before = WITHHELD
    elif before == now:
        before, now = (score_finely(row[name], row["unit"]) for name in ("value_before", "value"))
    return f"{before} → {now}"


def noise(row: Row) -> str:
    """A phrase that says whether the change is larger than its error."""
    phrases = {True: "beyond its error", False: "within its error", None: "error not known"}
    return phrases[row["beyond_noise"]]


def number(row: Row) -> str:
    """The number at the right of a line about a change; empty for kinds without one."""
    if row["kind"] in ("stage", "benchmark"):
        return "" if row["value"] is None else f"{percent(row['value'])} left"
    if row["kind"] in ("best_lost",):
        return "" if row["value"] is None else score(row["value"], row["unit"])
    if row["kind"] == "results":
        return "" if row["on_day"] is None else day_of(row["on_day"])
    return ""


def boards(row: Row) -> str:
    """How many more boards of the source broke that day."""
    return f" and {count(row['boards'] - 1, 'more board')}" if row.get("boards", 1) > 1 else ""
